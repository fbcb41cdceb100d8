#include "model/builder_checks.h"

namespace stiction {
namespace {

// Mass properties of each body together with all below it, in the body's own frame.
std::vector<MassProperties> CalcCarried(const Model& model) {
  std::vector<MassProperties> carried;
  carried.reserve(model.bodies.size());
  for (const Body& body : model.bodies) carried.push_back(body.inertia);
  for (int b = model.num_bodies() - 1; b > 0; --b) {
    const Body& body = model.bodies[b];
    carried[body.parent] = Add(carried[body.parent], Transform(body.X_PB, carried[b]));
  }
  return carried;
}

}  // namespace

void CheckJointsMoveMass(const Model& model) {
  const std::vector<MassProperties> carried = CalcCarried(model);
  for (int j = 0; j < model.num_joints(); ++j) {
    const Joint& joint = model.joints[j];
    // At q0 a body stands at X_PB, so that anchor and axes are as in the joint's data.
    const MassProperties& beyond = carried[joint.body];
    const bool moves_mass =
        std::visit([&](const auto& kind) { return kind.MovesMass(beyond, joint.armature); }, joint.kind);
    if (moves_mass) continue;
    const Body& body = model.bodies[joint.body];
    throw ModelError(ModelError::Kind::kBody, joint.body,
                     Quote("body", body.name, joint.body) + ": its " + joint.type_name() + " " +
                         Quote("joint", joint.name, j) +
                         " moves no mass or inertia; give the body or one attached to it a mass and an "
                         "inertia, or the joint an armature");
  }
}

}  // namespace stiction
