// What every pair family shares: emitting a point, and directions that stay finite when lengths vanish.
#pragma once

#include <Eigen/Geometry>

#include "collision/narrowphase/gatherer.h"

namespace stiction::narrowphase {

// Directions are read off vectors longer than this fraction of the shapes' size. Below it round-off decides
// the direction, so that each family falls back on one fixed to a shape.
inline constexpr double kDegenerateLength = 1e-10;

// Adds the point that frame F sees at p_F, midway between the surfaces, if its gap is below the margin.
//   n_F  unit normal from A to B
inline void AddPoint(const RigidTransform& X_WF, const Vector3d& p_F, const Vector3d& n_F, double gap,
                     double margin, std::uint32_t feature, Manifold& out) {
  if (gap < margin) out.Add({X_WF * p_F, X_WF.R * n_F, gap, feature});
}

inline void AddPoint(const RigidTransform& X_WF, const Vector3d& p_F, const Vector3d& n_F, double gap,
                     std::uint32_t feature, Gatherer& out) {
  if (gap < out.margin()) out.AddMidway(X_WF * p_F, X_WF.R * n_F, gap, feature);
}

// X_AB from the poses of both in W.
inline RigidTransform RelativePose(const RigidTransform& X_WA, const RigidTransform& X_WB) {
  return {X_WA.R.transpose() * X_WB.R, X_WA.R.transpose() * (X_WB.p - X_WA.p)};
}

// A rotation whose third column is z, a unit vector.
inline Matrix3d MakeFrameAlong(const Vector3d& z) {
  Matrix3d R;
  R.col(0) = z.unitOrthogonal();
  R.col(1) = z.cross(R.col(0));
  R.col(2) = z;
  return R;
}

// +1 for zero, so that a coordinate that vanishes still picks a side.
inline double Sign(double x) {
  return x < 0.0 ? -1.0 : 1.0;
}

}  // namespace stiction::narrowphase
