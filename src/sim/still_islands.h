// Islands whose step would only repeat the last one, and which are not computed.
//
// A step is a function of model, input and state, the time aside, and islands do not know of one another: the
// step of an island is one of its own trees, contacts and inputs. Once it has left all of these as they were,
// down to the last bit, every further one does, until one of them differs or something else comes near. What
// is left of its cost is a comparison, and a look at each of its contacts.
//
// An island is a set of trees that rows of the contact problem couple, or a tree without rows. It is still
// from the end of a step on that
//   - left q as it was, and v at zero, and had no overlap to remove,
//   - began with the contacts, impulses, slip, penalties and activations that it ended with,
//   - met the budget at all of its rows,
// if nothing else ties it to what is computed: a contact that does not come about, with a tree that moves; an
// actuator or a tendon; a mocap body that moved. Trees of equalities never are: their loops
// are closed together.
//
// It is so until q, v or an activation of its trees, or an input that belongs to them, is not that of the
// last step, or something comes within the margin of contact detection. Its contacts stay in State::contacts,
// and reports count its rows.
//
// Implicit and midpoint steps look for the velocities of all trees together, and leave nothing out.
//
// There is no tolerance in this, unlike in sleep (sim/sleep.h), and no result tells. Where nothing moves at
// all, it is the step as a whole that is not taken again (sim/stillness.h).
#pragma once

#include <span>
#include <vector>

#include "sim/sleep.h"
#include "sim/step_rows.h"
#include "stiction/model/state.h"
#include "stiction/sim/step_report.h"

namespace stiction {

class StillIslands {
 public:
  explicit StillIslands(const Model& model);

  bool is_enabled = true;

  // At the start of a step: computes again what the state says is not where the last step left it.
  void Begin(const Model& model, const SleepLinks& links, const State& state);
  // The islands of the trees t with trees[t] != 0 are computed again. Returns whether there were any.
  bool Wake(const std::vector<char>& trees);
  // All are.
  void Forget();

  bool any() const { return num_still_ > 0; }
  bool IsStill(int tree) const { return island_[tree] >= 0; }
  // Of the last step, while any island is still.
  const Input& input() const { return input_; }

  // Adds the rows of those that were still through the step to what it reports.
  //   num_constraints  that were computed
  void AddTo(int num_constraints, StepReport& report) const;

  // What a step starts with, and where it leads: before the state advances.
  struct Motion {
    const Input& input;
    const State& start;
    const VectorXd& q;  // at the end
    const VectorXd& v;
  };
  // How its problem was solved.
  struct Outcome {
    StepRows& rows;
    const std::vector<double>* residuals;        // ncp of each constraint [m/s]; null: not known
    const std::vector<int>& corrected;           // trees that the position stage takes out of one another
    const std::vector<ContactMemory>& contacts;  // with which the computed trees began
    double budget;                               // [m/s]
  };
  // Notes which trees stay where they are. Returns whether any does that was computed.
  bool FindUnmoved(const Model& model, const SleepStage& sleep, const Motion& motion);
  // At the end of such a step: finds the islands that are still from now on.
  //   state  at the end
  void Find(const Model& model, const StepFrame& frame, const Outcome& outcome, const State& state);
  // At the end of every step: what the next one's start is compared with.
  void Remember(const Input& input, const State& state);

 private:
  // What reports say of an island, and of all that are still.
  struct Summary {
    int num_islands = 0, num_contacts = 0, num_limits = 0, num_constraints = 0;
    double ncp_max = 0.0, ncp_sum = 0.0;  // [m/s]
    double penetration = 0.0;             // [m]
    void Add(const Summary& other);
  };

  // Marks the trees of actuators whose activation differs from activation_.
  void MarkActivations(const Model& model, const SleepLinks& links, const State& state,
                       std::vector<char>& trees) const;
  void TieByMocap(const StepFrame& frame);
  bool TieLeftOut(const StepFrame& frame, const StepRows& rows);
  void TieAcross(const IndexLists& lists, const IslandPartition& islands);
  // Ties whole islands, where one of their trees is. False if none is left.
  bool TieIslands(const IslandPartition& islands);
  bool IsRepeated(const StepFrame& frame, const Outcome& outcome, const State& state, int constraint) const;
  void TieChangedContacts(const StepFrame& frame, const std::vector<ContactMemory>& before,
                          const std::vector<ContactMemory>& now);
  Summary Summarize(const StepFrame& frame, const Outcome& outcome, std::span<const int> constraints) const;
  void Add(const StepFrame& frame, const Summary& summary, std::span<const int> trees, const State& state);
  void Tie(int tree) {
    if (tree >= 0) stays_[tree] = 0;
  }

  std::vector<int> island_;  // one per tree: -1 while it is computed; else the lowest tree of its island
  int num_still_ = 0;
  std::vector<Summary> summaries_;  // one per tree: of the island of which it is the lowest
  std::vector<char> wake_;          // scratch, one per tree
  std::vector<char> stays_;         // one per tree: nothing says so far that it has to be computed again

  // Of the last step; q of still trees alone.
  Input input_;
  VectorXd q_, activation_;
  // At the start of a step that leaves a tree where it was; activation_, too, is of then until it ends.
  std::vector<LimitMemory> limits_;
  VectorXd friction_impulses_;
  std::vector<double> penalties_;
  std::vector<char> mocap_moved_;  // one per mocap body: in it
};

}  // namespace stiction
