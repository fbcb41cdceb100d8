#include "dynamics/actuation.h"

#include <algorithm>
#include <cmath>

#include "dynamics/actuator_constants.h"
#include "dynamics/dc_motor.h"
#include "dynamics/transmission.h"
#include "math/assert.h"

namespace stiction {
namespace {

// The slope row of a transmission whose blocks are there. Blocks of one tree are no chain together.
void AddRow(const Model& model, const Transmission& line, double stiffness, double damping,
            JointForces& forces) {
  SlopeRow& row = forces.slope_rows.emplace_back();
  row.first_block = line.first_block;
  row.num_blocks = line.num_blocks;
  row.stiffness = stiffness;
  row.damping = damping;
  row.rate = line.rate;
  row.is_one_branch = line.num_blocks == 1;
  if (!row.is_one_branch) return;
  const TendonWorkspace::Block& block = forces.slope_blocks[line.first_block];
  const int* dofs = forces.slope_dofs.data() + block.first;
  for (int k = 0; k < block.num_dofs; ++k)
    row.is_one_branch = row.is_one_branch && model.dof_parent[dofs[k]] == (k == 0 ? -1 : dofs[k - 1]);
}

// f, unclamped, with its slopes.
ActuatorForce CalcForce(const Actuator& actuator, const ActuatorConstants& constants, double u, double length,
                        double rate) {
  std::array<double, 3> gain = actuator.gain, bias = actuator.bias;
  if (actuator.muscle_gain) gain = {};
  if (actuator.muscle_bias) bias = {};
  if (actuator.damping_ratio > 0.0) bias[2] = -constants.damping;
  ActuatorForce out{.length_slope = gain[1] * u + bias[1], .rate_slope = gain[2] * u + bias[2]};
  out.value = gain[0] * u + bias[0] + out.length_slope * length + out.rate_slope * rate;
  const auto add = [&out](const ActuatorForce& part, double factor) {
    out.value += factor * part.value;
    out.length_slope += factor * part.length_slope;
    out.rate_slope += factor * part.rate_slope;
  };
  if (actuator.muscle_gain) add(CalcMuscleGain(*actuator.muscle_gain, constants.gain_scale, length, rate), u);
  if (actuator.muscle_bias) add(CalcMuscleBias(*actuator.muscle_bias, constants.bias_scale, length), 1.0);
  return out;
}

// The force that is held on a bound, or goes with its slope.
struct Held {
  double force = 0.0;
  bool is_held = false;
};
Held Hold(double force, double lower, double upper, const Saturation* side) {
  if (side == nullptr) {
    const double clamped = std::clamp(force, lower, upper);
    return {clamped, clamped != force};
  }
  switch (*side) {
    case Saturation::kNone:
      return {force, false};
    case Saturation::kLower:
      return {lower, true};
    case Saturation::kUpper:
      return {upper, true};
    case Saturation::kOpen:
      return {0.0, true};
  }
  return {};
}

bool HasRange(double lower, double upper) {
  return std::isfinite(lower) || std::isfinite(upper);
}

bool HasRange(const Tendon& tendon) {
  return HasRange(tendon.actuator_force_lower, tendon.actuator_force_upper);
}

// An actuator on a joint of one coordinate acts along its dof alone: no blocks are needed.
Transmission OfScalarJoint(const Joint& joint, double gear, const VectorXd& q, const VectorXd& v) {
  return {.length = gear * q[joint.q_address], .rate = gear * v[joint.v_address]};
}

// w: the control, or the activation, of those that act early the one at the end of the step.
double CalcDrive(const Actuator& actuator, const VectorXd& activation, double ctrl, double dt) {
  if (actuator.activation < 0 || actuator.motor)
    return std::clamp(ctrl, actuator.ctrl_lower, actuator.ctrl_upper);
  const double now = activation[actuator.activation];
  return actuator.acts_early && dt > 0.0 ? NextActivation(actuator, ctrl, now, dt) : now;
}

// The rate that leads from x over a time dt, by Runge-Kutta's method of fourth order.
template <typename Rate>
double CalcMeanRate(const Rate& rate, double x, double dt) {
  const double k1 = rate(x), k2 = rate(x + 0.5 * dt * k1), k3 = rate(x + 0.5 * dt * k2),
               k4 = rate(x + dt * k3);
  return (k1 + 2.0 * k2 + 2.0 * k3 + k4) / 6.0;
}

// Slopes by the actuator's own length, which is its gear times the tendon's.
void AddServo(double gear, double stiffness, double damping, TendonServo& servo) {
  servo.stiffness += gear * stiffness;
  servo.damping += gear * damping;
  servo.pull_stiffness += gear * gear * stiffness;
  servo.pull_damping += gear * gear * damping;
}

void AddActuator(const Model& model, const Kinematics& kin, int a, const VectorXd& q, const VectorXd& v,
                 const VectorXd& activation, double ctrl, JointForces& forces) {
  const Actuator& actuator = model.actuators[a];
  const double u = CalcDrive(actuator, activation, ctrl, forces.dt);
  if (actuator.body >= 0) {
    const double force = CalcForce(actuator, forces.constants[a], u, 0.0, 0.0).value;
    forces.actuator_force[a] = std::clamp(force, actuator.force_lower, actuator.force_upper);
    return;
  }
  const bool is_scalar = actuator.joint >= 0 && model.joints[actuator.joint].is_scalar();
  const int dof = is_scalar ? model.joints[actuator.joint].v_address : -1;
  const Transmission line = is_scalar ? OfScalarJoint(model.joints[actuator.joint], actuator.gear[0], q, v)
                                      : AddTransmission(model, kin, actuator, q, v, forces);
  if (!is_scalar && line.num_blocks == 0) return;  // on what cannot move
  const ActuatorForce f = actuator.motor
                              ? CalcMotor(*actuator.motor, u, line.length, line.rate, forces.dt,
                                          activation.data() + std::max(0, actuator.activation), nullptr)
                              : CalcForce(actuator, forces.constants[a], u, line.length, line.rate);
  const Held held = Hold(f.value, actuator.force_lower, actuator.force_upper,
                         forces.has_sides ? &forces.sides[a] : nullptr);
  forces.actuator_length[a] = line.length;
  forces.actuator_rate[a] = line.rate;
  forces.actuator_force[a] = held.force;
  if (is_scalar) forces.actuation[dof] += actuator.gear[0] * held.force;
  const auto [begin, end] = FindEntries(forces, line.first_block, line.num_blocks);
  for (int k = begin; k < end; ++k)
    forces.actuation[forces.slope_dofs[k]] += forces.slope_values[k] * held.force;

  const bool is_explicit = forces.explicit_springs.HasActuator(a);
  const double stiffness = is_explicit ? 0.0 : std::max(0.0, -f.length_slope),
               damping = std::max(0.0, -f.rate_slope);
  if (stiffness == 0.0 && damping == 0.0) {
    if (!is_scalar) DropBlocks(line.first_block, forces);
    return;
  }
  const bool is_limited = HasRange(actuator.force_lower, actuator.force_upper);
  if (is_limited) {
    forces.limited.push_back({.actuator = a,
                              .lower = actuator.force_lower,
                              .upper = actuator.force_upper,
                              .force = f.value,
                              .stiffness = stiffness,
                              .damping = damping,
                              .rate = line.rate,
                              .dof = dof,
                              .gear = actuator.gear[0],
                              .first_block = line.first_block,
                              .num_blocks = line.num_blocks});
  }
  if (is_scalar) {
    if (!held.is_held) {
      // τ = gear f: per unit of ℓ̇ = gear v the slope counts twice with the gear.
      const double gear2 = actuator.gear[0] * actuator.gear[0];
      forces.stiffness[dof] += gear2 * stiffness;
      forces.damping[dof] += gear2 * damping;
    }
    return;
  }
  const bool waits = actuator.tendon >= 0 && HasRange(model.tendons[actuator.tendon]);
  if (!held.is_held && !waits) return AddRow(model, line, stiffness, damping, forces);
  if (!held.is_held) AddServo(actuator.gear[0], stiffness, damping, forces.tendon_servos[actuator.tendon]);
  if (!is_limited) DropBlocks(line.first_block, forces);
}

}  // namespace

void AddActuators(const Model& model, const Kinematics& kin, const VectorXd& q, const VectorXd& v,
                  const VectorXd& activation, const Input& input, JointForces& forces) {
  if (static_cast<int>(forces.constants.size()) != model.nu())
    forces.constants = CalcActuatorConstants(model);
  for (int a = 0; a < model.nu(); ++a) AddActuator(model, kin, a, q, v, activation, input.ctrl[a], forces);
}

void LimitTendons(const Model& model, JointForces& forces) {
  for (int t = 0; t < model.num_tendons(); ++t) {
    const Tendon& tendon = model.tendons[t];
    if (!HasRange(tendon)) continue;
    double sum = 0.0, pull = 0.0;
    for (int a = 0; a < model.nu(); ++a) {
      if (model.actuators[a].tendon != t) continue;
      sum += forces.actuator_force[a];
      pull += model.actuators[a].gear[0] * forces.actuator_force[a];
    }
    const Saturation* side = forces.has_sides ? &forces.sides[model.nu() + model.num_joints() + t] : nullptr;
    const bool is_open = side != nullptr && *side == Saturation::kOpen;
    const Held held = Hold(sum, tendon.actuator_force_lower, tendon.actuator_force_upper, side);
    const TendonServo& servo = forces.tendon_servos[t];
    const double share = sum != 0.0 ? pull / sum : 1.0, rate = forces.tendon_forces.rate[t];
    if (servo.stiffness > 0.0 || servo.damping > 0.0) {
      const Transmission line = AddTendonTransmission(t, 1.0, forces);
      forces.limited.push_back({.tendon = t,
                                .share = share,
                                .lower = tendon.actuator_force_lower,
                                .upper = tendon.actuator_force_upper,
                                .force = sum,
                                .stiffness = servo.stiffness,
                                .damping = servo.damping,
                                .rate = rate,
                                .first_block = line.first_block,
                                .num_blocks = line.num_blocks});
    }
    if (!held.is_held) {
      AddTendonSlope(model, t, servo.pull_stiffness, servo.pull_damping, rate, forces);
      continue;
    }
    AddTendonForce(forces.tendons, t, share * (held.force - sum), forces.actuation);
    if (is_open) continue;  // how it is shared is asked for once it is known
    for (int a = 0; a < model.nu() && sum != 0.0; ++a)
      if (model.actuators[a].tendon == t) forces.actuator_force[a] *= held.force / sum;
  }
}

void LimitActuation(const Model& model, const VectorXd& v, JointForces& forces) {
  for (int j = 0; j < model.num_joints(); ++j) {
    const Joint& joint = model.joints[j];
    if (!joint.is_scalar() || !HasRange(joint.actuator_force_lower, joint.actuator_force_upper)) continue;
    const int k = joint.v_address;
    const double force = forces.actuation[k];
    const Held held = Hold(force, joint.actuator_force_lower, joint.actuator_force_upper,
                           forces.has_sides ? &forces.sides[model.nu() + j] : nullptr);
    const double spring = forces.passive_stiffness[k], damper = forces.passive_damping[k];
    const double stiffness = forces.stiffness[k] - spring, damping = forces.damping[k] - damper;
    if (stiffness > 0.0 || damping > 0.0) {
      forces.limited.push_back({.joint = j,
                                .lower = joint.actuator_force_lower,
                                .upper = joint.actuator_force_upper,
                                .force = force,
                                .stiffness = stiffness,
                                .damping = damping,
                                .rate = v[k],
                                .dof = k});
    }
    if (!held.is_held) continue;
    forces.actuation[k] = held.force;
    forces.stiffness[k] = spring;
    forces.damping[k] = damper;
  }
}

void AddTendonSlope(const Model& model, int tendon, double stiffness, double damping, double rate,
                    JointForces& forces) {
  if (stiffness == 0.0 && damping == 0.0) return;
  Transmission transmission = AddTendonTransmission(tendon, 1.0, forces);
  transmission.rate = rate;
  if (transmission.num_blocks > 0) AddRow(model, transmission, stiffness, damping, forces);
}

double NextActivation(const Actuator& actuator, double ctrl, double value, double dt, ActivationRule rule) {
  const double u = std::clamp(ctrl, actuator.ctrl_lower, actuator.ctrl_upper);
  const bool is_accurate = rule == ActivationRule::kAccurate;
  const auto muscle_rate = [&](double at) { return CalcMuscleActivationRate(actuator, u, at); };
  switch (actuator.dynamics) {
    case ActuatorDynamics::kNone:
      break;
    case ActuatorDynamics::kIntegrator:
      value += dt * u;
      break;
    case ActuatorDynamics::kFilter:
      if (!is_accurate) {
        value += dt * (u - value) / actuator.time_constant;
        break;
      }
      [[fallthrough]];
    case ActuatorDynamics::kFilterExact:
      value -= (u - value) * std::expm1(-dt / actuator.time_constant);
      break;
    case ActuatorDynamics::kMuscle:
      value += dt * (is_accurate ? CalcMeanRate(muscle_rate, value, dt) : muscle_rate(value));
      break;
  }
  return std::clamp(value, actuator.activation_lower, actuator.activation_upper);
}

void AdvanceActivations(const Model& model, const Input& input, double dt, ActivationRule rule,
                        VectorXd& activation) {
  STICTION_ASSERT(dt > 0.0 && input.ctrl.size() == model.nu());
  for (int a = 0; a < model.nu(); ++a) {
    const Actuator& actuator = model.actuators[a];
    if (actuator.activation < 0 || actuator.motor) continue;
    double& value = activation[actuator.activation];
    value = NextActivation(actuator, input.ctrl[a], value, dt, rule);
  }
}

void AdvanceMotors(const Model& model, const Input& input, const JointForces& forces, const VectorXd& q,
                   const VectorXd& v, double dt, VectorXd& activation) {
  STICTION_ASSERT(dt > 0.0 && input.ctrl.size() == model.nu());
  for (int a = 0; a < model.nu(); ++a) {
    const Actuator& actuator = model.actuators[a];
    if (!actuator.motor || actuator.activation < 0) continue;
    double length = forces.actuator_length[a], rate = forces.actuator_rate[a];
    if (actuator.joint >= 0 && model.joints[actuator.joint].is_scalar()) {
      length = actuator.gear[0] * q[model.joints[actuator.joint].q_address];
      rate = actuator.gear[0] * v[model.joints[actuator.joint].v_address];
    }
    double* const state = activation.data() + actuator.activation;
    const double u = std::clamp(input.ctrl[a], actuator.ctrl_lower, actuator.ctrl_upper);
    (void)CalcMotor(*actuator.motor, u, length, rate, dt, state, state);
  }
}

}  // namespace stiction
