// Primitives that are fitted to a mesh: <geom type="capsule" mesh="...">.
#pragma once

#include "io/mjcf/context.h"

namespace stiction::mjcf {

// Whether the geom is such a one: its size and pose are then the mesh's to say.
bool IsFitted(const GeomSpec& spec);

// Gives the spec the size, and in place of the mesh's pose that of the primitive, which stands in the mesh's
// inertial frame, the axis of the smallest moment its z:
//
//   as heavy a body, by default  with a the half extents of the box of the mesh's inertia,
//                                box, ellipsoid: a; cylinder, capsule: r = (a_x + a_y)/2, half length a_z
//                                (capsule: a_z − r/2); sphere: r = (a_x + a_y + a_z)/3
//   around all vertices          with compiler[@fitaabb]: box, ellipsoid: the half extents of the bounding
//                                box, about whose centre the others are the smallest; the ellipsoid fills
//                                the box, and does not hold it
//
// times fitscale. Axes of equal moments may be others than MuJoCo's; only with fitaabb does that matter.
// Throws LoadError: the mesh cannot be read, or encloses nothing.
void FitToMesh(const Compiler& compiler, xml::Element& element, MeshAsset& asset, GeomSpec& spec);

}  // namespace stiction::mjcf
