// Distance fields written as text.
//
//   field   = name "(" [argument {"," argument}] ")"        spaces and line breaks anywhere between tokens
//   argument = number | field                               numbers first
//
// Leaves; lengths in metres, h a half-length along z:
//   sphere(r)  box(hx, hy, hz)  capsule(r, h)  cylinder(r, h)  ellipsoid(a, b, c)  torus(R, r)  halfspace()
//   hexagon(across flats, h)
//   dish(base radius, rim radius, rim height, padding)       profile(padding, ρ0, z0, ρ1, z1, ...)
//   thread(major diameter, pitch, length)                    nut(major diameter, pitch, height, across flats,
//                                                                clearance)
// Operations on fields f, g:
//   union(f, g, ...)  intersection(f, g, ...)                one operand or more
//   difference(f, g, ...)                                    f without the others
//   round(r, f)  shell(t, f)                                 grown by r; the surface, thickened to ±t
//   move(x, y, z, f)   rotate(ux, uy, uz, degrees, f)        rotate: about the axis u, of any length but 0
//   scale(s, f)
//
// Example: a tray is difference(box(0.1, 0.1, 0.02), move(0, 0, 0.01, cylinder(0.03, 0.05)))
#pragma once

#include <string_view>

#include "stiction/geometry/distance_field.h"

namespace stiction {

// Throws std::invalid_argument: the position in the text, counted from 1, what was expected there, and for an
// unknown name those that are known. Text is limited to 65536 characters, nesting to 32.
DistanceField ParseDistanceField(std::string_view text);

}  // namespace stiction
