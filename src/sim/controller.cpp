#include "stiction/sim/controller.h"

#include <algorithm>
#include <cmath>

#include "dynamics/gravity_load.h"
#include "stiction/dynamics/forces.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

// Share of the step that lies between the wrench's times.
double CalcOverlap(const ControllerDescription& d, double t, double dt) {
  return std::clamp((std::min(t + dt, d.to) - std::max(t, d.from)) / dt, 0.0, 1.0);
}

void UpdateWrench(const World& world, const ControllerTask& task, Input& input) {
  const ControllerDescription& d = task.description;
  const double share = CalcOverlap(d, world.time(), world.timestep());
  if (share == 0.0) return;
  const Kinematics& kin = world.kinematics();
  const int body = task.frame.body;
  const RigidTransform X_WF = kin.X_WB[body] * task.frame.X_BF;
  const Matrix3d R_WA = d.in_body_axes ? X_WF.R : Matrix3d::Identity();  // A: axes of force and torque
  const Vector3d p_WQ = d.point ? Vector3d(X_WF * *d.point) : kin.p_WBcm[body];
  AddForceAtPoint(kin, body, p_WQ, share * (R_WA * d.force), input);
  input.applied_wrench.col(body).head<3>() += share * (R_WA * d.torque);
}

// Lets the joint's applied force, as it is at the World's q and v, fall with them.
void AddSlopes(const Joint& joint, double stiffness, double damping, const World& world, Input& input) {
  const int k = joint.v_address;
  input.applied_generalized[k] += stiffness * world.q()[joint.q_address] + damping * world.v()[k];
  input.applied_stiffness[k] += stiffness;
  input.applied_damping[k] += damping;
}

// Whether the step evaluates forces in its middle, or takes their mean.
bool ActsInTheMiddle(const World& world) {
  return world.integrator() == Integrator::kMidpoint || world.integrator() == Integrator::kRungeKutta4;
}

void UpdateMocap(const ControllerTask& task, double t, Input& input) {
  const RigidTransform X_WB = SamplePose(task.target, t).X_WF * task.frame.X_BF.Inverse();
  double* mocap = input.mocap.data() + task.mocap_address;
  Eigen::Map<Vector3d>{mocap} = X_WB.p;
  QuaternionToWxyz(Quaterniond(X_WB.R), mocap + 3);
}

}  // namespace

ControllerSet::ControllerSet(const Model& model, const std::vector<ControllerDescription>& descriptions) {
  for (ControllerTask& task : FindControllerTasks(descriptions, model)) {
    for (const int j : task.joints) dofs_.push_back(model.joints[j].v_address);
    if (task.description.type == ControllerType::kWrench) bodies_.push_back(task.frame.body);
    const Compensation compensation = task.description.compensation;
    needs_bias_ = needs_bias_ || compensation == Compensation::kBias;
    needs_dynamics_ = needs_dynamics_ || compensation == Compensation::kDynamics;
    needs_gravity_ = needs_gravity_ || compensation != Compensation::kNone;
    entries_.push_back({.task = std::move(task)});
  }
}

void ControllerSet::ClearOwned(const Model& model, Input& input) const {
  for (VectorXd* slopes : {&input.applied_stiffness, &input.applied_damping}) {
    if (!dofs_.empty() && slopes->size() == 0) slopes->setZero(model.nv());
  }
  for (const int k : dofs_)
    input.applied_generalized[k] = input.applied_stiffness[k] = input.applied_damping[k] = 0.0;
  for (const int b : bodies_) input.applied_wrench.col(b).setZero();
}

void ControllerSet::SampleTarget(const World& world, Entry& entry) const {
  const double t = world.time(), dt = world.timestep();
  const ControllerDescription& d = entry.task.description;
  if (d.type != ControllerType::kEquality && ActsInTheMiddle(world)) return SampleMean(world, entry);
  Sample(entry.task.target, t + dt, entry.value, entry.unused);
  Sample(entry.task.target, t + 0.5 * dt, entry.unused, entry.rate);
  if (d.compensation != Compensation::kDynamics) return;
  Sample(entry.task.target, t - 0.5 * dt, entry.unused, entry.rate_change);
  entry.rate_change = entry.rate - entry.rate_change;
}

// Where the target goes steadily, a joint that follows it feels no force but c.
void ControllerSet::SampleMean(const World& world, Entry& entry) const {
  const double t = world.time(), dt = world.timestep();
  Sample(entry.task.target, t, entry.start, entry.unused);
  Sample(entry.task.target, t + dt, entry.value, entry.rate_change);
  entry.rate_change -= entry.unused;
  entry.rate = (entry.value - entry.start) / dt;
  if (world.integrator() == Integrator::kMidpoint) {
    entry.value = 0.5 * (entry.start + entry.value);
  } else {
    Sample(entry.task.target, t + 0.5 * dt, entry.middle, entry.unused);
    entry.value = (entry.start + 4.0 * entry.middle + entry.value) / 6.0;
  }
}

