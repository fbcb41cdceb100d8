// Screw joint: rotation about an axis through an anchor, coupled with translation along it. One degree of
// freedom, q [rad], v [rad/s]; the body travels by pitch · q/(2π).
//
// The pitch is the travel per revolution, as on a lead screw; positive: a right-handed thread, which turns
// about its axis while it goes along it. Of one that falls along its axis under gravity g, with the mass m
// and the moment of inertia I about the axis, energy gives, with p = pitch/(2π):
//
//   (I + m p²) q̈ = m g p,   a = p q̈ = g / (1 + I/(m p²))
#pragma once

#include <numbers>

#include "stiction/model/joint/joint_type.h"

namespace stiction {

struct ScrewJoint {
  Vector3d axis_B = {0.0, 0.0, 1.0};  // in the body frame; the builder makes it unit
  Vector3d p_BJ = Vector3d::Zero();   // anchor in the body frame [m]
  double reference = 0.0;             // q at which the body stands as in the file [rad]
  double pitch = 0.0;                 // [m per revolution], not zero

  static constexpr JointTraits kTraits{
      .name = "screw", .nq = 1, .nv = 1, .is_angular = true, .travels = true};

  // Travel per angle [m/rad].
  double lead() const { return pitch / (2.0 * std::numbers::pi); }

  // As in joint_type.h.
  std::string FindFault() const;
  void Normalize();
  double Reference() const { return reference; }
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
