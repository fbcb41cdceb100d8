// Ball joint: three rotations about an anchor fixed in the body.
//   q = quaternion (w,x,y,z) of the body relative to the frame before the joint;  v = angular velocity
//   relative to that frame, in body axes (3).
#pragma once

#include "stiction/model/joint/joint_type.h"

namespace stiction {

struct BallJoint {
  Vector3d p_BJ = Vector3d::Zero();  // anchor in the body frame [m]

  static constexpr JointTraits kTraits{.name = "ball",
                                       .nq = 4,
                                       .nv = 3,
                                       .quaternion = 0,
                                       .limits = JointLimitKind::kCone,
                                       .is_angular = true,
                                       .coordinates = {".qw", ".qx", ".qy", ".qz"},
                                       .dofs = {".wx", ".wy", ".wz"}};

  // As in joint_type.h.
  std::string FindFault() const;
  void Normalize() {}
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
