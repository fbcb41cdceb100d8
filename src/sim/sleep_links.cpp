#include <algorithm>

#include "sim/sleep.h"

namespace stiction {
namespace {

// Collects the bodies that an element touches.
struct BodyCollector {
  const Model& model;
  std::vector<int>& bodies;

  void Joint(int joint) const {
    if (joint >= 0) bodies.push_back(model.joints[joint].body);
  }
  void Tendon(int tendon) const {
    if (tendon >= 0) std::visit(*this, model.tendons[tendon].path);
  }

  void operator()(const FixedTendon& path) const {
    for (const FixedTendon::Term& term : path.terms) Joint(term.joint);
  }
  void operator()(const SpatialTendon& path) const {
    for (const SpatialTendon::Element& element : path.path) std::visit(*this, element);
  }
  void operator()(const SpatialTendon::Site& site) const { bodies.push_back(site.body); }
  void operator()(const SpatialTendon::Wrap& wrap) const {
    bodies.push_back(wrap.center.body);
    if (wrap.side) bodies.push_back(wrap.side->body);
  }
  void operator()(const SpatialTendon::Pulley&) const {}

  void operator()(const FrameLock& lock) const {
    bodies.push_back(lock.a.body);
    bodies.push_back(lock.b.body);
  }
  void operator()(const JointPolynomial& couple) const {
    Joint(couple.joint);
    Joint(couple.of_joint);
  }
  void operator()(const TendonPolynomial& couple) const {
    Tendon(couple.tendon);
    Tendon(couple.of_tendon);
  }
  void operator()(const PointDistance& points) const {
    bodies.push_back(points.a.body);
    bodies.push_back(points.b.body);
  }
  void operator()(const Actuator& actuator) const {
    Joint(actuator.joint);
    Tendon(actuator.tendon);
    if (actuator.frame) bodies.push_back(actuator.frame->body);
    if (actuator.reference) bodies.push_back(actuator.reference->body);
    if (actuator.body >= 0) bodies.push_back(actuator.body);
  }
};

void SortUnique(std::vector<int>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

// Appends the trees of the bodies to `lists`, and ties them to the mocap bodies among these.
void AppendTrees(const Model& model, const std::vector<int>& bodies, const std::vector<int>& body_mocap,
                 IndexLists& lists, std::vector<std::vector<int>>& tied) {
  std::vector<int> trees;
  for (const int body : bodies) {
    if (model.bodies[body].tree >= 0) trees.push_back(model.bodies[body].tree);
  }
  SortUnique(trees);
  lists.Append(trees);
  for (const int body : bodies) {
    const int mocap = body_mocap[body];
    if (mocap >= 0) tied[mocap].insert(tied[mocap].end(), trees.begin(), trees.end());
  }
}

std::vector<int> FindBodyMocap(const Model& model) {
  std::vector<int> body_mocap(model.num_bodies(), -1);
  int next = 0;
  for (int b = 1; b < model.num_bodies(); ++b)
    body_mocap[b] = model.bodies[b].is_mocap ? next++ : body_mocap[model.bodies[b].parent];
  return body_mocap;
}

std::vector<double> CalcMassBeyond(const Model& model) {
  std::vector<double> subtree(model.num_bodies());
  for (int b = model.num_bodies() - 1; b > 0; --b) {
    subtree[b] += model.bodies[b].inertia.mass;
    subtree[model.bodies[b].parent] += subtree[b];
  }
  std::vector<double> beyond(model.nv());
  for (int k = 0; k < model.nv(); ++k) beyond[k] = subtree[model.joints[model.dof_joint[k]].body];
  return beyond;
}

}  // namespace

void IndexLists::Append(const std::vector<int>& list) {
  items.insert(items.end(), list.begin(), list.end());
  first.push_back(static_cast<int>(items.size()));
}

SleepLinks::SleepLinks(const Model& model)
    : body_mocap(FindBodyMocap(model)), tree_q(model.num_trees()), mass_beyond(CalcMassBeyond(model)) {
  std::vector<std::vector<int>> tied(model.num_mocap);
  std::vector<int> bodies;
  const BodyCollector collect{model, bodies};
  const auto append = [&](IndexLists& lists) {
    AppendTrees(model, bodies, body_mocap, lists, tied);
    bodies.clear();
  };
  for (const Actuator& actuator : model.actuators) {
    collect(actuator);
    append(actuator_trees);
  }
  for (int t = 0; t < model.num_tendons(); ++t) {
    collect.Tendon(t);
    append(tendon_trees);
  }
  for (const Equality& equality : model.equalities) {
    if (equality.is_active) std::visit(collect, equality.kind);
    append(equality_trees);
  }
  for (int t = 0; t < model.num_trees(); ++t) {
    const int mocap = body_mocap[model.trees[t].root_body];
    if (mocap >= 0) tied[mocap].push_back(t);
  }
  for (std::vector<int>& trees : tied) {
    SortUnique(trees);
    mocap_trees.Append(trees);
  }
  for (const Joint& joint : model.joints) {
    IndexRange& range = tree_q[model.bodies[joint.body].tree];
    if (range.size() == 0) range.begin = joint.q_address;
    range.end = joint.q_address + joint.nq();
  }
}

}  // namespace stiction
