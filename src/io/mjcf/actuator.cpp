#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "io/mjcf/sections.h"

namespace stiction::mjcf {
namespace {

// False, and says why, if the force is not simulated.
bool SetForce(xml::Element& element, const ActuatorSpec& spec, Actuator& actuator) {
  for (const auto& [what, type] : {std::pair{"gain", spec.gain_type}, std::pair{"bias", spec.bias_type}}) {
    if (type != "user") continue;
    element.Note(ImportStatus::kIgnored, std::string(what) + " of type user is not simulated");
    return false;
  }
  std::copy_n(spec.gear, 6, actuator.gear.begin());
  std::copy_n(spec.length_range, 2, actuator.length_range.begin());
  actuator.gain = {spec.gain[0], 0.0, 0.0};
  if (spec.gain_type == "affine") actuator.gain = {spec.gain[0], spec.gain[1], spec.gain[2]};
  if (spec.gain_type == "muscle") actuator.muscle_gain = spec.muscle_gain;
  actuator.bias = {0.0, 0.0, 0.0};
  if (spec.bias_type == "affine") actuator.bias = {spec.bias[0], spec.bias[1], spec.bias[2]};
  if (spec.bias_type == "muscle") actuator.muscle_bias = spec.muscle_bias;
  // A servo whose last number is positive has a damping ratio: what `dampratio` comes to in MuJoCo.
  const bool is_ratio = actuator.bias[2] > 0.0 && actuator.gain[0] == -actuator.bias[1];
  if (is_ratio && spec.bias_type == "affine" && spec.gain_type != "muscle")
    actuator.damping_ratio = std::exchange(actuator.bias[2], 0.0);
  const bool is_computed = (actuator.muscle_gain || actuator.muscle_bias) &&
                           actuator.length_range[0] == actuator.length_range[1] && actuator.tendon >= 0;
  if (is_computed) {
    element.Note(ImportStatus::kApproximated,
                 "its length range is searched joint by joint between the limits; write lengthrange");
  }
  return true;
}

// False, and says why, if what it acts on is not simulated or not here.
bool ReadTransmission(const Context& context, xml::Element& element, Actuator& actuator) {
  const auto find = [&](const char* attribute, const auto& table) {
    std::string name;
    element.Read(attribute, name);
    const auto* found = table.Resolve(element, attribute, name);
    if (!found) element.NoteWhole(ImportStatus::kHonoured, kNotAttached);
    return found;
  };
  const Names& names = context.names;
  for (const char* attribute : {"joint", "jointinparent"}) {
    if (!element.Has(attribute)) continue;
    actuator.in_parent = actuator.in_parent || std::string_view(attribute) == "jointinparent";
    const int* joint = find(attribute, names.joints);
    if (!joint) return false;
    actuator.joint = *joint;
  }
  if (element.Has("tendon")) {
    const int* tendon = find("tendon", names.tendons);
    if (!tendon) return false;
    actuator.tendon = *tendon;
  }
  if (element.Has("body")) {
    const int* body = find("body", names.bodies);
    if (!body) return false;
    actuator.body = *body;
  }
  for (const char* attribute : {"site", "refsite", "cranksite", "slidersite"}) {
    if (!element.Has(attribute)) continue;
    const NamedSite* site = find(attribute, names.sites);
    if (!site) return false;
    const std::string_view name = attribute;
    (name == "site" || name == "cranksite" ? actuator.frame : actuator.reference) = site->frame;
  }
  if (element.Has("cranksite") || element.Has("slidersite")) {
    if (!element.Has("cranksite") || !element.Has("slidersite"))
      element.Fail("a slider-crank needs a cranksite and a slidersite");
    actuator.crank_length = element.RequireNumber("cranklength");
    if (!(actuator.crank_length > 0.0)) element.Fail("cranklength", "cranklength must be positive");
  }
  if (actuator.joint >= 0 || actuator.tendon >= 0 || actuator.frame || actuator.body >= 0) return true;
  element.Fail("acts on nothing; name a joint, tendon, site, slider-crank or body");
}

// False, and says why, if the dynamics are not simulated.
bool SetDynamics(const Compiler& compiler, xml::Element& element, const ActuatorSpec& spec,
                 Actuator& actuator) {
  if (spec.dynamics == "user") {
    element.Note(ImportStatus::kIgnored, "dynamics of type " + spec.dynamics + " are not simulated");
    return false;
  }
  if (spec.dynamics == "integrator") actuator.dynamics = ActuatorDynamics::kIntegrator;
  if (spec.dynamics == "filter") actuator.dynamics = ActuatorDynamics::kFilter;
  if (spec.dynamics == "filterexact") actuator.dynamics = ActuatorDynamics::kFilterExact;
  if (spec.dynamics.starts_with("filter")) actuator.time_constant = spec.time_constant;
  actuator.acts_early = spec.acts_early && spec.dynamics != "none";
  if (spec.dynamics == "muscle") {
    actuator.dynamics = ActuatorDynamics::kMuscle;
    actuator.time_constant = spec.muscle_times[0];
    actuator.deactivation_time = spec.muscle_times[1];
    actuator.activation_smoothing = spec.smoothing;
  }
  if (DecideLimited(element, compiler, spec.activation_limited, spec.activation_range, "actrange")) {
    actuator.activation_lower = spec.activation_range[0];
    actuator.activation_upper = spec.activation_range[1];
  }
  return true;
}

void SetRanges(const Context& context, const xml::Element& element, const ActuatorSpec& spec,
               Actuator& actuator) {
  if (spec.inherit_range > 0.0) {
    if (actuator.joint < 0) element.Fail("inheritrange", "only a joint has a range to inherit");
    const Joint& joint = context.builder.joint(actuator.joint);
    if (!std::isfinite(joint.lower)) element.Fail("inheritrange", "the joint has no range to inherit");
    const double middle = 0.5 * (joint.lower + joint.upper);
    const double radius = 0.5 * (joint.upper - joint.lower) * spec.inherit_range;
    // Of a servo whose set point is an integral, that is what stays within the range, not its rate.
    const bool integrates = spec.dynamics == "integrator";
    (integrates ? actuator.activation_lower : actuator.ctrl_lower) = middle - radius;
    (integrates ? actuator.activation_upper : actuator.ctrl_upper) = middle + radius;
  }
  const bool inherits_control = spec.inherit_range > 0.0 && spec.dynamics != "integrator";
  if (!inherits_control &&
      DecideLimited(element, context.compiler, spec.ctrl_limited, spec.ctrl_range, "ctrlrange")) {
    actuator.ctrl_lower = spec.ctrl_range[0];
    actuator.ctrl_upper = spec.ctrl_range[1];
  }
  if (!context.flags.clamp_ctrl) {
    actuator.ctrl_lower = -std::numeric_limits<double>::infinity();
    actuator.ctrl_upper = std::numeric_limits<double>::infinity();
  }
  if (DecideLimited(element, context.compiler, spec.force_limited, spec.force_range, "forcerange")) {
    actuator.force_lower = spec.force_range[0];
    actuator.force_upper = spec.force_range[1];
  }
}

// By <flag actuation="disable"> or the file's actuatorgroupdisable: no force, and an activation that stays as
// it is, which is the integral of nothing.
void Disable(const Flags& flags, xml::Element& element, const ActuatorSpec& spec, Actuator& actuator) {
  const bool is_in_group =
      spec.group >= 0 && spec.group < 31 && (flags.disabled_groups >> spec.group & 1) != 0;
  if (flags.actuation && !is_in_group) return;
  actuator.force_lower = actuator.force_upper = 0.0;
  if (actuator.motor)
    element.Note(ImportStatus::kApproximated, "is disabled: has no force, but states that change");
  if (actuator.dynamics == ActuatorDynamics::kNone) return;
  actuator.dynamics = ActuatorDynamics::kIntegrator;
  actuator.ctrl_lower = actuator.ctrl_upper = 0.0;
}

// What reached no joint or tendon.
void NoteReflected(const Context& context, xml::Element& element, const ActuatorSpec& spec,
                   const Actuator& actuator) {
  const ReflectedParts& reflected = context.reflected;
  if (!spec.geared.is_given() || reflected.joints.contains(actuator.joint) ||
      reflected.tendons.contains(actuator.tendon))
    return;
  const bool is_own = element.Has("damping") || element.Has("armature");
  for (const char* attribute : {"damping", "armature"}) {
    element.Note(is_own ? attribute : "class", ImportStatus::kIgnored,
                 "what is behind its gear: of joints and tendons of this file alone");
  }
}

// False, and says why, if the actuator is not simulated.
bool ReadActuator(Context& context, xml::Element& element) {
  ActuatorSpec spec = context.defaults.Of(element).actuator;
  if (!ReadActuatorSpec(element, spec)) {
    element.Note(ImportStatus::kIgnored, "actuators of this kind are not simulated");
    return false;
  }
  Actuator actuator;
  element.Read("name", actuator.name);
  if (!ReadTransmission(context, element, actuator)) return false;
  std::vector<MotorInput> further;
  NoteReflected(context, element, spec, actuator);
  if (element.name() == "dcmotor") actuator.motor = MakeMotor(element, spec, further);
  if (!SetForce(element, spec, actuator)) return false;
  SetRanges(context, element, spec, actuator);
  if (!SetDynamics(context.compiler, element, spec, actuator)) return false;
  Disable(context.flags, element, spec, actuator);
  context.table.current = &element;
  if (element.name() == "position" && spec.gain[0] < 0.0)
    element.Note("kp", ImportStatus::kApproximated, "is negative: pushes away from where the control points");
  context.builder.AddActuator(actuator);
  context.table.actuators.push_back(&element);
  for (const MotorInput& input : further) {
    Actuator more = actuator;
    if (!more.name.empty()) more.name.append("_").append(input.word);
    more.motor.reset();
    more.gain = {input.gain, 0.0, 0.0};
    more.bias = {};
    context.builder.AddActuator(more);
    context.table.actuators.push_back(&element);
  }
  return true;
}

}  // namespace

void FindReflected(Context& context, xml::Element& element) {
  for (const auto& child : element.children()) {
    if (!IsActuator(*child)) continue;
    ActuatorSpec spec = context.defaults.Of(*child).actuator;
    ReadGearedSpec(*child, spec);
    if (!spec.geared.is_given()) continue;
    const auto add = [&](const char* attribute, std::map<std::string, Reflected>& parts) {
      const std::string* name = child->Peek(attribute);
      if (!name) return;
      Reflected& part = parts[*name];
      const double ratio = spec.gear[0] * spec.gear[0];
      for (int k = 0; k < 3; ++k) part.damping[k] += ratio * spec.geared.damping[k];
      part.armature += ratio * spec.geared.armature;
    };
    for (const char* attribute : {"joint", "jointinparent"}) add(attribute, context.reflected.of_joints);
    add("tendon", context.reflected.of_tendons);
  }
}

void ReadActuators(Context& context, xml::Element& element) {
  for (const auto& child : element.children()) {
    if (!IsActuator(*child)) continue;
    const int next = static_cast<int>(context.table.actuators.size());
    const int first = ReadActuator(context, *child) ? next : -1;
    context.actuator_of_ctrl.push_back(first);
    const int end = static_cast<int>(context.table.actuators.size());
    for (int further = next + 1; further < end; ++further) context.actuator_of_ctrl.push_back(further);
    if (const std::string* name = child->Peek("name")) context.names.actuators.AddIfNew(*name, first);
  }
}

}  // namespace stiction::mjcf
