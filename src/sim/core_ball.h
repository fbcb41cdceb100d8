// The ball within a body that turns fast.
//
// A contact's row moves a point of the surface by dt (v + ω × r). Of a body that turns by half a radian or
// more in the step that is no way that any of its points goes: a corner that turns away now lets the body
// through a wall. But a ball about the body's middle is where it is however that turns. So such a body is
// held by what this ball meets as well, and no more of it than half: the other half is the surface's, which
// the ball must not bear the load of.
//
// What turns about the axis of its own shape, as a wheel, is where it was; spheres are balls themselves.
#pragma once

#include <cstdint>

#include "stiction/collision/swept_contact.h"

namespace stiction {

// The way of a point and what its row makes of it then differ by a quarter of it [rad].
inline constexpr double kFarTurn = 0.5;

// Apart from the names of what surfaces meet.
inline constexpr std::uint32_t kCoreFeature = 0x155AA551u;

// Half of the radius of the ball about the shape's origin that is within it; 0 of what needs none, has none
// or does not hold its origin. Takes as long as to ask a mesh's triangles. [m]
double CalcCoreRadius(const Shape& shape);

// Whether the shape turns, other than about its own axis, by more than kFarTurn in dt.
bool TurnsFar(const ShapeMotion& motion, double dt);

}  // namespace stiction
