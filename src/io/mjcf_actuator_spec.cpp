#include <algorithm>
#include <numbers>

#include "mjcf_specs.h"

namespace stiction::mjcf {
namespace {

void ReadRanges(xml::Element& element, ActuatorSpec& spec) {
  element.ReadNumbers("gear", 1, 6, spec.gear);
  element.ReadNumbers("ctrlrange", 2, 2, spec.ctrl_range);
  element.ReadNumbers("forcerange", 2, 2, spec.force_range);
  ReadLimited(element, "ctrllimited", spec.ctrl_limited);
  ReadLimited(element, "forcelimited", spec.force_limited);
  element.ReadNumbers("actrange", 2, 2, spec.activation_range);
  ReadLimited(element, "actlimited", spec.activation_limited);
}

// The first three of up to ten parameters are the constant, length and velocity coefficients.
void ReadParameters(xml::Element& element, std::string_view attribute, double* coefficients) {
  const std::vector<double> list = element.ReadList(attribute);
  std::copy_n(list.begin(), std::min<size_t>(3, list.size()), coefficients);
  if (list.size() > 10) element.Fail(attribute, std::string(attribute) + " takes at most 10 numbers");
}

void SetFixedGain(ActuatorSpec& spec, double gain) {
  spec.gain_type = "fixed";
  spec.gain[0] = gain;
}

void SetAffineBias(ActuatorSpec& spec, double stiffness, double damping) {
  spec.bias_type = "affine";
  spec.bias[1] = -stiffness;
  spec.bias[2] = -damping;
}

// The first of up to ten parameters; a filter needs it positive.
void ReadTimeConstant(xml::Element& element, std::string_view attribute, ActuatorSpec& spec) {
  const std::vector<double> list = element.ReadList(attribute);
  if (list.empty()) return;
  spec.time_constant = list[0];
  if (spec.dynamics.starts_with("filter") && !(spec.time_constant > 0.0))
    element.Fail(attribute, "the time constant of a filter must be positive");
}

void ReadGeneral(xml::Element& element, ActuatorSpec& spec) {
  element.ReadWord("gaintype", {"fixed", "affine", "muscle", "user"}, spec.gain_type);
  element.ReadWord("biastype", {"none", "affine", "muscle", "user"}, spec.bias_type);
  ReadParameters(element, "gainprm", spec.gain);
  ReadParameters(element, "biasprm", spec.bias);
  element.ReadWord("dyntype", {"none", "integrator", "filter", "filterexact", "muscle", "user"},
                   spec.dynamics);
  ReadTimeConstant(element, "dynprm", spec);
}

void ReadPosition(xml::Element& element, ActuatorSpec& spec) {
  double kp = spec.gain[0];
  double kv = -spec.bias[2];
  element.Read("kp", kp);
  if (element.Read("kv", kv) && kv < 0.0) element.Fail("kv", "kv must not be negative");
  double value = 0.0;
  if (element.Read("dampratio", value) && value != 0.0) {
    element.Note("dampratio", ImportStatus::kIgnored,
                 "write kv: the damping is not derived from the inertia");
  }
  value = 0.0;
  if (element.Read("timeconst", value)) {
    if (value < 0.0) element.Fail("timeconst", "timeconst must not be negative");
    spec.dynamics = value > 0.0 ? "filterexact" : "none";
    if (value > 0.0) spec.time_constant = value;
  }
  element.Read("inheritrange", spec.inherit_range);
  if (spec.inherit_range < 0.0) element.Fail("inheritrange", "inheritrange must not be negative");
  SetFixedGain(spec, kp);
  SetAffineBias(spec, kp, kv);
}

void ReadVelocity(xml::Element& element, ActuatorSpec& spec) {
  double kv = spec.gain[0];
  if (element.Read("kv", kv) && kv < 0.0) element.Fail("kv", "kv must not be negative");
  SetFixedGain(spec, kv);
  spec.bias[0] = 0.0;
  SetAffineBias(spec, 0.0, kv);
}

// A position servo whose set point is the integral of the control.
void ReadIntegratedVelocity(xml::Element& element, ActuatorSpec& spec) {
  ReadPosition(element, spec);
  spec.dynamics = "integrator";
}

// A cylinder: area times a pressure that follows the control with a lag.
void ReadCylinder(xml::Element& element, ActuatorSpec& spec) {
  double area = 1.0, diameter = 0.0, bias[3] = {0.0, 0.0, 0.0};
  element.Read("area", area);
  if (element.Read("diameter", diameter)) area = 0.25 * std::numbers::pi * diameter * diameter;
  element.ReadNumbers("bias", 3, 3, bias);
  spec.dynamics = "filter";
  spec.time_constant = 1.0;
  if (element.Read("timeconst", spec.time_constant) && !(spec.time_constant > 0.0))
    element.Fail("timeconst", "the time constant of a cylinder must be positive");
  SetFixedGain(spec, area);
  spec.bias_type = "affine";
  std::copy_n(bias, 3, spec.bias);
}

// f = -kv ℓ̇ ctrl.
void ReadDamper(xml::Element& element, ActuatorSpec& spec) {
  double kv = 1.0;
  if (element.Read("kv", kv) && kv < 0.0) element.Fail("kv", "kv must not be negative");
  spec.gain_type = "affine";
  spec.bias_type = "none";
  spec.gain[0] = spec.gain[1] = 0.0;
  spec.gain[2] = -kv;
}

void SetMotor(ActuatorSpec& spec) {
  SetFixedGain(spec, 1.0);
  spec.gain[1] = spec.gain[2] = 0.0;
  spec.bias_type = "none";
  std::fill_n(spec.bias, 3, 0.0);
  spec.dynamics = "none";
}

}  // namespace

bool IsActuator(const xml::Element& element) {
  constexpr std::string_view kKinds[] = {"general",     "motor",  "position", "velocity",
                                         "intvelocity", "damper", "cylinder", "muscle",
                                         "adhesion",    "plugin", "dcmotor"};
  return std::find(std::begin(kKinds), std::end(kKinds), element.name()) != std::end(kKinds);
}

bool ReadActuator(xml::Element& element, ActuatorSpec& spec) {
  const std::string& kind = element.name();
  constexpr std::string_view kRead[] = {"general",     "motor",  "position", "velocity",
                                        "intvelocity", "damper", "cylinder"};
  if (std::find(std::begin(kRead), std::end(kRead), kind) == std::end(kRead)) return false;
  element.Visit();
  ReadRanges(element, spec);
  if (kind == "general") ReadGeneral(element, spec);
  if (kind == "motor") SetMotor(spec);
  if (kind == "position") ReadPosition(element, spec);
  if (kind == "velocity") ReadVelocity(element, spec);
  if (kind == "intvelocity") ReadIntegratedVelocity(element, spec);
  if (kind == "damper") ReadDamper(element, spec);
  if (kind == "cylinder") ReadCylinder(element, spec);
  return true;
}

}  // namespace stiction::mjcf
