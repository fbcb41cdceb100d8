#!/usr/bin/env python3
"""Writes the meshes of this folder. Run it here; the files are part of the repository.

All lengths in metres, closed surfaces that wind outwards but for the floor, an open sheet that faces up.
"""

from math import cos, pi, sin


def write(name, vertices, faces):
    with open(name, "w") as out:
        out.write(f"# {name}: written by make_meshes.py\n")
        for v in vertices:
            out.write("v " + " ".join(f"{x:.9g}" for x in v) + "\n")
        for f in faces:
            out.write("f " + " ".join(str(i + 1) for i in f) + "\n")


def box(hx, hy, hz):
    vertices = [(hx if k & 1 else -hx, hy if k & 2 else -hy, hz if k & 4 else -hz) for k in range(8)]
    quads = [(0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3), (0, 2, 3, 1), (4, 5, 7, 6)]
    return vertices, [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]


def revolved(profile, sides, turn=0.0):
    """A closed profile of (radius, height), counter-clockwise, about z; radius 0 is one vertex."""
    vertices, first, faces = [], [], []
    for rho, z in profile:
        first.append(len(vertices))
        for k in range(sides if rho > 0 else 1):
            a = 2 * pi * k / sides + turn
            vertices.append((rho * cos(a), rho * sin(a), z))
    for i in range(len(profile)):
        j = (i + 1) % len(profile)
        a, b = first[i], first[j]
        for k in range(sides):
            n = (k + 1) % sides
            if profile[i][0] == 0 and profile[j][0] == 0:
                continue
            if profile[i][0] == 0:
                faces.append((a, b + n, b + k))
            elif profile[j][0] == 0:
                faces.append((a + k, a + n, b))
            else:
                faces += [(a + k, a + n, b + n), (a + k, b + n, b + k)]
    return vertices, faces


def floor(cells, cell):
    n = cells + 1
    vertices = [((c - cells / 2) * cell, (r - cells / 2) * cell, 0) for r in range(n) for c in range(n)]
    faces = []
    for r in range(cells):
        for c in range(cells):
            a = r * n + c
            faces += [(a, a + 1, a + n + 1), (a, a + n + 1, a + n)]
    return vertices, faces


def cup(inner_radius, inner_height, wall, sides):
    outer, top = inner_radius + wall, inner_height + wall
    return revolved([(0, 0), (outer, 0), (outer, top), (inner_radius, top), (inner_radius, wall), (0, wall)], sides)


def plate_with_hole(inner, outer, half_height):
    """A square hole of half width `inner` through a square plate."""
    corner = 2 ** 0.5
    return revolved([(corner * inner, -half_height), (corner * outer, -half_height), (corner * outer, half_height),
                     (corner * inner, half_height)], 4, pi / 4)


def lofted(sections, sides):
    """A closed tube along z through superellipses (z, half width in x, in y), with flat ends. The four points on the axes are
    among its vertices whatever the number of sides, a multiple of 4: coarse and fine ones have the same bounds."""
    vertices, faces = [], []
    for z, hx, hy in sections:
        for k in range(sides):
            a = 2 * pi * k / sides
            c, s = (round(f(a), 12) for f in (cos, sin))
            r = (abs(c) ** 3 + abs(s) ** 3) ** (-1 / 3)
            vertices.append((hx * r * c, hy * r * s, z))
    for i in range(len(sections) - 1):
        a, b = i * sides, (i + 1) * sides
        for k in range(sides):
            n = (k + 1) % sides
            faces += [(a + k, a + n, b + n), (a + k, b + n, b + k)]
    top = (len(sections) - 1) * sides
    for k in range(1, sides - 1):
        faces += [(0, k + 1, k), (top, top + k, top + k + 1)]
    return vertices, faces


write("box.obj", *box(0.05, 0.05, 0.05))
write("floor.obj", *floor(30, 0.01))
write("cup.obj", *cup(0.04, 0.09, 0.003, 32))
write("plate_with_hole.obj", *plate_with_hole(0.0101, 0.04, 0.02))

# Parts of quadruped.urdf: as they look, and coarser, as they collide.
PARTS = {
    "trunk": [(-0.27, 0.04, 0.05), (-0.22, 0.07, 0.09), (0.22, 0.07, 0.09), (0.27, 0.05, 0.06)],
    "hip": [(-0.04, 0.035, 0.035), (0, 0.042, 0.042), (0.04, 0.035, 0.035)],
    "thigh": [(-0.22, 0.016, 0.014), (-0.1, 0.024, 0.018), (0, 0.034, 0.022), (0.03, 0.02, 0.018)],
    "calf": [(-0.22, 0.010, 0.010), (-0.08, 0.014, 0.012), (0, 0.022, 0.014), (0.015, 0.012, 0.010)],
}
for part, sections in PARTS.items():
    write(part + ".obj", *lofted(sections, 24))
    write(part + "_collision.obj", *lofted(sections, 8))
