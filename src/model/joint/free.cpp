#include "stiction/model/joint/free.h"

#include <numbers>

#include "math/spatial_algebra.h"
#include "model/joint/joint_parts.h"
#include "stiction/model/joint/joint_sampler.h"

namespace stiction {

RigidTransform FreeJoint::CalcPose(const double* q) {
  return {QuaternionFromWxyz(q + 3).normalized().toRotationMatrix(), Vector3d(q[0], q[1], q[2])};
}

void FreeJoint::SetInitial(const RigidTransform& X_PB, double* q) const {
  Eigen::Map<Vector3d>{q} = X_PB.p;
  QuaternionToWxyz(Quaterniond(X_PB.R).normalized(), q + 3);
}

bool FreeJoint::MovesMass(const MassProperties& carried, double armature) const {
  return carried.mass + armature > 0.0 && (armature > 0.0 || HasFullRank(carried.I_BBcm_B));
}

void FreeJoint::Integrate(const double* v, double dt, double* q) const {
  for (int i = 0; i < 3; ++i) q[i] += dt * v[i];
  TurnWxyz(dt * Vector3d(v[3], v[4], v[5]), q + 3);
}

void FreeJoint::Difference(const double* from, const double* to, double* v) const {
  for (int i = 0; i < 3; ++i) v[i] = to[i] - from[i];
  Eigen::Map<Vector3d>{v + 3} =
      QuaternionLog(QuaternionFromWxyz(from + 3).conjugate() * QuaternionFromWxyz(to + 3));
}

void FreeJoint::Sample(JointSampler& sampler, double, double, double* q) const {
  for (int i = 0; i < 3; ++i) q[i] += sampler.Uniform(-1.0, 1.0);
  QuaternionToWxyz(sampler.Rotation(std::numbers::pi), q + 3);
}

void FreeJoint::Move(const double* q, RigidTransform& X_WB, MotionColumns S) const {
  X_WB = CalcPose(q);
  for (int i = 0; i < 3; ++i) S.col(i) << Vector3d::Zero(), Vector3d::Unit(i);
  WriteBodyAxes(X_WB, X_WB.p, 3, S);
}

void FreeJoint::ReferColumns(const Vector3d& p_WT, MotionColumns S) const {
  for (int i = 3; i < 6; ++i) ReferRotation(p_WT, i, S);
}

// Translations go along the axes of the world, which do not turn.
void FreeJoint::AddVelocity(ConstMotionColumns S, const double* v, Vector6d& V, MotionColumns dS) const {
  for (int k = 0; k < 3; ++k) V[3 + k] += v[k];
  for (int k = 3; k < 6; ++k) V += S.col(k) * v[k];
  dS.leftCols<3>().setZero();
  for (int k = 3; k < 6; ++k) dS.col(k) = CrossMotion(V, S.col(k));
}

void FreeJoint::AddSpring(double stiffness, const double* rest, const double* q, double* force) const {
  double deflection[6];
  Difference(rest, q, deflection);
  for (int i = 0; i < 6; ++i) force[i] -= stiffness * deflection[i];
}

JointLimits FreeJoint::FindLimits(const double*, const double*, double, double) const {
  return {};
}

double FreeJoint::CalcTransmission(const double* q, bool gear_is_in_parent, Vector6d& gear) const {
  if (gear_is_in_parent) gear.tail<3>() = QuaternionFromWxyz(q + 3).conjugate() * gear.tail<3>().eval();
  return 0.0;
}

JointAxes FreeJoint::CalcAxes(const RigidTransform&, const RigidTransform&) const {
  return {};
}

}  // namespace stiction
