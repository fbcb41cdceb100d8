// Removes penetration by a displacement δ that changes no velocity.
//
// After the velocity solve, with the predicted gaps φ~ = φ + J_n (displacement of the step, dt v⁺) of
// contacts and limits:
//
//   minimise ½ δᵀ A δ   subject to   J_n δ ≥ r
//
//   r = min(γ (d − s), d_max) + (−φ~ − d)   where φ~ < −s: d of it, at most, was there before; what the step
//                                 itself has added goes at once, of rows that tell
//   r = −max(φ~, 0)               elsewhere: may close a gap, not cross it
//   J_b δ = 0                     for bilateral rows: loops move as a whole
//
// Rows are linear in δ, surfaces are not. What frees bodies may be far away, along motions that the rows
// hardly tell: δ is shortened until no contact goes further along its plane than 10 d_max, or d_max where the
// rows contradict one another, or as many times what a step itself has added in the island, and the rest is
// left to later steps. Nor is any dof turned by more than a tenth of a radian, or than the step turns one:
// what hangs on a small link whose overlap hardly tells of its turn would be lifted by it. Contacts that no
// dof takes apart ask for nothing. Tendons bend around what they wrap, and are nowhere shorter than their
// shortest way: δ goes as far as it may bring a tendon nearer to its range, by a parabola through its length
// with all of it.
//
// Islands in which nothing overlaps by more than its slop stay where they are: δ = 0 meets all of their r.
// Islands without bilateral rows in which few rows push are solved by those (sim/push_out.h), all else by the
// contact solver. Frictionless, therefore convex: it cannot wedge, and contradictory rows give the least
// violation. v⁺ and λ are untouched, so friction, restitution and forces stay exact; friction rows here would
// turn tilted boxes about pinned corners.
#pragma once

#include <limits>
#include <span>

#include "sim/push_out.h"
#include "sim/step_rows.h"
#include "stiction/contact/island.h"
#include "stiction/contact/solve.h"
#include "stiction/sim/step_report.h"

namespace stiction {

// One row that must not penetrate.
struct GapRow {
  int constraint = 0;      // of the velocity problem; contacts use their normal row
  double gap = 0.0;        // φ [m or rad]
  double slop = 1e-5;      // s [m or rad]
  double max_push = 1e-3;  // d_max [m or rad]
  // Overlap that was there before: what is deeper than that is the step's own [m]. Infinite: it is not told.
  double before = std::numeric_limits<double>::infinity();
};

class PositionStage {
 public:
  PositionStage();

  // Which dofs turn. Before, none is known to.
  void Initialize(const Model& model);

  // Returns how the solve went: has_run is false where no displacement was needed; nothing is solved then.
  // displacement(), size nv, is the best iterate, and zero where that is not finite.
  //   advance  displacement of the step without δ, size nv [m or rad]
  [[nodiscard]] StageSolve Run(const ContactProblem& problem, const BranchSparseFactor& factor,
                               const std::vector<GapRow>& rows, const VectorXd& advance);

  // The solver of its problem, SolverAuto unless given.
  void set_method(std::unique_ptr<ContactSolver> method) {
    method_ = std::move(method);
    helpers_.clear();
    pool_ = nullptr;
  }
  // Threads to share the work of its own method with.
  void set_pool(const TaskPool& pool);

  // The same of the contacts and limits of a step. Of contacts that give way penetration is part of the law.
  //   more   other contacts of the problem
  //   drawn  of the first constraints, which are loops: whether they are being drawn together. That knows of
  //          the limits of their trees, and would be undone by this
  [[nodiscard]] StageSolve Correct(const StepFrame& frame, const StepRows& rows,
                                   const BranchSparseFactor& factor, const VectorXd& advance,
                                   const std::vector<GapRow>& more = {}, std::span<const char> drawn = {});

  // Whether the last call pushes tendons whose lengths are not linear into their range: then Bend is next.
  bool pushes_tendons() const { return !pushed_.empty(); }
  // Shortens the displacement of islands in which it does much less for a tendon than its row says. False if
  // there is none.
  //   lengths  of all tendons at the step's first configuration ⊕ displacement()
  bool Bend(const StepFrame& frame, const ContactProblem& problem, const VectorXd& lengths);

  // d_max of a contact [m].
  static double CalcMaxPush(const DetectedContact& contact) { return 0.2 * contact.min_margin; }

  // Of the last call, zero where there was nothing to do.
  const VectorXd& displacement() const { return displacement_; }
  int newton_steps() const { return newton_steps_; }
  // Trees of its problem's islands with an overlap to remove.
  const std::vector<int>& corrected() const { return corrected_trees_; }

 private:
  SolverTeam team() const { return pool_ ? SolverTeam(*method_, helpers_, *pool_) : SolverTeam(*method_); }
  bool Predict(const ContactProblem& problem, const std::vector<GapRow>& gap_rows, const VectorXd& advance);
  int IslandOf(const ContactProblem& problem, const Constraint& c) const;
  bool IsTaken(const ContactProblem& problem, const Constraint& c) const;
  double CalcPush(const GapRow& row, double gap) const;
  // Pushes islands out that another thread has nothing to do with.
  struct Pusher {
    PushOut push_out;
    std::vector<PushOut::Row> rows;  // of one island
    double residual = 0.0;
    bool is_all = true;
  };
  // Calls work(pusher, begin, end) for pieces of corrected_, on all threads.
  template <typename Work>
  void ForCorrected(const Work& work) const;
  bool PushIsland(const ContactProblem& problem, const BranchSparseFactor& factor,
                  const std::vector<GapRow>& gap_rows, int island, Pusher& pusher);
  bool PushSimple(const ContactProblem& problem, const BranchSparseFactor& factor,
                  const std::vector<GapRow>& gap_rows, double& residual);
  StageSolve SolveRest(const ContactProblem& problem, const BranchSparseFactor& factor,
                       const std::vector<GapRow>& gap_rows);
  void FindDrawn(const ContactProblem& problem, std::span<const char> drawn);
  void FindPushed(const StepFrame& frame, const StepRows& rows, const StageSolve& result);
  void Scale(const ContactProblem& problem, int island, double share);
  void Shorten(const ContactProblem& problem, const std::vector<GapRow>& gap_rows, const VectorXd& advance,
               int island, double reach);

  std::vector<GapRow> gap_rows_;  // of Correct
  std::vector<char> is_drawn_;    // one per tree
  ContactProblem problem_;
  Solution solution_;
  ProblemSolver solver_;
  std::unique_ptr<ContactSolver> method_;
  std::vector<std::unique_ptr<ContactSolver>> helpers_;  // like it: SolverTeam
  const TaskPool* pool_ = nullptr;
  IslandPartition partition_;   // of the velocity problem
  std::vector<char> is_taken_;  // one per island: it has an overlap to remove
  std::vector<int> corrected_;  // the islands that had, ascending
  std::vector<int> corrected_trees_;
  std::vector<double> gaps_;  // φ~, one per gap row
  std::vector<Pusher> pushers_;
  std::vector<int> gap_of_constraint_;  // into the gap rows, -1: none
  VectorXd displacement_;
  std::vector<char> turns_;    // one per dof
  std::vector<char> is_bent_;  // one per tendon: its length is not linear
  struct PushedTendon {
    int constraint = 0, limit = 0;  // into the limits
  };
  std::vector<PushedTendon> pushed_;
  std::vector<double> shares_;  // one per island
  int newton_steps_ = 0;
};

}  // namespace stiction
