// Slide (prismatic) joint: translation along an axis fixed in the body. q [m], v [m/s].
#pragma once

#include "stiction/model/joint/joint_type.h"

namespace stiction {

struct SlideJoint {
  Vector3d axis_B = {0.0, 0.0, 1.0};  // in the body frame; the builder makes it unit
  Vector3d p_BJ = Vector3d::Zero();   // where the axis is drawn, in the body frame [m]
  double reference = 0.0;             // q at which the body stands as in the file [m]

  static constexpr JointTraits kTraits{.name = "slide", .nq = 1, .nv = 1, .travels = true};

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
