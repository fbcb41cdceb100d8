// The motion of a step without impulses, by each integrator: A, its factor, v*, and where v* alone would
// lead; and where the step leads once its impulses are known.
//
//   euler      v* = v + A⁻¹ dt (τ − h − dt K v), A = M + dt D + dt² K, at the start; positions follow v⁺.
//              K of those springs alone that would be unstable explicitly (sim/springs.h), h the mean of both
//              ends (sim/mean_bias.h)
//   explicit   v* = v + M⁻¹ dt (τ − h), A = M, at the start; positions follow v
//   implicit   M(q^θ)(v* − v) = dt k(q^θ, v^θ), θ = 1, A = M + dt D + dt² K; positions follow v⁺
//   midpoint   the same with θ = 1/2, A = M + dt/2 D + dt²/4 K; positions follow (v + v⁺)/2
//   rk4        v* by Runge-Kutta's stages, A = M: springs and dampers are explicit; loops are closed in each
//
//   q^θ = q ⊕ θ dt v^θ,   v^θ = θ v* + (1 − θ) v,   k = τ − h
//
// by Newton's method with A for the slope. D and K are dynamics/forces.h's slopes, so that stiff joints are
// implicit. A single free body turns by the midpoint rule with every integrator but explicit and rk4
// (sim/free_body.h).
// A is that of q^θ, and is not computed again when impulses change the velocity [Castro 2021, Algorithm 1].
// Schemes of higher order see activations at the time of their stages, and advance them accordingly; the
// currents of motors are of first order by all of them.
// By rk4 rotations of ball and free joints are advanced along one rotation vector [Munthe-Kaas 1998]. The
// stages see configurations that are moved onto the loops, and so do the rows of the middle of the others: a
// little off them, rows that depend on one another seem independent, and a mechanism that they leave free to
// move is stuck. Where mocap poses or targets prescribe the loops' motion in a step, rk4 leaves them to the
// step's impulses, which is of first order.
//
// By explicit Euler the impulses of a step move nothing before the next one. It is there to compare with: its
// energy grows, and stiff servos blow up.
//
// Each integrator is a file: symplectic_euler.cpp, explicit_euler.cpp, theta_scheme.cpp, runge_kutta.cpp.
//
// References: [Castro 2021] A. Castro, F. Permenter, X. Han, An unconstrained convex formulation of compliant
// contact, eqs. (6), (7), (13)-(18). [Munthe-Kaas 1998] H. Munthe-Kaas, Runge-Kutta methods on Lie groups,
// BIT 38. E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, 2006.
#pragma once

#include "sim/equality_stage.h"
#include "sim/free_body.h"
#include "sim/mean_bias.h"
#include "sim/step_frame.h"
#include "sim/tree_parts.h"
#include "stiction/contact/problem.h"
#include "stiction/contact/solution.h"
#include "stiction/dynamics/crba.h"
#include "stiction/dynamics/forces.h"
#include "stiction/dynamics/rnea.h"
#include "stiction/model/input.h"
#include "stiction/model/state.h"

namespace stiction {

// Share of an impulse's change of velocity that the step's displacement sees: θ_vq; one by explicit Euler,
// where it is for the bias of bilateral rows alone. By rk4 it is that of bilateral rows; of all others the
// displacement sees half (FreeMotion::CalcAdvance), as of a force that acts all through the step: with all of
// it a body at rest would rise by g dt²/2. What an impact then lacks is the position stage's affair, by the
// midpoint rule too (GapRow::may_overshoot).
double CalcImpulseShare(Integrator scheme);

// How the scheme advances activations.
ActivationRule GetActivationRule(Integrator scheme);

// What slopes of forces are multiplied with in A: A = M + damping D + stiffness K.
struct SlopeFactors {
  double damping = 0.0;    // [s]
  double stiffness = 0.0;  // [s²]
};
SlopeFactors CalcSlopeFactors(Integrator scheme, double dt);

// The rate at v of the length that these slope blocks are of: SlopeRow's or LimitedForce's [m/s].
double CalcSlopeRate(const JointForces& forces, int first_block, int num_blocks, const VectorXd& v);

enum class Refinement { kNotNeeded, kDone, kSingularMass };

// One belongs to one model. `frame` is the same in all calls of a step; its scheme is that of set_integrator.
class FreeMotion {
 public:
  // What closed loops need: the stage that knows them, Begin done, and scratch.
  struct Loops {
    EqualityStage& stage;
    Kinematics& probe;
  };

