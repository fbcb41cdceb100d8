// Free joint: six degrees of freedom, only on a body whose parent is the world.
//   q = p_WB (3), quaternion of R_WB (w,x,y,z);  v = velocity of the body origin in world axes (3),
//   angular velocity in body axes (3).
#pragma once

#include "stiction/model/joint/joint_type.h"

namespace stiction {

struct FreeJoint {
  static constexpr JointTraits kTraits{.name = "free",
                                       .nq = 7,
                                       .nv = 6,
                                       .quaternion = 3,
                                       .limits = JointLimitKind::kNone,
                                       .is_free = true,
                                       .travels = true,
                                       .coordinates = {".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz"},
                                       .dofs = {".vx", ".vy", ".vz", ".wx", ".wy", ".wz"}};

  // Pose of the body, from q.
  static RigidTransform CalcPose(const double* q);

  // As in joint_type.h.
  std::string FindFault() const { return ""; }
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
