// <dcmotor>: what a data sheet says, as MuJoCo's XML reference has it.
#include <algorithm>
#include <cmath>
#include <sstream>

#include "io/mjcf/specs.h"

namespace stiction::mjcf {
namespace {

// K and R: K = √(Kt Ke), of which one may be missing; a data sheet has instead of them the voltage V, the
// torque at stall K V/R and the speed without load V/K. None at all, and the motor has no current.
void SetConstants(const xml::Element& element, const DcMotorSpec& spec, DcMotor& motor) {
  double constants[2] = {spec.constants[0], spec.constants[1]};
  const double* nominal = spec.nominal;
  const bool is_nominal = nominal[0] != 0.0 || nominal[1] != 0.0 || nominal[2] != 0.0;
  if (is_nominal) {
    if (!(nominal[0] > 0.0 && nominal[1] > 0.0 && nominal[2] > 0.0))
      element.Fail("nominal", "voltage, stall torque and speed without load must be positive");
    for (double& constant : constants)
      if (constant == 0.0) constant = nominal[0] / nominal[2];
  }
  const auto [smaller, larger] = std::minmax(constants[0], constants[1]);
  motor.constant = smaller > 0.0 ? std::sqrt(smaller * larger) : larger;
  motor.resistance = spec.resistance;
  if (is_nominal && motor.resistance == 0.0) motor.resistance = motor.constant * nominal[0] / nominal[1];
  if (motor.input == DcMotor::Input::kNone && smaller == 0.0 && larger == 0.0) {
    motor.resistance = 1.0;
    return;
  }
  if (smaller < 0.0 || !(motor.constant > 0.0 && motor.resistance > 0.0))
    element.Fail("needs a positive motorconst and resistance, or nominal");
}

DcMotor::Input FindInput(const xml::Element& element, const std::string& word) {
  using Input = DcMotor::Input;
  const std::pair<const char*, Input> inputs[] = {{"voltage", Input::kVoltage},   {"pos", Input::kPosition},
                                                  {"position", Input::kPosition}, {"vel", Input::kVelocity},
                                                  {"velocity", Input::kVelocity}, {"ff", Input::kTorque},
                                                  {"none", Input::kNone}};
  const auto found = std::find_if(std::begin(inputs), std::end(inputs),
                                  [&](const auto& input) { return input.first == word; });
  if (found == std::end(inputs))
    element.Fail("input", "input is \"" + word + "\"; it must be none, or some of pos, vel, ff and voltage");
  return found->second;
}

// All of them, in the order that MuJoCo asks for, which is that of the controls.
std::vector<DcMotor::Input> ReadInputs(xml::Element& element, const std::string& text) {
  using Input = DcMotor::Input;
  std::vector<Input> inputs;
  std::istringstream words(text);
  for (std::string word; words >> word;) inputs.push_back(FindInput(element, word));
  constexpr Input kOrder[] = {Input::kPosition, Input::kVelocity, Input::kTorque, Input::kVoltage};
  const auto place = [&](Input input) { return std::find(std::begin(kOrder), std::end(kOrder), input); };
  for (std::size_t i = 0; i + 1 < inputs.size(); ++i) {
    if (place(inputs[i]) < place(inputs[i + 1]) && place(inputs[i + 1]) != std::end(kOrder)) continue;
    element.Fail("input", "several inputs stand in the order pos, vel, ff, voltage, each of them once");
  }
  if (inputs.empty()) element.Fail("input", "names no input; write none for a motor without one");
  if (inputs.front() == Input::kNone)
    element.Note("input", ImportStatus::kApproximated, "it has a control all the same, of no effect");
  return inputs;
}

// What a further input adds to the force, per unit: that of a controller in front of an ideal winding is the
// sum of what each of its inputs brings.
std::vector<MotorInput> FindFurtherInputs(xml::Element& element, const std::vector<DcMotor::Input>& inputs,
                                          const DcMotor& motor, const ActuatorSpec& spec) {
  using Input = DcMotor::Input;
  std::vector<MotorInput> further;
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    if (inputs[i] == Input::kVelocity) further.push_back({"vel", motor.kd});
    if (inputs[i] == Input::kTorque) further.push_back({"ff", 1.0});
    if (inputs[i] == Input::kVoltage) further.push_back({"voltage", motor.constant / motor.resistance});
  }
  if (further.empty()) return further;
  if (motor.lag > 0.0 || motor.voltage_max > 0.0 || motor.thermal_time > 0.0 ||
      spec.force_limited == Limited::kTrue)
    element.Fail("input",
                 "a motor with an inductance, heat or bounds of voltage, current or torque has one control "
                 "here: leave one of \"" +
                     spec.motor.input + "\"");
  element.Note("input", ImportStatus::kApproximated,
               "each further input is an actuator of its own, which sensors of the first leave out");
  return further;
}

void SetController(const xml::Element& element, const double* numbers, DcMotor& motor) {
  for (int i = 0; i < 6; ++i)
    if (numbers[i] < 0.0) element.Fail("controller", "gains and bounds must not be negative");
  if (motor.input == DcMotor::Input::kVoltage || motor.input == DcMotor::Input::kNone) {
    if (numbers[0] != 0.0 || numbers[1] != 0.0 || numbers[2] != 0.0)
      element.Fail("controller", "a controller needs the input pos, vel or ff");
    return;
  }
  motor.kp = numbers[0];
  motor.ki = numbers[1];
  motor.kd = numbers[2];
  if (motor.ki > 0.0 && motor.input != DcMotor::Input::kPosition)
    element.Fail("controller", "ki needs the input pos");
  motor.slew_max = numbers[3];
  motor.integral_max = numbers[4];
  motor.voltage_max = numbers[5];
}

void SetInductance(const xml::Element& element, const DcMotorSpec& spec, DcMotor& motor) {
  if (spec.inductance[0] < 0.0 || spec.inductance[1] < 0.0)
    element.Fail("inductance", "inductance and time constant must not be negative");
  motor.lag = spec.inductance[0] > 0.0 ? spec.inductance[0] / motor.resistance : spec.inductance[1];
  motor.current_rate = spec.saturation[2];
  if (motor.current_rate > 0.0 && !(motor.lag > 0.0))
    element.Fail("saturation", "a bound on the rate of the current needs an inductance");
}

// τ = R_T C; of the three two may be written, and of a time alone nothing warms the winding.
void SetHeat(xml::Element& element, const double* numbers, DcMotor& motor) {
  const auto& [resistance, capacitance, time] = std::tuple(numbers[0], numbers[1], numbers[2]);
  if (resistance < 0.0 || capacitance < 0.0 || time < 0.0 || numbers[3] < 0.0)
    element.Fail("thermal", "resistance, capacitance, time constant and coefficient must not be negative");
  motor.thermal_time = time > 0.0 ? time : resistance * capacitance;
  motor.thermal_resistance =
      resistance == 0.0 && capacitance > 0.0 ? motor.thermal_time / capacitance : resistance;
  motor.temperature_coefficient = numbers[3];
  motor.reference_temperature = numbers[4];
  motor.ambient_temperature = numbers[5];
  if (motor.thermal_time > 0.0 && motor.thermal_resistance == 0.0)
    element.Note("thermal", ImportStatus::kApproximated,
                 "without a resistance or capacitance nothing warms the winding");
}

void SetFriction(const xml::Element& element, const double* numbers, DcMotor& motor) {
  motor.bristle_stiffness = numbers[0];
  motor.bristle_damping = numbers[1];
  motor.coulomb = numbers[2];
  motor.static_friction = numbers[3] == 0.0 ? numbers[2] : numbers[3];
  motor.stribeck_speed = numbers[4];
  for (int i = 0; i < 5; ++i)
    if (numbers[i] < 0.0) element.Fail("lugre", "numbers of friction must not be negative");
  if (motor.bristle_stiffness > 0.0 && !(motor.coulomb > 0.0))
    element.Fail("lugre", "the Coulomb torque of a bristle must be positive");
}

void SetSaturation(const xml::Element& element, const double* limits, double constant, ActuatorSpec& spec) {
  if (limits[0] < 0.0 || limits[1] < 0.0 || limits[2] < 0.0)
    element.Fail("saturation", "bounds of torque, current and its rate must not be negative");
  const double largest = limits[0] > 0.0 ? limits[0] : constant * limits[1];
  if (largest == 0.0) return;
  spec.force_range[0] = -largest;
  spec.force_range[1] = largest;
  spec.force_limited = Limited::kTrue;
}

// Whether gain and bias say all of it.
bool IsAffine(const DcMotor& motor) {
  return motor.lag == 0.0 && motor.ki == 0.0 && motor.slew_max == 0.0 && motor.voltage_max == 0.0 &&
         motor.thermal_time == 0.0 && motor.cogging == 0.0 && motor.bristle_stiffness == 0.0 &&
         motor.constant > 0.0;
}

// f = K/R (u − K ℓ̇); of a controller kp (u − ℓ) − kd ℓ̇ and the like.
void SetAffine(const DcMotor& motor, ActuatorSpec& spec) {
  using Input = DcMotor::Input;
  const bool has_controller = motor.input != Input::kVoltage && motor.input != Input::kNone;
  const double per_volt = motor.constant / motor.resistance;
  spec.gain_type = "fixed";
  spec.bias_type = "affine";
  spec.gain[0] = motor.input == Input::kVoltage    ? per_volt
                 : motor.input == Input::kPosition ? motor.kp
                 : motor.input == Input::kVelocity ? motor.kd
                 : motor.input == Input::kTorque   ? 1.0
                                                   : 0.0;
  spec.bias[0] = 0.0;
  spec.bias[1] = -motor.kp;
  spec.bias[2] = has_controller ? -motor.kd : -per_volt * motor.constant;
}

}  // namespace

std::optional<DcMotor> MakeMotor(xml::Element& element, ActuatorSpec& spec,
                                 std::vector<MotorInput>& further) {
  const DcMotorSpec& written = spec.motor;
  DcMotor motor;
  const std::vector<DcMotor::Input> inputs = ReadInputs(element, written.input);
  motor.input = inputs.front();
  SetConstants(element, written, motor);
  SetController(element, written.controller, motor);
  SetSaturation(element, written.saturation, motor.constant, spec);
  SetInductance(element, written, motor);
  SetHeat(element, written.thermal, motor);
  SetFriction(element, written.friction, motor);
  motor.cogging = written.cogging[0];
  motor.cogging_periods = written.cogging[1];
  motor.cogging_phase = written.cogging[2];
  spec.dynamics = "none";
  further = FindFurtherInputs(element, inputs, motor, spec);
  if (!IsAffine(motor)) return motor;
  SetAffine(motor, spec);
  return std::nullopt;
}

}  // namespace stiction::mjcf
