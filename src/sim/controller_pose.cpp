// The impedance of a body or frame, as sim/controller.h states it.
#include <Eigen/Cholesky>
#include <cmath>

#include "sim/controller_set.h"
#include "stiction/dynamics/jacobian.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

// F = (m, f) at the frame's origin, and its slope G = −∂F/∂V over the frame's velocity at the step's end.
struct Impedance {
  Vector6d F = Vector6d::Zero();
  Matrix6d G = Matrix6d::Zero();
};

// One half of F, torque or force, of displacement x and velocities v_d, v, all in world axes. At its bound it
// no longer follows the frame and has no slope.
struct HalfImpedance {
  Vector3d f;
  Matrix3d G;

  HalfImpedance(const Matrix3d& R_WD, const Vector3d& stiffness, const Vector3d& damping, double max,
                double dt, const Vector3d& x, const Vector3d& v_d, const Vector3d& v) {
    const Matrix3d K = R_WD * stiffness.asDiagonal() * R_WD.transpose();
    const Matrix3d D = R_WD * damping.asDiagonal() * R_WD.transpose();
    f = K * (x - dt * v) + D * (v_d - v);
    G = D + dt * K;
    const double norm = f.norm();
    if (!(norm > max)) return;
    f *= max / norm;
    G.setZero();
  }
};

//   ahead  how far ahead of the step's start the force acts [s]
Impedance CalcImpedance(const ControllerDescription& d, const PoseSample& target, const RigidTransform& X_WF,
                        const Vector6d& V_WF, double ahead) {
  const Matrix3d& R_WD = target.X_WF.R;
  const Vector3d turn_W = QuaternionLog(Quaterniond(R_WD * X_WF.R.transpose()));
  const HalfImpedance torque(R_WD, d.rotational_stiffness, d.rotational_damping, d.max_torque, ahead, turn_W,
                             target.V_WF.head<3>(), V_WF.head<3>());
  const HalfImpedance force(R_WD, d.stiffness, d.damping, d.max_force, ahead, target.X_WF.p - X_WF.p,
                            target.V_WF.tail<3>(), V_WF.tail<3>());
  Impedance impedance;
  impedance.F << torque.f, force.f;
  impedance.G.topLeftCorner<3, 3>() = torque.G;
  impedance.G.bottomRightCorner<3, 3>() = force.G;
  return impedance;
}

// Dofs that the target does not speak of count as free: with positions alone, all rotations.
void ClearFreeRows(const ControllerTask& task, Matrix6Xd& J) {
  if (!task.has_rotation()) J.topRows<3>().setZero();
}

// (J Jᵀ + ε)⁻¹ J v over the joints of the task: what J ᵀ makes of it is the part of v that moves the frame.
Vector6d CalcTaskPart(const Model& model, const ControllerTask& task, const Matrix6Xd& J, const VectorXd& v) {
  constexpr double kDamping = 1e-9;  // of JJᵀ's trace: singular directions count as free
  Matrix6d JJt = Matrix6d::Zero();
  Vector6d V = Vector6d::Zero();
  for (const int j : task.joints) {
    const int k = model.joints[j].v_address;
    JJt += J.col(k) * J.col(k).transpose();
    V += J.col(k) * v[k];
  }
  JJt.diagonal().array() += kDamping * (JJt.trace() + kDamping);
  return JJt.ldlt().solve(V);
}

}  // namespace

void ControllerSet::UpdatePose(const World& world, const VectorXd& memory, const Entry& entry, Input& input) {
  const ControllerTask& task = entry.task;
  const Model& model = world.model();
  const Kinematics& kin = world.kinematics();
  const ControllerDescription& d = task.description;
  const RigidTransform X_WF = kin.X_WB[task.frame.body] * task.frame.X_BF;
  J_.resize(6, model.nv());
  CalcSpatialJacobian(model, kin, task.frame.body, X_WF.p, J_);
  Vector6d V_WF = Vector6d::Zero();
  const int last_dof = model.bodies[task.frame.body].last_dof;
  for (int k = last_dof; k >= 0; k = model.dof_parent[k]) V_WF += J_.col(k) * world.v()[k];

  const bool acts_at_end =
      world.integrator() != Integrator::kMidpoint && world.integrator() != Integrator::kRungeKutta4;
  const double ahead = acts_at_end ? world.timestep() : 0.5 * world.timestep();
  PoseSample target = SamplePoseAt(entry, memory, world.time() + ahead);
  target.V_WF = SamplePoseAt(entry, memory, world.time() + 0.5 * world.timestep()).V_WF;
  const Impedance impedance = CalcImpedance(d, target, X_WF, V_WF, ahead);
  ClearFreeRows(task, J_);
  GJ_.resize(6, model.nv());
  GJ_.noalias() = impedance.G * J_;
  Vector6d task_part = Vector6d::Zero();
  if (d.nullspace_damping > 0.0) task_part = CalcTaskPart(model, task, J_, world.v());

  for (std::size_t i = 0; i < task.joints.size(); ++i) {
    const int k = model.joints[task.joints[i]].v_address;
    const double free_velocity = world.v()[k] - J_.col(k).dot(task_part);
    input.applied_generalized[k] +=
        J_.col(k).dot(impedance.F) - d.nullspace_damping * free_velocity + LoadOf(entry, i, k);
    double slope = d.nullspace_damping;
    for (int n = last_dof; n >= 0; n = model.dof_parent[n]) slope += std::abs(J_.col(k).dot(GJ_.col(n)));
    input.applied_generalized[k] += slope * world.v()[k];  // no force but by what the velocity changes
    input.applied_damping[k] += slope;
  }
}

}  // namespace stiction
