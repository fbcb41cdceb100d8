#!/usr/bin/env python3
"""Puts a report's summary into a README, between two comments that mark its place.

    python3 tests/tools/readme_report.py report README.md

`report` is the folder that `stiction bench --all --out report` wrote. What stands between the marks is replaced, never
edited by hand. Exit code 2: a file is missing, or the marks are not there, each once and in their order.
"""

import argparse
import collections
import csv
import pathlib
import re
import sys

BEGIN = "<!-- report: begin; written by tests/tools/readme_report.py -->"
END = "<!-- report: end -->"


def make_text(folder):
    """The summary with a line above it, and below it what is not held and what is refuted, by row."""
    head = re.search(r"^Commit .*$", (folder / "report.md").read_text(), re.MULTILINE)
    if head is None:
        raise ValueError(f"{folder / 'report.md'} has no line that begins with 'Commit'")
    with open(folder / "figures.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    missed = list_rows(rows, "not held", "failed to run")
    refuted = list_rows(rows, "refuted")
    tail = f"Not held, by row: {missed}.\n" if missed else "Everything is held.\n"
    if refuted:
        tail += f"\nRefuted, by row, each by a measurement of the same row: {refuted}.\n"
    return f"{head.group(0)}\n\n{(folder / 'summary.md').read_text()}\n{tail}"


def list_rows(rows, *verdicts):
    """How many figures of which experiment have one of the verdicts."""
    counts = collections.Counter(row["experiment"] for row in rows if row["verdict"] in verdicts)
    return ", ".join(f"`{name}` ({count})" for name, count in counts.items())


def replace(readme, text):
    """The README's text with what is between the marks replaced."""
    if readme.count(BEGIN) != 1 or readme.count(END) != 1 or readme.index(BEGIN) > readme.index(END):
        raise ValueError(f"the marks '{BEGIN}' and '{END}' have to be there once, in this order")
    before, rest = readme.split(BEGIN)
    return f"{before}{BEGIN}\n{text}{END}{rest.split(END)[1]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("report", type=pathlib.Path, help="folder of `stiction bench --all --out`")
    parser.add_argument("readme", type=pathlib.Path)
    arguments = parser.parse_args()
    try:
        readme = arguments.readme.read_text()
        arguments.readme.write_text(replace(readme, make_text(arguments.report)))
    except (OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
