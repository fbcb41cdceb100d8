#include "holds.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction::viewer {
namespace {

// So quick that an arm which hangs on it sags by 1 mm per metre, about: g / (1 m ω²).
constexpr double kHoldFrequency = 2.0 * M_PI * 16.0;  // [rad/s]

double& EntryOf(VectorXd& slopes, const World& world, int dof) {
  if (slopes.size() == 0) slopes = VectorXd::Zero(world.model().nv());
  return slopes[dof];
}

}  // namespace

void JointHolds::Hold(World& world, int joint) {
  Release(world, joint);
  const Joint& held = world.model().joints[static_cast<std::size_t>(joint)];
  const MatrixXd M = world.CalcMassMatrix();
  for (int i = 0; i < held.num_coordinates(); ++i) {
    const double inertia = M(held.v_address + i, held.v_address + i);
    targets_.push_back({joint, i, world.q()[held.q_address + i], inertia * kHoldFrequency * kHoldFrequency,
                        2.0 * inertia * kHoldFrequency});
  }
  Apply(world);
}

void JointHolds::SetTarget(World& world, int joint, int coordinate, double target) {
  for (Target& held : targets_)
    if (held.joint == joint && held.coordinate == coordinate) held.target = target;
  Apply(world);
}

void JointHolds::Release(World& world, int joint) {
  const Joint& released = world.model().joints[static_cast<std::size_t>(joint)];
  Input& input = world.input();
  for (const Target& held : targets_) {
    if (held.joint != joint) continue;
    const int dof = released.v_address + held.coordinate;
    input.applied_generalized[dof] = 0.0;
    EntryOf(input.applied_stiffness, world, dof) = EntryOf(input.applied_damping, world, dof) = 0.0;
  }
  std::erase_if(targets_, [joint](const Target& held) { return held.joint == joint; });
  world.Wake(released.body);
}

void JointHolds::HoldHere(World& world) {
  for (Target& held : targets_) {
    const Joint& joint = world.model().joints[static_cast<std::size_t>(held.joint)];
    held.target = world.q()[joint.q_address + held.coordinate];
  }
  Apply(world);
}

void JointHolds::Apply(World& world, double firmness) const {
  Input& input = world.input();
  for (const Target& held : targets_) {
    const Joint& joint = world.model().joints[static_cast<std::size_t>(held.joint)];
    const int dof = joint.v_address + held.coordinate;
    input.applied_generalized[dof] = firmness * held.stiffness * held.target;
    EntryOf(input.applied_stiffness, world, dof) = firmness * held.stiffness;
    EntryOf(input.applied_damping, world, dof) = held.damping;
    world.Wake(joint.body);
  }
}

VectorXd JointHolds::Targets(const Model& model) const {
  if (targets_.empty()) return {};
  VectorXd targets = VectorXd::Constant(model.nq(), std::numeric_limits<double>::quiet_NaN());
  for (const Target& held : targets_)
    targets[model.joints[static_cast<std::size_t>(held.joint)].q_address + held.coordinate] = held.target;
  return targets;
}

}  // namespace stiction::viewer
