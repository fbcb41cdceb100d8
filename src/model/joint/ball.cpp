#include "stiction/model/joint/ball.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/joint/joint_parts.h"
#include "stiction/model/joint/joint_sampler.h"

namespace stiction {

std::string BallJoint::FindFault() const {
  return p_BJ.allFinite() ? "" : kNumbersMustBeFinite;
}

void BallJoint::SetInitial(const RigidTransform&, double* q) const {
  QuaternionToWxyz(Quaterniond::Identity(), q);
}

bool BallJoint::MovesMass(const MassProperties& carried, double armature) const {
  const Vector3d r = carried.p_BBcm - p_BJ;
  const Matrix3d shift = r.squaredNorm() * Matrix3d::Identity() - r * r.transpose();
  return armature > 0.0 || HasFullRank(carried.I_BBcm_B + carried.mass * shift);
}

void BallJoint::Integrate(const double* v, double dt, double* q) const {
  TurnWxyz(dt * Vector3d(v[0], v[1], v[2]), q);
}

void BallJoint::Difference(const double* from, const double* to, double* v) const {
  Eigen::Map<Vector3d>{v} = QuaternionLog(QuaternionFromWxyz(from).conjugate() * QuaternionFromWxyz(to));
}

void BallJoint::Sample(JointSampler& sampler, double, double upper, double* q) const {
  QuaternionToWxyz(sampler.Rotation(std::min(upper, std::numbers::pi)), q);
}

void BallJoint::Move(const double* q, RigidTransform& X_WB, MotionColumns S) const {
  const Vector3d anchor_W = X_WB * p_BJ;
  TurnAbout(anchor_W, p_BJ, QuaternionFromWxyz(q).normalized().toRotationMatrix(), X_WB);
  WriteBodyAxes(X_WB, anchor_W, 0, S);
}

void BallJoint::ReferColumns(const Vector3d& p_WT, MotionColumns S) const {
  for (int i = 0; i < 3; ++i) ReferRotation(p_WT, i, S);
}

void BallJoint::AddVelocity(ConstMotionColumns S, const double* v, Vector6d& V, MotionColumns dS) const {
  AddVelocityOfBodyAxes<3>(S, v, V, dS);
}

void BallJoint::AddSpring(double stiffness, const double* rest, const double* q, double* force) const {
  double deflection[3];
  Difference(rest, q, deflection);
  for (int i = 0; i < 3; ++i) force[i] -= stiffness * deflection[i];
}

// The angle grows at the rate v · θ/|θ|. Where it is none, every direction leads away, and that of v at |v|.
JointLimits BallJoint::FindLimits(const double* q, const double* v, double, double upper) const {
  constexpr double kNoAngle = 1e-6;  // θ/|θ| of less would be of rounding [rad]
  const Vector3d turn = QuaternionLog(QuaternionFromWxyz(q)), w(v[0], v[1], v[2]);
  const double angle = turn.norm();
  JointLimit limit{.is_upper = true, .gap = upper - angle, .speed = w.norm(), .count = 3};
  limit.rate = angle > 0.0 ? -(w.dot(turn) / angle) : -limit.speed;
  limit.slope.setZero();
  if (angle > kNoAngle)
    limit.slope = -(turn / angle);
  else if (limit.speed > 0.0)
    limit.slope = -(w / limit.speed);
  return {.count = 1, .limits = {limit}};
}

double BallJoint::CalcTransmission(const double* q, bool gear_is_in_parent, Vector6d& gear) const {
  const Quaterniond quat = QuaternionFromWxyz(q);
  if (gear_is_in_parent) gear.head<3>() = quat.conjugate() * gear.head<3>().eval();
  return gear.head<3>().dot(QuaternionLog(quat));
}

JointAxes BallJoint::CalcAxes(const RigidTransform&, const RigidTransform&) const {
  return {};
}

}  // namespace stiction
