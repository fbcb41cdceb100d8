#include "dynamics/dc_motor.h"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

// Of what the resistance is at its reference temperature, where a linear law would leave nothing.
constexpr double kLeastResistance = 1e-3;
// A drive that holds its current heats a winding whose resistance grows without end: here it ends [K].
constexpr double kHottest = 1e4;

// [-bound, bound], where 0 is none.
double ClampTo(double value, double bound) {
  return bound > 0.0 ? std::clamp(value, -bound, bound) : value;
}
bool IsBeyond(double value, double bound) {
  return bound > 0.0 && std::abs(value) > bound;
}

double CalcResistance(const DcMotor& motor, double heat) {
  const double excess = motor.ambient_temperature + heat - motor.reference_temperature;
  return motor.resistance * std::max(kLeastResistance, 1.0 + motor.temperature_coefficient * excess);
}

// What the controller asks of the winding, or the control itself [V].
ActuatorForce CalcVoltage(const DcMotor& motor, double resistance, double u, double integral, double length,
                          double rate) {
  if (motor.input == DcMotor::Input::kNone) return {};
  if (motor.input == DcMotor::Input::kVoltage) return {.value = u};
  const double position = motor.input == DcMotor::Input::kPosition ? u : 0.0;
  const double speed = motor.input == DcMotor::Input::kVelocity ? u : 0.0;
  const double torque = motor.kp * (position - length) + motor.kd * (speed - rate) + motor.ki * integral +
                        (motor.input == DcMotor::Input::kTorque ? u : 0.0);
  const double per_torque = resistance / motor.constant;
  const double voltage = per_torque * torque + motor.constant * rate;
  if (IsBeyond(voltage, motor.voltage_max)) return {.value = ClampTo(voltage, motor.voltage_max)};
  return {.value = voltage,
          .length_slope = -per_torque * motor.kp,
          .rate_slope = motor.constant - per_torque * motor.kd};
}

// The current at the end of dt [A].
ActuatorForce CalcCurrent(const DcMotor& motor, double resistance, const ActuatorForce& voltage, double rate,
                          double dt, const double* before) {
  ActuatorForce current{.value = (voltage.value - motor.constant * rate) / resistance,
                        .length_slope = voltage.length_slope / resistance,
                        .rate_slope = (voltage.rate_slope - motor.constant) / resistance};
  if (before == nullptr) return current;
  // L / R, of which L does not change with the temperature.
  const double share = -std::expm1(-dt * resistance / (motor.lag * motor.resistance));
  const double change = share * (current.value - *before), largest = motor.current_rate * dt;
  if (IsBeyond(change, largest)) return {.value = *before + ClampTo(change, largest)};
  return {.value = *before + change,
          .length_slope = share * current.length_slope,
          .rate_slope = share * current.rate_slope};
}

// What the bristle exerts; it becomes `z` at the end of dt.
ActuatorForce CalcFriction(const DcMotor& motor, double rate, double dt, double& z) {
  const double ratio = rate / motor.stribeck_speed;
  const double bound = motor.coulomb + (motor.static_friction - motor.coulomb) *
                                           (motor.stribeck_speed > 0.0 ? std::exp(-ratio * ratio) : 0.0);
  const double decay = motor.bristle_stiffness * std::abs(rate) / bound;  // a [1/s]
  if (dt == 0.0)
    return {.value = -motor.bristle_stiffness * z - motor.bristle_damping * (rate - decay * z),
            .rate_slope = -motor.bristle_damping};
  const double travel = decay * dt > 1e-8 ? -std::expm1(-decay * dt) / decay : dt;  // φ [s]
  const double before = z, kept = std::exp(-decay * dt);
  z = before * kept + rate * travel;
  return {.value = -motor.bristle_stiffness * z - motor.bristle_damping * (z - before) / dt,
          .rate_slope = -motor.bristle_stiffness * travel - motor.bristle_damping * kept};
}

void AddPart(const ActuatorForce& part, double factor, ActuatorForce& sum) {
  sum.value += factor * part.value;
  sum.length_slope += factor * part.length_slope;
  sum.rate_slope += factor * part.rate_slope;
}

}  // namespace

ActuatorForce CalcMotor(const DcMotor& motor, double ctrl, double length, double rate, double dt,
                        const double* state, double* next) {
  const DcMotorStates at = FindMotorStates(motor);
  const auto keep = [next](int place, double value) {
    if (next != nullptr && place >= 0) next[place] = value;
  };
  ActuatorForce force;
  if (motor.constant > 0.0) {
    double u = ctrl, integral = 0.0;
    if (at.set_point >= 0) {
      const double last = state[at.set_point];
      u = last + std::clamp(ctrl - last, -motor.slew_max * dt, motor.slew_max * dt);
      keep(at.set_point, u);
    }
    if (at.integral >= 0) {
      integral = state[at.integral];  // at the start of the step, as u and ℓ are
      keep(at.integral, ClampTo(integral + dt * (u - length), motor.integral_max));
    }
    const double heat = at.temperature >= 0 ? state[at.temperature] : 0.0;
    const double resistance = at.temperature >= 0 ? CalcResistance(motor, heat) : motor.resistance;
    const ActuatorForce voltage = CalcVoltage(motor, resistance, u, integral, length, rate);
    const ActuatorForce current =
        CalcCurrent(motor, resistance, voltage, rate, dt, at.current >= 0 ? state + at.current : nullptr);
    keep(at.current, current.value);
    if (at.temperature >= 0) {
      const double final_heat =
          motor.thermal_resistance * current.value * current.value * resistance;  // if it stays so
      keep(at.temperature,
           std::min(kHottest, heat - (final_heat - heat) * std::expm1(-dt / motor.thermal_time)));
    }
    AddPart(current, motor.constant, force);
  }
  if (motor.cogging != 0.0) {
    const double phase = motor.cogging_periods * length + motor.cogging_phase;
    force.value += motor.cogging * std::sin(phase);
    force.length_slope += motor.cogging * motor.cogging_periods * std::cos(phase);
  }
  if (at.bristle >= 0) {
    double z = state[at.bristle];
    AddPart(CalcFriction(motor, rate, dt, z), 1.0, force);
    keep(at.bristle, z);
  }
  return force;
}

}  // namespace stiction
