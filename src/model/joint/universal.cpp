#include "stiction/model/joint/universal.h"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

#include "math/spatial_algebra.h"
#include "model/joint/joint_parts.h"
#include "stiction/model/joint/joint_sampler.h"

namespace stiction {

std::string UniversalJoint::FindFault() const {
  constexpr double kSquare = 1e-6;  // cosine of the axes' angle that counts as none
  if (!axis1_B.allFinite() || !axis2_B.allFinite() || !p_BJ.allFinite()) return kNumbersMustBeFinite;
  for (const Vector3d& axis : {axis1_B, axis2_B}) {
    if (const std::string fault = FindAxisFault(axis); !fault.empty()) return fault;
  }
  if (std::abs(axis1_B.normalized().dot(axis2_B.normalized())) > kSquare)
    return "its axes are not perpendicular; where they are not, take two hinges";
  return "";
}

void UniversalJoint::Normalize() {
  axis1_B.normalize();
  axis2_B.normalize();
}

void UniversalJoint::SetInitial(const RigidTransform&, double* q) const {
  q[0] = q[1] = 0.0;
}

bool UniversalJoint::MovesMass(const MassProperties& carried, double armature) const {
  if (armature > 0.0) return true;
  const Vector3d r = carried.p_BBcm - p_BJ;
  const Matrix3d I =
      carried.I_BBcm_B + carried.mass * (r.squaredNorm() * Matrix3d::Identity() - r * r.transpose());
  Eigen::Matrix<double, 3, 2> axes;
  axes << axis1_B, axis2_B;
  const Eigen::Matrix2d M = axes.transpose() * I * axes;
  const Vector2d moments =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d>(M, Eigen::EigenvaluesOnly).eigenvalues();
  return moments[0] > 1e-12 * I.trace();
}

void UniversalJoint::Integrate(const double* v, double dt, double* q) const {
  for (int i = 0; i < 2; ++i) q[i] += dt * v[i];
}

void UniversalJoint::Difference(const double* from, const double* to, double* v) const {
  for (int i = 0; i < 2; ++i) v[i] = to[i] - from[i];
}

void UniversalJoint::Sample(JointSampler& sampler, double lower, double upper, double* q) const {
  for (int i = 0; i < 2; ++i) q[i] = sampler.WithinLimits(lower, upper, std::numbers::pi);
}

void UniversalJoint::Move(const double* q, RigidTransform& X_WB, MotionColumns S) const {
  const Vector3d anchor_W = X_WB * p_BJ;
  S.col(0) << X_WB.R * axis1_B, anchor_W;
  TurnAbout(anchor_W, p_BJ, Eigen::AngleAxisd(q[0], axis1_B).toRotationMatrix(), X_WB);
  S.col(1) << X_WB.R * axis2_B, anchor_W;
  TurnAbout(anchor_W, p_BJ, Eigen::AngleAxisd(q[1], axis2_B).toRotationMatrix(), X_WB);
}

void UniversalJoint::ReferColumns(const Vector3d& p_WT, MotionColumns S) const {
  for (int i = 0; i < 2; ++i) ReferRotation(p_WT, i, S);
}

// The first axis is fixed before the joint, and to the cross; the second to the cross, and behind the joint.
// Each changes with the velocity of the cross or of what it is fixed to else.
void UniversalJoint::AddVelocity(ConstMotionColumns S, const double* v, Vector6d& V, MotionColumns dS) const {
  for (int i = 0; i < 2; ++i) {
    V += S.col(i) * v[i];
    dS.col(i) = CrossMotion(V, S.col(i));
  }
}

void UniversalJoint::AddSpring(double stiffness, const double* rest, const double* q, double* force) const {
  for (int i = 0; i < 2; ++i) force[i] -= stiffness * (q[i] - rest[i]);
}

JointLimits UniversalJoint::FindLimits(const double* q, const double* v, double lower, double upper) const {
  JointLimits limits;
  for (int i = 0; i < 2; ++i) AddRangeLimits(i, q[i], v[i], lower, upper, limits);
  return limits;
}

double UniversalJoint::CalcTransmission(const double* q, bool, Vector6d& gear) const {
  return gear[0] * q[0] + gear[1] * q[1];
}

JointAxes UniversalJoint::CalcAxes(const RigidTransform& X_WB, const RigidTransform& X_WF) const {
  return {.count = 2, .p_W = X_WB * p_BJ, .axis_W = {X_WF.R * axis1_B, X_WB.R * axis2_B}};
}

}  // namespace stiction
