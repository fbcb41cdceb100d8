#include "io/mjcf/body.h"

namespace stiction::mjcf {
namespace {

JointKind KindOf(const std::string& type) {
  if (type == "free") return FreeJoint{};
  if (type == "ball") return BallJoint{};
  if (type == "slide") return SlideJoint{};
  return HingeJoint{};
}

void AddJoint(Context& context, xml::Element& element, const JointSpec& spec, const std::string& name,
              const Scope& scope) {
  if (scope.body == 0) element.Fail("the world cannot have joints; put the joint into a <body>");
  const bool is_angle = spec.type == "hinge" || spec.type == "ball";
  const auto convert = [&](double value) { return is_angle ? context.compiler.ToRadians(value) : value; };
  Joint joint{.name = name, .kind = KindOf(spec.type)};
  joint.p_BJ = scope.X_BF * spec.pos;
  joint.axis_B = scope.X_BF.R * spec.axis;
  joint.reference = convert(spec.reference);
  joint.spring_reference = convert(spec.spring_reference);
  joint.stiffness = context.flags.spring ? spec.stiffness : 0.0;
  joint.damping = context.flags.damper ? spec.damping : 0.0;
  joint.armature = spec.armature;
  joint.friction_loss = context.flags.friction_loss ? spec.friction_loss : 0.0;
  if (context.compiler.contacts_are_soft) joint.limit_softness = spec.limit_softness;
  if (DecideLimited(element, context.compiler, spec.actuator_force_limited, spec.actuator_force_range,
                    "actuatorfrcrange")) {
    joint.actuator_force_lower = spec.actuator_force_range[0];
    joint.actuator_force_upper = spec.actuator_force_range[1];
  }
  // A free joint has no limits, whatever a default says.
  if (spec.type != "free" && DecideLimited(element, context.compiler, spec.limited, spec.range, "range") &&
      context.flags.limit) {
    joint.lower = convert(spec.range[0]);
    joint.upper = convert(spec.range[1]);
    if (spec.type == "ball" && joint.lower != 0.0) {
      element.Fail("range", "the range of a ball joint must begin at 0; its end bounds the angle");
    }
  }
  context.table.current = &element;
  const int index = context.builder.AddJoint(scope.body, joint);
  context.table.joints.push_back(&element);
  if (!name.empty()) context.names.joints.Add(element, name, index);
}

}  // namespace

void ReadJoint(Context& context, xml::Element& element, const Scope& scope) {
  JointSpec spec = context.defaults.Of(element, scope.default_class).joint;
  ReadJointSpec(element, context.compiler, spec);
  AddJoint(context, element, spec, ReadName(element, scope), scope);
}

// No defaults: a free joint should be left undamped unless its own <joint type="free"> says otherwise.
void ReadFreeJoint(Context& context, xml::Element& element, const Scope& scope) {
  element.Visit();
  JointSpec spec;
  spec.type = "free";
  std::string align;
  if (element.ReadWord("align", {"auto", "true", "false"}, align) && align == "true") {
    element.Note("align", ImportStatus::kIgnored, "the frame of the body stays as written",
                 ImportLoss::kHarmless);
  }
  AddJoint(context, element, spec, ReadName(element, scope), scope);
}

}  // namespace stiction::mjcf
