// <actuator>: all of them as <general>, but for servos whose damping is a ratio.
#include <algorithm>
#include <cmath>
#include <limits>

#include "io/mjcf/writer_class.h"

namespace stiction::mjcf {
namespace {

// Numbers without the zeros at their end; one at least.
template <std::size_t size>
std::span<const double> WithoutZeros(const std::array<double, size>& numbers) {
  std::size_t count = size;
  while (count > 1 && numbers[count - 1] == 0.0) --count;
  return {numbers.data(), count};
}

std::array<double, 9> ToParameters(const Muscle& m) {
  return {m.range[0], m.range[1], m.force, m.scale, m.lmin, m.lmax, m.vmax, m.fpmax, m.fvmax};
}

// Gain or bias.
void SetForce(Output& element, const char* type, const char* parameters, const std::array<double, 3>& numbers,
              const std::optional<Muscle>& muscle, const char* constant) {
  if (muscle) {
    Set(element, type, "muscle");
    return Set(element, parameters, ToParameters(*muscle));
  }
  const bool is_affine = numbers[1] != 0.0 || numbers[2] != 0.0;
  if (is_affine) Set(element, type, "affine");
  if (!is_affine && constant) Set(element, type, constant);
  Set(element, parameters, WithoutZeros(numbers));
}

void SetDynamics(Output& element, const Actuator& actuator) {
  switch (actuator.dynamics) {
    case ActuatorDynamics::kNone:
      return;
    case ActuatorDynamics::kIntegrator:
      return Set(element, "dyntype", "integrator");
    case ActuatorDynamics::kFilter:
      Set(element, "dyntype", "filter");
      break;
    case ActuatorDynamics::kFilterExact:
      Set(element, "dyntype", "filterexact");
      break;
    case ActuatorDynamics::kMuscle:
      Set(element, "dyntype", "muscle");
      return Set(
          element, "dynprm",
          std::array{actuator.time_constant, actuator.deactivation_time, actuator.activation_smoothing});
  }
  Set(element, "dynprm", actuator.time_constant);
}

// What is not zero of a list of numbers, up to the last.
template <std::size_t size>
void SetNumbers(Output& element, const char* attribute, const std::array<double, size>& numbers) {
  if (numbers != std::array<double, size>{}) Set(element, attribute, WithoutZeros(numbers));
}

void WriteMotor(const DcMotor& motor, Output& element) {
  constexpr const char* kInputs[] = {"voltage", "pos", "vel", "ff", "none"};
  Set(element, "input", kInputs[static_cast<int>(motor.input)]);
  if (motor.constant > 0.0) {
    Set(element, "motorconst", motor.constant);
    Set(element, "resistance", motor.resistance);
  }
  SetNumbers(element, "controller",
             std::array{motor.kp, motor.ki, motor.kd, motor.slew_max, motor.integral_max, motor.voltage_max});
  SetNumbers(element, "inductance", std::array{0.0, motor.lag});
  SetNumbers(element, "saturation", std::array{0.0, 0.0, motor.current_rate});
  SetNumbers(element, "thermal",
             std::array{motor.thermal_resistance, 0.0, motor.thermal_time, motor.temperature_coefficient,
                        motor.reference_temperature, motor.ambient_temperature});
  SetNumbers(element, "cogging", std::array{motor.cogging, motor.cogging_periods, motor.cogging_phase});
  SetNumbers(element, "lugre",
             std::array{motor.bristle_stiffness, motor.bristle_damping, motor.coulomb, motor.static_friction,
                        motor.stribeck_speed});
}

// f = kp (w − ℓ) − ratio ..., which is what the words for servos say.
bool IsServo(const Actuator& actuator) {
  const auto& [kp, gain1, gain2] = actuator.gain;
  const bool has_dynamics = actuator.dynamics == ActuatorDynamics::kNone ||
                            actuator.dynamics == ActuatorDynamics::kFilterExact ||
                            actuator.dynamics == ActuatorDynamics::kIntegrator;
  return has_dynamics && gain1 == 0.0 && gain2 == 0.0 && actuator.bias[0] == 0.0 && actuator.bias[1] == -kp &&
         !actuator.muscle_gain && !actuator.muscle_bias;
}

}  // namespace

void Writer::WriteActuators(Output& section) {
  for (int a = 0; a < model_.nu(); ++a) {
    const Actuator& actuator = model_.actuators[a];
    const bool is_ratio = actuator.damping_ratio > 0.0, is_servo = is_ratio && IsServo(actuator);
    const bool is_integrated = actuator.dynamics == ActuatorDynamics::kIntegrator;
    const char* kind = actuator.motor  ? "dcmotor"
                       : !is_servo     ? "general"
                       : is_integrated ? "intvelocity"
                                       : "position";
    Output& element = *section.InsertNewChildElement(kind);
    SetName(element, actuators_.Peek(a));
    WriteTransmission(actuator, element);
    if (actuator.motor) {
      WriteMotor(*actuator.motor, element);
    } else if (is_servo) {
      Set(element, "kp", actuator.gain[0]);
      Set(element, "dampratio", actuator.damping_ratio);
      if (actuator.dynamics == ActuatorDynamics::kFilterExact)
        Set(element, "timeconst", actuator.time_constant);
    } else {
      SetForce(element, "gaintype", "gainprm", actuator.gain, actuator.muscle_gain, nullptr);
      // A positive last number is a damping ratio where the other says that this is a servo.
      const bool reads_as_ratio = actuator.gain[0] == -actuator.bias[1] && !actuator.muscle_gain;
      std::array<double, 3> bias = actuator.bias;
      if (is_ratio && reads_as_ratio) bias[2] = actuator.damping_ratio;
      const bool is_pushed = !is_ratio && reads_as_ratio && !actuator.muscle_bias && bias[2] > 0.0;
      if (is_pushed)
        bias[1] =
            bias[1] == 0.0 ? -1e-300 : std::nextafter(bias[1], -std::numeric_limits<double>::infinity());
      const bool has_bias = actuator.muscle_bias || bias != std::array{0.0, 0.0, 0.0};
      if (has_bias) SetForce(element, "biastype", "biasprm", bias, actuator.muscle_bias, "affine");
      SetDynamics(element, actuator);
      if (is_ratio && !reads_as_ratio)
        Note(ImportStatus::kIgnored, "general",
             "\"" + actuator.name + "\": only servos have a damping ratio; write its damping into the bias");
      if (is_pushed)
        Note(ImportStatus::kApproximated, "general",
             "\"" + actuator.name +
                 "\": its bias is off by a rounding, since a servo's positive damping would be a ratio");
    }
    WriteRanges(actuator, element);
  }
}

void Writer::WriteTransmission(const Actuator& actuator, Output& element) {
  if (actuator.joint >= 0)
    Set(element, actuator.in_parent ? "jointinparent" : "joint", joints_.Require(actuator.joint));
  if (actuator.tendon >= 0) Set(element, "tendon", tendons_.Require(actuator.tendon));
  if (actuator.body >= 0) Set(element, "body", bodies_.Require(actuator.body));
  const bool is_crank = actuator.crank_length > 0.0;
  if (actuator.frame) Set(element, is_crank ? "cranksite" : "site", SiteAt(*actuator.frame));
  if (actuator.reference) Set(element, is_crank ? "slidersite" : "refsite", SiteAt(*actuator.reference));
  if (is_crank) Set(element, "cranklength", actuator.crank_length);
  if (actuator.gear != Actuator{}.gear) Set(element, "gear", WithoutZeros(actuator.gear));
}

void Writer::WriteRanges(const Actuator& actuator, Output& element) {
  const std::string owner = "actuator \"" + actuator.name + "\"";
  // A range without width is refused, where disabled actuators are not.
  const bool is_disabled = IsDisabled(actuator);
  const bool is_frozen = is_disabled && actuator.ctrl_lower == 0.0 && actuator.ctrl_upper == 0.0 &&
                         actuator.dynamics == ActuatorDynamics::kIntegrator;
  if (is_disabled) Set(element, "group", kDisabledGroup);
  if (!is_frozen) SetRange(element, "ctrlrange", actuator.ctrl_lower, actuator.ctrl_upper, owner);
  if (!is_disabled) SetRange(element, "forcerange", actuator.force_lower, actuator.force_upper, owner);
  SetRange(element, "actrange", actuator.activation_lower, actuator.activation_upper, owner);
  if (actuator.acts_early) Set(element, "actearly", "true");
  const auto& [shortest, longest] = actuator.length_range;
  if (shortest != longest) Set(element, "lengthrange", actuator.length_range);
}

}  // namespace stiction::mjcf
