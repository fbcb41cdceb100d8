// <mesh builtin="..." params="...">: meshes that MuJoCo makes by itself.
//
//   sphere       subdivision [0, 4]             icosahedron on the unit sphere, each triangle into four,
//   again and again hemisphere   resolution [0, 10]             the upper half of the unit ball, closed by
//   its equator cone         nvert >= 3, radius [0, 1]      polygons of radius 1 at z = -1 and `radius` at z
//   = 1 supersphere  resolution >= 3, e, n          superellipsoid of semi-axes 1: exponents around and along
//   z supertorus   resolution >= 3, radius, s, t  about z: major radius 1, minor `radius`, exponents of both
//   wedge        res_phi, res_theta, fov_phi, fov_theta, gamma   a piece of the unit sphere about +z: a sheet
//   plate        res_x, res_y                   a grid over [-1, 1]² at z = 0: a sheet
//
// References: MuJoCo's XML reference, "mesh" (names and numbers). Where vertices lie on the surfaces is ours
// for the hemisphere and the sheets.
#pragma once

#include "io/xml/element.h"
#include "stiction/geometry/triangle_mesh.h"

namespace stiction::mjcf {

// Of an element with the attribute. Throws LoadError: an unknown word, too few or too many numbers, numbers
// out of range.
TriangleMesh MakeBuiltinMesh(xml::Element& element);

}  // namespace stiction::mjcf