void ControllerSet::CalcTargetAcceleration(const World& world) {
  const Model& model = world.model();
  vdot_.setZero(model.nv());
  for (const Entry& entry : entries_) {
    if (entry.task.description.compensation != Compensation::kDynamics) continue;
    for (std::size_t i = 0; i < entry.task.joints.size(); ++i) {
      const int k = model.joints[entry.task.joints[i]].v_address;
      vdot_[k] = entry.rate_change[i] / world.timestep();
    }
  }
}

void ControllerSet::CalcLoads(const World& world) {
  const Model& model = world.model();
  if (!needs_gravity_ && !needs_bias_ && !needs_dynamics_) return;
  if (needs_dynamics_) CalcTargetAcceleration(world);
  const bool is_ahead = ActsInTheMiddle(world);
  if (is_ahead) {
    const double half = 0.5 * world.timestep();
    middle_q_ = world.q();
    IntegrateConfiguration(model, world.v(), half, middle_q_);
    middle_v_ = world.v();
    if (needs_dynamics_) middle_v_ += half * vdot_;
    if (middle_.X_WB.empty()) middle_.Resize(model);
    CalcPositionKinematics(model, middle_q_, world.input().mocap, middle_);
    CalcVelocityKinematics(model, middle_v_, middle_);
  }
  const Kinematics& kin = is_ahead ? middle_ : world.kinematics();
  const VectorXd& v = is_ahead ? middle_v_ : world.v();
  if (needs_gravity_) CalcGravityLoad(model, kin, model.options.gravity, rnea_, gravity_load_);
  if (needs_bias_) CalcBias(model, kin, v, Vector3d::Zero(), rnea_, motion_load_);
  if (needs_dynamics_) CalcInverseDynamics(model, kin, v, vdot_, Vector3d::Zero(), rnea_, dynamics_load_);
}

double ControllerSet::LoadOf(Compensation compensation, int dof) const {
  switch (compensation) {
    case Compensation::kNone:
      return 0.0;
    case Compensation::kGravity:
      return gravity_load_[dof];
    case Compensation::kBias:
      return gravity_load_[dof] + motion_load_[dof];
    case Compensation::kDynamics:
      return gravity_load_[dof] + dynamics_load_[dof];
  }
  return 0.0;
}

void ControllerSet::UpdateJointPd(const World& world, const Entry& entry, Input& input) const {
  const ControllerTask& task = entry.task;
  for (std::size_t i = 0; i < task.joints.size(); ++i) {
    const Joint& joint = world.model().joints[task.joints[i]];
    const int k = joint.v_address;
    const double tau = task.kp[i] * (entry.value[i] - world.q()[joint.q_address]) +
                       task.kd[i] * (entry.rate[i] - world.v()[k]) + LoadOf(task.description.compensation, k);
    const double effort = task.effort[i];
    input.applied_generalized[k] += std::clamp(tau, -effort, effort);
    if (std::abs(tau) > effort) continue;  // it no longer follows the joint
    AddSlopes(joint, task.kp[i], task.kd[i], world, input);
  }
}

void ControllerSet::Update(const World& world, Input& input) {
  ClearOwned(world.model(), input);
  // Mocap poses first: the frames that forces look at may stand on them.
  for (Entry& entry : entries_) {
    const ControllerTask& task = entry.task;
    if (task.target.times.empty()) continue;
    if (task.mocap_address >= 0) {
      UpdateMocap(task, world.time() + world.timestep(), input);
    } else if (task.description.type != ControllerType::kPose) {
      SampleTarget(world, entry);
    }
  }
  CalcLoads(world);
  for (const Entry& entry : entries_) {
    const ControllerTask& task = entry.task;
    switch (task.description.type) {
      case ControllerType::kJointPd:
        UpdateJointPd(world, entry, input);
        break;
      case ControllerType::kControl:
        for (std::size_t i = 0; i < task.actuators.size(); ++i)
          input.ctrl[task.actuators[i]] = entry.value[i];
        break;
      case ControllerType::kPose:
        UpdatePose(world, task, input);
        break;
      case ControllerType::kWrench:
        UpdateWrench(world, task, input);
        break;
      case ControllerType::kMocap:
        break;
      case ControllerType::kEquality:
        input.equality_target[task.equality] = entry.value[0];
        break;
    }
  }
}

void AttachControllers(World& world, const std::vector<ControllerDescription>& descriptions) {
  if (descriptions.empty()) return world.set_controller(nullptr);
  world.set_controller([set = ControllerSet(world.model(), descriptions)](
                           const World& w, Input& input) mutable { set.Update(w, input); });
}

}  // namespace stiction
