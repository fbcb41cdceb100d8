#include "sim/mocap_motion.h"

#include <cmath>

#include "stiction/math/conventions.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

RigidTransform PoseAt(const double* pose) {
  return {QuaternionFromWxyz(pose + 3).normalized().toRotationMatrix(), Eigen::Map<const Vector3d>(pose)};
}

// ρ of the screw motion with exp(θ, ρ) = X: the logarithm of SE(3).
//   theta  rotation vector of X.R
Vector3d CalcScrewTravel(const RigidTransform& X, const Vector3d& theta) {
  constexpr double kSmall = 1e-3;  // below it 1/12 is exact to 2e-8 of itself
  const double angle = theta.norm();
  const double second =
      angle < kSmall ? 1.0 / 12.0 : (1.0 - 0.5 * angle / std::tan(0.5 * angle)) / (angle * angle);
  return X.p - 0.5 * theta.cross(X.p) + second * theta.cross(theta.cross(X.p));
}

}  // namespace

MocapMotion::MocapMotion(const Model& model)
    : mocap_of_body_(model.bodies.size(), -1),
      D_(model.num_mocap),
      turn_(model.num_mocap, Vector3d::Zero()),
      travel_(model.num_mocap, Vector3d::Zero()) {
  int count = 0;
  for (int b = 1; b < model.num_bodies(); ++b) {
    const Body& body = model.bodies[b];
    if (body.is_mocap) mocap_of_body_[b] = count++;
    if (body.tree < 0 && !body.is_mocap) mocap_of_body_[b] = mocap_of_body_[body.parent];
  }
}

void MocapMotion::Update(const VectorXd& from, const VectorXd& to) {
  is_moving_ = from.size() == to.size() && from != to;
  if (!is_moving_) return;
  for (std::size_t i = 0; i < D_.size(); ++i) {
    const double* start = from.data() + 7 * i;
    const double* end = to.data() + 7 * i;
    D_[i] = std::equal(start, start + 7, end) ? RigidTransform{} : PoseAt(start) * PoseAt(end).Inverse();
    turn_[i] = -QuaternionLog(Quaterniond(D_[i].R));
    travel_[i] = CalcScrewTravel(D_[i].Inverse(), turn_[i]);
  }
}

Vector3d MocapMotion::CalcDisplacement(int body, const Vector3d& p_WQ) const {
  if (!is_moving_ || mocap_of_body_[body] < 0) return Vector3d::Zero();
  return p_WQ - D_[mocap_of_body_[body]] * p_WQ;
}

Vector3d MocapMotion::CalcTravel(int body, const Vector3d& p_WQ) const {
  if (!is_moving_ || mocap_of_body_[body] < 0) return Vector3d::Zero();
  const int i = mocap_of_body_[body];
  return travel_[i] + turn_[i].cross(p_WQ);
}

Vector3d MocapMotion::CalcTurn(int body) const {
  if (!is_moving_ || mocap_of_body_[body] < 0) return Vector3d::Zero();
  return turn_[mocap_of_body_[body]];
}

RigidTransform MocapMotion::CalcStart(int body, const RigidTransform& X_WF) const {
  if (!is_moving_ || mocap_of_body_[body] < 0) return X_WF;
  return D_[mocap_of_body_[body]] * X_WF;
}

}  // namespace stiction
