#include "stiction/model/joint/hinge.h"

#include <cmath>
#include <numbers>

#include "model/joint/joint_parts.h"
#include "stiction/model/joint/joint_sampler.h"

namespace stiction {

std::string HingeJoint::FindFault() const {
  if (!axis_B.allFinite() || !p_BJ.allFinite() || !std::isfinite(reference)) return kNumbersMustBeFinite;
  return FindAxisFault(axis_B);
}

void HingeJoint::Normalize() {
  axis_B.normalize();
}

void HingeJoint::SetInitial(const RigidTransform&, double* q) const {
  *q = reference;
}

bool HingeJoint::MovesMass(const MassProperties& carried, double armature) const {
  return HasInertiaAbout(axis_B, p_BJ, carried, armature);
}

void HingeJoint::Integrate(const double* v, double dt, double* q) const {
  *q += dt * *v;
}

void HingeJoint::Difference(const double* from, const double* to, double* v) const {
  *v = *to - *from;
}

void HingeJoint::Sample(JointSampler& sampler, double lower, double upper, double* q) const {
  *q = sampler.WithinLimits(lower, upper, std::numbers::pi);
}

void HingeJoint::Move(const double* q, RigidTransform& X_WB, MotionColumns S) const {
  const Vector3d axis_W = X_WB.R * axis_B;
  const Vector3d anchor_W = X_WB * p_BJ;
  TurnAbout(anchor_W, p_BJ, Eigen::AngleAxisd(*q - reference, axis_B).toRotationMatrix(), X_WB);
  S.col(0) << axis_W, anchor_W;
}

void HingeJoint::ReferColumns(const Vector3d& p_WT, MotionColumns S) const {
  ReferRotation(p_WT, 0, S);
}

void HingeJoint::AddVelocity(ConstMotionColumns S, const double* v, Vector6d& V, MotionColumns dS) const {
  AddVelocityOfBodyAxes<1>(S, v, V, dS);
}

void HingeJoint::AddSpring(double stiffness, const double* rest, const double* q, double* force) const {
  *force -= stiffness * (*q - *rest);
}

JointLimits HingeJoint::FindLimits(const double* q, const double* v, double lower, double upper) const {
  JointLimits limits;
  AddRangeLimits(0, *q, *v, lower, upper, limits);
  return limits;
}

double HingeJoint::CalcTransmission(const double* q, bool, Vector6d& gear) const {
  return gear[0] * *q;
}

JointAxes HingeJoint::CalcAxes(const RigidTransform& X_WB, const RigidTransform&) const {
  return {.count = 1, .p_W = X_WB * p_BJ, .axis_W = {X_WB.R * axis_B}};
}

}  // namespace stiction
