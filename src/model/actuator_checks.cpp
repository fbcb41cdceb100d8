// Checks of actuators at Build.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <variant>

#include "model/builder_checks.h"

namespace stiction {
namespace {

using Kind = ModelError::Kind;

template <typename Numbers>
bool AllFinite(const Numbers& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

bool IsPositive(double x) {
  return std::isfinite(x) && x > 0.0;
}

// What follows is empty where nothing is wrong.

std::string CheckTransmission(const Model& model, const Actuator& actuator) {
  const int count =
      (actuator.joint >= 0) + (actuator.tendon >= 0) + actuator.frame.has_value() + (actuator.body >= 0);
  if (count != 1) return "it needs one joint, tendon, frame or body on which it acts";
  if (actuator.joint >= model.num_joints()) return "its joint does not exist";
  if (actuator.tendon >= model.num_tendons()) return "its tendon does not exist";
  if (actuator.body >= model.num_bodies()) return "its body does not exist";
  for (const auto& frame : {actuator.frame, actuator.reference}) {
    if (frame && (frame->body < 0 || frame->body >= model.num_bodies())) return "its body does not exist";
  }
  if (!(std::isfinite(actuator.crank_length) && actuator.crank_length >= 0.0))
    return "the length of the crank must not be negative";
  if (actuator.crank_length > 0.0 && !(actuator.frame && actuator.reference))
    return "a slider-crank needs the frames of its crank and of its slider";
  return AllFinite(actuator.gear) ? "" : "the gear must be finite";
}

std::string CheckDynamics(const Actuator& actuator) {
  if (!IsPositive(actuator.time_constant)) return "the time constant must be positive";
  if (!IsPositive(actuator.deactivation_time)) return "the time of deactivation must be positive";
  if (!(std::isfinite(actuator.activation_smoothing) && actuator.activation_smoothing >= 0.0))
    return "the width of the smoothing must not be negative";
  if (!(actuator.activation_lower <= actuator.activation_upper)) return "the activation range is reversed";
  return actuator.ctrl_lower <= actuator.ctrl_upper ? "" : "the control range is reversed";
}

std::string CheckMuscle(const Muscle& muscle) {
  if (!(muscle.range[0] < muscle.range[1]) || !AllFinite(muscle.range))
    return "the operating range of the muscle must ascend";
  if (!std::isfinite(muscle.force)) return "the force of the muscle must be finite";
  if (!IsPositive(muscle.scale)) return "the scale of the muscle must be positive";
  if (!(muscle.lmin < 1.0 && muscle.lmax > 1.0)) return "the muscle needs lmin < 1 < lmax";
  if (!IsPositive(muscle.vmax)) return "vmax must be positive";
  if (!(muscle.fpmax >= 0.0)) return "fpmax must not be negative";
  return muscle.fvmax >= 1.0 ? "" : "fvmax must be at least 1";
}

std::string CheckMotor(const Actuator& actuator) {
  const DcMotor& m = *actuator.motor;
  if (actuator.joint < 0 && actuator.tendon < 0 && !actuator.frame)
    return "a motor needs a joint, tendon or frame";
  if (!AllFinite(std::array{m.cogging, m.cogging_periods, m.cogging_phase, m.reference_temperature,
                            m.ambient_temperature}))
    return "the numbers of a motor must be finite";
  for (const double x :
       {m.constant, m.lag, m.current_rate, m.kp, m.ki, m.kd, m.slew_max, m.integral_max, m.voltage_max,
        m.thermal_resistance, m.thermal_time, m.temperature_coefficient, m.bristle_stiffness,
        m.bristle_damping, m.coulomb, m.static_friction, m.stribeck_speed}) {
    if (!(std::isfinite(x) && x >= 0.0)) return "the numbers of a motor must not be negative";
  }
  if (!IsPositive(m.resistance)) return "the resistance of a motor must be positive";
  if (m.ki > 0.0 && m.input != DcMotor::Input::kPosition)
    return "the integral of a motor's controller needs the position as its input";
  if (m.bristle_stiffness > 0.0 && !(m.coulomb > 0.0 && m.static_friction > 0.0))
    return "a motor's friction needs its Coulomb and its static torque";
  return "";
}

std::string CheckForce(const Actuator& actuator) {
  if (actuator.motor) {
    const std::string wrong = CheckMotor(actuator);
    if (!wrong.empty()) return wrong;
  }
  if (!AllFinite(actuator.gain)) return "the gain must be finite";
  if (!AllFinite(actuator.bias)) return "the bias must be finite";
  if (!(actuator.force_lower <= actuator.force_upper)) return "the force range is reversed";
  if (!(std::isfinite(actuator.damping_ratio) && actuator.damping_ratio >= 0.0))
    return "the damping ratio must not be negative";
  if (actuator.damping_ratio > 0.0 && !(actuator.gain[0] >= 0.0))
    return "a damping ratio needs a gain that is not negative";
  for (const auto& muscle : {actuator.muscle_gain, actuator.muscle_bias}) {
    const std::string wrong = muscle ? CheckMuscle(*muscle) : "";
    if (!wrong.empty()) return wrong;
  }
  return "";
}

// The bodies of a tendon's path.
std::vector<int> FindPathBodies(const SpatialTendon& tendon) {
  std::vector<int> bodies;
  for (const SpatialTendon::Element& element : tendon.path) {
    if (const auto* site = std::get_if<SpatialTendon::Site>(&element)) bodies.push_back(site->body);
    if (const auto* wrap = std::get_if<SpatialTendon::Wrap>(&element)) bodies.push_back(wrap->center.body);
  }
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  return bodies;
}

// Whether motion of the joint within its limits keeps every length finite.
bool IsConfined(const Joint& joint) {
  if (!joint.traits().travels) return true;
  return !joint.is_free() && std::isfinite(joint.lower) && std::isfinite(joint.upper);
}

// Whether the tendon has extremes: its own limits, or those of the joints between the bodies of its path.
bool HasExtremes(const Model& model, const Tendon& tendon) {
  if (std::isfinite(tendon.lower) && std::isfinite(tendon.upper)) return true;
  if (const auto* fixed = std::get_if<FixedTendon>(&tendon.path)) {
    return std::all_of(fixed->terms.begin(), fixed->terms.end(), [&](const FixedTendon::Term& term) {
      const Joint& joint = model.joints[term.joint];
      return std::isfinite(joint.lower) && std::isfinite(joint.upper);
    });
  }
  const std::vector<int> ends = FindPathBodies(std::get<SpatialTendon>(tendon.path));
  std::vector<std::size_t> visits(model.bodies.size(), 0);
  for (const int end : ends) {
    for (int b = end; b > 0; b = model.bodies[b].parent) ++visits[b];
  }
  return std::all_of(model.joints.begin(), model.joints.end(), [&](const Joint& joint) {
    const std::size_t count = visits[joint.body];
    return count == 0 || count == ends.size() || IsConfined(joint);  // one that carries all ends moves none
  });
}

std::string CheckLengthRange(const Model& model, const Actuator& actuator) {
  if (!actuator.muscle_gain && !actuator.muscle_bias) return "";
  if (actuator.body >= 0) return "a muscle needs a joint, tendon or frame";
  const auto& range = actuator.length_range;
  if (range[0] != range[1])
    return AllFinite(range) && range[0] < range[1] ? "" : "the length range must ascend";
  bool is_known = false;
  if (actuator.joint >= 0) {
    const Joint& joint = model.joints[actuator.joint];
    is_known = joint.is_scalar() && std::isfinite(joint.lower) && std::isfinite(joint.upper);
  } else if (actuator.tendon >= 0) {
    is_known = HasExtremes(model, model.tendons[actuator.tendon]);
  }
  return is_known ? ""
                  : "nothing limits the length of this muscle; give its length range, or limits to joints";
}

}  // namespace

void CheckActuators(const Model& model) {
  for (int a = 0; a < model.nu(); ++a) {
    const Actuator& actuator = model.actuators[a];
    std::string wrong = CheckTransmission(model, actuator);
    if (wrong.empty()) wrong = CheckDynamics(actuator);
    if (wrong.empty()) wrong = CheckForce(actuator);
    if (wrong.empty()) wrong = CheckLengthRange(model, actuator);
    if (!wrong.empty())
      throw ModelError(Kind::kActuator, a, Quote("actuator", actuator.name, a) + ": " + wrong);
  }
}

}  // namespace stiction
