#include "io/urdf/assembly.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/mjcf/inertia.h"
#include "io/urdf/planar.h"

namespace stiction::urdf {

Model Assembly::Build() {
  builder_.set_name(robot_.name);
  try {
    CalcLinkPoses();
    AddLinks();
    SetInertias();
    AddMimics();
    AddMotors();
    FindParts();
    ExcludeAdjacent();
    ExcludeOverlapping();
    if (options_.ground) AddGround();
    if (const std::optional<ImportItem> note = friction_note_.Make()) notes_.push_back(*note);
    table_.current = nullptr;
    return builder_.Build();
  } catch (const ModelError& error) {
    ThrowLoadError(error, table_, root_, FindHint(error));
  }
}

// For a body without mass.
std::string Assembly::FindHint(const ModelError& error) const {
  const bool is_bare = error.kind() == ModelError::Kind::kBody && error.index() > 0 &&
                       error.index() < static_cast<int>(inertia_.size()) &&
                       inertia_[error.index()].mass == 0.0;
  if (!is_bare || options_.repairs.infer_inertia) return "";
  return kInferHint;
}

// With all joints at zero poses simply multiply; a floating robot is lifted as a whole.
void Assembly::CalcLinkPoses() {
  X_WL_.resize(robot_.links.size());
  std::vector<int> stack = robot_.roots;
  while (!stack.empty()) {
    const int link = stack.back();
    stack.pop_back();
    for (const int j : robot_.links[link].child_joints) {
      const JointEntry& entry = robot_.joints[j];
      X_WL_[entry.child] = X_WL_[link] * entry.X_PJ;
      stack.push_back(entry.child);
    }
  }
}

// Height by which the lowest shape must rise to stand 1 mm above the ground; 0 without shapes. [m]
double Assembly::CalcLift() const {
  double lowest = std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < robot_.links.size(); ++i) {
    for (const Collision& collision : robot_.links[i].collisions) {
      const RigidTransform X_WG = X_WL_[i] * collision.X_LG;
      lowest = std::min(lowest, X_WG.p.z() - CalcBoundingHalfExtents(collision.shape, X_WG.R).z());
    }
  }
  constexpr double kClearance = 1e-3;
  return std::isfinite(lowest) ? *options_.ground + kClearance - lowest : 0.0;
}

// The link that a floating base frees: the root, or what a fixed joint holds to a root called "world". -1:
// none.
int Assembly::FloatingLink(int root_link) const {
  const Link& root = robot_.links[root_link];
  if (root.name != "world") return root_link;
  if (root.child_joints.size() != 1) {
    root_.Fail(
        "several links hang on the link \"world\"; which one a floating base should free is not clear");
  }
  const JointEntry& entry = robot_.joints[root.child_joints.front()];
  if (entry.type == JointType::kFloating) return -1;  // it floats already
  if (entry.type != JointType::kFixed) {
    entry.element->Fail(
        "moves the robot in the world; a floating base can only take the place of a fixed joint");
  }
  return entry.child;
}

std::vector<int> Assembly::FloatingLinks() const {
  std::vector<int> links;
  if (!options_.floating_base) return links;
  for (const int root : robot_.roots) {
    const int link = FloatingLink(root);
    if (link >= 0) links.push_back(link);
  }
  return links;
}

void Assembly::AddLinks() {
  body_of_link_.assign(robot_.links.size(), 0);
  builder_joint_.assign(robot_.joints.size(), -1);
  inertia_.resize(1);
  const std::vector<int> floating = FloatingLinks();
  const double lift = !floating.empty() && options_.ground ? CalcLift() : 0.0;
  for (RigidTransform& X_WL : X_WL_) X_WL.p.z() += lift;

  struct Visit {
    int link;
    int parent_body;
    RigidTransform X_BL;  // in the parent's body
  };
  std::vector<Visit> stack;
  for (auto root = robot_.roots.rbegin(); root != robot_.roots.rend(); ++root)
    stack.push_back({*root, 0, {}});
  while (!stack.empty()) {
    const Visit visit = stack.back();
    stack.pop_back();
    const Link& link = robot_.links[visit.link];
    int body = visit.parent_body;
    RigidTransform X_BL = visit.X_BL;
    const bool is_moving =
        link.parent_joint >= 0 && robot_.joints[link.parent_joint].type != JointType::kFixed;
    const bool is_floating = std::find(floating.begin(), floating.end(), visit.link) != floating.end();
    if (is_floating) {
      JointEntry base{.element = link.element, .type = JointType::kFloating, .child = visit.link};
      base.joint.name = floating.size() == 1 ? "floating_base" : link.name + "_floating_base";
      X_BL.p.z() += lift;
      body = AddMovingLink(base, visit.parent_body, X_BL);
    } else if (is_moving) {
      body = AddMovingLink(robot_.joints[link.parent_joint], visit.parent_body, X_BL);
    }
    if (is_floating || is_moving) X_BL = {};
    AttachLink(visit.link, body, X_BL);
    // The first joint in the file comes off the stack first.
    for (auto j = link.child_joints.rbegin(); j != link.child_joints.rend(); ++j) {
      stack.push_back({robot_.joints[*j].child, body, X_BL * robot_.joints[*j].X_PJ});
    }
  }
}

