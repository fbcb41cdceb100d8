#include "sim/still_islands.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "sim/stillness.h"

namespace stiction {
namespace {

bool AreSame(const double* a, const double* b, int count) {
  return std::memcmp(a, b, static_cast<std::size_t>(count) * sizeof(double)) == 0;
}

// Not even of the other sign.
bool AreZero(const double* a, int count) {
  static constexpr double kZero = 0.0;
  return std::all_of(a, a + count, [](const double& x) { return AreSame(&x, &kZero, 1); });
}

}  // namespace

void StillIslands::Summary::Add(const Summary& other) {
  num_islands += other.num_islands;
  num_contacts += other.num_contacts;
  num_limits += other.num_limits;
  num_constraints += other.num_constraints;
  ncp_max = std::max(ncp_max, other.ncp_max);
  ncp_sum += other.ncp_sum;
  penetration = std::max(penetration, other.penetration);
}

StillIslands::StillIslands(const Model& model)
    : island_(model.num_trees(), -1),
      summaries_(model.num_trees()),
      wake_(model.num_trees(), 0),
      stays_(model.num_trees(), 0),
      input_(Input::Default(model)),
      q_(model.nq()),
      activation_(VectorXd::Zero(model.na())),
      limits_(model.num_limits()),
      friction_impulses_(VectorXd::Zero(model.nv() + model.num_tendons())),
      penalties_(model.num_trees(), 0.0),
      mocap_moved_(model.num_mocap, 0) {}

void StillIslands::Begin(const Model& model, const SleepLinks& links, const State& state) {
  if (!any()) return;
  std::fill(wake_.begin(), wake_.end(), 0);
  for (int t = 0; t < model.num_trees(); ++t) {
    if (!IsStill(t)) continue;
    const IndexRange& q = links.tree_q[t];
    const Tree& tree = model.trees[t];
    if (!AreSame(state.q.data() + q.begin, q_.data() + q.begin, q.size()) ||
        !AreZero(state.v.data() + tree.first_dof, tree.num_dofs))
      wake_[t] = 1;
  }
  MarkActivations(model, links, state, wake_);
  (void)Wake(wake_);
}

bool StillIslands::Wake(const std::vector<char>& trees) {
  if (!any()) return false;
  if (&trees != &wake_) wake_ = trees;
  bool has_any = false;
  for (std::size_t t = 0; t < island_.size(); ++t) {
    if (island_[t] < 0 || wake_[t] == 0) continue;
    wake_[island_[t]] = 1;
    has_any = true;
  }
  // The lowest tree of an island comes first, and its entry has to outlast the others.
  for (std::size_t t = island_.size(); has_any && t-- > 0;) {
    if (island_[t] < 0 || wake_[island_[t]] == 0) continue;
    island_[t] = -1;
    --num_still_;
  }
  return has_any;
}

void StillIslands::Forget() {
  std::fill(island_.begin(), island_.end(), -1);
  num_still_ = 0;
}

void StillIslands::AddTo(int num_constraints, StepReport& report) const {
  if (!any()) return;
  Summary all;
  for (std::size_t t = 0; t < island_.size(); ++t) {
    if (island_[t] == static_cast<int>(t)) all.Add(summaries_[t]);
  }
  report.num_still = num_still_;
  report.num_islands += all.num_islands;
  report.num_contacts += all.num_contacts;
  report.num_limits += all.num_limits;
  report.penetration = std::max(report.penetration, all.penetration);
  Certificate& certificate = report.certificate;
  if (const int count = num_constraints + all.num_constraints; count > 0)
    certificate.ncp_mean = (num_constraints * certificate.ncp_mean + all.ncp_sum) / count;
  certificate.own_law = std::max(certificate.own_law, all.ncp_max);
  if (!(all.ncp_max > certificate.ncp_max)) return;
  certificate.ncp_max = all.ncp_max;
  certificate.worst_constraint = -1;
}

bool StillIslands::FindUnmoved(const Model& model, const SleepStage& sleep, const Motion& motion) {
  const auto& [input, start, end_q, end_v] = motion;
  bool any_stays = false;
  for (int t = 0; t < model.num_trees(); ++t) {
    const IndexRange& q = sleep.links().tree_q[t];
    const Tree& tree = model.trees[t];
    const bool stays = sleep.IsAwake(t) && AreZero(end_v.data() + tree.first_dof, tree.num_dofs) &&
                       AreZero(start.v.data() + tree.first_dof, tree.num_dofs) &&
                       AreSame(end_q.data() + q.begin, start.q.data() + q.begin, q.size());
    stays_[t] = stays ? 1 : 0;
    any_stays = any_stays || stays;
  }
  if (!any_stays) return false;
  activation_ = start.activation;
  limits_ = start.limits;
  friction_impulses_ = start.friction_impulses;
  penalties_ = start.penalties;
  for (std::size_t m = 0; m < mocap_moved_.size(); ++m) {
    const bool is_known = start.mocap.size() == input.mocap.size();
    mocap_moved_[m] = !is_known || !AreSame(start.mocap.data() + 7 * m, input.mocap.data() + 7 * m, 7);
  }
  return true;
}

void StillIslands::Find(const Model& model, const StepFrame& frame, const Outcome& outcome,
                        const State& state) {
  const SleepLinks& links = frame.sleep.links();
  const IslandPartition& islands = outcome.rows.Islands();
  if (outcome.residuals == nullptr) return;
  for (int i = 0; i < links.equality_trees.size(); ++i) {
    for (const int tree : links.equality_trees[i]) Tie(tree);
  }
  for (const IndexLists* lists : {&links.actuator_trees, &links.tendon_trees}) TieAcross(*lists, islands);
  TieByMocap(frame);
  for (const int tree : outcome.corrected) Tie(tree);
  if (!TieIslands(islands)) return;
  // So far it cost next to nothing, and most islands that move are out.
  wake_.assign(wake_.size(), 0);
  MarkActivations(model, links, state, wake_);
  for (int t = 0; t < model.num_trees(); ++t) {
    if (wake_[t] != 0 || !AreSame(&state.penalties[t], &penalties_[t], 1)) Tie(t);
  }
  TieChangedContacts(frame, outcome.contacts, state.contacts);
  for (int island = 0; island < islands.num_islands; ++island) {
    const auto constraints = islands.constraints_of(island);
    if (stays_[islands.subsystems_of(island)[0]] == 0) continue;
    if (!std::all_of(constraints.begin(), constraints.end(),
                     [&](int c) { return IsRepeated(frame, outcome, state, c); }))
      Tie(islands.subsystems_of(island)[0]);
  }
  do {
    if (!TieIslands(islands)) return;
  } while (TieLeftOut(frame, outcome.rows));
  for (int island = 0; island < islands.num_islands; ++island) {
    const auto trees = islands.subsystems_of(island);
    if (stays_[trees[0]] != 0)
      Add(frame, Summarize(frame, outcome, islands.constraints_of(island)), trees, state);
  }
  for (int t = 0; t < model.num_trees(); ++t) {
    if (stays_[t] != 0 && islands.island_of_subsystem[t] < 0) Add(frame, {}, {&t, 1}, state);
  }
}

void StillIslands::Remember(const Input& input, const State& state) {
  activation_ = state.activation;
  if (any()) input_ = input;
}

void StillIslands::MarkActivations(const Model& model, const SleepLinks& links, const State& state,
                                   std::vector<char>& trees) const {
  for (int a = 0; a < model.nu() && model.na() > 0; ++a) {
    const Actuator& actuator = model.actuators[a];
    if (actuator.activation < 0) continue;
    const int first = actuator.activation;
    if (AreSame(state.activation.data() + first, activation_.data() + first, NumStates(actuator))) continue;
    for (const int tree : links.actuator_trees[a]) trees[tree] = 1;
  }
}

// What stands on mocap bodies that moved, or touches them.
void StillIslands::TieByMocap(const StepFrame& frame) {
  const SleepLinks& links = frame.sleep.links();
  const auto has_moved = [&](int geom) {
    const int mocap = links.body_mocap[frame.chains[geom].body];
    return mocap >= 0 && mocap_moved_[mocap] != 0;
  };
  if (std::none_of(mocap_moved_.begin(), mocap_moved_.end(), [](char moved) { return moved != 0; })) return;
  for (std::size_t m = 0; m < mocap_moved_.size(); ++m) {
    if (mocap_moved_[m] == 0) continue;
    for (const int tree : links.mocap_trees[static_cast<int>(m)]) Tie(tree);
  }
  for (const DetectedContact& contact : frame.contacts) {
    const int a = contact.tracked.geom_a, b = contact.tracked.geom_b;
    if (!has_moved(a) && !has_moved(b)) continue;
    Tie(frame.chains[a].tree);
    Tie(frame.chains[b].tree);
  }
}

// Far contacts that were not admitted are left out again while nothing on either side moves: both of their
// trees stay, or none. Returns whether that has tied any.
bool StillIslands::TieLeftOut(const StepFrame& frame, const StepRows& rows) {
  bool has_tied = false;
  if (rows.acting.size() == frame.contacts.size()) return has_tied;
  for (std::size_t i = 0; i < frame.contacts.size(); ++i) {
    if (rows.contact_constraint[i] >= 0) continue;
    const int a = frame.chains[frame.contacts[i].tracked.geom_a].tree;
    const int b = frame.chains[frame.contacts[i].tracked.geom_b].tree;
    if (a < 0 || b < 0 || stays_[a] == stays_[b]) continue;
    Tie(a);
    Tie(b);
    has_tied = true;
  }
  return has_tied;
}

// Elements that act on trees of several islands.
void StillIslands::TieAcross(const IndexLists& lists, const IslandPartition& islands) {
  for (int i = 0; i < lists.size(); ++i) {
    const auto trees = lists[i];
    if (trees.size() < 2) continue;
    const int island = islands.island_of_subsystem[trees.front()];
    const bool is_one = island >= 0 && std::all_of(trees.begin(), trees.end(), [&](int tree) {
                          return islands.island_of_subsystem[tree] == island;
                        });
    if (is_one) continue;
    for (const int tree : trees) Tie(tree);
  }
}

bool StillIslands::TieIslands(const IslandPartition& islands) {
  for (int island = 0; island < islands.num_islands; ++island) {
    const auto trees = islands.subsystems_of(island);
    if (std::all_of(trees.begin(), trees.end(), [&](int tree) { return stays_[tree] != 0; })) continue;
    for (const int tree : trees) Tie(tree);
  }
  return std::any_of(stays_.begin(), stays_.end(), [](char stays) { return stays != 0; });
}

// Whether a row that met the budget starts the next step with what it started this one with. Contacts are
// compared by TieChangedContacts.
bool StillIslands::IsRepeated(const StepFrame& frame, const Outcome& outcome, const State& state,
                              int constraint) const {
  if (!((*outcome.residuals)[constraint] <= outcome.budget)) return false;
  const RowSource& source = outcome.rows.sources[constraint];
  if (source.friction >= 0)
    return AreSame(&state.friction_impulses[source.friction], &friction_impulses_[source.friction], 1);
  if (source.limit < 0) return true;
  const int memory = frame.limits[source.limit].memory;
  return HaveSameBits(state.limits[memory], limits_[memory]);
}

// Runs of a pair, one list against the other.
void StillIslands::TieChangedContacts(const StepFrame& frame, const std::vector<ContactMemory>& before,
                                      const std::vector<ContactMemory>& now) {
  const auto pair_of = [](const ContactMemory& contact) { return std::pair(contact.geom_a, contact.geom_b); };
  const auto stays = [&](int geom) {
    const int tree = frame.chains[geom].tree;
    return tree >= 0 && stays_[tree] != 0;
  };
  const auto end_of_run = [&](const std::vector<ContactMemory>& list, std::size_t begin) {
    std::size_t end = begin;
    while (end < list.size() && pair_of(list[end]) == pair_of(list[begin])) ++end;
    return end;
  };
  std::size_t i = 0, j = 0;
  while (i < before.size() || j < now.size()) {
    const bool is_old = i < before.size() && (j == now.size() || pair_of(before[i]) <= pair_of(now[j]));
    const bool is_new = j < now.size() && (i == before.size() || pair_of(now[j]) <= pair_of(before[i]));
    const auto [a, b] = pair_of(is_old ? before[i] : now[j]);
    const std::size_t old_end = is_old ? end_of_run(before, i) : i, new_end = is_new ? end_of_run(now, j) : j;
    const auto old_run = before.begin() + static_cast<std::ptrdiff_t>(i);
    const auto new_run = now.begin() + static_cast<std::ptrdiff_t>(j);
    if ((stays(a) || stays(b)) &&
        !std::equal(old_run, before.begin() + static_cast<std::ptrdiff_t>(old_end), new_run,
                    now.begin() + static_cast<std::ptrdiff_t>(new_end),
                    [](const ContactMemory& x, const ContactMemory& y) { return HaveSameBits(x, y); })) {
      Tie(frame.chains[a].tree);
      Tie(frame.chains[b].tree);
    }
    i = old_end, j = new_end;
  }
}

StillIslands::Summary StillIslands::Summarize(const StepFrame& frame, const Outcome& outcome,
                                              std::span<const int> constraints) const {
  Summary summary{.num_islands = 1, .num_constraints = static_cast<int>(constraints.size())};
  for (const int c : constraints) {
    const RowSource& source = outcome.rows.sources[c];
    const double ncp = (*outcome.residuals)[c];
    summary.ncp_max = std::max(summary.ncp_max, ncp);
    summary.ncp_sum += ncp;
    summary.num_limits += source.limit >= 0;
    if (source.contact < 0) continue;
    ++summary.num_contacts;
    summary.penetration = std::max(summary.penetration, -frame.contacts[source.contact].tracked.point.gap);
  }
  return summary;
}

void StillIslands::Add(const StepFrame& frame, const Summary& summary, std::span<const int> trees,
                       const State& state) {
  for (const int tree : trees) {
    island_[tree] = trees[0];
    const IndexRange& q = frame.sleep.links().tree_q[tree];
    q_.segment(q.begin, q.size()) = state.q.segment(q.begin, q.size());
  }
  num_still_ += static_cast<int>(trees.size());
  summaries_[trees[0]] = summary;
}

}  // namespace stiction
