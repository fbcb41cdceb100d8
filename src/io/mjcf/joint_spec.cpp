#include "io/mjcf/softness.h"
#include "io/mjcf/specs.h"
#include "stiction/model/joint.h"

namespace stiction::mjcf {
namespace {

std::vector<std::string_view> ListJointNames() {
  std::vector<std::string_view> names;
  for (const JointTraits& traits : kJointTraits) names.push_back(traits.name);
  return names;
}

}  // namespace

void ReadJointSpec(xml::Element& element, const Compiler& compiler, JointSpec& spec) {
  element.Visit();
  element.ReadWord("type", ListJointNames(), spec.type);
  element.Read("pos", spec.pos);
  element.Read("axis", spec.axis);
  element.Read("axis2", spec.axis2);
  element.Read("pitch", spec.pitch);
  element.ReadNumbers("range", 2, 2, spec.range);
  ReadLimited(element, "limited", spec.limited);
  element.Read("ref", spec.reference);
  element.Read("springref", spec.spring_reference);
  element.ReadNumbers("stiffness", 1, 3, spec.stiffness);
  element.ReadNumbers("damping", 1, 3, spec.damping);
  element.ReadNumbers("springdamper", 2, 2, spec.spring_damper);
  element.Read("armature", spec.armature);
  element.Read("frictionloss", spec.friction_loss);
  element.ReadNumbers("actuatorfrcrange", 2, 2, spec.actuator_force_range);
  ReadLimited(element, "actuatorfrclimited", spec.actuator_force_limited);
  element.Read("actuatorgravcomp", spec.actuators_compensate_gravity);
  double margin = 0.0;
  if (element.Read("margin", margin) && margin != 0.0) {
    element.Note("margin", ImportStatus::kIgnored, "a limit acts where it is reached");
  }
  ReadSoftness(element, kLimitSoftness, compiler, spec.limit_softness);
  for (const std::string_view attribute : {"solreffriction", "solimpfriction"}) {
    element.Note(attribute, ImportStatus::kApproximated, "dry friction is exact: no softness to tune");
  }
}

}  // namespace stiction::mjcf