int Assembly::AddMovingLink(const JointEntry& entry, int parent_body, const RigidTransform& X_PB) {
  const Link& link = robot_.links[entry.child];
  table_.current = link.element;
  const int body = builder_.AddBody({.name = link.name, .parent = parent_body, .X_PB = X_PB});
  table_.bodies.push_back(link.element);
  inertia_.emplace_back();
  if (entry.type == JointType::kFloating) floating_bodies_.push_back(body);
  AddJoints(entry, body);
  return body;
}

int Assembly::AddJoint(const xml::Element* element, int body, const Joint& joint) {
  table_.current = element;
  const int index = builder_.AddJoint(body, joint);
  table_.joints.push_back(element);
  return index;
}

void Assembly::AddJoints(const JointEntry& entry, int body) {
  Joint joint = entry.joint;
  switch (entry.type) {
    case JointType::kFixed:
      return;
    case JointType::kRevolute:
    case JointType::kContinuous:
      joint.kind = HingeJoint{.axis_B = entry.axis};
      break;
    case JointType::kPrismatic:
      joint.kind = SlideJoint{.axis_B = entry.axis};
      break;
    case JointType::kFloating:
      joint.kind = FreeJoint{};
      break;
    case JointType::kSpherical:
      joint.kind = BallJoint{};
      break;
    case JointType::kScrew:
      joint.kind = ScrewJoint{.axis_B = entry.axis, .pitch = entry.pitch};
      break;
    case JointType::kUniversal:
      joint.kind = UniversalJoint{.axis1_B = Vector3d::UnitX(), .axis2_B = Vector3d::UnitY()};
      break;
    case JointType::kPlanar: {
      const PlanarAxes axes(entry.axis);
      const std::string name = joint.name;
      const Vector3d damping = entry.damping_by_dof.value_or(Vector3d::Constant(joint.damping));
      joint.name = name + "_x", joint.kind = SlideJoint{.axis_B = axes.first}, joint.damping = damping[0];
      AddJoint(entry.element, body, joint);
      joint.name = name + "_y", joint.kind = SlideJoint{.axis_B = axes.second}, joint.damping = damping[1];
      AddJoint(entry.element, body, joint);
      joint.name = name + "_yaw", joint.kind = HingeJoint{.axis_B = axes.normal}, joint.damping = damping[2];
    }
  }
  const int added = AddJoint(entry.element, body, joint);
  // A floating base is a joint that the file does not have.
  const int parent_joint = robot_.links[entry.child].parent_joint;
  if (parent_joint >= 0) builder_joint_[parent_joint] = added;
}

void Assembly::AttachLink(int index, int body, const RigidTransform& X_BL) {
  const Link& link = robot_.links[index];
  body_of_link_[index] = body;
  MassProperties inertia = link.inertia;
  mjcf::BoundInertia(robot_.compiler, inertia);  // links that fixed joints hold together each by itself
  inertia_[body] = Add(inertia_[body], Transform(X_BL, inertia));
  if (body != 0 && link.element && !link.is_inferred && !link.element->FindChild("inertial"))
    NoteMissingInertia(link);
  const bool is_body = body != 0 && builder_.body(body).name == link.name;
  // The world needs no second name for itself.
  if (!is_body && link.name != "world") builder_.AddFrame({.name = link.name, .body = body, .X_BF = X_BL});
  for (const Collision& collision : link.collisions) {
    // Names of collision elements are free in URDF, those of geoms are unique: the link is told by the body.
    Geom geom{.name = "", .body = body, .shape = collision.shape, .X_BG = X_BL * collision.X_LG};
    geom.is_seen = link.visuals.empty();
    geom.friction = collision.friction.value_or(link.friction);
    geom.restitution = link.restitution;
    table_.current = collision.element;
    const int added = builder_.AddGeom(geom);
    table_.geoms.push_back(collision.element);
    friction_note_.Look(*collision.element, geom.friction);
    geom_of_placed_.push_back(added);
    placed_.push_back({.body = body,
                       .shape = &collision.shape,
                       .X_WG = X_WL_[index] * collision.X_LG,
                       .radius = CalcBoundingRadius(collision.shape)});
    link_of_placed_.push_back(index);
  }
  for (const LinkVisual& visual : link.visuals) {
    table_.current = link.element;
    builder_.AddVisual({.name = visual.name,
                        .body = body,
                        .shape = visual.shape,
                        .X_BV = X_BL * visual.X_LV,
                        .color = visual.color,
                        .material = visual.material});
  }
}

