// Signed distance of two cores, without their inflation: what CalcDistance and the narrowphase of hulls
// share.
#pragma once

#include <limits>

#include "geometry/support.h"

namespace stiction::geometry {

// Of a plane, a mesh and a field, which have none: a point.
Core MakeCore(const Shape& shape);
Core MakeCore(const Capsule& capsule);
Core MakeCore(const Cylinder& cylinder);
Core MakeCore(const Box& box);
Core MakeCore(const ConvexHull& hull);

// A triangle has no inside: cores that meet it are at distance 0, and n_A says nothing.
//   enough  [m]: a distance that is at least this need not be known better; `distance` is then a lower bound
//           that is at least this too, and nothing else of the result is set
CoreDistance CalcCoreDistance(const Core& a, const Core& b, const RigidTransform& X_AB,
                              double enough = std::numeric_limits<double>::infinity());

}  // namespace stiction::geometry
