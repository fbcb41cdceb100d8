#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "io/mjcf/specs.h"

namespace stiction::mjcf {
namespace {

void ReadRanges(xml::Element& element, ActuatorSpec& spec) {
  ReadGearedSpec(element, spec);
  element.ReadNumbers("ctrlrange", 2, 2, spec.ctrl_range);
  element.ReadNumbers("forcerange", 2, 2, spec.force_range);
  ReadLimited(element, "ctrllimited", spec.ctrl_limited);
  ReadLimited(element, "forcelimited", spec.force_limited);
  element.ReadNumbers("actrange", 2, 2, spec.activation_range);
  ReadLimited(element, "actlimited", spec.activation_limited);
  element.ReadNumbers("lengthrange", 2, 2, spec.length_range);
  element.Read("actearly", spec.acts_early);
  element.Read("group", spec.group);
}

// Up to ten parameters: of a muscle its curves, else the constant, length and velocity coefficients.
void ReadParameters(xml::Element& element, std::string_view attribute, bool is_muscle, double* coefficients,
                    Muscle& muscle) {
  const std::vector<double> list = element.ReadList(attribute);
  if (list.size() > 10) element.Fail(attribute, std::string(attribute) + " takes at most 10 numbers");
  if (!is_muscle) {
    std::copy_n(list.begin(), std::min<size_t>(3, list.size()), coefficients);
    return;
  }
  double* const places[] = {&muscle.range[0], &muscle.range[1], &muscle.force, &muscle.scale, &muscle.lmin,
                            &muscle.lmax,     &muscle.vmax,     &muscle.fpmax, &muscle.fvmax};
  for (size_t i = 0; i < std::min(std::size(places), list.size()); ++i) *places[i] = list[i];
}

void SetFixedGain(ActuatorSpec& spec, double gain) {
  spec.gain_type = "fixed";
  spec.gain[0] = gain;
}

void CheckTimes(const xml::Element& element, std::string_view attribute, const ActuatorSpec& spec) {
  if (spec.dynamics.starts_with("filter") && !(spec.time_constant > 0.0))
    element.Fail(attribute, "the time constant of a filter must be positive");
  if (spec.dynamics == "muscle" && !(spec.muscle_times[0] > 0.0 && spec.muscle_times[1] > 0.0))
    element.Fail(attribute, "the time constants of a muscle must be positive");
}

// Up to ten parameters: the time constant, of a muscle both and the width of their blending.
void ReadDynamicsParameters(xml::Element& element, ActuatorSpec& spec) {
  const std::vector<double> list = element.ReadList("dynprm");
  if (list.empty()) return;
  if (spec.dynamics == "muscle") {
    double* const places[] = {&spec.muscle_times[0], &spec.muscle_times[1], &spec.smoothing};
    for (size_t i = 0; i < std::min(std::size(places), list.size()); ++i) *places[i] = list[i];
  } else {
    spec.time_constant = list[0];
  }
  CheckTimes(element, "dynprm", spec);
}

void ReadGeneral(xml::Element& element, ActuatorSpec& spec) {
  element.ReadWord("gaintype", {"fixed", "affine", "muscle", "user"}, spec.gain_type);
  element.ReadWord("biastype", {"none", "affine", "muscle", "user"}, spec.bias_type);
  ReadParameters(element, "gainprm", spec.gain_type == "muscle", spec.gain, spec.muscle_gain);
  ReadParameters(element, "biasprm", spec.bias_type == "muscle", spec.bias, spec.muscle_bias);
  element.ReadWord("dyntype", {"none", "integrator", "filter", "filterexact", "muscle", "user"},
                   spec.dynamics);
  ReadDynamicsParameters(element, spec);
}

void ReadMuscle(xml::Element& element, ActuatorSpec& spec) {
  spec.gain_type = spec.bias_type = spec.dynamics = "muscle";
  element.ReadNumbers("timeconst", 1, 2, spec.muscle_times);
  element.Read("tausmooth", spec.smoothing);
  if (spec.smoothing < 0.0) element.Fail("tausmooth", "tausmooth must not be negative");
  CheckTimes(element, "timeconst", spec);
  Muscle& muscle = spec.muscle_gain;
  element.ReadNumbers("range", 2, 2, muscle.range.data());
  const std::pair<std::string_view, double*> numbers[] = {
      {"force", &muscle.force}, {"scale", &muscle.scale}, {"lmin", &muscle.lmin},  {"lmax", &muscle.lmax},
      {"vmax", &muscle.vmax},   {"fpmax", &muscle.fpmax}, {"fvmax", &muscle.fvmax}};
  for (const auto& [attribute, value] : numbers) element.Read(attribute, *value);
  spec.muscle_bias = muscle;
}

void ReadDcMotor(xml::Element& element, DcMotorSpec& motor) {
  element.ReadNumbers("motorconst", 1, 2, motor.constants);
  element.Read("resistance", motor.resistance);
  element.ReadNumbers("nominal", 3, 3, motor.nominal);
  element.ReadNumbers("inductance", 1, 2, motor.inductance);
  element.ReadNumbers("thermal", 1, 6, motor.thermal);
  element.ReadNumbers("saturation", 1, 3, motor.saturation);
  element.ReadNumbers("cogging", 1, 3, motor.cogging);
  element.ReadNumbers("lugre", 1, 5, motor.friction);
  element.ReadNumbers("controller", 1, 6, motor.controller);
  element.Read("input", motor.input);
}

// A pull of gain times the control, which is not negative, between a body and what touches it.
void ReadAdhesion(xml::Element& element, ActuatorSpec& spec) {
  double gain = spec.gain[0];
  element.Read("gain", gain);
  if (gain < 0.0) element.Fail("gain", "the gain of adhesion must not be negative");
  if (element.Has("ctrlrange") && spec.ctrl_range[0] < 0.0)
    element.Fail("ctrlrange", "the control of adhesion must not be negative");
  SetFixedGain(spec, gain);
  spec.bias_type = "none";
}

void ReadPosition(xml::Element& element, ActuatorSpec& spec) {
  double kp = spec.gain[0], value = 0.0;
  element.Read("kp", kp);
  SetFixedGain(spec, kp);
  spec.bias_type = "affine";
  spec.bias[1] = -kp;
  if (element.Read("kv", value)) {
    if (value < 0.0) element.Fail("kv", "kv must not be negative");
    spec.bias[2] = -value;
  }
  if (element.Read("dampratio", value)) {
    if (value < 0.0) element.Fail("dampratio", "dampratio must not be negative");
    if (element.Has("kv")) element.Fail("dampratio", "write kv or dampratio, not both");
    spec.bias[2] = value;
  }
  if (element.Read("timeconst", value)) {
    if (value < 0.0) element.Fail("timeconst", "timeconst must not be negative");
    spec.dynamics = value > 0.0 ? "filterexact" : "none";
    if (value > 0.0) spec.time_constant = value;
  }
  element.Read("inheritrange", spec.inherit_range);
  if (spec.inherit_range < 0.0) element.Fail("inheritrange", "inheritrange must not be negative");
}

void ReadVelocity(xml::Element& element, ActuatorSpec& spec) {
  double kv = spec.gain[0];
  if (element.Read("kv", kv) && kv < 0.0) element.Fail("kv", "kv must not be negative");
  SetFixedGain(spec, kv);
  spec.bias_type = "affine";
  std::copy_n(std::array{0.0, 0.0, -kv}.begin(), 3, spec.bias);
  spec.dynamics = "none";
}

// A position servo whose set point is the integral of the control.
void ReadIntegratedVelocity(xml::Element& element, ActuatorSpec& spec) {
  ReadPosition(element, spec);
  spec.dynamics = "integrator";
}

// A cylinder: area times a pressure that follows the control with a lag.
void ReadCylinder(xml::Element& element, ActuatorSpec& spec) {
  double area = spec.gain[0], diameter = 0.0;
  element.Read("area", area);
  if (element.Read("diameter", diameter)) area = 0.25 * std::numbers::pi * diameter * diameter;
  element.ReadNumbers("bias", 3, 3, spec.bias);
  spec.dynamics = "filter";
  if (element.Read("timeconst", spec.time_constant) && !(spec.time_constant > 0.0))
    element.Fail("timeconst", "the time constant of a cylinder must be positive");
  SetFixedGain(spec, area);
  spec.bias_type = "affine";
}

// f = -kv ℓ̇ ctrl; without a kv in the file none, as in MuJoCo.
void ReadDamper(xml::Element& element, ActuatorSpec& spec) {
  double kv = -spec.gain[2];
  if (element.Read("kv", kv) && kv < 0.0) element.Fail("kv", "kv must not be negative");
  spec.gain_type = "affine";
  spec.bias_type = spec.dynamics = "none";
  spec.gain[0] = spec.gain[1] = 0.0;
  spec.gain[2] = -kv;
}

// What a class says of a bias stays, for an actuator of that class which is no motor.
void SetMotor(ActuatorSpec& spec) {
  SetFixedGain(spec, 1.0);
  spec.bias_type = spec.dynamics = "none";
}

}  // namespace

bool IsActuator(const xml::Element& element) {
  constexpr std::string_view kKinds[] = {"general",     "motor",  "position", "velocity",
                                         "intvelocity", "damper", "cylinder", "muscle",
                                         "adhesion",    "plugin", "dcmotor"};
  return std::find(std::begin(kKinds), std::end(kKinds), element.name()) != std::end(kKinds);
}

void ReadGearedSpec(xml::Element& element, ActuatorSpec& spec) {
  element.ReadNumbers("gear", 1, 6, spec.gear);
  element.ReadNumbers("damping", 1, 3, spec.geared.damping);
  if (*std::min_element(spec.geared.damping, spec.geared.damping + 3) < 0.0)
    element.Fail("damping", "damping must not be negative");
  if (element.Read("armature", spec.geared.armature) && spec.geared.armature < 0.0)
    element.Fail("armature", "armature must not be negative");
}

bool ReadActuatorSpec(xml::Element& element, ActuatorSpec& spec) {
  const std::string& kind = element.name();
  constexpr std::string_view kRead[] = {"general", "motor",    "position", "velocity", "intvelocity",
                                        "damper",  "cylinder", "muscle",   "adhesion", "dcmotor"};
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
  if (kind == "muscle") ReadMuscle(element, spec);
  if (kind == "adhesion") ReadAdhesion(element, spec);
  if (kind == "dcmotor") ReadDcMotor(element, spec.motor);
  return true;
}

}  // namespace stiction::mjcf
