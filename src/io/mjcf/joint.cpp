#include "io/mjcf/body.h"

namespace stiction::mjcf {
namespace {

// What a type has of its own. All have taken their places in the body's frame.
struct SetFields {
  Vector3d axis_B, axis2_B;
  Vector3d p_BJ;
  double reference;
  double pitch;

  void operator()(FreeJoint&) const {}
  void operator()(BallJoint& joint) const { joint = {.p_BJ = p_BJ}; }
  void operator()(SlideJoint& joint) const {
    joint = {.axis_B = axis_B, .p_BJ = p_BJ, .reference = reference};
  }
  void operator()(HingeJoint& joint) const {
    joint = {.axis_B = axis_B, .p_BJ = p_BJ, .reference = reference};
  }
  void operator()(UniversalJoint& joint) const {
    joint = {.axis1_B = axis_B, .axis2_B = axis2_B, .p_BJ = p_BJ};
  }
  void operator()(ScrewJoint& joint) const {
    joint = {.axis_B = axis_B, .p_BJ = p_BJ, .reference = reference, .pitch = pitch};
  }
};

// Attributes that mean nothing to this type.
void NoteUnused(xml::Element& element, const Joint& joint) {
  if (!std::holds_alternative<UniversalJoint>(joint.kind))
    element.Note("axis2", ImportStatus::kIgnored, "only a universal joint has a second axis");
  if (!std::holds_alternative<ScrewJoint>(joint.kind))
    element.Note("pitch", ImportStatus::kIgnored, "only a screw has a pitch");
  if (joint.is_scalar()) return;
  for (const char* attribute : {"actuatorfrcrange", "ref"})
    element.Note(attribute, ImportStatus::kIgnored, "only a joint of one coordinate has it");
  if (joint.num_coordinates() == 0)
    element.Note("springref", ImportStatus::kIgnored, "the spring rests as the body stands in the file");
}

// What actuators of the file add to a joint, on each of its dofs.
Reflected FindReflectedOf(const Context& context, const xml::Element& element) {
  const std::string* name = element.Peek("name");
  const auto& parts = context.reflected.of_joints;
  const auto found = name ? parts.find(*name) : parts.end();
  return found == parts.end() ? Reflected{} : found->second;
}

}  // namespace

void AddJoint(Context& context, xml::Element& element, const JointSpec& spec, const std::string& name,
              const Scope& scope) {
  if (scope.body == 0) element.Fail("the world cannot have joints; put the joint into a <body>");
  Joint joint{.name = name, .kind = *FindJointKind(spec.type)};
  const JointTraits& traits = joint.traits();
  const auto convert = [&](double value) {
    return traits.is_angular ? context.compiler.ToRadians(value) : value;
  };
  const RigidTransform& X_BF = scope.X_BF;
  std::visit(SetFields{.axis_B = X_BF.R * spec.axis,
                       .axis2_B = X_BF.R * spec.axis2,
                       .p_BJ = X_BF * spec.pos,
                       .reference = convert(spec.reference),
                       .pitch = spec.pitch},
             joint.kind);
  NoteUnused(element, joint);
  joint.spring_reference = convert(spec.spring_reference);
  if (context.flags.spring) {
    joint.stiffness = spec.stiffness[0];
    joint.stiffness_polynomial = {spec.stiffness[1], spec.stiffness[2]};
  }
  if (context.flags.damper) {
    joint.damping = spec.damping[0];
    joint.damping_polynomial = {spec.damping[1], spec.damping[2]};
  }
  const bool is_spring_damper = spec.spring_damper[0] > 0.0 && spec.spring_damper[1] > 0.0;
  if (is_spring_damper) {
    for (const char* attribute : {"stiffness", "damping"})
      element.Note(attribute, ImportStatus::kHonoured, "springdamper decides the first number instead");
  }
  joint.armature = spec.armature;
  const Reflected reflected = FindReflectedOf(context, element);
  joint.armature += reflected.armature;
  if (context.flags.damper) AddDamping(reflected, joint);
  joint.friction_loss = context.flags.friction_loss ? spec.friction_loss : 0.0;
  if (context.compiler.contacts_are_soft) joint.limit_softness = spec.limit_softness;
  if (joint.is_scalar() && DecideLimited(element, context.compiler, spec.actuator_force_limited,
                                         spec.actuator_force_range, "actuatorfrcrange")) {
    joint.actuator_force_lower = spec.actuator_force_range[0];
    joint.actuator_force_upper = spec.actuator_force_range[1];
  }
  joint.actuators_compensate_gravity = spec.actuators_compensate_gravity;
  if (joint.actuators_compensate_gravity && !context.flags.actuation) {
    if (joint.is_scalar())
      joint.actuator_force_lower = joint.actuator_force_upper = 0.0;
    else
      element.Note("actuatorgravcomp", ImportStatus::kApproximated,
                   "acts all the same: only joints of one coordinate have a bound of force");
  }
  // A free joint has no limits, whatever a default says.
  const bool has_limits = traits.limits != JointLimitKind::kNone;
  if (has_limits && DecideLimited(element, context.compiler, spec.limited, spec.range, "range") &&
      context.flags.limit) {
    joint.lower = convert(spec.range[0]);
    joint.upper = convert(spec.range[1]);
    if (traits.limits == JointLimitKind::kCone && joint.lower != 0.0) {
      element.Fail("range",
                   "the range of a " + spec.type + " joint must begin at 0; its end bounds the angle");
    }
  }
  context.table.current = &element;
  const int index = context.builder.AddJoint(scope.body, joint);
  context.table.joints.push_back(&element);
  if (is_spring_damper)
    context.spring_dampers.push_back(
        {index, spec.spring_damper[0], spec.spring_damper[1], reflected.damping[0]});
  if (reflected.is_given()) context.reflected.joints.insert(index);
  if (!name.empty()) context.names.joints.Add(element, name, index);
}

void ReadJoint(Context& context, xml::Element& element, const Scope& scope) {
  JointSpec spec = context.defaults.Of(element, scope.default_class).joint;
  ReadJointSpec(element, context.compiler, spec);
  if (spec.type == "free") context.masses[scope.body].is_aligned = context.compiler.align_free;
  AddJoint(context, element, spec, ReadName(element, scope), scope);
}

// No defaults: a free joint should be left undamped unless its own <joint type="free"> says otherwise.
void ReadFreeJoint(Context& context, xml::Element& element, const Scope& scope) {
  element.Visit();
  JointSpec spec;
  spec.type = "free";
  std::string align = "auto";
  element.ReadWord("align", {"auto", "true", "false"}, align);
  context.masses[scope.body].is_aligned = align == "auto" ? context.compiler.align_free : align == "true";
  AddJoint(context, element, spec, ReadName(element, scope), scope);
}

}  // namespace stiction::mjcf
