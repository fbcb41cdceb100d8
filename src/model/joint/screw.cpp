#include "stiction/model/joint/screw.h"

#include <cmath>
#include <numbers>

#include "model/joint/joint_parts.h"
#include "stiction/model/joint/joint_sampler.h"

namespace stiction {

std::string ScrewJoint::FindFault() const {
  const bool is_finite = std::isfinite(reference) && std::isfinite(pitch);
  if (!axis_B.allFinite() || !p_BJ.allFinite() || !is_finite) return kNumbersMustBeFinite;
  if (pitch == 0.0) return "the pitch is zero; give it one, in metres per revolution, or take a hinge";
  return FindAxisFault(axis_B);
}

void ScrewJoint::Normalize() {
  axis_B.normalize();
}

void ScrewJoint::SetInitial(const RigidTransform&, double* q) const {
  *q = reference;
}

bool ScrewJoint::MovesMass(const MassProperties& carried, double armature) const {
  return HasInertiaAbout(axis_B, p_BJ, carried, armature + carried.mass * lead() * lead());
}

void ScrewJoint::Integrate(const double* v, double dt, double* q) const {
  *q += dt * *v;
}

void ScrewJoint::Difference(const double* from, const double* to, double* v) const {
  *v = *to - *from;
}

void ScrewJoint::Sample(JointSampler& sampler, double lower, double upper, double* q) const {
  *q = sampler.WithinLimits(lower, upper, std::numbers::pi);
}

void ScrewJoint::Move(const double* q, RigidTransform& X_WB, MotionColumns S) const {
  const Vector3d axis_W = X_WB.R * axis_B;
  const Vector3d anchor_W = X_WB * p_BJ;
  TurnAbout(anchor_W, p_BJ, Eigen::AngleAxisd(*q - reference, axis_B).toRotationMatrix(), X_WB);
  X_WB.p += lead() * (*q - reference) * axis_W;
  S.col(0) << axis_W, anchor_W;
}

// The axis is the same line wherever the body has travelled along it.
void ScrewJoint::ReferColumns(const Vector3d& p_WT, MotionColumns S) const {
  ReferRotation(p_WT, 0, S);
  S.col(0).tail<3>() += lead() * S.col(0).head<3>();
}

void ScrewJoint::AddVelocity(ConstMotionColumns S, const double* v, Vector6d& V, MotionColumns dS) const {
  AddVelocityOfBodyAxes<1>(S, v, V, dS);
}

void ScrewJoint::AddSpring(double stiffness, const double* rest, const double* q, double* force) const {
  *force -= stiffness * (*q - *rest);
}

JointLimits ScrewJoint::FindLimits(const double* q, const double* v, double lower, double upper) const {
  JointLimits limits;
  AddRangeLimits(0, *q, *v, lower, upper, limits);
  return limits;
}

double ScrewJoint::CalcTransmission(const double* q, bool, Vector6d& gear) const {
  return gear[0] * *q;
}

JointAxes ScrewJoint::CalcAxes(const RigidTransform& X_WB, const RigidTransform&) const {
  return {.count = 1, .p_W = X_WB * p_BJ, .axis_W = {X_WB.R * axis_B}};
}

}  // namespace stiction