// Links of a drawing that move and show nothing, with nothing below them: without mass they could not move.
void Assembly::FillEmptyLeaves() {
  constexpr double kRadius = 0.01;  // of the ball that stands for one [m]
  std::vector<bool> is_leaf(builder_.num_bodies(), true);
  const Sphere ball{kRadius};
  for (int b = builder_.num_bodies() - 1; b > 0; --b) {
    if (is_leaf[b] && inertia_[b].mass == 0.0) {
      inertia_[b] = CalcSolidMassProperties(ball, *options_.repairs.infer_inertia * CalcVolume(ball));
      const xml::Element& element = *table_.bodies[b];
      notes_.push_back({element.file(), element.line(), "link", ImportStatus::kApproximated,
                        "\"" + builder_.body(b).name +
                            "\" moves, and has neither mass nor shape: it is a ball of 1 cm radius"});
    }
    is_leaf[builder_.body(b).parent] = false;
  }
}

// A link that floats without mass, and carries one other, moves along their joint without moving anything.
void Assembly::CheckFloatingLinks() const {
  std::vector<int> num_children(inertia_.size(), 0);
  for (int b = 1; b < builder_.num_bodies(); ++b) ++num_children[builder_.body(b).parent];
  for (const int b : floating_bodies_) {
    if (inertia_[b].mass > 0.0 || num_children[b] != 1) continue;
    table_.bodies[b]->Fail("link \"" + builder_.body(b).name +
                           "\" floats without mass, and carries one link on a joint, along which it would "
                           "move without moving any mass; give it an <inertial>, or fix the base" +
                           (options_.repairs.infer_inertia ? "" : std::string(kInferHint)));
  }
}

void Assembly::SetInertias() {
  if (options_.repairs.infer_inertia) FillEmptyLeaves();
  CheckFloatingLinks();
  mjcf::SetTotalMass(robot_.compiler, inertia_);
  for (int b = 1; b < builder_.num_bodies(); ++b) builder_.SetInertia(b, inertia_[b]);
  builder_.options() = robot_.options;
}

// Frames are commonly written as links without mass; parts that can be seen or touched should have some.
void Assembly::NoteMissingInertia(const Link& link) {
  // FindChild would mark a visual that nobody reads as honoured.
  const auto& children = link.element->children();
  const bool has_substance = std::any_of(children.begin(), children.end(), [](const auto& child) {
    return child->name() == "visual" || child->name() == "collision";
  });
  notes_.push_back({link.element->file(), link.element->line(), "link",
                    has_substance ? ImportStatus::kApproximated : ImportStatus::kHonoured,
                    "\"" + link.name + "\" has no <inertial>: it is without mass"});
}

void Assembly::AddMimics() {
  for (size_t j = 0; j < robot_.joints.size(); ++j) {
    const JointEntry& entry = robot_.joints[j];
    if (entry.mimicked < 0) continue;
    table_.current = entry.element;
    JointPolynomial mimic{.joint = builder_joint_[j], .of_joint = builder_joint_[entry.mimicked]};
    mimic.coefficients = {entry.offset, entry.multiplier, 0.0, 0.0, 0.0};
    builder_.AddEquality({.name = entry.joint.name + "_mimic", .kind = mimic});
    table_.equalities.push_back(entry.element);
  }
}

// The joint's effort limit holds at the joint: behind the reduction.
void Assembly::AddMotors() {
  for (const Motor& motor : robot_.motors) {
    const JointEntry& entry = robot_.joints[motor.joint];
    Actuator actuator{.name = motor.name, .joint = builder_joint_[motor.joint]};
    actuator.gear[0] = motor.reduction;
    if (entry.effort > 0.0) {
      actuator.force_upper = entry.effort / std::abs(motor.reduction);
      actuator.force_lower = -actuator.force_upper;
    }
    table_.current = motor.element;
    builder_.AddActuator(actuator);
    table_.actuators.push_back(motor.element);
  }
}

void Assembly::AddGround() {
  Geom ground{.name = "ground", .body = 0, .shape = Plane{}};
  ground.X_BG.p.z() = *options_.ground;
  builder_.AddGeom(ground);
}

}  // namespace stiction::urdf