  FreeMotion(const Model& model, const BranchPattern& pattern);

  void set_integrator(const Model& model, Integrator scheme);
  // Those who sleep stay as they are at the start, wherever forces are evaluated.
  void Refresh(const Kinematics& kin) { middle_ = row_kin_ = kin; }

  // Fills problem.A and v_star and all results below. Limited forces are held where v* finds them
  // (sim/effort_limits.h). False if the mass matrix is singular; `bad_body` then moves with the offending
  // dof.
  [[nodiscard]] bool Calc(const Model& model, const Input& input, const State& state, const StepFrame& frame,
                          const Loops& loops, ContactProblem& problem, int& bad_body);

  // Symplectic Euler's again, with the forces on the sides that forces().sides has, and M and bias as they
  // are. False as above.
  [[nodiscard]] bool Repeat(const Model& model, const Input& input, const State& state,
                            const StepFrame& frame, ContactProblem& problem, int& bad_body);

  // The same again at the velocity that the impulses of the solution lead to: forces and inertia of the
  // middle depend on them, and without this a mechanism with loops is of first order by any scheme. Changes
  // nothing where there is nothing to gain: an explicit scheme, no impulses, free bodies alone.
  [[nodiscard]] Refinement Refine(const Model& model, const Input& input, const State& state,
                                  const StepFrame& frame, const Loops& loops, const Solution& solution,
                                  ContactProblem& problem, int& bad_body);

  // By the θ-scheme, v* and A with limited forces on the sides where the solution finds them. Changes nothing
  // where they are there.
  //   round  how often it was done already
  [[nodiscard]] Refinement SettleSides(const Model& model, const Input& input, const State& state,
                                       const StepFrame& frame, const Solution& solution, int round,
                                       ContactProblem& problem, int& bad_body);

  // Where the step leads with the solution's impulses, size nv [m or rad].
  void CalcAdvance(const StepFrame& frame, const ContactProblem& problem, const Solution& solution,
                   VectorXd& advance);
  // q <- q ⊕ advance of all awake joints but those of free bodies.
  void AdvanceJoints(const Model& model, const StepFrame& frame, const VectorXd& advance, VectorXd& q) const;
  // Free bodies of q and v at the end of the step, whose paths are exact: q in of its start, v the solution's
  // that CalcAdvance had.
  //   displacement  of the position stage, size nv
  void AdvanceFreeBodies(const Model& model, const State& state, const StepFrame& frame,
                         const VectorXd& displacement, VectorXd& q, VectorXd& v) const;
  // By the midpoint rule, v at the end of the step without what the loops forbid there. The rule asks it of
  // (v + v⁺)/2 alone: what v⁺ has against the loops is then taken on with the other sign, by every step, and
  // where they are nearly singular drives the mechanism off its path. kin at q.
  void AlignWithLoops(const Model& model, const StepFrame& frame, const Kinematics& kin, const VectorXd& q,
                      EqualityStage& stage, VectorXd& v);
  // For free bodies that a correction turned from `q_before` to `q`, which is to change no velocity: that of
  // the mass centre and the spin stay, and with them momentum and energy. v is that of the origin, whose way
  // around the centre is another now: v_B + R ω × c = const.
  void KeepCentreVelocities(const Model& model, const StepFrame& frame, const VectorXd& q_before,
                            const VectorXd& q, VectorXd& v) const;

