#include "stiction/dynamics/inverse_kinematics.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "stiction/dynamics/jacobian.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

// μ² over |e|², and its floor; JᵀJ is of the order of 1. What it is besides after a step too far, at least,
// and by what that grows with the next and falls with a good one.
constexpr double kDampingPerError = 0.1, kLeastDamping = 1e-13;
constexpr double kFirstExtra = 1e-3, kExtraUp = 10.0, kExtraDown = 0.1;
constexpr double kLargestTurn = 0.5;  // of a hinge in one step [rad]

bool Moves(const Model& model, int joint, int body) {
  for (int k = model.bodies[body].last_dof; k >= 0; k = model.dof_parent[k]) {
    if (model.dof_joint[k] == joint) return true;
  }
  return false;
}

}  // namespace

InverseKinematics::InverseKinematics(const Model& model, const Frame& frame, std::vector<int> joints,
                                     bool with_rotation)
    : model_(model), frame_(frame), joints_(std::move(joints)), with_rotation_(with_rotation) {
  if (joints_.empty()) throw std::invalid_argument("inverse kinematics needs joints that may move");
  if (frame.body < 0 || frame.body >= model.num_bodies())
    throw std::invalid_argument("inverse kinematics needs a frame of a body, and there is no body " +
                                std::to_string(frame.body));
  for (const int j : joints_) {
    if (j < 0 || j >= model.num_joints())
      throw std::invalid_argument("there is no joint " + std::to_string(j));
    if (!model.joints[j].is_scalar() || !Moves(model, j, frame.body))
      throw std::invalid_argument("joint '" + model.joints[j].name +
                                  "' has several coordinates, or does not move the frame");
  }
  std::vector<char> contains(model.trees.size(), 0);
  contains[model.bodies[frame.body].tree] = 1;
  tree_.Assign(model, contains);
  kin_.Resize(model);
  J_.setZero(6, model.nv());
  J_free_.setZero(6, static_cast<Eigen::Index>(joints_.size()));
  held_.assign(joints_.size(), 0);
  step_.setZero(static_cast<Eigen::Index>(joints_.size()));
  before_.setZero(static_cast<Eigen::Index>(joints_.size()));
}

RigidTransform InverseKinematics::CalcPose(const VectorXd& q, const VectorXd& mocap) {
  CalcPositionKinematics(model_, tree_, q, mocap, kin_);
  return kin_.X_WB[frame_.body] * frame_.X_BF;
}

void InverseKinematics::CalcError(const RigidTransform& X_WF, const VectorXd& mocap, const VectorXd& q) {
  const RigidTransform X = CalcPose(q, mocap);
  e_.head<3>() = QuaternionLog(Quaterniond(X_WF.R * X.R.transpose()));
  if (!with_rotation_) e_.head<3>().setZero();
  e_.tail<3>() = X_WF.p - X.p;
  CalcSpatialJacobian(model_, kin_, frame_.body, X.p, J_);
  if (!with_rotation_) J_.topRows<3>().setZero();
}

bool InverseKinematics::HoldAtLimits(const VectorXd& q) {
  bool is_new = false;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const Joint& joint = model_.joints[joints_[i]];
    const double next = q[joint.q_address] + step_[i];
    const bool leaves = (q[joint.q_address] <= joint.lower && next < joint.lower) ||
                        (q[joint.q_address] >= joint.upper && next > joint.upper);
    if (!leaves || held_[i]) continue;
    held_[i] = 1;
    is_new = true;
  }
  return is_new;
}

void InverseKinematics::CalcStep(const double* posture, double weight, double damping, const VectorXd& q) {
  std::fill(held_.begin(), held_.end(), 0);
  do {
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      if (held_[i]) {
        J_free_.col(i).setZero();
      } else {
        J_free_.col(i) = J_.col(model_.joints[joints_[i]].v_address);
      }
    }
    Matrix6d JJt = J_free_ * J_free_.transpose();
    JJt.diagonal().array() += damping;
    const Eigen::LDLT<Matrix6d> factor(JJt);
    Vector6d pull = Vector6d::Zero();  // J w (q_r − q)
    for (std::size_t i = 0; posture && i < joints_.size(); ++i)
      pull += J_free_.col(i) * (weight * (posture[i] - q[model_.joints[joints_[i]].q_address]));
    const Vector6d y = factor.solve(e_ - pull);
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      step_[i] = J_free_.col(i).dot(y);
      if (posture && !held_[i]) step_[i] += weight * (posture[i] - q[model_.joints[joints_[i]].q_address]);
    }
  } while (HoldAtLimits(q));
}

void InverseKinematics::Move(VectorXd& q) {
  const double largest = step_.lpNorm<Eigen::Infinity>();
  const double scale = largest > kLargestTurn ? kLargestTurn / largest : 1.0;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const Joint& joint = model_.joints[joints_[i]];
    double& position = q[joint.q_address];
    before_[i] = position;
    position = std::clamp(position + scale * step_[i], joint.lower, joint.upper);
  }
}

InverseKinematicsResult InverseKinematics::Solve(const RigidTransform& X_WF, const VectorXd& mocap,
                                                 const double* posture, VectorXd& q,
                                                 const InverseKinematicsOptions& options) {
  InverseKinematicsResult result;
  CalcError(X_WF, mocap, q);
  const auto read_error = [&] {
    result.rotation_error = e_.head<3>().norm();
    result.position_error = e_.tail<3>().norm();
    result.is_converged = result.rotation_error <= options.rotation_tolerance &&
                          result.position_error <= options.position_tolerance;
  };
  read_error();
  double extra = 0.0, error = std::numeric_limits<double>::infinity();
  while (!result.is_converged && result.steps < options.max_steps) {
    const bool is_first = result.steps++ == 0;
    CalcStep(is_first ? posture : nullptr, options.posture_weight,
             std::max(kDampingPerError * e_.squaredNorm(), extra) + kLeastDamping, q);
    Move(q);
    CalcError(X_WF, mocap, q);
    // The straight way through a curved valley may lead up for a while; whoever has not arrived after half of
    // the steps goes down alone.
    const bool may_rise = 2 * result.steps <= options.max_steps;
    if (may_rise || e_.norm() <= error) {
      error = e_.norm();
      read_error();
      extra *= kExtraDown;
    } else {  // a step too far: back, and a shorter one
      for (std::size_t i = 0; i < joints_.size(); ++i) q[model_.joints[joints_[i]].q_address] = before_[i];
      CalcError(X_WF, mocap, q);
      extra = std::max(kFirstExtra, kExtraUp * extra);
    }
  }
  return result;
}

}  // namespace stiction
