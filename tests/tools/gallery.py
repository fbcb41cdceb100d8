#!/usr/bin/python3
"""Makes the pictures and videos of README.md and apps/viewer/README.md from what ships, with the programs of a build.

    tests/tools/gallery.py build/bin apps/viewer/gallery             # all; the window needs xvfb and xdotool's X
    tests/tools/gallery.py build/bin apps/viewer/gallery grasp heap  # some, by their names
    tests/tools/gallery.py build/bin /tmp --size 320x180 cards       # as small as that: to see whether it works

Pictures are drawn without a display. Each is a simulation up to its moment, by the solver that is the default.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

ASSETS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "assets")
SCENARIOS, MODELS = os.path.join(ASSETS, "scenarios"), os.path.join(ASSETS, "models")
PICTURE = ["--size", "1600x900", "--supersample", "2"]
VIDEO = ["--size", "480x270", "--supersample", "2", "--fine"]


def heap_of_quadrupeds(count):
    """A scenario: they fall from where they stand over each other, each turned otherwise."""
    lines = ['<scenario name="heap" duration="3" timestep="0.002">', '  <ground friction="0.7"/>']
    for i in range(count):
        x, y, z = 0.28 * (i % 2) - 0.14, 0.2 * (i // 2 % 2) - 0.1, 0.5 + 0.42 * i
        turn, tilt = 137.5 * i, (25, -40, 160, 70)[i % 4]
        lines.append(f'  <model file="models/quadruped.urdf" name="q{i}" pos="{x} {y} {z}" '
                     f'euler="{tilt} 0 {turn}" base="floating"/>')
        lines.append(f'  <controller type="joint_pd" model="q{i}" kp="60" kd="3"/>')
    return "\n".join(lines + ["</scenario>"])


def scenario(name):
    return os.path.join(SCENARIOS, name + ".xml")


# Name: what is simulated, and how it is looked at. The names are those of files.
PICTURES = {
    "quadruped": [scenario("quadruped_trots"), "--time", "1.35", "--camera", "48,10,1.25"],
    "grasp": [scenario("pile_dishes"), "--time", "5", "--show", "contacts,forces,transparent", "--force-scale",
              "0.35", "--camera", "75,26,0.5,0.45,-0.28,0.115"],
    "threads": [scenario("nut_assembly"), "--time", "11.5", "--camera", "-35,22,0.42,0.5,0.15,0.115"],
    "heap": ["heap.xml", "--time", "3", "--camera", "30,25,2.5,0.05,-0.08,0.2"],
    "cards": [os.path.join(MODELS, "card_house.xml"), "--ground", "-0.02", "--time", "0.5", "--camera", "62,14,0.58,0,0,0.12"],
    "dishes": [scenario("pile_dishes"), "--time", "23.2", "--camera", "62,16,1.15,0.36,0,0.26"],
    "pour": [scenario("pour_45"), "--time", "8", "--camera", "40,48,0.5,0.36,0.07,0.36"],
}
VIDEOS = {
    "trot": [scenario("quadruped_trots"), "--time", "5", "--fps", "15", "--camera", "60,14,1.7,0.6,0,0.2"],
    "screw": [scenario("nut_assembly"), "--time", "23", "--speed", "3", "--fps", "10", "--hold", "1", "--camera",
              "-20,18,1.15,0.4,0,0.25"],
    "fall": ["heap.xml", "--time", "3", "--fps", "15", "--hold", "1", "--camera", "30,20,3,0,0,0.5"],
}
WINDOW = "window"
WINDOW_SIZE = "1600x900"
FALLING = 0.4  # how far the two stacks are apart in the picture, where they are most [m]


def render(programs, arguments, out):
    result = subprocess.run([os.path.join(programs, "stiction"), "render", *arguments, "--out", out],
                            stderr=subprocess.PIPE, text=True)
    lines = [line for line in result.stderr.splitlines() if not line.startswith("warning:")]
    if result.returncode != 0:
        sys.exit("\n".join([out, *lines]))


def squeeze(path):
    """The same pixels in fewer bytes."""
    small = path + ".small.png"
    subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-i", path, "-compression_level", "9", "-pred", "mixed",
                    small], check=True)
    os.replace(small, path)


def picture_window(programs, out):
    """A stack that stands beside the same one by another solver, which falls: Xvfb's screen, all of it."""
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "trace.json")
        read, write = os.pipe()
        screen = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", WINDOW_SIZE + "x24"],
                                  pass_fds=[write], stderr=subprocess.DEVNULL)
        display = ":" + os.read(read, 16).decode().strip()
        environment = {**os.environ, "DISPLAY": display, "XDG_CONFIG_HOME": folder, "XDG_CACHE_HOME": folder}
        view = subprocess.Popen(
            [os.path.join(programs, "stiction-view"), os.path.join(ASSETS, "demo", "arm_beside_stack.xml"),
             "--compare", "pgs_ncp", "--show", "contacts,forces", "--size", WINDOW_SIZE, "--ui-trace", trace],
            env=environment, cwd=folder, stderr=subprocess.DEVNULL)
        try:
            wait_until(lambda: (read_json(trace).get("companion") or {}).get("apart", 0.0) > FALLING, view)
            # What stands is drawn sharp, also in software.
            subprocess.run(["xdotool", "key", "space"], env=environment, check=True)
            wait_until(lambda: read_json(trace).get("is_running") is False, view)
            frame = read_json(trace)["frame"]
            wait_until(lambda: read_json(trace).get("frame", 0) > frame + 2, view)
            subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-f", "x11grab", "-draw_mouse", "0", "-video_size",
                            WINDOW_SIZE, "-i", display, "-frames:v", "1", out], check=True)
        finally:
            for process in (view, screen):
                process.terminate()
                process.wait()


def read_json(path):
    try:
        with open(path) as file:
            return json.load(file)
    except (OSError, ValueError):
        return {}  # not there yet, or half of it


def wait_until(is_so, process, seconds=300):
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end or process.poll() is not None:
            sys.exit("the window did not come as far as its picture")
        time.sleep(0.1)


def main():
    names = [*PICTURES, *VIDEOS, WINDOW]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", help="folder of stiction and stiction-view")
    parser.add_argument("out", help="folder of the pictures")
    parser.add_argument("names", nargs="*", help=", ".join(names) + " [all]")
    parser.add_argument("--size", help="WxH of pictures and videos, each drawn once; for a look")
    arguments = parser.parse_intermixed_args()
    unknown = set(arguments.names) - set(names)
    if unknown:
        parser.error(f"there is no {', '.join(sorted(unknown))}; known: {', '.join(names)}")
    programs, out = os.path.abspath(arguments.programs), os.path.abspath(arguments.out)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        shutil.copytree(MODELS, "models")  # a scenario opens what lies in its own folder
        with open("heap.xml", "w") as file:
            file.write(heap_of_quadrupeds(8))
        for name in arguments.names or names:
            path = os.path.join(out, name + (".gif" if name in VIDEOS else ".png"))
            if name == WINDOW:
                picture_window(programs, path)
            else:
                size = ["--size", arguments.size] if arguments.size else VIDEO if name in VIDEOS else PICTURE
                render(programs, [*(VIDEOS[name] if name in VIDEOS else PICTURES[name]), *size], path)
            if name not in VIDEOS:
                squeeze(path)
            print(f"{path}  {os.path.getsize(path)} bytes")


if __name__ == "__main__":
    main()
