// Keeps loops closed: what the equalities ask of the velocity, and the rest that the step removes from the
// positions.
//
// A velocity with J v = 0, J frozen at the start of the step, leaves the equalities by O(dt² v²). The bias
//
//   θ e = (Φ(q ⊕ d) − Φ(q) − J d)/dt + (1 − θ) J v + (Φ(q, input) − Φ(q, last input))/dt
//
// with a displacement d foreseen for the step (dt v) foresees that to second order, and follows prescribed
// motion; θ = 1 but for the midpoint rule, whose displacement is that of (1 − θ) v + θ v⁺ and whose J that of
// the middle; so the step moves along the equalities, and what is left for the position stage is O(dt³).
// Nothing is foreseen of locks and distances that go too far in the step (CalcReachTaken), nor of equalities
// that are open by more than a step may close: they are being moved by more than they bend, so that v does
// not lie along them, and to bend it would do work. Nor where contacts hold what was foreseen to move, and
// would be driven by it or cannot let it be, nor near singular places whose bends would throw bodies about
// (ForgetDriving). That stage is a few Newton steps
//
//   q <- q ⊕ δ,   δ = A⁻¹ Jᵀ x of least norm in the metric of A with J δ = −Φ(q)
//
// with A of the start of the step, and J too unless that does not converge. δ never enters the velocity: a
// mechanism that does not fit together at first is drawn together, at most kMaxPush a step, without energy,
// within its joints' limits where these leave a way (sim/loop_drawing.h). One that is closed where no joint
// may be, and that limits and loops keep there, as on the wrong side of a dead centre, is put to the nearest
// place towards its limits where it is closed.
//
// Rows that depend on one another are no obstacle (contact/bilateral_basis.h): of the first two terms of the
// bias only what some motion can meet is asked for. Equalities that contradict one another end in the least
// residual, which residual() tells. Equalities of trees that sleep have no rows; how far they are open counts
// in residual().
//
// References: J.-P. Ryckaert, G. Ciccotti, H. Berendsen, 1977 (SHAKE: constraints met at the end of the
// step).
#pragma once

#include <algorithm>
#include <span>

#include "sim/equality_basis.h"
#include "sim/loop_drawing.h"
#include "stiction/contact/island.h"
#include "stiction/contact/solution.h"
#include "stiction/model/input.h"
#include "stiction/model/state.h"

namespace stiction {

class EqualityStage {
 public:
  static constexpr double kMaxPush = 0.02;  // of any dof in a step [m or rad]

  bool is_needed() const { return is_needed_; }
  // Looks for active equalities; pattern as of the mass matrix.
  void Initialize(const Model& model, const BranchPattern& pattern);
  // A new step: its equalities that are awake, and whether something prescribes their motion in it.
  void Begin(const Model& model, const Input& input, const State& state, const SleepStage& sleep);

  // The rows with their bias.
  //   factor   of A; Project takes what was computed from it as its own where row_kin is kin
  //   advance  d, size nv [m or rad]
  //   kin      at state.q, state.v and the input's mocap poses
  //   row_kin  where J is evaluated, at row_q
  //   probe    scratch
  void CalcRows(const Model& model, const Input& input, const State& state, const SleepStage& sleep,
                const BranchSparseFactor& factor, const VectorXd& advance, const Kinematics& kin,
                const Kinematics& row_kin, const VectorXd& row_q, double theta, double dt, Kinematics& probe);

  const ContactProblem& rows() const { return basis_.rows(); }
  // Whether nothing prescribes their motion in this step.
  bool is_still() const { return is_still_; }
  // v <- the velocity that these rows lead v* to where nothing else pushes. After CalcRows at the start of a
  // step; factor as there.
  void Lead(const BranchSparseFactor& factor, VectorXd& v);

  // How many of the rows are independent at a configuration; factor as in Project.
  int CalcRank(const Model& model, const SleepStage& sleep, const BranchSparseFactor& factor,
               const Kinematics& kin, const VectorXd& q);

  // For Runge-Kutta's stages, where no mocap body moves. The loops then are closed within the stages, by the
  // acceleration that keeps J v at the rate of the targets, which is constant in the step, and the bias of
  // the rows asks for the velocity that this gives: of fourth order. factor is of the mass matrix at kin (of
  // the start, or of the stage).
  bool can_close_in_stages() const { return !mocap_moves_; }
  // v <- of the start, without what the rows forbid. The impulses are added to those of the stages.
  void CorrectVelocity(const Model& model, const SleepStage& sleep, const BranchSparseFactor& factor,
                       const Kinematics& kin, const VectorXd& q, double dt, VectorXd& v);
  // acceleration <- acceleration + M⁻¹ Jᵀ λ with J acceleration = −J̇ v. λ times dt is added to them.
  void CorrectAcceleration(const Model& model, const Input& input, const SleepStage& sleep,
                           const BranchSparseFactor& factor, const Kinematics& kin, const VectorXd& q,
                           const VectorXd& v, double dt, Kinematics& probe, VectorXd& acceleration);
  // The rows at the start, which v_star meets.
  void CalcRowsOf(const Model& model, const SleepStage& sleep, const Kinematics& kin, const VectorXd& q,
                  const VectorXd& v_star);
  // impulses <- impulses + those of the stages, of all equality rows of the model.
  void AddStageImpulses(VectorXd& impulses) const;

