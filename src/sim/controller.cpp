#include <algorithm>
#include <cmath>

#include "dynamics/gravity_load.h"
#include "sim/controller_set.h"
#include "stiction/dynamics/forces.h"
#include "stiction/dynamics/jacobian.h"
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

// Whether contacts between the carried body and the mechanism that carries it have load.
bool IsCarried(const World& world, int carried, int holder) {
  const Model& model = world.model();
  for (const std::vector<ContactMemory>* contacts :
       {&world.state().contacts, &world.state().sleep.contacts}) {
    for (const ContactMemory& contact : *contacts) {
      const int a = model.geoms[contact.geom_a].body, b = model.geoms[contact.geom_b].body;
      if (a != carried && b != carried) continue;
      const int other = a == carried ? b : a;
      if (model.bodies[other].tree == model.bodies[holder].tree && !contact.impulse_W.isZero(0.0))
        return true;
    }
  }
  return false;
}

}  // namespace

ControllerSet::ControllerSet(const Model& model, const std::vector<ControllerDescription>& descriptions,
                             const std::vector<TaskDescription>& tasks)
    : tasks_(model, tasks), memory_size_(tasks_.memory_size()) {
  std::vector<ControllerTask> all = FindControllerTasks(descriptions, model);
  const int num_free = static_cast<int>(all.size());
  for (int c = 0; c < tasks_.num_controllers(); ++c) all.push_back(tasks_.controller(c));
  CheckClaims(all, model);
  for (ControllerTask& task : all) {
    const int led = static_cast<int>(entries_.size()) - num_free;
    Entry& entry = entries_.emplace_back(Entry{.task = std::move(task), .led = std::max(led, -1)});
    for (const int j : entry.task.joints) dofs_.push_back(model.joints[j].v_address);
    const ControllerDescription& d = entry.task.description;
    if (d.type == ControllerType::kWrench) bodies_.push_back(entry.task.frame.body);
    if (d.type == ControllerType::kReach) {
      entry.ik.emplace(model, entry.task.frame, entry.task.joints, entry.task.has_rotation());
      entry.memory = memory_size_;
      memory_size_ += 3 * static_cast<int>(entry.task.joints.size());
    }
    needs_bias_ = needs_bias_ || d.compensation == Compensation::kBias;
    needs_dynamics_ = needs_dynamics_ || d.compensation == Compensation::kDynamics;
    needs_gravity_ = needs_gravity_ || d.compensation != Compensation::kNone;
  }
}

