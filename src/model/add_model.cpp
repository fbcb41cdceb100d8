#include "model/added_keyframe.h"
#include "model/mechanisms.h"
#include "stiction/model/model_builder.h"

namespace stiction {
namespace {

using Kind = ModelError::Kind;

std::string Prefixed(const std::string& prefix, const std::string& name) {
  return prefix.empty() || name.empty() ? name : prefix + "/" + name;
}

// "model 'arm'", for messages.
std::string Describe(const Model& model, const std::string& prefix) {
  return "model '" + (prefix.empty() ? model.name : prefix) + "'";
}

// The body that kFloating frees or finds free.
int FindRootBody(const Model& model, const std::string& prefix) {
  const auto refuse = [&](const std::string& why) {
    throw ModelError(Kind::kModel, -1, Describe(model, prefix) + " cannot float: " + why);
  };
  int root = -1;
  for (int b = 1; b < model.num_bodies(); ++b) {
    if (model.bodies[b].parent != 0 || model.bodies[b].is_mocap) continue;
    if (root >= 0) {
      refuse("it has several root bodies, '" + model.DisplayName(root) + "' and '" + model.DisplayName(b) +
             "'; put them into files of their own");
    }
    root = b;
  }
  if (root < 0) refuse("it has no body");
  const Body& body = model.bodies[root];
  if (body.num_joints > 0 && !model.joints[body.first_joint].is_free()) {
    refuse("its root body '" + model.DisplayName(root) +
           "' moves on a joint in the world; give that body a parent, which then floats");
  }
  for (const Geom& geom : model.geoms) {
    if (geom.body != 0 && std::holds_alternative<Plane>(geom.shape))
      refuse("a plane is attached to body '" + model.DisplayName(geom.body) + "'; use a box");
  }
  return root;
}

}  // namespace

AddedModel ModelBuilder::AddModel(const Model& model, const std::string& prefix, const RigidTransform& X_WM,
                                  ModelBase base, int parent) {
  AddedModel added = AddModelBodies(model, prefix, X_WM, base, parent);
  for (const Mechanisms kind : {Mechanisms::kTendons, Mechanisms::kEqualities, Mechanisms::kActuators,
                                Mechanisms::kSensors, Mechanisms::kKeyframes})
    AddModelMechanisms(kind, model, prefix, X_WM, added);
  return added;
}

AddedModel ModelBuilder::AddModelBodies(const Model& model, const std::string& prefix,
                                        const RigidTransform& X_WM, ModelBase base, int parent) {
  if (prefix.find('/') != std::string::npos)
    throw ModelError(Kind::kModel, -1, "the name '" + prefix + "' of a model must not contain a slash");
  AddedModel added;
  AddBodies(model, prefix, X_WM, base, parent, added);
  if (base == ModelBase::kFloating) AddFloatingBase(model, prefix, added);
  // Elements were checked when their model was built: they are copied as they are, to the last bit.
  for (const Geom& geom : model.geoms) {
    Geom& copy = model_.geoms.emplace_back(geom);
    copy.name = Prefixed(prefix, geom.name);
    copy.body = added.bodies[geom.body];
    if (geom.body == 0) copy.X_BG = X_WM * geom.X_BG;
    geom_mass_.emplace_back();  // its mass is in the body's already
    added.geoms.push_back(model_.num_geoms() - 1);
  }
  for (const Visual& visual : model.visuals) {
    Visual& copy = model_.visuals.emplace_back(visual);
    copy.name = Prefixed(prefix, visual.name);
    copy.body = added.bodies[visual.body];
    if (visual.body == 0) copy.X_BV = X_WM * visual.X_BV;
  }
  for (const ModelCamera& camera : model.cameras) {
    ModelCamera& copy = model_.cameras.emplace_back(camera);
    copy.name = Prefixed(prefix, camera.name);
    copy.body = added.bodies[camera.body];
    if (camera.body == 0) copy.X_BC = X_WM * camera.X_BC;
    if (camera.target >= 0) copy.target = added.bodies[camera.target];
    added.cameras.push_back(static_cast<int>(model_.cameras.size()) - 1);
  }
  for (const Light& light : model.lights) {
    Light& copy = model_.lights.emplace_back(light);
    copy.name = Prefixed(prefix, light.name);
    copy.body = added.bodies[light.body];
    if (light.target >= 0) copy.target = added.bodies[light.target];
    if (light.body != 0) continue;
    copy.p_BL = X_WM * light.p_BL;
    copy.direction_B = X_WM.R * light.direction_B;
  }
  for (const Frame& frame : model.frames) {
    AddFrame({.name = Prefixed(prefix, frame.name),
              .body = added.bodies[frame.body],
              .X_BF = frame.body == 0 ? X_WM * frame.X_BF : frame.X_BF});
  }
  Surroundings &own = model_.surroundings, its = model.surroundings;
  if (!own.sky) own.sky = its.sky;
  if (!own.headlight) own.headlight = its.headlight;
  if (!own.haze) own.haze = its.haze;
  AddExclusions(model, added);
  return added;
}

void ModelBuilder::AddBodies(const Model& model, const std::string& prefix, const RigidTransform& X_WM,
                             ModelBase base, int parent, AddedModel& added) {
  if (parent < 0 || parent >= num_bodies())
    throw ModelError(Kind::kModel, -1, Describe(model, prefix) + ": its parent does not exist");
  added.bodies.push_back(parent);
  added.joints.assign(model.num_joints(), -1);
  for (int b = 1; b < model.num_bodies(); ++b) {
    const Body& body = model.bodies[b];
    Body& copy = model_.bodies.emplace_back(body);
    copy.name = Prefixed(prefix, body.name);
    copy.parent = added.bodies[body.parent];
    if (body.parent == 0) copy.X_PB = X_WM * body.X_PB;
    copy.num_joints = 0;
    explicit_inertia_.push_back(true);
    added.bodies.push_back(num_bodies() - 1);
    for (int j = body.first_joint; j < body.first_joint + body.num_joints; ++j) {
      const Joint& joint = model.joints[j];
      if (base == ModelBase::kFixed && joint.is_free()) continue;
      if (parent != 0 && joint.is_free())
        throw ModelError(
            Kind::kModel, -1,
            Describe(model, prefix) + " has a free joint, which only a child of the world can have");
      Joint& joint_copy = model_.joints.emplace_back(joint);
      joint_copy.name = Prefixed(prefix, joint.name);
      joint_copy.body = added.bodies[b];
      ++model_.bodies.back().num_joints;
      added.joints[j] = model_.num_joints() - 1;
    }
  }
}

void ModelBuilder::AddFloatingBase(const Model& model, const std::string& prefix, const AddedModel& added) {
  const int root = FindRootBody(model, prefix);
  if (model.bodies[root].num_joints > 0) return;
  AddJoint(added.bodies[root], {.name = Prefixed(prefix, "floating_base"), .kind = FreeJoint{}});
}

void ModelBuilder::AddModelMechanisms(Mechanisms kind, const Model& model, const std::string& prefix,
                                      const RigidTransform& X_WM, AddedModel& added) {
  const auto first = [](const std::vector<int>& indices) { return indices.empty() ? 0 : indices.front(); };
  const ReferenceMap map{added.bodies,         added.joints,           added.geoms, added.cameras,
                         first(added.tendons), first(added.actuators), X_WM};
  const auto add = [&](const char* what, const auto& from, auto& to, std::vector<int>& indices) {
    for (const auto& element : from) {
      auto& copy = to.emplace_back(element);
      copy.name = Prefixed(prefix, element.name);
      if (!map.Rename(copy)) {
        throw ModelError(Kind::kModel, -1,
                         Describe(model, prefix) + " cannot be fixed: " + what + " '" + element.name +
                             "' acts on a free joint; keep the base as in the file");
      }
      indices.push_back(static_cast<int>(to.size()) - 1);
    }
  };
  switch (kind) {
    case Mechanisms::kTendons:
      return add("tendon", model.tendons, model_.tendons, added.tendons);
    case Mechanisms::kEqualities:
      return add("equality", model.equalities, model_.equalities, added.equalities);
    case Mechanisms::kActuators:
      return add("actuator", model.actuators, model_.actuators, added.actuators);
    case Mechanisms::kSensors:
      return add("sensor", model.sensors, model_.sensors, added.sensors);
    case Mechanisms::kKeyframes:
      return AddPartialKeyframes(model, prefix, X_WM, added);
  }
}

void ModelBuilder::AddExclusions(const Model& model, const AddedModel& added) {
  std::vector<std::vector<int>> geoms_of_body(model.num_bodies());
  for (int g = 0; g < model.num_geoms(); ++g) geoms_of_body[model.geoms[g].body].push_back(added.geoms[g]);
  for (const auto& [a, b] : model.excluded_bodies) {
    if (a > 0) {
      model_.excluded_bodies.emplace_back(added.bodies[a], added.bodies[b]);
      continue;
    }
    for (const int g : geoms_of_body[0]) {
      for (const int h : geoms_of_body[b]) model_.excluded_geoms.emplace_back(g, h);
    }
  }
  for (ContactPair pair : model.contact_pairs) {
    pair.geom_a = added.geoms[pair.geom_a];
    pair.geom_b = added.geoms[pair.geom_b];
    AddContactPair(pair);
  }
  for (const auto& [a, b] : model.excluded_geoms)
    model_.excluded_geoms.emplace_back(added.geoms[a], added.geoms[b]);
}

void ModelBuilder::AddPartialKeyframes(const Model& model, const std::string& prefix,
                                       const RigidTransform& X_WM, const AddedModel& added) {
  PartialKeyframe part;
  for (const int joint : added.joints) {
    if (joint >= 0) part.joints.push_back(joint);
  }
  part.actuators = added.actuators;
  for (int b = 1; b < model.num_bodies(); ++b) {
    if (model.bodies[b].is_mocap) part.mocap_bodies.push_back(added.bodies[b]);
  }
  for (const Keyframe& keyframe : model.keyframes) {
    part.values = PlaceKeyframe(model, keyframe, X_WM, added.joints);
    part.values.name = Prefixed(prefix, keyframe.name);
    partial_keyframes_.push_back(part);
  }
}

void ModelBuilder::CompletePartialKeyframes() {
  const auto map = [](std::vector<int> indices, const std::vector<int>& order) {
    for (int& index : indices) index = order[index];
    return indices;
  };
  for (const PartialKeyframe& part : partial_keyframes_) {
    model_.keyframes.push_back(SpreadKeyframe(model_, part.values, map(part.joints, joint_order_),
                                              part.actuators, map(part.mocap_bodies, body_order_)));
  }
}

}  // namespace stiction
