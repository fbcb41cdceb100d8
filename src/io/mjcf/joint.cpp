#include "io/mjcf/reader.h"

namespace stiction::mjcf {

void Reader::ReadJointElement(xml::Element& element, const Scope& scope) {
  JointSpec spec = classes_[ClassOf(element, scope.default_class)].joint;
  ReadJoint(element, compiler_, spec);
  AddJoint(element, spec, ReadName(element, scope), scope);
}

// No defaults: a free joint should be left undamped unless its own <joint type="free"> says otherwise.
void Reader::ReadFreeJoint(xml::Element& element, const Scope& scope) {
  element.Visit();
  JointSpec spec;
  spec.type = "free";
  std::string align;
  if (element.ReadWord("align", {"auto", "true", "false"}, align) && align == "true") {
    element.Note("align", ImportStatus::kIgnored, "the frame of the body stays as written");
  }
  AddJoint(element, spec, ReadName(element, scope), scope);
}

namespace {

JointKind KindOf(const std::string& type) {
  if (type == "free") return FreeJoint{};
  if (type == "ball") return BallJoint{};
  if (type == "slide") return SlideJoint{};
  return HingeJoint{};
}

}  // namespace

void Reader::AddJoint(xml::Element& element, const JointSpec& spec, const std::string& name,
                      const Scope& scope) {
  if (scope.body == 0) element.Fail("the world cannot have joints; put the joint into a <body>");
  const bool is_angle = spec.type == "hinge" || spec.type == "ball";
  const auto convert = [&](double value) { return is_angle ? compiler_.ToRadians(value) : value; };
  Joint joint{.name = name, .kind = KindOf(spec.type)};
  joint.p_BJ = scope.X_BF * spec.pos;
  joint.axis_B = scope.X_BF.R * spec.axis;
  joint.reference = convert(spec.reference);
  joint.spring_reference = convert(spec.spring_reference);
  joint.stiffness = flags_.spring ? spec.stiffness : 0.0;
  joint.damping = flags_.damper ? spec.damping : 0.0;
  joint.armature = spec.armature;
  joint.friction_loss = spec.friction_loss;
  if (compiler_.contacts_are_soft) joint.limit_softness = spec.limit_softness;
  if (DecideLimited(element, compiler_, spec.actuator_force_limited, spec.actuator_force_range,
                    "actuatorfrcrange")) {
    joint.actuator_force_lower = spec.actuator_force_range[0];
    joint.actuator_force_upper = spec.actuator_force_range[1];
  }
  // A free joint has no limits, whatever a default says.
  if (spec.type != "free" && DecideLimited(element, compiler_, spec.limited, spec.range, "range") &&
      flags_.limit) {
    joint.lower = convert(spec.range[0]);
    joint.upper = convert(spec.range[1]);
    if (spec.type == "ball" && joint.lower != 0.0) {
      element.Fail("range", "the range of a ball joint must begin at 0; its end bounds the angle");
    }
  }
  table_.current = &element;
  const int index = builder_.AddJoint(scope.body, joint);
  table_.joints.push_back(&element);
  if (!name.empty() && !joint_index_.emplace(name, index).second) {
    element.Fail("the name \"" + name + "\" is taken by another joint; rename one");
  }
}

}  // namespace stiction::mjcf
