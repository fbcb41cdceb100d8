#include "stiction/dynamics/forces.h"

#include <algorithm>

namespace stiction {
namespace {

// -k times the deflection of the joint's spring. The gradient of |θ|²/2 over the angular velocity is the
// rotation vector θ itself, the same in body axes before and after the rotation, so that ball and free joints
// read as the scalar ones do.
struct AddSpring {
  const Model& model;
  const Joint& joint;
  const double* q;
  double* passive;
  double* stiffness;

  void operator()(const FreeJoint&) const {
    const double* q0 = model.q0.data() + joint.q_address;
    for (int i = 0; i < 3; ++i) passive[i] -= joint.stiffness * (q[i] - q0[i]);
    AddTorque(QuaternionFromWxyz(q0 + 3).conjugate() * QuaternionFromWxyz(q + 3), passive + 3);
  }
  void operator()(const BallJoint&) const { AddTorque(QuaternionFromWxyz(q), passive); }
  void operator()(const SlideJoint&) const { AddScalar(); }
  void operator()(const HingeJoint&) const { AddScalar(); }

  void AddTorque(const Quaterniond& relative, double* torque) const {
    const Vector3d theta = QuaternionLog(relative);
    for (int i = 0; i < 3; ++i) torque[i] -= joint.stiffness * theta[i];
  }
  void AddScalar() const {
    *passive -= joint.stiffness * (*q - joint.spring_reference);
    *stiffness += joint.stiffness;
  }
};

// ℓ of an actuator.
struct ActuatorLength {
  const std::array<double, 6>& gear;
  const double* q;

  double operator()(const FreeJoint&) const { return 0.0; }
  double operator()(const BallJoint&) const {
    return Vector3d(gear[0], gear[1], gear[2]).dot(QuaternionLog(QuaternionFromWxyz(q)));
  }
  double operator()(const SlideJoint&) const { return gear[0] * *q; }
  double operator()(const HingeJoint&) const { return gear[0] * *q; }
};

void AddPassive(const Model& model, const VectorXd& q, const VectorXd& v, JointForces& forces) {
  for (const Joint& joint : model.joints) {
    const int k = joint.v_address;
    if (joint.stiffness != 0.0) {
      const AddSpring spring{model, joint, q.data() + joint.q_address, forces.passive.data() + k,
                             forces.stiffness.data() + k};
      std::visit(spring, joint.kind);
    }
    if (joint.damping == 0.0) continue;
    for (int i = k; i < k + joint.nv(); ++i) {
      forces.passive[i] -= joint.damping * v[i];
      forces.damping[i] += joint.damping;
    }
  }
}

// τ = gear f: per unit of ℓ̇ = gear v the slope counts twice with the gear. Only a joint with one dof has a
// diagonal slope.
void AddActuator(const Model& model, int a, const VectorXd& q, const VectorXd& v, double ctrl,
                 JointForces& forces) {
  const Actuator& actuator = model.actuators[a];
  if (actuator.joint < 0) return;
  const Joint& joint = model.joints[actuator.joint];
  const int k = joint.v_address, nv = joint.nv();
  const double length = std::visit(ActuatorLength{actuator.gear, q.data() + joint.q_address}, joint.kind);
  double length_rate = 0.0;
  for (int i = 0; i < nv; ++i) length_rate += actuator.gear[i] * v[k + i];

  const double u = std::clamp(ctrl, actuator.ctrl_lower, actuator.ctrl_upper);
  const double length_slope = actuator.gain[1] * u + actuator.bias[1];
  const double rate_slope = actuator.gain[2] * u + actuator.bias[2];
  const double force =
      actuator.gain[0] * u + actuator.bias[0] + length_slope * length + rate_slope * length_rate;
  forces.actuator_force[a] = std::clamp(force, actuator.force_lower, actuator.force_upper);
  for (int i = 0; i < nv; ++i) forces.actuation[k + i] += actuator.gear[i] * forces.actuator_force[a];

  const bool saturated = force != forces.actuator_force[a];
  if (nv > 1 || saturated) return;
  const double gear2 = actuator.gear[0] * actuator.gear[0];
  forces.stiffness[k] += gear2 * std::max(0.0, -length_slope);
  forces.damping[k] += gear2 * std::max(0.0, -rate_slope);
}

// Jᵀ times the moment and force at the body's centre of mass, along the dofs that move the body.
void AddWrench(const Model& model, const Kinematics& kin, int b, const Vector6d& wrench, VectorXd& applied) {
  if (wrench.isZero(0.0) || model.bodies[b].tree < 0) return;
  const Vector3d p_TBcm_W = kin.p_WBcm[b] - kin.p_WT[model.bodies[b].tree];
  Vector6d F = wrench;
  F.head<3>() += p_TBcm_W.cross(wrench.tail<3>());
  for (int k = model.bodies[b].last_dof; k >= 0; k = model.dof_parent[k]) applied[k] += kin.S.col(k).dot(F);
}

// Jᵀ of a force along -gravity at the centre of mass of every body that is compensated.
void AddGravityCompensation(const Model& model, const Kinematics& kin, VectorXd& passive) {
  for (int b = 1; b < model.num_bodies(); ++b) {
    const Body& body = model.bodies[b];
    if (body.gravity_compensation == 0.0) continue;
    Vector6d wrench = Vector6d::Zero();
    wrench.tail<3>() = -body.gravity_compensation * body.inertia.mass * model.options.gravity;
    AddWrench(model, kin, b, wrench, passive);
  }
}

// What all actuators together exert on a joint is limited by its own range; slopes of a force that is cut off
// do not count.
void LimitActuation(const Model& model, JointForces& forces) {
  for (const Joint& joint : model.joints) {
    if (joint.nv() != 1) continue;
    double& force = forces.actuation[joint.v_address];
    const double limited = std::clamp(force, joint.actuator_force_lower, joint.actuator_force_upper);
    if (limited == force) continue;
    force = limited;
    forces.stiffness[joint.v_address] = joint.stiffness;
    forces.damping[joint.v_address] = joint.damping;
  }
}

}  // namespace

void JointForces::Resize(const Model& model) {
  for (VectorXd* forces : {&passive, &actuation, &applied, &stiffness, &damping}) forces->setZero(model.nv());
  actuator_force.setZero(model.nu());
}

void CalcJointForces(const Model& model, const Kinematics& kin, const VectorXd& q, const VectorXd& v,
                     const Input& input, JointForces& forces) {
  forces.Resize(model);
  AddPassive(model, q, v, forces);
  AddGravityCompensation(model, kin, forces.passive);
  for (int a = 0; a < model.nu(); ++a) AddActuator(model, a, q, v, input.ctrl[a], forces);
  LimitActuation(model, forces);
  forces.applied = input.applied_generalized;
  for (int b = 1; b < model.num_bodies(); ++b)
    AddWrench(model, kin, b, input.applied_wrench.col(b), forces.applied);
}

void AddForceAtPoint(const Kinematics& kin, int body, const Vector3d& p_WQ, const Vector3d& f_W,
                     Input& input) {
  input.applied_wrench.col(body).head<3>() += (p_WQ - kin.p_WBcm[body]).cross(f_W);
  input.applied_wrench.col(body).tail<3>() += f_W;
}

}  // namespace stiction
