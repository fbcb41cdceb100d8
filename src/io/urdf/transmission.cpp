// <transmission>: a motor that drives one joint through a gear becomes an actuator.
//
//   <transmission name="t">
//     <type>transmission_interface/SimpleTransmission</type>
//     <joint name="j"><hardwareInterface>hardware_interface/EffortJointInterface</hardwareInterface></joint>
//     <actuator name="m"><mechanicalReduction>50</mechanicalReduction></actuator>
//   </transmission>
//
// ctrl is the motor's force, τ = reduction · ctrl, and the joint's effort limit bounds τ. Drake's words of
// the <actuator>, drake:rotor_inertia and drake:gear_ratio, make an armature of the joint: ratio² times the
// first. Interfaces for positions and velocities mean a controller that the file does not describe: they get
// the same motor.
#include <charconv>
#include <cmath>
#include <unordered_map>

#include "io/urdf/robot.h"

namespace stiction::urdf {
namespace {

// The only child of the name; null, and noted, if there are none or several.
xml::Element* FindOnly(xml::Element& transmission, const char* name) {
  xml::Element* only = nullptr;
  for (const auto& child : transmission.children()) {
    if (child->name() != name) continue;
    if (only) {
      transmission.Note(ImportStatus::kIgnored, "no actuator is made of it: it has several <" +
                                                    std::string(name) +
                                                    ">; only simple "
                                                    "transmissions, a motor on a joint, are known");
      return nullptr;
    }
    only = child.get();
  }
  if (!only) {
    transmission.Note(ImportStatus::kIgnored,
                      "no actuator is made of it: it has no <" + std::string(name) + ">");
  }
  return only;
}

bool EndsInSimple(const std::string& type) {
  return type.empty() || type.ends_with("SimpleTransmission");
}

// In <actuator>, or, as the format had it first, beside it.
double ReadReduction(xml::Element& transmission, xml::Element& actuator) {
  xml::Element* element = actuator.FindChild("mechanicalReduction");
  if (!element) element = transmission.FindChild("mechanicalReduction");
  if (!element) return 1.0;
  const std::string& text = element->text();
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || value == 0.0) {
    element->Fail("mechanicalReduction must be a number other than 0, got \"" + text.substr(0, 40) + "\"");
  }
  return value;
}

// What a rotor behind its gear adds to the inertia that the joint moves.
double ReadRotor(const xml::Element& actuator) {
  double inertia = 0.0, ratio = 1.0;
  if (xml::Element* rotor = actuator.FindChild("drake:rotor_inertia")) {
    inertia = rotor->RequireNumber("value");
    if (inertia < 0.0) rotor->Fail("value", "the inertia of a rotor must not be negative");
  }
  if (xml::Element* gear = actuator.FindChild("drake:gear_ratio")) ratio = gear->RequireNumber("value");
  return ratio * ratio * inertia;
}

// True if a force is among what the hardware takes, or nothing is said.
bool TakesEffort(const xml::Element& parent, bool& says_anything) {
  bool takes_effort = false;
  for (const auto& child : parent.children()) {
    if (child->name() != "hardwareInterface") continue;
    child->Visit();
    says_anything = true;
    takes_effort |= child->text().ends_with("EffortJointInterface");
  }
  return takes_effort;
}

void ReadTransmission(xml::Element& transmission, const std::unordered_map<std::string, int>& joint_index,
                      Robot& robot) {
  transmission.Visit();
  std::string name, type;
  transmission.Read("name", name);
  transmission.Read("type", type);
  const xml::Element* written_type = transmission.FindChild("type");
  if (!EndsInSimple(type) || (written_type && !EndsInSimple(written_type->text()))) {
    const std::string kind = written_type ? written_type->text() : type;
    return transmission.Note(ImportStatus::kIgnored, "no actuator is made of it: \"" + kind.substr(0, 80) +
                                                         "\" is not a SimpleTransmission");
  }
  xml::Element* joint = FindOnly(transmission, "joint");
  xml::Element* actuator = joint ? FindOnly(transmission, "actuator") : nullptr;
  if (!actuator) return;
  joint->Visit();
  actuator->Visit();
  Motor motor{.element = &transmission, .name = actuator->RequireString("name")};
  const auto found = joint_index.find(joint->RequireString("name"));
  if (found == joint_index.end() || !IsScalar(robot.joints[found->second].type)) {
    return transmission.Note(ImportStatus::kIgnored, "no actuator is made of it: there is no joint \"" +
                                                         *joint->Peek("name") +
                                                         "\" with one degree of freedom");
  }
  motor.joint = found->second;
  motor.reduction = ReadReduction(transmission, *actuator);
  bool says_anything = false;
  const bool in_joint = TakesEffort(*joint, says_anything),
             in_actuator = TakesEffort(*actuator, says_anything);
  if (says_anything && !in_joint && !in_actuator) {
    transmission.Note(ImportStatus::kApproximated,
                      "its hardware takes no force: a motor is made of it, whose input is the motor's force");
  }
  JointEntry& entry = robot.joints[motor.joint];
  entry.joint.armature += ReadRotor(*actuator);
  if (xml::Element* limit = entry.element->FindChild("limit")) {
    limit->Note("effort", entry.effort > 0.0 ? ImportStatus::kHonoured : ImportStatus::kApproximated,
                entry.effort > 0.0 ? "limits the actuator" : "0 would forbid every force: taken as no limit");
  }
  robot.motors.push_back(std::move(motor));
}

}  // namespace

void ReadTransmissions(const xml::Element& root, Robot& robot) {
  std::unordered_map<std::string, int> joint_index;
  for (size_t j = 0; j < robot.joints.size(); ++j)
    joint_index.emplace(robot.joints[j].joint.name, static_cast<int>(j));
  for (const auto& child : root.children()) {
    if (child->name() == "transmission") ReadTransmission(*child, joint_index, robot);
  }
}

}  // namespace stiction::urdf
