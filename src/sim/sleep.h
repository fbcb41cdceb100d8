// Sleep: islands of trees at rest stop to the last bit and cost nothing until something touches them.
//
// An exact step never leaves a body at rest alone: its velocity is rounding noise around zero, its position
// wanders in the last digits, and it is found, assembled and solved like any other. Where Options::sleep asks
// for it, a whole island falls asleep instead.
//
//   speed of a tree  = max over its dofs k of  L_k max(|v_k|, |q⁺ ⊖ q|_k / dt),   L_k = √(M_kk / m_k)
//
// with m_k the mass beyond dof k: L_k |v_k| is the root mean square speed of the points that dof k moves, so
// that joints compare with free bodies, and fingers with the arm that carries them. (A dof that moves only
// armature counts with 1 m.) The displacement counts beside the velocity because the position stage moves
// without one.
//
// A tree is at rest in a step when its speed is at most the tolerance and nothing acts on it anew: no input
// that belongs to it has changed (controls, applied forces and their slopes, poses of mocap bodies that it
// stands on or touches, targets of equalities), and no activation of its actuators. Forces do not have to be
// zero; they have to balance. An island (trees coupled by detected contacts, equalities, tendons, actuators)
// falls asleep when all its trees may (Tree::may_sleep), have been at rest for Options::sleep_time and every
// one of its rows met the budget in the step. Then v = 0, q stays as it is, and its contacts keep impulses
// and identities in SleepMemory::contacts.
//
// It wakes as a whole, at the start of a step, when
//   - something awake, or a mocap body that moved, comes within the margin of contact detection;
//   - an input that belongs to one of its trees differs from that of the step before;
//   - q or v of one of its trees are not those it fell asleep with (World::set_state);
//   - World::Wake asks for it.
// Contacts then go on with the impulses that held the island up.
//
// What is given up: motion slower than the tolerance that would go on for longer than the sleep time, such as
// creep. Under rk4, whose resting contacts hop by about g dt² in a step, nothing that a contact carries is at
// rest. Falling asleep and waking may allocate; sleeping, and counting the time at rest, does not.
//
// References: E. Catto, Box2D (islands, a time to sleep); MuJoCo's documentation, "Sleeping islands"
// (tolerance on velocities scaled to lengths).
#pragma once

#include <span>
#include <vector>

#include "sim/detection.h"
#include "stiction/dynamics/kinematics.h"
#include "stiction/math/branch_sparse.h"
#include "stiction/math/index_range.h"
#include "stiction/model/state.h"
#include "stiction/sim/contact.h"

namespace stiction {

// Which trees the elements of a model act on: whom a change of their input wakes, and who sleeps only
// together.

// Lists of indices, end to end.
struct IndexLists {
  std::vector<int> first{0};  // one more than there are lists
  std::vector<int> items;

  int size() const { return static_cast<int>(first.size()) - 1; }
  std::span<const int> operator[](int list) const {
    return {items.data() + first[list], items.data() + first[list + 1]};
  }
  void Append(const std::vector<int>& list);
};

struct SleepLinks {
  explicit SleepLinks(const Model& model);

  // The trees that each touches, ascending.
  IndexLists actuator_trees, tendon_trees, equality_trees;
  // Of each mocap body: the trees that stand on it, and those that elements tie to it.
  IndexLists mocap_trees;
  std::vector<int> body_mocap;      // the number of the mocap body that carries it, -1: none
  std::vector<IndexRange> tree_q;   // where a tree's coordinates stand in q
  std::vector<double> mass_beyond;  // one per dof [kg]
};

class StillIslands;

// Scratch of moving contacts between those that sleep and those that do not.
struct ContactSorter {
  std::vector<ContactMemory> parted, merged;
};

// False for the world, -1, and where nobody ever slept.
bool IsAsleep(const SleepMemory& sleep, int tree);

// Whether either geom of the contact belongs to a tree that sleeps.
bool TouchesSleeper(const Model& model, const SleepMemory& sleep, const ContactMemory& contact);

// Moves those of `from` that touch, or do not touch, a sleeper into `into`; both are sorted by pair.
void PartContacts(const Model& model, const SleepMemory& sleep, bool of_sleepers, ContactSorter& sorter,
                  std::vector<ContactMemory>& from, std::vector<ContactMemory>& into);

// Wakes the islands of the trees t with wake[t] != 0: their contacts join those of the awake trees. Does
// nothing where nobody sleeps. Returns whether any tree woke.
//   wake  one per tree; overwritten
bool WakeIslands(const Model& model, std::vector<char>& wake, ContactSorter& sorter, State& state);

// Who sleeps, as the step needs it.
class SleepStage {
 public:
  explicit SleepStage(const Model& model);

  // Settings; from Options at first.
  bool is_enabled = false;
  double tolerance = 1e-4;  // [m/s]
  double time = 0.5;        // [s]

  // At the start of a step: wakes whom the input or the state disturbs, and everybody where sleep is not
  // enabled. What is still then takes no part either.
  void Begin(const Model& model, const Input& input, State& state, StillIslands& still);
  // After detection: wakes the islands that a contact reaches. Returns whether there was one: contacts then
  // have to be looked for again.
  bool WakeTouched(const Model& model, const std::vector<DetectedContact>& contacts, State& state,
                   StillIslands& still);
  // After both: residual and overlap of those that sleep.
  void Summarize(const Model& model, const Kinematics& kin, const SleepMemory& sleep);