// A reach starts from where its joints are, at rest.
void ControllerSet::BeginMemory(const World& world, VectorXd& memory) const {
  memory.setZero(memory_size_);
  tasks_.Begin(world, memory);
  for (const Entry& entry : entries_) {
    const int count = static_cast<int>(entry.task.joints.size());
    for (int i = 0; entry.memory >= 0 && i < count; ++i) {
      const double q = world.q()[world.model().joints[entry.task.joints[i]].q_address];
      memory[entry.memory + i] = memory[entry.memory + 2 * count + i] = q;
    }
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

void ControllerSet::SampleAt(const Entry& entry, const VectorXd& memory, double t, VectorXd& value,
                             VectorXd& rate) const {
  if (entry.led >= 0) return tasks_.Sample(entry.led, memory, t, value, rate);
  stiction::Sample(entry.task.target, t, value, rate);
}

PoseSample ControllerSet::SamplePoseAt(const Entry& entry, const VectorXd& memory, double t) const {
  return entry.led >= 0 ? tasks_.SamplePose(entry.led, memory, t) : SamplePose(entry.task.target, t);
}

void ControllerSet::SampleTarget(const World& world, const VectorXd& memory, Entry& entry) const {
  const double t = world.time(), dt = world.timestep();
  const ControllerDescription& d = entry.task.description;
  if (d.type != ControllerType::kEquality && ActsInTheMiddle(world)) return SampleMean(world, memory, entry);
  SampleAt(entry, memory, t + dt, entry.value, entry.unused);
  SampleAt(entry, memory, t + 0.5 * dt, entry.unused, entry.rate);
  if (d.compensation != Compensation::kDynamics) return;
  SampleAt(entry, memory, t - 0.5 * dt, entry.unused, entry.rate_change);
  entry.rate_change = entry.rate - entry.rate_change;
}

// Where the target goes steadily, a joint that follows it feels no force but c.
void ControllerSet::SampleMean(const World& world, const VectorXd& memory, Entry& entry) const {
  const double t = world.time(), dt = world.timestep();
  SampleAt(entry, memory, t, entry.start, entry.unused);
  SampleAt(entry, memory, t + dt, entry.value, entry.rate_change);
  entry.rate_change -= entry.unused;
  entry.rate = (entry.value - entry.start) / dt;
  if (world.integrator() == Integrator::kMidpoint) {
    entry.value = 0.5 * (entry.start + entry.value);
  } else {
    SampleAt(entry, memory, t + 0.5 * dt, entry.middle, entry.unused);
    entry.value = (entry.start + 4.0 * entry.middle + entry.value) / 6.0;
  }
}

// The joints' targets at the step's end from that of the frame; in the middle where forces act there.
void ControllerSet::Reach(const World& world, VectorXd& memory, Entry& entry) {
  constexpr double kPostureTime = 0.5;  // within which joints go where they began, if the frame moves [s]
  const double dt = world.timestep();
  const int count = static_cast<int>(entry.task.joints.size());
  Eigen::Map<VectorXd> q_d(memory.data() + entry.memory, count), rate(q_d.data() + count, count);
  middle_q_ = world.q();
  for (int i = 0; i < count; ++i) middle_q_[world.model().joints[entry.task.joints[i]].q_address] = q_d[i];
  entry.ik->Solve(SamplePoseAt(entry, memory, world.time() + dt).X_WF, world.input().mocap,
                  memory.data() + entry.memory + 2 * count, middle_q_,
                  {.posture_weight = std::min(1.0, dt / kPostureTime)});
  entry.value.resize(count);
  for (int i = 0; i < count; ++i)
    entry.value[i] = middle_q_[world.model().joints[entry.task.joints[i]].q_address];
  entry.rate = (entry.value - q_d) / dt;
  entry.rate_change = entry.rate - rate;
  rate = entry.rate;
  entry.start = q_d;
  q_d = entry.value;
  if (ActsInTheMiddle(world)) entry.value = 0.5 * (entry.start + entry.value);
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

// Symplectic Euler's h is the mean of those of both ends (sim/mean_bias.h).
void ControllerSet::AverageDynamicsLoad(const World& world) {
  const Model& model = world.model();
  if (!tree_bias_) tree_bias_.emplace(model.num_bodies());
  middle_v_ = world.v() + world.timestep() * vdot_;
  start_bias_.setZero(model.nv());
  end_bias_.setZero(model.nv());
  for (int t = 0; t < model.num_trees(); ++t) {
    CalcTreeBias(model, t, world.kinematics(), world.v(), Vector3d::Zero(), *tree_bias_, start_bias_);
    CalcTreeBias(model, t, world.kinematics(), middle_v_, Vector3d::Zero(), *tree_bias_, end_bias_);
  }
  dynamics_load_ += 0.5 * (end_bias_ - start_bias_);
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
  if (!needs_dynamics_) return;
  CalcInverseDynamics(model, kin, v, vdot_, Vector3d::Zero(), rnea_, dynamics_load_);
  if (world.integrator() == Integrator::kSymplecticEuler) AverageDynamicsLoad(world);
}

void ControllerSet::CalcCarriedLoad(const World& world, Entry& entry) {
  const Model& model = world.model();
  const ControllerTask& task = entry.task;
  entry.carried_load.setZero(static_cast<Eigen::Index>(task.joints.size()));
  // What holds it moves with the frame, or with the last of the joints.
  int holder = task.frame.body;
  if (task.description.type == ControllerType::kJointPd) {
    for (const int j : task.joints) holder = std::max(holder, model.joints[j].body);
  }
  const Kinematics& kin = world.kinematics();
  J_.resize(6, model.nv());
  for (const int b : task.carried) {
    if (!IsCarried(world, b, holder)) continue;
    const Body& body = model.bodies[b];
    const Vector3d weight_W = body.inertia.mass * (1.0 - body.gravity_compensation) * model.options.gravity;
    CalcSpatialJacobian(model, kin, holder, kin.p_WBcm[b], J_);
    for (std::size_t i = 0; i < task.joints.size(); ++i)
      entry.carried_load[i] -= J_.col(model.joints[task.joints[i]].v_address).tail<3>().dot(weight_W);
  }
}

double ControllerSet::LoadOf(const Entry& entry, std::size_t i, int dof) const {
  const double carried = entry.carried_load.size() > 0 ? entry.carried_load[i] : 0.0;
  switch (entry.task.description.compensation) {
    case Compensation::kNone:
      return 0.0;
    case Compensation::kGravity:
      return carried + gravity_load_[dof];
    case Compensation::kBias:
      return carried + gravity_load_[dof] + motion_load_[dof];
    case Compensation::kDynamics:
      return carried + gravity_load_[dof] + dynamics_load_[dof];
  }
  return 0.0;
}

void ControllerSet::UpdateJointPd(const World& world, const Entry& entry, Input& input) const {
  const ControllerTask& task = entry.task;
  for (std::size_t i = 0; i < task.joints.size(); ++i) {
    const Joint& joint = world.model().joints[task.joints[i]];
    const int k = joint.v_address;
    const double tau = task.kp[i] * (entry.value[i] - world.q()[joint.q_address]) +
                       task.kd[i] * (entry.rate[i] - world.v()[k]) + LoadOf(entry, i, k);
    const double effort = task.effort[i];
    input.applied_generalized[k] += std::clamp(tau, -effort, effort);
    if (std::abs(tau) > effort) continue;  // it no longer follows the joint
    AddSlopes(joint, task.kp[i], task.kd[i], world, input);
  }
}

// A motor of this stall force and no-load speed.
void ControllerSet::UpdateGrip(const World& world, const Entry& entry, Input& input) const {
  const double force = entry.value[0];
  for (const int j : entry.task.joints) {
    const int k = world.model().joints[j].v_address;
    input.applied_generalized[k] += force;
    input.applied_damping[k] += std::abs(force) / entry.task.description.speed;
  }
}

void ControllerSet::UpdateMocap(const World& world, const VectorXd& memory, const Entry& entry,
                                Input& input) const {
  const RigidTransform X_WF = SamplePoseAt(entry, memory, world.time() + world.timestep()).X_WF;
  const RigidTransform X_WB = X_WF * entry.task.frame.X_BF.Inverse();
  double* mocap = input.mocap.data() + entry.task.mocap_address;
  Eigen::Map<Vector3d>{mocap} = X_WB.p;
  QuaternionToWxyz(Quaterniond(X_WB.R), mocap + 3);
}

void ControllerSet::Update(const World& world, Input& input) {
  ClearOwned(world.model(), input);
  VectorXd& memory = input.memory;
  if (memory.size() != memory_size_ || !tasks_.Fits(memory)) {
    BeginMemory(world, memory);
  } else {
    tasks_.Update(world, memory);
  }
  // Mocap poses first: the frames that forces look at may stand on them.
  for (const Entry& entry : entries_) {
    if (entry.task.mocap_address >= 0) UpdateMocap(world, memory, entry, input);
  }
  for (Entry& entry : entries_) {
    if (entry.ik) {
      Reach(world, memory, entry);
    } else if (!entry.task.has_pose() && entry.task.description.type != ControllerType::kWrench) {
      SampleTarget(world, memory, entry);
    }
  }
  CalcLoads(world);
  for (Entry& entry : entries_) {
    if (!entry.task.carried.empty()) CalcCarriedLoad(world, entry);
  }
  for (const Entry& entry : entries_) {
    const ControllerTask& task = entry.task;
    switch (task.description.type) {
      case ControllerType::kJointPd:
      case ControllerType::kReach:
        UpdateJointPd(world, entry, input);
        break;
      case ControllerType::kControl:
        for (std::size_t i = 0; i < task.actuators.size(); ++i)
          input.ctrl[task.actuators[i]] = entry.value[i];
        break;
      case ControllerType::kPose:
        UpdatePose(world, memory, entry, input);
        break;
      case ControllerType::kGrip:
        UpdateGrip(world, entry, input);
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

void AttachControllers(World& world, const std::vector<ControllerDescription>& descriptions,
                       const std::vector<TaskDescription>& tasks) {
  if (descriptions.empty() && tasks.empty()) return world.set_controller(nullptr);
  world.set_controller([set = ControllerSet(world.model(), descriptions, tasks)](
                           const World& w, Input& input) mutable { set.Update(w, input); });
}

}  // namespace stiction
