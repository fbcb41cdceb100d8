#include "sim/sleep.h"

#include <algorithm>
#include <utility>

#include "sim/still_islands.h"

namespace stiction {
namespace {

bool HaveEqualSizes(const Input& a, const Input& b) {
  return a.ctrl.size() == b.ctrl.size() && a.applied_generalized.size() == b.applied_generalized.size() &&
         a.applied_stiffness.size() == b.applied_stiffness.size() &&
         a.applied_damping.size() == b.applied_damping.size() &&
         a.applied_wrench.cols() == b.applied_wrench.cols() && a.mocap.size() == b.mocap.size() &&
         a.equality_target.size() == b.equality_target.size();
}

bool Fits(const Model& model, const Input& input, const SleepMemory& sleep) {
  const std::size_t n = model.trees.size();
  return sleep.time_at_rest.size() == n && sleep.island.size() == n && sleep.ncp.size() == n &&
         sleep.q.size() == model.nq() && HaveEqualSizes(sleep.input, input);
}

// Merges `from` into `into`, both sorted by pair; points of a pair come from one of them alone.
void MergeContacts(const std::vector<ContactMemory>& from, std::vector<ContactMemory>& merged,
                   std::vector<ContactMemory>& into) {
  const auto before = [](const ContactMemory& a, const ContactMemory& b) {
    return std::pair(a.geom_a, a.geom_b) < std::pair(b.geom_a, b.geom_b);
  };
  merged.resize(from.size() + into.size());
  std::merge(into.begin(), into.end(), from.begin(), from.end(), merged.begin(), before);
  into.swap(merged);
}

// As it is while it sleeps.
Contact MakeContact(const Kinematics& kin, const ContactMemory& memory) {
  const RigidTransform& X_WA = kin.X_WG[memory.geom_a];
  const Vector3d p_WA = X_WA * memory.p_A, p_WB = kin.X_WG[memory.geom_b] * memory.p_B;
  Contact contact;
  contact.geom_a = memory.geom_a;
  contact.geom_b = memory.geom_b;
  contact.p_W = 0.5 * (p_WA + p_WB);
  contact.n_W = X_WA.R * memory.n_A;
  contact.gap = (p_WB - p_WA).dot(contact.n_W);
  contact.impulse_W = memory.impulse_W;
  contact.moment_W = memory.moment_W;
  return contact;
}

}  // namespace

bool IsAsleep(const SleepMemory& sleep, int tree) {
  return tree >= 0 && !sleep.island.empty() && sleep.island[tree] >= 0;
}

bool TouchesSleeper(const Model& model, const SleepMemory& sleep, const ContactMemory& contact) {
  return IsAsleep(sleep, model.bodies[model.geoms[contact.geom_a].body].tree) ||
         IsAsleep(sleep, model.bodies[model.geoms[contact.geom_b].body].tree);
}

void PartContacts(const Model& model, const SleepMemory& sleep, bool of_sleepers, ContactSorter& sorter,
                  std::vector<ContactMemory>& from, std::vector<ContactMemory>& into) {
  sorter.parted.clear();
  std::size_t kept = 0;
  for (const ContactMemory& contact : from) {
    if (TouchesSleeper(model, sleep, contact) == of_sleepers)
      sorter.parted.push_back(contact);
    else
      from[kept++] = contact;
  }
  from.resize(kept);
  MergeContacts(sorter.parted, sorter.merged, into);
}

bool WakeIslands(const Model& model, std::vector<char>& wake, ContactSorter& sorter, State& state) {
  SleepMemory& sleep = state.sleep;
  const std::size_t n = sleep.island.size();
  bool any = false;
  for (std::size_t t = 0; t < n; ++t) {
    if (sleep.island[t] < 0 || wake[t] == 0) continue;
    wake[sleep.island[t]] = 1;
    any = true;
  }
  if (!any) return false;
  // Whether an island wakes is read off its lowest tree, which comes first: its entry must outlast the
  // others.
  for (std::size_t t = n; t-- > 0;) {
    if (sleep.island[t] < 0 || wake[sleep.island[t]] == 0) continue;
    sleep.island[t] = -1;
    sleep.time_at_rest[t] = sleep.ncp[t] = 0.0;
  }
  PartContacts(model, sleep, false, sorter, sleep.contacts, state.contacts);
  return true;
}

void MergeSleepingContacts(const Model& model, const SleepStage& stage, const Kinematics& kin,
                           const SleepMemory& sleep, const std::vector<Contact>& awake,
                           std::vector<Contact>& all) {
  const auto slept = [&](int geom) { return !stage.IsAwake(model.bodies[model.geoms[geom].body].tree); };
  all.clear();
  std::size_t next = 0;
  for (const ContactMemory& memory : sleep.contacts) {
    if (!slept(memory.geom_a) && !slept(memory.geom_b)) continue;  // fell asleep in the step: among the given
    while (next < awake.size() &&
           std::pair(awake[next].geom_a, awake[next].geom_b) < std::pair(memory.geom_a, memory.geom_b))
      all.push_back(awake[next++]);
    all.push_back(MakeContact(kin, memory));
  }
  all.insert(all.end(), awake.begin() + static_cast<std::ptrdiff_t>(next), awake.end());
}

SleepStage::SleepStage(const Model& model)
    : is_enabled(model.options.sleep),
      tolerance(model.options.sleep_tolerance),
      time(model.options.sleep_time),
      links_(model),
      awake_(model.all_trees),
      asleep_(model.trees.size(), 0),
      contains_(model.trees.size(), 1),
      disturbed_(model.trees.size(), 0),
      wake_(model.trees.size(), 0),
      mocap_moved_(model.num_mocap, 0),
      root_(model.trees.size()),
      may_sleep_(model.trees.size()),
      island_ncp_(model.trees.size()) {
  awake_.Reserve(model);
}

void SleepStage::Invalidate() {
  std::fill(asleep_.begin(), asleep_.end(), 0);
}

DetectionScope SleepStage::scope() const {
  if (!is_enabled && num_absent_ == 0) return {};
  return {&awake_, &stirs_, is_refresh_};
}

bool SleepStage::IsAnyAwake(const IndexLists& trees, int element) const {
  const auto touched = trees[element];
  return touched.empty() || IsAwake(touched.front());
}

void SleepStage::ClearSleeping(VectorXd& x) const {
  int begin = 0;
  for (const IndexRange& range : awake_.dofs) {
    x.segment(begin, range.begin - begin).setZero();
    begin = range.end;
  }
  x.tail(x.size() - begin).setZero();
}

void SleepStage::Disturb(const IndexLists& trees, int element) {
  for (const int tree : trees[element]) disturbed_[tree] = 1;
}

void SleepStage::FindChangedInput(const Model& model, const Input& now, const Input& last) {
  // A number that is not finite differs from itself, and keeps awake.
  for (int a = 0; a < model.nu(); ++a) {
    if (!(now.ctrl[a] == last.ctrl[a])) Disturb(links_.actuator_trees, a);
  }
  const auto compare_dofs = [&](const VectorXd& x, const VectorXd& y) {
    for (int k = 0; k < x.size(); ++k) {
      if (!(x[k] == y[k])) disturbed_[model.dof_tree[k]] = 1;
    }
  };
  compare_dofs(now.applied_generalized, last.applied_generalized);
  compare_dofs(now.applied_stiffness, last.applied_stiffness);
  compare_dofs(now.applied_damping, last.applied_damping);
  for (int b = 1; b < model.num_bodies(); ++b) {
    const int tree = model.bodies[b].tree;
    if (tree >= 0 && !(now.applied_wrench.col(b) == last.applied_wrench.col(b))) disturbed_[tree] = 1;
  }
  for (int i = 0; i < model.num_equalities(); ++i) {
    if (!(now.equality_target[i] == last.equality_target[i])) Disturb(links_.equality_trees, i);
  }
}

void SleepStage::FindMovedMocap(const Model& model, const Input& now, const Input& last,
                                const std::vector<ContactMemory>& contacts) {
  for (int m = 0; m < model.num_mocap; ++m) {
    mocap_moved_[m] = now.mocap.segment<7>(7 * m) == last.mocap.segment<7>(7 * m) ? 0 : 1;
    if (mocap_moved_[m] == 0) continue;
    any_mocap_moved_ = true;
    Disturb(links_.mocap_trees, m);
  }
  if (!any_mocap_moved_) return;
  // Those whom it carried by contact.
  for (const ContactMemory& contact : contacts) {
    for (const int geom : {contact.geom_a, contact.geom_b}) {
      const int body = model.geoms[geom].body, mocap = links_.body_mocap[body];
      if (model.bodies[body].tree >= 0 || mocap < 0 || mocap_moved_[mocap] == 0) continue;
      const int other = geom == contact.geom_a ? contact.geom_b : contact.geom_a;
      const int tree = model.bodies[model.geoms[other].body].tree;
      if (tree >= 0) disturbed_[tree] = 1;
    }
  }
}

void SleepStage::FindMovedSleepers(const Model& model, const State& state) {
  for (std::size_t t = 0; t < asleep_.size(); ++t) {
    if (state.sleep.island[t] < 0) continue;
    const IndexRange& q = links_.tree_q[t];
    const Tree& tree = model.trees[t];
    if (!std::equal(state.q.data() + q.begin, state.q.data() + q.end, state.sleep.q.data() + q.begin) ||
        !state.v.segment(tree.first_dof, tree.num_dofs).isZero(0.0))
      wake_[t] = 1;
  }
}

// Nobody sleeps, and everybody counts from zero.
void SleepStage::Reset(const Model& model, const Input& input, State& state) {
  SleepMemory& sleep = state.sleep;
  const std::size_t n = model.trees.size();
  std::fill(wake_.begin(), wake_.end(), 1);
  if (sleep.island.size() == n && sleep.time_at_rest.size() == n && sleep.ncp.size() == n)
    WakeIslands(model, wake_, sorter_, state);
  sleep.contacts.clear();  // there are none left, but of a state of another model
  sleep.time_at_rest.assign(n, 0.0);
  sleep.island.assign(n, -1);
  sleep.ncp.assign(n, 0.0);
  sleep.q = state.q;
  sleep.input = input;
}

void SleepStage::CompareInput(const Model& model, const Input& now, const Input& last,
                              const std::vector<ContactMemory>& contacts) {
  // Whole arrays are compared first: many single comparisons cost more, and hardly ever is there a change.
  is_input_new_ =
      !(now.ctrl == last.ctrl && now.applied_generalized == last.applied_generalized &&
        now.applied_stiffness == last.applied_stiffness && now.applied_damping == last.applied_damping &&
        now.applied_wrench == last.applied_wrench && now.mocap == last.mocap &&
        now.equality_target == last.equality_target);
  if (!is_input_new_) return;
  FindChangedInput(model, now, last);
  FindMovedMocap(model, now, last, contacts);
}

// Where nobody may sleep.
void SleepStage::BeginStill(const Model& model, const Input& input, const State& state, StillIslands& still) {
  if (still.any() && !HaveEqualSizes(input, still.input())) still.Forget();
  if (still.any()) {
    CompareInput(model, input, still.input(), state.contacts);
    if (is_input_new_) (void)still.Wake(disturbed_);
  }
  if (!still.any() && num_absent_ == 0) return;
  UpdateSets(model, state, still);
  UpdateStirring(model);
}

void SleepStage::Begin(const Model& model, const Input& input, State& state, StillIslands& still) {
  SleepMemory& sleep = state.sleep;
  std::fill(disturbed_.begin(), disturbed_.end(), 0);
  std::fill(mocap_moved_.begin(), mocap_moved_.end(), 0);
  is_stirring_stale_ = is_stirring_stale_ || any_mocap_moved_;
  any_mocap_moved_ = is_input_new_ = false;
  if (!is_enabled) {
    if (!sleep.island.empty()) {
      Reset(model, input, state);
      sleep = SleepMemory{};
    }
    return BeginStill(model, input, state, still);
  }
  if (!Fits(model, input, sleep)) Reset(model, input, state);
  CompareInput(model, input, sleep.input, sleep.contacts);
  wake_ = disturbed_;
  FindMovedSleepers(model, state);
  WakeIslands(model, wake_, sorter_, state);
  UpdateSets(model, state, still);
  CompareMocap(model, input);
  UpdateStirring(model);
}

bool SleepStage::WakeTouched(const Model& model, const std::vector<DetectedContact>& contacts, State& state,
                             StillIslands& still) {
  if (num_absent_ == 0) return false;
  std::fill(wake_.begin(), wake_.end(), 0);
  for (const DetectedContact& contact : contacts) {
    for (const int geom : {contact.tracked.geom_a, contact.tracked.geom_b}) {
      const int tree = model.bodies[model.geoms[geom].body].tree;
      if (!IsAwake(tree)) wake_[tree] = 1;
    }
  }
  if (!(is_enabled ? WakeIslands(model, wake_, sorter_, state) : still.Wake(wake_))) return false;
  // Their kinematics is as it was; whom else it was to be computed of stays so.
  const bool is_refresh = is_refresh_;
  UpdateSets(model, state, still);
  is_refresh_ = is_refresh;
  UpdateStirring(model);
  return true;
}

void SleepStage::UpdateSets(const Model& model, const State& state, const StillIslands& still) {
  num_absent_ = num_sleeping_ = 0;
  is_refresh_ = false;
  if (known_q_.size() != model.nq()) known_q_ = state.q;
  for (std::size_t t = 0; t < asleep_.size(); ++t) {
    const int tree = static_cast<int>(t);
    const bool sleeps = IsAsleep(state.sleep, tree), is_absent = sleeps || still.IsStill(tree);
    if (sleeps) {
      const IndexRange& q = links_.tree_q[t];
      const double* now = state.q.data();
      is_refresh_ = is_refresh_ || asleep_[t] == 0 ||
                    !std::equal(now + q.begin, now + q.end, known_q_.data() + q.begin);
      ++num_sleeping_;
    }
    num_absent_ += is_absent;
    asleep_[t] = is_absent ? 1 : 0;
    contains_[t] = is_absent ? 0 : 1;
  }
  if (is_refresh_) known_q_ = state.q;
  if (contains_ != awake_.contains) {
    awake_.Assign(model, contains_);
    is_stirring_stale_ = is_summary_due_ = true;
  }
  is_summary_due_ = is_summary_due_ || is_refresh_;
}

// A mocap body that stands still, but not where the workspace last saw it: the state comes from elsewhere.
void SleepStage::CompareMocap(const Model& model, const Input& input) {
  if (model.num_mocap == 0) return;
  const bool is_known = known_mocap_.size() == input.mocap.size();
  for (int m = 0; m < model.num_mocap && is_known; ++m) {
    if (mocap_moved_[m] == 0 && known_mocap_.segment<7>(7 * m) != input.mocap.segment<7>(7 * m))
      is_refresh_ = true;
  }
  known_mocap_ = input.mocap;
}

void SleepStage::UpdateStirring(const Model& model) {
  if (!is_stirring_stale_ && !any_mocap_moved_) return;
  is_stirring_stale_ = false;
  stirs_.resize(model.num_geoms());
  for (int g = 0; g < model.num_geoms(); ++g) {
    const int body = model.geoms[g].body, tree = model.bodies[body].tree, mocap = links_.body_mocap[body];
    stirs_[g] = tree >= 0 ? contains_[tree] : mocap >= 0 ? mocap_moved_[mocap] : 0;
  }
}

void SleepStage::Summarize(const Model& model, const Kinematics& kin, const SleepMemory& sleep) {
  if (!is_summary_due_) return;
  is_summary_due_ = false;
  ncp_ = penetration_ = 0.0;
  for (const double ncp : sleep.ncp) ncp_ = std::max(ncp_, ncp);
  for (const ContactMemory& contact : sleep.contacts) {
    if (!TouchesSleeper(model, sleep, contact)) continue;
    const RigidTransform& X_WA = kin.X_WG[contact.geom_a];
    const Vector3d p_AB_W = kin.X_WG[contact.geom_b] * contact.p_B - X_WA * contact.p_A;
    penetration_ = std::max(penetration_, -p_AB_W.dot(X_WA.R * contact.n_A));
  }
}

}  // namespace stiction
