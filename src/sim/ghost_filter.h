// Which far contacts come about: a body that passes an edge closely would otherwise be deflected by a contact
// that never happens.
//
// The islands of those that the velocity of the step's start, or the one without any impulse, would close are
// solved loosely without them. A pair acts with all of its far contacts if its bodies would then really
// overlap at the end of the step or on their way there, more than its near contacts have before, or were
// found to meet on their way (sim/detection.h). Bodies that turn fast against one another may come in beside
// the few points that they have, and are looked at where these come near, too. The answer decides which rows
// exist, so that the report says how that solve went; where it is not finite, all act. Its impulses are a
// better warm start than those of the step before: no sweep is wasted.
//
// The loose solve does not see how a blow runs through a pile. So the step's own velocity is asked as well,
// once it is known, and what it would drive into one another acts after all: the step is then solved again,
// from where it has come, until nothing is left to be admitted.
#pragma once

#include <memory>
#include <span>

#include "sim/problem_part.h"
#include "sim/step_frame.h"
#include "sim/step_rows.h"
#include "sim/tree_parts.h"
#include "stiction/collision/narrowphase.h"
#include "stiction/contact/solve.h"
#include "stiction/model/input.h"
#include "stiction/model/state.h"
#include "stiction/sim/step_report.h"

namespace stiction {

class GhostFilter {
 public:
  // Of the loose solve [m/s]. A velocity moves surfaces by dt times its error, and overlaps count from 1 µm
  // on: more digits decide nothing in steps of up to 10 ms.
  static constexpr double kTolerance = 1e-4;

  explicit GhostFilter(const Model& model);

  // The solver of the loose problem: SolverNbgsC with 10 sweeps unless given.
  void set_method(std::unique_ptr<ContactSolver> method) {
    method_ = std::move(method);
    helpers_.clear();
    pool_ = nullptr;
  }
  // Threads to share the work of its own method with.
  void set_pool(const TaskPool& pool);

  // After the kinematics of those who sleep was computed: here they stay as they are.
  void Refresh(const Kinematics& kin) { probe_ = kin; }

  // Returns how the solve went; has_run is false where no far contact may close.
  //   rows       those of near contacts, and all others; their warm start becomes that of the loose solve
  //   factor     of the problem's A
  //   penalties  State::penalties
  //   admitted   out: indices of the far contacts that act, ascending
  [[nodiscard]] StageSolve Run(const Model& model, const Input& input, const State& state,
                               const StepFrame& frame, StepRows& rows, const BranchSparseFactor& factor,
                               std::vector<int>& admitted);

  // The contacts of pairs that were left out, and that a velocity would leave in one another.
  //   v     of the solved step
  //   late  out: indices of far contacts, ascending
  void FindLate(const Model& model, const Input& input, const State& state, const StepFrame& frame,
                const StepRows& rows, const VectorXd& v, std::vector<int>& late);

 private:
  SolverTeam team() const { return pool_ ? SolverTeam(*method_, helpers_, *pool_) : SolverTeam(*method_); }
  bool FindClosing(const StepFrame& frame, const VectorXd& v_start, const VectorXd& v_star);
  void DropUnsolved(const StepFrame& frame);
  ProblemReport SolveLoosely(const State& state, const StepRows& rows, const BranchSparseFactor& factor);
  // The contacts of one pair of geoms, [begin, end), some of them far.
  struct FarPair {
    int begin, end;
    bool meets = false;
    bool is_met = false;  // likewise, where it was found to meet on its way: by these contacts alone
  };
  // Those of which nothing acts yet.
  void FindFarPairs(const StepFrame& frame, const StepRows& rows);
  // Sets FarPair::meets of those that v brings together.
  void FindMeeting(const Model& model, const Input& input, const State& state, const StepFrame& frame,
                   const VectorXd& v);
  int FindMeetingTrees(const Model& model, const StepFrame& frame);
  void MoveProbe(const Model& model, const Input& input, const State& state, const StepFrame& frame,
                 const VectorXd& v);
  bool Overlap(const Model& model, std::span<const DetectedContact> contacts, const RigidTransform& X_WA,
               const RigidTransform& X_WB, double depth, Manifold& manifold) const;
  bool MeetsOnItsWay(const Model& model, const StepFrame& frame, std::span<const DetectedContact> contacts,
                     const VectorXd& v, double depth, Manifold& manifold) const;
  // The far contacts of pairs that meet; of all pairs if v is not known.
  void ListMeeting(const StepFrame& frame, bool is_known, std::vector<int>& contacts) const;

  std::unique_ptr<ContactSolver> method_;
  std::vector<std::unique_ptr<ContactSolver>> helpers_;  // like it: SolverTeam
  const TaskPool* pool_ = nullptr;
  ProblemSolver solver_;
  ProblemPart part_;
  std::vector<char> closes_;      // one per contact: it is far and may close
  std::vector<char> is_open_;     // likewise: it is far and does not act
  std::vector<char> is_closing_;  // one per tree: it has a far contact that may close
  Solution solution_;             // of the part
  Kinematics probe_;              // at the end of the step
  VectorXd q_;                    // likewise
  TreeParts parts_;
  std::vector<char> contains_;  // of meeting_
  TreeSet meeting_;
  std::vector<FarPair> far_pairs_;
};

}  // namespace stiction