  // Forgets the bends of islands that a solve of these rows, with J of the start, has left with more energy
  // than v*, where contacts or limits push as well: they block the motion that was foreseen, and the bend
  // drives them. Elsewhere, those that add more than any turn does which is foreseen: rows that hardly differ
  // meet bends that do by velocities of any size. Likewise where something blocks and the solve missed its
  // budget: no velocity may meet both. True if there are any; UpdateRows then, and another solve.
  //   missed  the constraint that misses the budget by most, -1: none
  bool ForgetDriving(const ContactProblem& problem, const IslandPartition& partition,
                     const Solution& solution, int missed);

  // Appends them to a problem that has no constraints yet; or renews them there, same in number and pattern.
  void AddRows(ContactProblem& problem) const;
  void UpdateRows(ContactProblem& problem) const;
  // The place of each among all equality rows of the model, from CalcRows on.
  const std::vector<int>& model_rows() const { return model_row_; }

  // Moves q onto the equalities.
  //   factor  of A
  //   kin     at the start of the step, for J
  //   when    the part of the step at whose end the targets are taken
  //   q       in: the end of that part; out: on the equalities
  // Returns the largest displacement of a dof [m or rad].
  double Project(const Model& model, const Input& input, const SleepStage& sleep,
                 const BranchSparseFactor& factor, const Kinematics& kin, const VectorXd& q_start,
                 double when, Kinematics& probe, VectorXd& q);
  // Of the last Project, size nv, to first order; zero where it had nothing to do.
  const VectorXd& displacement() const { return displacement_; }
  // Whether a row, counted as AddRows adds them, is of an equality that was open by more than a step may
  // close when its rows were made: its bodies are being drawn together.
  bool IsDrawn(int row) const { return row < static_cast<int>(is_drawn_.size()) && is_drawn_[row] != 0; }
  std::span<const char> drawn() const { return is_drawn_; }  // of each row
  double residual() const {
    return std::max(residual_norm_, sleeping_norm_);
  }  // largest |Φ| after Project [m or rad]

 private:
  void ListRows(const Model& model, const SleepStage& sleep);
  // Largest entry of moved_ in rows that are solved for, and in the others.
  double CalcAwakeNorm() const;
  // The same in rows that Newton's steps are to close.
  double CalcNearNorm() const;
  // Of open_ in some rows, in whatever frame a lock counts its components.
  double CalcLength(std::span<const int> rows) const;
  // Whether a joint is further beyond its limits than a step may move it.
  static bool IsAnyBeyond(const Model& model, const TreeSet& trees, const VectorXd& q);
  bool IsBeyond(const Model& model, int island, const VectorXd& q) const;  // the same of one of partition_
  // What parts of Project have in common.
  struct Projection {
    const Model& model;
    const SleepStage& sleep;
    const BranchSparseFactor& factor;
    const Kinematics& kin;
    const VectorXd& q_start;
    const VectorXd& mocap;
    Kinematics& probe;
  };
  void Measure(const Projection& at, const VectorXd& q);      // puts Φ into moved_
  void MeasureRows(const Projection& at, const VectorXd& q);  // and into open_ that of the rows
  void Linearize(const Projection& at, const VectorXd& q);    // the rows of basis_
  // Each moves q, and returns the largest displacement of a dof. After Measure.
  double MoveFarIslands(const Projection& at, double far, VectorXd& q);  // open by more than that, or beyond
  double Draw(const Projection& at, std::span<const int> rows, VectorXd& q);
  double Return(const Projection& at, int island, VectorXd& q);
  double Move(const Projection& at, VectorXd& q);  // by motion_
  double Close(const Projection& at, VectorXd& q);
  void ForgetBends(const Model& model, const SleepStage& sleep, const Kinematics& kin, double dt);
  double CalcSleepingNorm(const Model& model, const SleepStage& sleep) const;
  void AssignBasis(const Model& model, const SleepStage& sleep, const BranchSparseFactor& factor,
                   const Kinematics& kin, const VectorXd& q);
  bool IsDriving(const ContactProblem& problem, const IslandPartition& partition, int island,
                 const Solution& solution, int missed);
  void MakeConsistent(const BranchSparseFactor& factor);

  bool is_needed_ = false;
  bool is_still_ = false, mocap_moves_ = false;
  VectorXd target_step_, targets_;  // what the targets move by in the step, and where they are in Project
  EqualityBasis basis_;
  EqualityBasis stage_basis_;
  std::vector<double> stage_impulses_;
  std::vector<char> is_drawn_;      // one per row
  bool basis_is_of_start_ = false;  // of J and A at the start of the step
  std::vector<int> model_row_;      // one per row of basis_: its place among all equality rows
  IslandPartition partition_;
  LoopDrawing drawing_;
  std::vector<char> is_apart_;  // one per row: Newton's steps leave it alone
  VectorXd displacement_;
  VectorXd start_q_, start_displacement_;
  VectorXd start_, last_, moved_, trial_q_, best_q_, motion_;
  std::vector<double> row_change_, wanted_, open_;
  std::vector<double> bend_;  // the part of e that is not prescribed motion's, one per row
  double residual_norm_ = 0.0, sleeping_norm_ = 0.0;
};

}  // namespace stiction
