#!/usr/bin/python3
"""Pictures the contact manifold of every pair of shapes, as `stiction render` draws it, on one sheet.

    xvfb-run -a -s "-screen 0 1920x1200x24" tests/tools/manifold_gallery.py build/bin/stiction --out manifolds.png

In each picture a body that can only slide along z, somewhat turned, has come to rest on a fixed one. Green
points carry load, grey ones are within the margin; lines are normals.
"""
import argparse
import os
import subprocess
import tempfile
from math import cos, pi, sin

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # after the choice of what draws

SIZE = (240, 200)  # of a picture, in pixels
CAMERA = "35,32,0.62"  # azimuth and elevation in degrees, distance in metres
TURN = 25  # degrees, of the upper body about z, so that edges cross


def torus(ring, tube, sides, tube_sides):
    """Vertices and triangles as MJCF writes them; nothing on the x axis' edge lines up with another shape."""
    vertices, faces = [], []
    for i in range(sides):
        for k in range(tube_sides):
            a, b = 2 * pi * i / sides, 2 * pi * (k + 0.5) / tube_sides
            rho = ring + tube * cos(b)
            vertices.append((rho * cos(a), rho * sin(a), tube * sin(b)))
            here, up = i * tube_sides + k, i * tube_sides + (k + 1) % tube_sides
            across = (i + 1) % sides * tube_sides
            faces += [(here, across + k, across + up % tube_sides), (here, across + up % tube_sides, up)]
    return vertices, faces


def numbers(rows):
    return " ".join(f"{x:.6g}" for row in rows for x in row)


def prism(sides, bottom, top, half_height):
    """Corners of a frustum."""
    return [(r * cos(2 * pi * k / sides), r * sin(2 * pi * k / sides), z)
            for r, z in ((bottom, -half_height), (top, half_height)) for k in range(sides)]


RING = torus(0.085, 0.035, 20, 12)
ASSETS = f"""<asset>
    <mesh name="frustum" vertex="{numbers(prism(6, 0.11, 0.08, 0.05))}"/>
    <mesh name="ring" vertex="{numbers(RING[0])}" face="{numbers(RING[1])}"/>
  </asset>"""

# Name: the geom's attributes; below and above its frame's origin, what it needs along z [m].
SHAPES = {
    "plane": ('type="plane" size="1 1 1"', 0, 0),
    "sphere": ('type="sphere" size="0.09"', 0.09, 0.09),
    "capsule": ('type="capsule" size="0.05 0.09" euler="0 90 0"', 0.05, 0.05),
    "ellipsoid": ('type="ellipsoid" size="0.12 0.09 0.06"', 0.06, 0.06),
    "cylinder": ('type="cylinder" size="0.09 0.05"', 0.05, 0.05),
    "box": ('type="box" size="0.11 0.08 0.05"', 0.05, 0.05),
    "hull": ('type="mesh" mesh="frustum"', 0.06, 0.06),
    "mesh": ('type="mesh" mesh="ring" concave="true"', 0.035, 0.035),
    "sdf": ('type="sdf" field="dish(0.06, 0.13, 0.06, 0.012)"', 0.06, 0.08),
}


def pairs():
    """(upper, lower): each pair once; the plane below, and what is hollow below what is not."""
    names = list(SHAPES)
    return [(upper, lower) for i, upper in enumerate(names) for lower in ["plane"] * (i > 0) + names[max(i, 1):]
            if upper != "plane"]


def scene(upper, lower):
    """The size of points follows the scene's extent in the file, and the keyframe is what is played: the body
    stands far up in the file, which makes points large enough for a small picture."""
    gap = 0.005
    height = SHAPES[upper][1] + SHAPES[lower][2] + gap
    # Two capsules lie along one another: crossed they would touch in one point.
    turn = 0 if upper == lower == "capsule" else TURN
    # Off the middle, where a flat shape would hide the symmetry of a round one.
    shift = 0.03 if upper not in ("sphere",) and lower in ("cylinder", "box", "hull") else 0
    far = 1.6
    # A plane has no extent of its own: one ball under it and one above the picture, around the middle, stand
    # for it.
    ends = "".join(f'<geom type="sphere" size="0.01" pos="0 0 {z}" contype="0" conaffinity="0"/>'
                   for z in ((-0.8, 0.9) if lower == "plane" else ()))
    return f"""<mujoco model="{upper}_on_{lower}">
  <option timestep="0.001"/>
  {ASSETS}
  <worldbody>
    <geom {SHAPES[lower][0]}/>
    {ends}
    <body pos="{shift} 0 {far}" euler="0 0 {turn}">
      <joint type="slide" axis="0 0 1"/>
      <geom {SHAPES[upper][0]} density="1000"/>
    </body>
  </worldbody>
  <keyframe><key name="near" qpos="{height - far:.6g}"/></keyframe>
</mujoco>
"""


def render(program, upper, lower, folder, marks):
    model, picture = (os.path.join(folder, f"{upper}_{lower}{end}") for end in (".xml", ".png"))
    with open(model, "w") as out:
        out.write(scene(upper, lower))
    subprocess.run([program, "render", model, "--out", picture, "--keyframe", "near", "--time", "0.4",
                    "--size", "%dx%d" % SIZE, "--camera", CAMERA, "--show", marks], check=True)
    return plt.imread(picture)


def draw_sheet(pictures, path):
    """Rows: the upper shape; columns: the lower one."""
    uppers = [name for name in SHAPES if any(upper == name for upper, _ in pictures)]
    lowers = [name for name in SHAPES if any(lower == name for _, lower in pictures)]
    dpi = 100
    figure, axes = plt.subplots(len(uppers), len(lowers), squeeze=False, dpi=dpi, layout=None,
                                figsize=((SIZE[0] + 4) * len(lowers) / dpi, (SIZE[1] + 24) * len(uppers) / dpi))
    for i, upper in enumerate(uppers):
        for j, lower in enumerate(lowers):
            axes[i, j].axis("off")
            if (upper, lower) in pictures:
                axes[i, j].imshow(pictures[upper, lower])
                axes[i, j].set_title(f"{upper} on {lower}", fontsize=10, pad=3)
    figure.subplots_adjust(left=0, right=1, bottom=0, top=1 - 24 / (SIZE[1] * len(uppers)), wspace=0.02, hspace=0.12)
    figure.savefig(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the program `stiction`, beside stiction-view")
    parser.add_argument("--out", required=True, metavar="FILE.png")
    parser.add_argument("--pair", nargs=2, action="append", metavar=("UPPER", "LOWER"), help="only these")
    parser.add_argument("--show", default="contacts,transparent", help="marks of `stiction render`")
    arguments = parser.parse_args()
    wanted = [tuple(pair) for pair in arguments.pair] if arguments.pair else pairs()
    with tempfile.TemporaryDirectory() as folder:
        pictures = {pair: render(arguments.program, *pair, folder, arguments.show) for pair in wanted}
    draw_sheet(pictures, arguments.out)


if __name__ == "__main__":
    main()