  // Results.
  const BranchSparseMatrix& M() const { return M_; }
  const BranchSparseFactor& factor() const { return factor_; }  // of problem.A
  const VectorXd& bias() const { return bias_; }                // h where forces were evaluated, size nv
  const JointForces& forces() const { return forces_; }
  JointForces& forces() { return forces_; }                          // for sides of limited forces
  const std::vector<Vector6d>& flights() const { return flights_; }  // of FindFreeBodies
  // Displacement for which bilateral rows are bent: dt v by euler, where v* alone leads by the others, and
  // after Refine where the solution leads; size nv [m or rad].
  const VectorXd& foreseen() const { return foreseen_; }
  // v* has the loops closed already.
  bool closes_loops() const { return closes_loops_; }
  // The stage of the loops has their rows and bias already.
  bool has_loop_rows() const { return has_loop_rows_; }
  // Where forces, M and bias were evaluated.
  const Kinematics& middle(const StepFrame& frame) const { return is_at_start_ ? frame.kin : middle_; }
  // Where bilateral rows are: there too, or a little off it, on the loops.
  const Kinematics& row_kin(const StepFrame& frame) const { return is_at_start_ ? frame.kin : row_kin_; }
  const VectorXd& row_q(const State& state) const { return is_at_start_ ? state.q : row_q_; }

 private:
  // symplectic_euler.cpp
  [[nodiscard]] bool RunSymplecticEuler(const Model& model, const Input& input, const State& state,
                                        const StepFrame& frame, const Loops& loops, ContactProblem& problem,
                                        int& bad_body);
  void AverageBias(const Model& model, const Input& input, const State& state, const StepFrame& frame,
                   const Loops& loops, ContactProblem& problem);
  [[nodiscard]] bool FinishEuler(const Model& model, const State& state, const StepFrame& frame,
                                 ContactProblem& problem, int& bad_body);
  // v* from forces and bias at the start, by the factor of A that there is.
  void CalcFreeVelocity(const Model& model, const State& state, const StepFrame& frame,
                        ContactProblem& problem);
  // explicit_euler.cpp
  [[nodiscard]] bool RunExplicitEuler(const Model& model, const Input& input, const State& state,
                                      const StepFrame& frame, ContactProblem& problem, int& bad_body);
  // theta_scheme.cpp: from v in problem.v_star, under the impulse in impulse_
  [[nodiscard]] bool RunTheta(double theta, const Model& model, const Input& input, const State& state,
                              const StepFrame& frame, ContactProblem& problem, int& bad_body);
  void FinishTheta(double theta, const Model& model, const State& state, const StepFrame& frame,
                   ContactProblem& problem);
  [[nodiscard]] bool SolveThetaStep(const Model& model, const StepFrame& frame, ContactProblem& problem,
                                    int& bad_body);
  [[nodiscard]] bool CalcThetaStep(const Model& model, const Input& input, const State& state,
                                   const StepFrame& frame, ContactProblem& problem, int& bad_body);
  // Whether Refine may follow: single free bodies are exact without.
  bool IsRefined(const Model& model) const { return free_bodies_.size() != model.trees.size(); }
  void ForeseeLoops(const Model& model, const State& state, const StepFrame& frame);
  void PlaceRows(const Model& model, const Input& input, const State& state, const StepFrame& frame,
                 const Loops& loops);
  // runge_kutta.cpp
  [[nodiscard]] bool RunRungeKutta(const Model& model, const Input& input, const State& state,
                                   const StepFrame& frame, const Loops& loops, ContactProblem& problem,
                                   int& bad_body);
  [[nodiscard]] bool FactorStart(const Model& model, const StepFrame& frame, ContactProblem& problem,
                                 int& bad_body);

