// What several joint types share.
#pragma once

#include "math/spatial_algebra.h"
#include "stiction/geometry/mass_properties.h"
#include "stiction/model/joint/joint_type.h"

namespace stiction {

inline constexpr const char* kNumbersMustBeFinite = "its numbers must be finite";

// "" of an axis that normalising makes a unit vector of, the square of its length being a double.
inline const char* FindAxisFault(const Vector3d& axis) {
  const double length = axis.norm();
  if (!(length > 1e-100)) return "the axis is zero";
  return length < 1e100 ? "" : "the axis is too long; only its direction counts: write it shorter";
}

// Turns the frame X_WB about the anchor by R, given in the axes that the frame has before.
inline void TurnAbout(const Vector3d& anchor_W, const Vector3d& p_BJ, const Matrix3d& R,
                      RigidTransform& X_WB) {
  const Matrix3d before = X_WB.R;
  X_WB.R.noalias() = before * R;
  X_WB.p = anchor_W;
  if (!p_BJ.isZero(0.0)) X_WB.p -= X_WB.R * p_BJ;
}

// Columns of rotations about the body's own axes x, y, z, from `first` on, before they are referred to T.
inline void WriteBodyAxes(const RigidTransform& X_WB, const Vector3d& anchor_W, int first, MotionColumns S) {
  for (int i = 0; i < 3; ++i) S.col(first + i) << X_WB.R.col(i), anchor_W;
}

// A rotation about an axis through the anchor moves the point p_WT with axis × (p_WT - anchor).
inline void ReferRotation(const Vector3d& p_WT, int dof, MotionColumns S) {
  const Vector3d axis_W = S.col(dof).head<3>();
  const Vector3d anchor_W = S.col(dof).tail<3>();
  S.col(dof).tail<3>() = (anchor_W - p_WT).cross(axis_W);
}

// AddVelocity of a joint whose axes all are fixed to the body behind it.
template <int kNumDofs>
void AddVelocityOfBodyAxes(const ConstMotionColumns& S, const double* v, Vector6d& V, MotionColumns& dS) {
  for (int k = 0; k < kNumDofs; ++k) V += S.col(k) * v[k];
  for (int k = 0; k < kNumDofs; ++k) dS.col(k) = CrossMotion(V, S.col(k));
}

// Lower and upper limit of one coordinate, appended.
void AddRangeLimits(int dof, double q, double v, double lower, double upper, JointLimits& limits);

// Moment of inertia about an axis through the anchor, against rounding: shifting and rotating the inertias of
// the carried bodies leaves 1e-16 of their size, so a moment of less than 1e-12 of the trace, or a lever arm
// of less than 1e-12 of the distance to the anchor, is none.
//   more  inertia that the dof has besides [kg·m²]
bool HasInertiaAbout(const Vector3d& axis_B, const Vector3d& p_BJ, const MassProperties& carried,
                     double more);
// The same about every axis.
bool HasFullRank(const Matrix3d& I);

}  // namespace stiction
