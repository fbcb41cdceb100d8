#!/usr/bin/env python3
"""Compares the speed of two commits; exits with 1 where the second lost more than 5 %.

  compare.py OLD NEW [--scenes A,B,...]   two executables: runs of both in turns on this machine
  compare.py OLD.csv NEW.csv              two tables of `stiction bench speed --peers`, as in history.csv, of
                                          one CPU; or history.csv twice, with --commits OLD,NEW

Times are CPU times per step, starting up taken off, and of N runs the fastest counts: what else runs on a
machine only adds. Of executables the loss is looked at again in as many runs before it is believed. A state
hash that moved means that the two did different work; that is told, and no failure.
"""
import argparse
import csv
import json
import os
import resource
import subprocess
import sys

# Few bodies and many, robots and piles, in motion and at rest: name: simulated time [s].
SCENES = {
    "scene:quadruped": 1.0,
    "scene:quadruped:count=8": 1.0,
    "scene:walker": 1.0,
    "scene:chain": 1.0,
    "scene:stack:count=20": 3.0,
    "scene:clutter:count=40": 3.0,
    "scene:layers:count=100": 1.0,
}


def run(executable, scene, seconds):
    """CPU time [s] and what `run --json` says."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [executable, "run", scene, "--time", str(seconds), "--quiet", "--json", "-"], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        sys.exit(f"{executable} run {scene}: exit code {done.returncode}: {done.stderr.strip()}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, json.loads(done.stdout)


class Contest:
    """The fastest of all runs so far, of each executable."""

    def __init__(self, executables, scene, seconds):
        self.executables, self.scene, self.seconds = executables, scene, seconds
        self.start = [float("inf")] * 2
        self.total = [float("inf")] * 2
        self.answer = [None] * 2

    def repeat(self, times):
        for i in range(times):
            for side in ((0, 1), (1, 0))[i % 2]:
                self.start[side] = min(self.start[side], run(self.executables[side], self.scene, 0)[0])
                time, self.answer[side] = run(self.executables[side], self.scene, self.seconds)
                self.total[side] = min(self.total[side], time)

    def us(self, side):
        return 1e6 * max(self.total[side] - self.start[side], 1e-9) / max(self.answer[side]["steps"], 1)

    def loss(self):
        return self.us(1) / self.us(0) - 1.0


def print_row(scene, old, new, moved):
    change = 100.0 * (new / old - 1.0)
    print(f"{scene:28} {old:10.1f} us {new:10.1f} us {change:+7.1f} %{'  state hash moved' if moved else ''}", flush=True)


def compare_executables(arguments):
    lost = []
    for scene in arguments.scenes or SCENES:
        seconds = arguments.time or SCENES.get(scene, 1.0)
        contest = Contest((arguments.old, arguments.new), scene, seconds)
        contest.repeat(arguments.repeats)
        if contest.loss() > arguments.limit / 100.0:
            contest.repeat(arguments.repeats)
        moved = contest.answer[0]["state_hash"] != contest.answer[1]["state_hash"]
        print_row(scene, contest.us(0), contest.us(1), moved)
        if contest.loss() > arguments.limit / 100.0:
            lost.append(scene)
    return lost


def read_rows(path, commit, scenes):
    """The last row of each scene."""
    with open(path, newline="") as file:
        rows = [row for row in csv.DictReader(file) if commit in (None, row["commit"])]
    return {row["scene"]: row for row in rows if not scenes or row["scene"] in scenes}


def compare_tables(arguments):
    commits = arguments.commits or (None, None)
    old = read_rows(arguments.old, commits[0], arguments.scenes)
    new = read_rows(arguments.new, commits[1], arguments.scenes)
    lost, common = [], [scene for scene in old if scene in new]
    if not common:
        sys.exit("the two tables have no scene in common")
    for scene in common:
        a, b = old[scene], new[scene]
        if a["machine"] != b["machine"]:
            sys.exit(f"{scene}: times of different machines say nothing: {a['machine']} and {b['machine']}")
        print_row(scene, float(a["us"]), float(b["us"]), a["state_hash"] != b["state_hash"])
        if float(b["us"]) > (1.0 + arguments.limit / 100.0) * float(a["us"]):
            lost.append(scene)
    return lost


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    words = lambda text: text.split(",")
    parser.add_argument("--scenes", type=words, help="scenes or models of executables; rows of tables")
    parser.add_argument("--commits", type=words, help="OLD,NEW: rows of these commits alone")
    parser.add_argument("--time", type=float, help="simulated time [s]")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--limit", type=float, default=5.0, help="loss that fails [%%]")
    arguments = parser.parse_args()
    for path in (arguments.old, arguments.new):
        if not os.path.isfile(path):
            parser.error(f"{path} is not a file")
    if arguments.commits and len(arguments.commits) != 2:
        parser.error("--commits takes two: OLD,NEW")
    is_table = [path.endswith(".csv") for path in (arguments.old, arguments.new)]
    if is_table[0] != is_table[1]:
        parser.error("give two executables or two tables (.csv)")
    lost = compare_tables(arguments) if is_table[0] else compare_executables(arguments)
    if lost:
        print(f"lost more than {arguments.limit:g} %: {', '.join(lost)}")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