  // What a step did, for CountRest.
  struct Motion {
    const BranchSparseMatrix& M;
    const VectorXd& advance;     // q⁺ ⊖ q without what closed loops, size nv [m or rad]
    double loop_correction;      // the largest displacement that closed them [m or rad]
    const VectorXd& activation;  // at the start of the step
    const std::vector<DetectedContact>& contacts;
    double dt;
  };
  // At the end of a step: counts for how long each tree has been at rest, and remembers the input. Returns
  // whether any awake tree has been for long enough.
  //   state  at the end of the step
  bool CountRest(const Model& model, const Input& input, const Motion& motion, State& state);
  // Puts those islands to sleep of which all trees have been at rest for long enough, and met the budget.
  //   tree_ncp  one per tree: the largest residual of its rows [m/s]; NaN: not known
  void PutToSleep(const Model& model, const std::vector<DetectedContact>& contacts,
                  const std::vector<double>& tree_ncp, double budget, State& state);

  // The kinematics of those that sleep was overwritten.
  void Invalidate();

  // The trees that take part in the step.
  const TreeSet& awake() const { return awake_; }
  const SleepLinks& links() const { return links_; }
  // Those whose kinematics and inertia are to be computed: all of them once, after a tree fell asleep or a
  // state came from elsewhere, and the awake ones from then on.
  const TreeSet& computed(const Model& model) const { return is_refresh_ ? model.all_trees : awake_; }
  bool is_refresh() const { return is_refresh_; }
  DetectionScope scope() const;
  bool IsAwake(int tree) const { return tree < 0 || awake_.contains[tree] != 0; }
  bool IsTendonAwake(int tendon) const { return IsAnyAwake(links_.tendon_trees, tendon); }
  bool IsEqualityAwake(int equality) const { return IsAnyAwake(links_.equality_trees, equality); }
  int num_absent() const { return num_absent_; }  // trees that sleep, or are still, through the step
  bool has_still() const { return !is_enabled && num_absent_ > 0; }
  int num_sleeping() const { return num_sleeping_; }   // and those that fall asleep at its end
  double ncp() const { return ncp_; }                  // of those that sleep through the step [m/s]
  double penetration() const { return penetration_; }  // likewise [m]

  // Entries outside of the awake trees become zero.
  void ClearSleeping(VectorXd& x) const;

 private:
  // Whether any of an element's trees is awake, or it has none. All of them are in one island.
  bool IsAnyAwake(const IndexLists& trees, int element) const;
  void Disturb(const IndexLists& trees, int element);
  void FindChangedInput(const Model& model, const Input& now, const Input& last);
  //   contacts  of those that took no part in the last step
  void FindMovedMocap(const Model& model, const Input& now, const Input& last,
                      const std::vector<ContactMemory>& contacts);
  void BeginStill(const Model& model, const Input& input, const State& state, StillIslands& still);
  // Whether anything of the input is not as in the last step; whom that disturbs.
  void CompareInput(const Model& model, const Input& now, const Input& last,
                    const std::vector<ContactMemory>& contacts);
  void FindMovedSleepers(const Model& model, const State& state);
  void Reset(const Model& model, const Input& input, State& state);
  void UpdateSets(const Model& model, const State& state, const StillIslands& still);
  void CompareMocap(const Model& model, const Input& input);
  void UpdateStirring(const Model& model);
  void FindLateDisturbance(const Model& model, const Motion& motion, const State& state);
  bool IsAtRest(const Tree& tree, const Motion& motion, const VectorXd& v) const;
  void JoinIslands(const Model& model, const std::vector<DetectedContact>& contacts);
  int FindRoot(int tree);
  void Unite(int tree_a, int tree_b);

  SleepLinks links_;
  TreeSet awake_;
  std::vector<char> asleep_, contains_;  // one per tree: as of the last UpdateSets, and their complement
  std::vector<char> disturbed_, wake_;   // one per tree
  std::vector<char> mocap_moved_;        // one per mocap body: in this step
  std::vector<char> stirs_;              // one per geom
  bool any_mocap_moved_ = false, is_stirring_stale_ = true;
  bool is_refresh_ = false;
  bool is_summary_due_ = false;
  bool is_input_new_ = false;
  // What the workspace was last computed with.
  VectorXd known_q_, known_mocap_;
  std::vector<int> root_;           // union-find over trees: the lowest tree of an island is its root
  std::vector<char> may_sleep_;     // one per root
  std::vector<double> island_ncp_;  // one per root
  ContactSorter sorter_;
  int num_absent_ = 0, num_sleeping_ = 0;
  double ncp_ = 0.0;
  double penetration_ = 0.0;
};

// Makes `all` the contacts of the last step: the given ones, of trees that were awake, and those that hold
// who slept through it. Sorted by pair. Those who sleep stand still: their points are where they were found
// last.
void MergeSleepingContacts(const Model& model, const SleepStage& stage, const Kinematics& kin,
                           const SleepMemory& sleep, const std::vector<Contact>& awake,
                           std::vector<Contact>& all);

}  // namespace stiction
