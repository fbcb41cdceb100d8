#include "io/urdf/overlap.h"

#include "stiction/geometry/distance.h"

namespace stiction::urdf {

bool ShapesOverlap(const Shape& a, const RigidTransform& X_WA, const Shape& b, const RigidTransform& X_WB) {
  // Parts that stand flush against one another in the drawing touch, they do not overlap. [m]
  constexpr double kTouching = 1e-6;
  const double reach = CalcBoundingRadius(a) + CalcBoundingRadius(b) - kTouching;
  if ((X_WA.p - X_WB.p).squaredNorm() > reach * reach) return false;
  return CalcDistance(a, X_WA, b, X_WB).distance < -kTouching;
}

}  // namespace stiction::urdf
