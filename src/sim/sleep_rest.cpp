// The end of a step: who has been at rest, and who falls asleep.
#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/sleep.h"

namespace stiction {

void SleepStage::FindLateDisturbance(const Model& model, const Motion& motion, const State& state) {
  for (int a = 0; a < model.nu(); ++a) {
    const int first = model.actuators[a].activation, count = NumStates(model.actuators[a]);
    if (count > 0 && motion.activation.segment(first, count) != state.activation.segment(first, count))
      Disturb(links_.actuator_trees, a);
  }
  if (!(motion.loop_correction <= tolerance * motion.dt)) {
    for (int i = 0; i < model.num_equalities(); ++i) Disturb(links_.equality_trees, i);
  }
  if (!any_mocap_moved_) return;
  for (const DetectedContact& contact : motion.contacts) {
    const int a = model.geoms[contact.tracked.geom_a].body, b = model.geoms[contact.tracked.geom_b].body;
    for (const auto& [body, other] : {std::pair(a, b), std::pair(b, a)}) {
      const int mocap = links_.body_mocap[body], tree = model.bodies[other].tree;
      if (model.bodies[body].tree < 0 && mocap >= 0 && mocap_moved_[mocap] != 0 && tree >= 0)
        disturbed_[tree] = 1;
    }
  }
}

// M_kk u² ≤ m_k tolerance² at every dof.
bool SleepStage::IsAtRest(const Tree& tree, const Motion& motion, const VectorXd& v) const {
  const double limit = tolerance * tolerance;
  for (int k = tree.first_dof; k < tree.first_dof + tree.num_dofs; ++k) {
    const double speed = std::max(std::abs(v[k]), std::abs(motion.advance[k]) / motion.dt);
    const double mass = links_.mass_beyond[k];
    const double inertia = mass > 0.0 ? motion.M.diagonal(k) : 1.0;
    if (!(inertia * speed * speed <= (mass > 0.0 ? mass : 1.0) * limit)) return false;
  }
  return true;
}

bool SleepStage::CountRest(const Model& model, const Input& input, const Motion& motion, State& state) {
  SleepMemory& sleep = state.sleep;
  FindLateDisturbance(model, motion, state);
  bool any = false;
  for (int t = 0; t < model.num_trees(); ++t) {
    if (!IsAwake(t)) continue;
    const bool rests = disturbed_[t] == 0 && IsAtRest(model.trees[t], motion, state.v);
    sleep.time_at_rest[t] = rests ? sleep.time_at_rest[t] + motion.dt : 0.0;
    any = any || (rests && sleep.time_at_rest[t] >= time);
  }
  if (is_input_new_) sleep.input = input;
  return any;
}

int SleepStage::FindRoot(int tree) {
  while (root_[tree] != tree) tree = root_[tree] = root_[root_[tree]];
  return tree;
}

void SleepStage::Unite(int tree_a, int tree_b) {
  const int a = FindRoot(tree_a), b = FindRoot(tree_b);
  root_[std::max(a, b)] = std::min(a, b);
}

void SleepStage::JoinIslands(const Model& model, const std::vector<DetectedContact>& contacts) {
  for (int t = 0; t < model.num_trees(); ++t) root_[t] = t;
  for (const DetectedContact& contact : contacts) {
    const int a = model.bodies[model.geoms[contact.tracked.geom_a].body].tree;
    const int b = model.bodies[model.geoms[contact.tracked.geom_b].body].tree;
    if (a >= 0 && b >= 0) Unite(a, b);
  }
  for (const IndexLists* lists : {&links_.equality_trees, &links_.tendon_trees, &links_.actuator_trees}) {
    for (int i = 0; i < lists->size(); ++i) {
      for (const int tree : (*lists)[i]) Unite(tree, (*lists)[i].front());
    }
  }
}

void SleepStage::PutToSleep(const Model& model, const std::vector<DetectedContact>& contacts,
                            const std::vector<double>& tree_ncp, double budget, State& state) {
  SleepMemory& sleep = state.sleep;
  JoinIslands(model, contacts);
  std::fill(may_sleep_.begin(), may_sleep_.end(), 1);
  std::fill(island_ncp_.begin(), island_ncp_.end(), 0.0);
  for (int t = 0; t < model.num_trees(); ++t) {
    if (!IsAwake(t)) continue;
    const int root = FindRoot(t);
    island_ncp_[root] = std::max(island_ncp_[root], tree_ncp[t]);
    const bool rests = sleep.time_at_rest[t] >= time && tree_ncp[t] <= budget;
    if (!rests || !model.trees[t].may_sleep) may_sleep_[root] = 0;
  }
  bool any = false;
  for (int t = 0; t < model.num_trees(); ++t) {
    const int root = FindRoot(t);
    if (!IsAwake(t) || may_sleep_[root] == 0) continue;
    any = true;
    ++num_sleeping_;
    sleep.island[t] = root;
    sleep.ncp[t] = island_ncp_[root];
    state.v.segment(model.trees[t].first_dof, model.trees[t].num_dofs).setZero();
    const IndexRange& q = links_.tree_q[t];
    sleep.q.segment(q.begin, q.size()) = state.q.segment(q.begin, q.size());
  }
  if (any) PartContacts(model, sleep, true, sorter_, state.contacts, sleep.contacts);
}

}  // namespace stiction
