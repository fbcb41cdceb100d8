// <mesh builtin="..." params="...">: meshes that MuJoCo makes by itself.
//
// - sphere: subdivision [0, 4]. An icosahedron on the unit sphere, each triangle into four, again and again.
// - hemisphere: resolution [0, 10]. The upper half of the unit ball, closed by its equator.
// - cone: nvert >= 3, radius [0, 1]. Polygons of radius 1 at z = -1 and of `radius` at z = 1.
// - supersphere: resolution >= 3, e, n. A superellipsoid of semi-axes 1: exponents around and along z.
// - supertorus: resolution >= 3, radius, s, t. About z: major radius 1, minor `radius`, exponents of both.
// - wedge: res_phi, res_theta, fov_phi, fov_theta, gamma. A grid of points of the unit sphere about -z, x to
//   the right, up to fov away from it [deg], as their hull.
// - plate: res_x, res_y >= 2. A grid of points of [-1, 1]² at z = 0: a sheet.
//
// Points of a grid are the middles of its cells.
//
// References: MuJoCo's XML reference, "mesh" (names and numbers); vertices as MuJoCo 3.14 has them.
#pragma once

#include "io/xml/element.h"
#include "stiction/geometry/triangle_mesh.h"

namespace stiction::mjcf {

// Of an element with the attribute. Throws LoadError: an unknown word, too few or too many numbers, numbers
// out of range.
TriangleMesh MakeBuiltinMesh(xml::Element& element);

}  // namespace stiction::mjcf
