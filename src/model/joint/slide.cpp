#include "stiction/model/joint/slide.h"

#include <cmath>

#include "model/joint/joint_parts.h"
#include "stiction/model/joint/joint_sampler.h"

namespace stiction {

std::string SlideJoint::FindFault() const {
  if (!axis_B.allFinite() || !p_BJ.allFinite() || !std::isfinite(reference)) return kNumbersMustBeFinite;
  return FindAxisFault(axis_B);
}

void SlideJoint::Normalize() {
  axis_B.normalize();
}

void SlideJoint::SetInitial(const RigidTransform&, double* q) const {
  *q = reference;
}

bool SlideJoint::MovesMass(const MassProperties& carried, double armature) const {
  return carried.mass + armature > 0.0;
}

void SlideJoint::Integrate(const double* v, double dt, double* q) const {
  *q += dt * *v;
}

void SlideJoint::Difference(const double* from, const double* to, double* v) const {
  *v = *to - *from;
}

void SlideJoint::Sample(JointSampler& sampler, double lower, double upper, double* q) const {
  *q = sampler.WithinLimits(lower, upper, 1.0);
}

void SlideJoint::Move(const double* q, RigidTransform& X_WB, MotionColumns S) const {
  const Vector3d axis_W = X_WB.R * axis_B;
  X_WB.p += (*q - reference) * axis_W;
  S.col(0) << Vector3d::Zero(), axis_W;
}

void SlideJoint::ReferColumns(const Vector3d&, MotionColumns) const {}

void SlideJoint::AddVelocity(ConstMotionColumns S, const double* v, Vector6d& V, MotionColumns dS) const {
  AddVelocityOfBodyAxes<1>(S, v, V, dS);
}

void SlideJoint::AddSpring(double stiffness, const double* rest, const double* q, double* force) const {
  *force -= stiffness * (*q - *rest);
}

JointLimits SlideJoint::FindLimits(const double* q, const double* v, double lower, double upper) const {
  JointLimits limits;
  AddRangeLimits(0, *q, *v, lower, upper, limits);
  return limits;
}

double SlideJoint::CalcTransmission(const double* q, bool, Vector6d& gear) const {
  return gear[0] * *q;
}

JointAxes SlideJoint::CalcAxes(const RigidTransform& X_WB, const RigidTransform&) const {
  return {.count = 1, .p_W = X_WB * p_BJ, .axis_W = {X_WB.R * axis_B}};
}

}  // namespace stiction
