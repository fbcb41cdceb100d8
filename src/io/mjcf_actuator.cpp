#include <algorithm>
#include <cmath>
#include <limits>

#include "mjcf_reader.h"

namespace stiction::mjcf {

void Reader::ReadActuators(xml::Element& element) {
  for (const auto& child : element.children()) {
    if (!IsActuator(*child)) continue;
    const int next = static_cast<int>(table_.actuators.size());
    actuator_of_ctrl_.push_back(ReadActuatorElement(*child) ? next : -1);
  }
}

// Returns false, and says why, if the actuator is not simulated.
bool Reader::ReadActuatorElement(xml::Element& element) {
  ActuatorSpec spec = classes_[ClassOf(element, 0)].actuator;
  if (!ReadActuator(element, spec)) {
    element.Note(ImportStatus::kIgnored, "actuators of this kind are not simulated");
    return false;
  }
  Actuator actuator;
  element.Read("name", actuator.name);
  std::string joint;
  const bool in_parent = !element.Read("joint", joint) && element.Read("jointinparent", joint);
  if (joint.empty()) {
    element.Note(ImportStatus::kIgnored, "only actuators on a joint are simulated");
    return false;
  }
  const auto found = joint_index_.find(joint);
  if (found == joint_index_.end()) {
    if (only_body_.empty()) element.Fail("joint", "unknown joint \"" + joint + "\"");
    element.Note(ImportStatus::kHonoured, "not part of the body that is attached");
    return false;
  }
  actuator.joint = found->second;
  if (in_parent && builder_.joint(actuator.joint).nv() > 1) {
    element.Note("jointinparent", ImportStatus::kApproximated,
                 "acts in the axes of the child, not of the parent");
  }
  if (spec.gain_type != "fixed" && spec.gain_type != "affine") {
    element.Note(ImportStatus::kIgnored, "gain type " + spec.gain_type + " is not simulated");
    return false;
  }
  if (spec.bias_type != "none" && spec.bias_type != "affine") {
    element.Note(ImportStatus::kIgnored, "bias type " + spec.bias_type + " is not simulated");
    return false;
  }
  std::copy_n(spec.gear, 6, actuator.gear.begin());
  actuator.gain = {spec.gain[0], 0.0, 0.0};
  if (spec.gain_type == "affine") actuator.gain = {spec.gain[0], spec.gain[1], spec.gain[2]};
  actuator.bias = {0.0, 0.0, 0.0};
  if (spec.bias_type == "affine") actuator.bias = {spec.bias[0], spec.bias[1], spec.bias[2]};
  SetRanges(element, spec, actuator);
  table_.current = &element;
  builder_.AddActuator(actuator);
  table_.actuators.push_back(&element);
  return true;
}

void Reader::SetRanges(const xml::Element& element, const ActuatorSpec& spec, Actuator& actuator) const {
  const Joint& joint = builder_.joint(actuator.joint);
  if (spec.inherit_range > 0.0) {
    if (!std::isfinite(joint.lower)) element.Fail("inheritrange", "the joint has no range to inherit");
    const double middle = 0.5 * (joint.lower + joint.upper);
    const double radius = 0.5 * (joint.upper - joint.lower) * spec.inherit_range;
    actuator.ctrl_lower = middle - radius;
    actuator.ctrl_upper = middle + radius;
  } else if (DecideLimited(element, compiler_, spec.ctrl_limited, spec.ctrl_range, "ctrlrange")) {
    actuator.ctrl_lower = spec.ctrl_range[0];
    actuator.ctrl_upper = spec.ctrl_range[1];
  }
  if (!flags_.clamp_ctrl) {
    actuator.ctrl_lower = -std::numeric_limits<double>::infinity();
    actuator.ctrl_upper = std::numeric_limits<double>::infinity();
  }
  if (DecideLimited(element, compiler_, spec.force_limited, spec.force_range, "forcerange")) {
    actuator.force_lower = spec.force_range[0];
    actuator.force_upper = spec.force_range[1];
  }
}

}  // namespace stiction::mjcf
