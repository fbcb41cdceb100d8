// What URDF has no word for.
#include <cmath>

#include "io/urdf/overlap.h"
#include "io/urdf/writer_class.h"

namespace stiction::urdf {
namespace {

constexpr ImportStatus kLost = ImportStatus::kIgnored;
constexpr const char* kNoWord = "the format has no word for it";

std::string Quoted(const std::string& name) {
  return "\"" + name + "\"";
}

}  // namespace

void Writer::NoteJoints() {
  for (int j = 0; j < model_.num_joints(); ++j) {
    const Joint &joint = model_.joints[j], usual;
    const std::string name = Quoted(joint_names_[j]);
    const auto lose = [&](bool has, const char* item, const std::string& why) {
      if (has) Note(kLost, item, name + ": " + why);
    };
    const bool has_spring =
        joint.stiffness != 0.0 || joint.stiffness_polynomial != usual.stiffness_polynomial;
    lose(has_spring, "joint[@stiffness]", "its spring has no word");
    lose(joint.damping_polynomial != usual.damping_polynomial, "joint[@damping]",
         "only the linear part of its damping has a word");
    lose(joint.armature != 0.0, "joint[@armature]", "the inertia of its rotor has no word");
    lose(joint.limit_softness.has_value(), "joint[@solreflimit]", "its limits are exact when they are read");
    const bool has_range = std::isfinite(joint.lower) || std::isfinite(joint.upper);
    lose(has_range && joint.traits().limits == JointLimitKind::kCone, "joint[@range]",
         "limits of a ball joint have no word");
    const bool has_forces =
        std::isfinite(joint.actuator_force_lower) || std::isfinite(joint.actuator_force_upper);
    const auto motors = motors_.find(j);
    const bool says_forces = motors != motors_.end() && motors->second.actuators.size() == 1 &&
                             joint.actuator_force_lower == -joint.actuator_force_upper;
    lose(has_forces && !says_forces, "joint[@actuatorfrcrange]", "only the effort of one motor has a word");
    if (std::holds_alternative<BallJoint>(joint.kind))
      Note(ImportStatus::kApproximated, "joint",
           name + ": a ball joint has no word: three revolute joints, which lock with the second at ±90°");
    if (std::holds_alternative<ScrewJoint>(joint.kind))
      Note(ImportStatus::kApproximated, "joint",
           name + ": a screw joint has no word: a revolute joint, and a prismatic one that mimics it");
    if (joint.reference() != 0.0)
      Note(ImportStatus::kApproximated, "joint[@ref]", name + " counts from where the file has it");
  }
  if (num_massless_ > 0) {
    Note(ImportStatus::kApproximated, "joint",
         "bodies on several joints: " + std::to_string(num_massless_) +
             " links without mass between these; other programs may want some there");
  }
  if (root_frame_ >= 0 && !geoms_of_[0].empty()) {
    Note(kLost, "inertial",
         "\"" + link_names_[0] +
             "\": what is fixed to the world has no mass in a model; --floating-base keeps it",
         ImportLoss::kHarmless);
  }
}

void Writer::NoteGeoms() {
  const Geom usual;
  int friction = 0, masks = 0, laws = 0, fluid = 0, names = 0, unseen = 0;
  for (const Geom& geom : model_.geoms) {
    fluid += geom.fluid.has_value();
    unseen += !geom.collides() && !geom.is_seen;
    if (!geom.collides() || std::holds_alternative<Plane>(geom.shape)) continue;
    names += !geom.name.empty();
    const Geom& written = *FindSurface(geom.body);
    friction += geom.friction != written.friction;
    masks += geom.contype != usual.contype || geom.conaffinity != usual.conaffinity;
    laws += geom.condim != usual.condim || geom.priority != usual.priority ||
            geom.restitution != written.restitution || geom.margin != 0.0 || geom.gap != 0.0 ||
            std::isfinite(geom.stiffness) || geom.hydroelastic.is_compliant();
  }
  NoteCount(friction, "geom[@friction]", "geom",
            "friction is that of another shape of their link when they are read");
  NoteCount(masks, "geom[@contype]", "geom", "what collides with what goes by the links alone");
  NoteCount(laws, "geom", "geom",
            "condim, priority, margins and softness have no word, and a link has one restitution");
  NoteCount(fluid, "geom[@fluidshape]", "geom", kNoWord);
  NoteCount(unseen, "geom", "geom", "neither collides nor is looked at");
  if (names > 0)
    Note(kLost, "geom[@name]", std::to_string(names) + " collision shapes: without their names",
         ImportLoss::kHarmless);
  if (num_hidden_ > 0)
    Note(ImportStatus::kApproximated, "geom",
         std::to_string(num_hidden_) + " links: their collision shapes are looked at when they are read");
}

// Which pairs the reader keeps apart: neighbours, and what overlaps where the file has it.
void Writer::NoteContacts() {
  // Links behind fixed joints are one, but for those that hang on the world.
  const auto part = [&](int b) {
    if (model_.bodies[b].weld != 0) return model_.bodies[b].weld;
    while (b > 0 && model_.bodies[b].parent > 0) b = model_.bodies[b].parent;
    return b;
  };
  const auto parts = [&](int a, int b) {
    const auto pair = std::minmax(part(a), part(b));
    return std::pair<int, int>(pair.first, pair.second);
  };
  const auto island = [&](int b) {  // what floats, -1: what does not
    while (b > 0 && model_.bodies[b].parent > 0) b = model_.bodies[b].parent;
    const Body& root = model_.bodies[b];
    return root.num_joints > 0 && model_.joints[root.first_joint].is_free() ? b : -1;
  };
  std::set<std::pair<int, int>> adjacent, excluded;
  for (int b = 1; b < model_.num_bodies(); ++b) {
    const Body& body = model_.bodies[b];
    if (body.num_joints == 0 || model_.joints[body.first_joint].is_free()) continue;
    // A chain of links has its own between the two, and MJCF does not let parent and child collide.
    if (num_pieces_[b] == 1)
      adjacent.insert(parts(body.parent, b));
    else if (model_.bodies[body.parent].weld != 0)
      excluded.insert(parts(body.parent, b));
  }
  std::vector<RigidTransform> X_WB(model_.bodies.size());
  for (int b = 1; b < model_.num_bodies(); ++b)
    X_WB[b] = X_WB[model_.bodies[b].parent] * model_.bodies[b].X_PB;
  std::vector<PlacedShape> placed;
  std::map<int, std::vector<int>> colliding;  // by part
  for (int g = 0; g < model_.num_geoms(); ++g) {
    const Geom& geom = model_.geoms[g];
    const bool is_written = geom.collides() && !std::holds_alternative<Plane>(geom.shape) &&
                            !std::holds_alternative<Ellipsoid>(geom.shape);
    if (!is_written) continue;
    placed.push_back({.body = model_.bodies[geom.body].weld,
                      .part = part(geom.body),
                      .shape = &geom.shape,
                      .X_WG = X_WB[geom.body] * geom.X_BG,
                      .radius = CalcBoundingRadius(geom.shape)});
    colliding[part(geom.body)].push_back(g);
  }
  constexpr std::size_t kMaxPairs = 100'000;  // as the reader's
  std::set<std::pair<int, int>> apart = adjacent;
  for (const auto& [i, j] : FindOverlapping(placed, adjacent, kMaxPairs)) {
    const int a = placed[i].part, b = placed[j].part;
    if (island(a) == island(b)) apart.insert(parts(a, b));
  }

  const auto describe = [&](const std::pair<int, int>& bodies) {
    return Quoted(link_names_[bodies.first]) + " and " + Quoted(link_names_[bodies.second]);
  };
  for (const auto& bodies : apart) {
    bool collides = false;
    for (const int a : colliding[bodies.first])
      for (const int b : colliding[bodies.second]) collides = collides || model_.PairCollides(a, b);
    if (collides)
      Note(ImportStatus::kApproximated, "contact",
           describe(bodies) + " are neighbours or overlap: they do not collide when they are read");
  }
  for (const auto& [a, b] : model_.excluded_bodies) excluded.insert(parts(a, b));
  for (const auto& [a, b] : model_.excluded_geoms)
    excluded.insert(parts(model_.geoms[a].body, model_.geoms[b].body));
  for (const auto& bodies : excluded) {
    if (apart.contains(bodies) || bodies.first == bodies.second || colliding[bodies.first].empty() ||
        colliding[bodies.second].empty())
      continue;
    Note(kLost, "exclude", describe(bodies) + ": that they do not collide has no word");
  }
  if (!model_.contact_pairs.empty())
    Note(kLost, "pair",
         std::to_string(model_.contact_pairs.size()) + " pairs of geoms with laws of their own");
}

void Writer::NoteMechanisms() {
  for (const Tendon& tendon : model_.tendons) Note(kLost, "tendon", Quoted(tendon.name) + ": " + kNoWord);
  for (std::size_t e = 0; e < model_.equalities.size(); ++e) {
    const Equality& equality = model_.equalities[e];
    const auto* couple = std::get_if<JointPolynomial>(&equality.kind);
    const auto found = couple ? mimics_.find(couple->joint) : mimics_.end();
    if (found == mimics_.end() || found->second != &equality) {
      Note(kLost, "equality", Quoted(equality.name) + ": " + kNoWord);
    } else if (equality.softness) {
      Note(ImportStatus::kApproximated, "equality",
           Quoted(equality.name) + " gives way, and is exact when it is read");
    }
  }
  for (int a = 0; a < model_.nu(); ++a) {
    const auto motors = motors_.find(model_.actuators[a].joint);
    const bool is_written = motors != motors_.end() &&
                            std::count(motors->second.actuators.begin(), motors->second.actuators.end(), a);
    if (!is_written)
      Note(kLost, "actuator", Quoted(model_.actuators[a].name) + ": only motors on joints have a word");
  }
  for (const Sensor& sensor : model_.sensors) Note(kLost, "sensor", Quoted(sensor.name) + ": " + kNoWord);
  for (const Keyframe& keyframe : model_.keyframes)
    Note(kLost, "keyframe", Quoted(keyframe.name) + ": " + kNoWord);
  for (const ModelCamera& camera : model_.cameras)
    Note(kLost, "camera", Quoted(camera.name) + ": " + kNoWord, ImportLoss::kHarmless);
  for (int b = 1; b < model_.num_bodies(); ++b) {
    const Body& body = model_.bodies[b];
    if (body.is_mocap) Note(kLost, "body[@mocap]", Quoted(link_names_[b]) + ": stands still when it is read");
    if (!body.may_sleep) Note(kLost, "body[@sleep]", Quoted(link_names_[b]) + ": " + kNoWord);
    if (body.gravity_compensation != 0.0)
      Note(kLost, "body[@gravcomp]", Quoted(link_names_[b]) + " has its whole weight when it is read");
  }
}

void Writer::NoteOptions() {
  const Options &options = model_.options, usual;
  const auto lose = [&](bool has, const char* item, const std::string& hint) {
    if (has) Note(kLost, item, kNoWord + hint);
  };
  lose(options.gravity != usual.gravity, "option[@gravity]", "");
  lose(options.timestep != usual.timestep, "option[@timestep]", "; --dt");
  lose(options.integrator != usual.integrator, "option[@integrator]", "; --integrator");
  lose(options.contact_model != usual.contact_model, "option[@contact]", "; --contact");
  lose(options.density != 0.0 || options.viscosity != 0.0 || !options.wind.isZero(0.0), "option[@density]",
       "");
  lose(options.sleep != usual.sleep, "option[@sleep]", "");
}

}  // namespace stiction::urdf
