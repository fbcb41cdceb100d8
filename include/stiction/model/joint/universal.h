// Universal (Cardan) joint: rotations about two perpendicular axes in series, through one anchor.
//
//   R_PB = R_PF Rot(axis1, q₁) Rot(axis2, q₂),  F the body's frame as in the file
//
// The first axis is fixed in F, the second in the body, both as the body stands in the file: the cross of a
// Cardan shaft without its mass. q [rad] (2), v [rad/s] (2). Two hinges about the same anchor move alike, but
// are two joints to name, limit and drive. It couples a shaft before it, perpendicular to the first axis,
// with one behind it, perpendicular to the second. Where bearings hold these at the angle β to one another
// they turn by
//
//   tan θ_behind = tan θ_before / cos β,
//
// both counted from where the first axis lies in the plane of the shafts.
//
// Limits and spring reference are those of either angle; the reference is zero.
#pragma once

#include "stiction/model/joint/joint_type.h"

namespace stiction {

struct UniversalJoint {
  Vector3d axis1_B = {0.0, 0.0, 1.0};  // in the body frame; the builder makes both unit
  Vector3d axis2_B = {1.0, 0.0, 0.0};  // perpendicular to axis1_B, to 1e-6 rad
  Vector3d p_BJ = Vector3d::Zero();    // anchor in the body frame [m]

  static constexpr JointTraits kTraits{.name = "universal",
                                       .nq = 2,
                                       .nv = 2,
                                       .is_angular = true,
                                       .coordinates = {".q1", ".q2"},
                                       .dofs = {".v1", ".v2"}};

  // As in joint_type.h.
  std::string FindFault() const;
  void Normalize();
  double Reference() const { return 0.0; }
  void SetInitial(const RigidTransform& X_PB, double* q) const;
  bool MovesMass(const MassProperties& carried, double armature) const;
  void Integrate(const double* v, double dt, double* q) const;
  void Difference(const double* from, const double* to, double* v) const;
  void Sample(JointSampler& sampler, double lower, double upper, double* q) const;
  void Move(const double* q, RigidTransform& X_WB, MotionColumns S) const;
  void ReferColumns(const Vector3d& p_WT, MotionColumns S) const;
  void AddVelocity(ConstMotionColumns S, const double* v, Vector6d& V, MotionColumns dS) const;
  void AddSpring(double stiffness, const double* rest, const double* q, double* force) const;
  JointLimits FindLimits(const double* q, const double* v, double lower, double upper) const;
  double CalcTransmission(const double* q, bool gear_is_in_parent, Vector6d& gear) const;
  JointAxes CalcAxes(const RigidTransform& X_WB, const RigidTransform& X_WF) const;
};

}  // namespace stiction
