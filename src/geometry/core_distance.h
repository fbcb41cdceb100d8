// Signed distance of two cores, without their inflation: what CalcDistance and the narrowphase of hulls
// share.
#pragma once

#include "geometry/support.h"

namespace stiction::geometry {

// Of a plane, which has none: a point.
Core MakeCore(const Shape& shape);
Core MakeCore(const Box& box);
Core MakeCore(const ConvexHull& hull);

CoreDistance CalcCoreDistance(const Core& a, const Core& b, const RigidTransform& X_AB);

}  // namespace stiction::geometry