  // Fills tree_has_impulse_.
  void FindImpulses(const ContactProblem& problem, const Solution& solution);
  // Calls work(trees) for parts of what the step computes, and work(i) for free bodies that are awake: on all
  // threads.
  template <typename Work>
  void ForParts(const Model& model, const StepFrame& frame, const Work& work);
  template <typename Work>
  void ForFreeBodies(const StepFrame& frame, const Work& work) const;
  // The same for those of `trees`.
  template <typename Work>
  void ForFreeBodies(const TreeSet& trees, const StepFrame& frame, const Work& work) const;
  // Fills jointed_, where the set of trees is another than before: what is computed, but by symplectic Euler
  // without the free bodies, whose M has a closed form and whose bias is in their flight.
  void UpdateSets(const Model& model, const StepFrame& frame, const ContactProblem& problem);
  bool has_closed_form(const StepFrame& frame) const {
    return frame.scheme == Integrator::kSymplecticEuler && !free_bodies_.empty();
  }
  void CalcForces(const Model& model, const Input& input, const State& state, const StepFrame& frame,
                  const Kinematics& kin, const VectorXd& q, const VectorXd& v);
  void CalcTerms(const Model& model, const Input& input, const State& state, const StepFrame& frame,
                 const Kinematics& kin, const VectorXd& q, const VectorXd& v);
  void MoveMiddle(const Model& model, const Input& input, const StepFrame& frame);
  [[nodiscard]] bool FactorSlopes(const Model& model, const SlopeFactors& factors, const StepFrame& frame,
                                  ContactProblem& problem, int& bad_body);
  void AddDiagonal(const SlopeFactors& factors, IndexRange dofs, BranchSparseMatrix& A) const;
  [[nodiscard]] int FactorFreeBody(const Model& model, const SlopeFactors& factors, int i,
                                   BranchSparseMatrix& A);
  void AddBranchSlopes(const SlopeFactors& factors, const StepFrame& frame, BranchSparseMatrix& A) const;
  const ExplicitSprings& FindSpringsOf(const Model& model, const StepFrame& frame);
  void SolveForce(const Model& model, const StepFrame& frame);
  void TakeBiasOut(const Model& model, const State& state, const VectorXd& v_force, const StepFrame& frame,
                   const ContactProblem& problem);
  bool HasSlopes(int first) const;
  Matrix6d CalcSlopes(const BranchSparseMatrix& A, int first) const;
  void AddFlights(const Model& model, const StepFrame& frame, ContactProblem& problem) const;

  TreeParts parts_;
  BranchSparseMatrix M_, end_M_;  // the latter of AlignWithLoops
  BranchSparseFactor factor_;
  VectorXd bias_;
  JointForces forces_;
  double stage_time_ = 0.0;  // since the start of the step, where forces are evaluated
  double springs_dt_ = 0.0;  // the step for which forces_.explicit_springs are
  // Of every timestep so far: a step that is taken in parts then allocates nothing.
  struct StepSprings {
    double dt = 0.0;
    ExplicitSprings springs;
  };
  std::vector<StepSprings> springs_of_steps_;
  std::vector<FreeBody> free_bodies_;
  std::vector<int> other_joints_;  // than those of free bodies
  std::vector<Vector6d> flights_;  // one per free body: CalcFreeFlight
  std::vector<char> is_factored_;  // one per free body: its rows of A are those that were factored
  TreeSet jointed_;                // whose M and bias are found one by one,
  std::vector<char> computed_;     // of these trees
  bool has_sets_ = false;          // both are known
  VectorXd free_advance_;          // where the motion without impulses leads, size nv [m or rad]
  VectorXd foreseen_;
  bool has_loops_ = false;  // exact equalities
  bool closes_loops_ = false;
  bool has_loop_rows_ = false;
  MeanBias mean_bias_;
  BranchSparseFactor start_factor_;  // of M at the start or end, where loops are closed there
  bool is_at_start_ = true;          // forces were evaluated at the start
  Kinematics middle_;                // or there
  Kinematics row_kin_;               // rows of loops,
  VectorXd row_q_;                   // at this configuration
  VectorXd evaluated_v_;             // by the θ-scheme: where the forces were evaluated,
  VectorXd converged_v_;             // and where that leads
  // Scratch.
  CrbaWorkspace crba_;
  RneaWorkspace rnea_;
  VectorXd impulse_, force_, change_, trial_q_, trial_v_, turn_, rate_, activation_;
  std::vector<char> tree_has_impulse_;
};

}  // namespace stiction
