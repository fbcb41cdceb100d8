// Mass properties of thin shells: what is as heavy everywhere on the surface of a primitive, ends of
// cylinders included. Private to the library.
#pragma once

#include "stiction/geometry/mass_properties.h"

namespace stiction {

// Area of the surface; 0 for a plane, and for hulls, meshes and fields, of which a TriangleMesh knows more.
// [m²]
double CalcArea(const Shape& shape);

// In the shape's own frame. Zeros where the area is 0.
MassProperties CalcShellMassProperties(const Shape& shape, double mass);

}  // namespace stiction
