#include "urdf_overlap.h"

#include <Eigen/Geometry>
#include <cmath>

namespace stiction::urdf {
namespace {

// Parts that stand flush against one another in the drawing touch, they do not overlap. [m]
constexpr double kTouching = 1e-6;

// Separating axis theorem for two boxes: the axes of either, and the cross products of their edges.
//   half_A, half_B  half extents [m];   X_AB  pose of box B in box A
bool BoxesOverlap(const Vector3d& half_A, const Vector3d& half_B, const RigidTransform& X_AB) {
  const auto separates = [&](const Vector3d& axis_A) {
    const double length = axis_A.norm();
    if (length < 1e-6) return false;  // parallel edges: their cross product gives no axis
    const double reach = half_A.dot(axis_A.cwiseAbs()) + half_B.dot((X_AB.R.transpose() * axis_A).cwiseAbs());
    return std::abs(X_AB.p.dot(axis_A)) > reach - kTouching * length;
  };
  for (int i = 0; i < 3; ++i) {
    if (separates(Vector3d::Unit(i)) || separates(X_AB.R.col(i))) return false;
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (separates(Vector3d::Unit(i).cross(Vector3d(X_AB.R.col(j))))) return false;
    }
  }
  return true;
}

}  // namespace

bool BoundsOverlap(const Shape& a, const RigidTransform& X_WA, const Shape& b, const RigidTransform& X_WB) {
  const double reach = CalcBoundingRadius(a) + CalcBoundingRadius(b) - kTouching;
  if ((X_WA.p - X_WB.p).squaredNorm() > reach * reach) return false;
  const Matrix3d I = Matrix3d::Identity();
  return BoxesOverlap(CalcBoundingHalfExtents(a, I), CalcBoundingHalfExtents(b, I), X_WA.Inverse() * X_WB);
}

}  // namespace stiction::urdf
