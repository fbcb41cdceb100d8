// One step of the simulation as a free function over Model, Input, State and scratch.
//
//   kinematics → collision → mass matrix, forces, free velocity → contact problem → solve and certificate
//   → position stage → integrate
//
//   (M + dt D + dt² K)(v⁺ − v) = dt (τ − dt K v) + Jᵀ λ          K of stiff springs alone: sim/springs.h
//   laws between λ and J v⁺ + e,   e_n = φ/dt for φ > 1 µm, else 0,   e_t = slip memory / dt
//   q⁺ = q ⊕ (dt v⁺ + δ)
//
// Rows: equalities (bilateral; sim/equality_stage.h), dry friction of joints (bounded by ±dt times the loss),
// joint limits (unilateral), contacts. D and K hold joint damping and stiffness and the actuators' slopes; δ
// removes penetration and closes loops without changing any velocity. The laws act on the velocity at the end
// of the step with every integrator; the equations above are those of the default, symplectic Euler
// (sim/free_velocity.h has the others). Free single bodies conserve energy and angular momentum in flight
// (sim/free_body.h), and whatever floats its momentum (sim/floating_momentum.h).
#pragma once

#include <memory>

#include "stiction/contact/registry.h"
#include "stiction/contact/solve.h"
#include "stiction/dynamics/crba.h"
#include "stiction/dynamics/forces.h"
#include "stiction/dynamics/rnea.h"
#include "stiction/model/input.h"
#include "stiction/model/state.h"
#include "stiction/sim/assembly.h"
#include "stiction/sim/detection.h"
#include "stiction/sim/equality_stage.h"
#include "stiction/sim/floating_momentum.h"
#include "stiction/sim/free_body.h"
#include "stiction/sim/mocap_motion.h"
#include "stiction/sim/position_stage.h"
#include "stiction/sim/sleep.h"
#include "stiction/sim/step_report.h"

namespace stiction {

// Scratch of the step: everything recomputed each time, sized for one model; and the solver.
struct StepWorkspace {
  explicit StepWorkspace(const Model& model);
  // Instead of the model's own.
  void set_integrator(const Model& model, Integrator scheme);

  // Settings.
  double dt = 0.002;                                     // [s]
  Integrator integrator = Integrator::kSymplecticEuler;  // set_integrator sets it
  double budget = 1e-8;                                  // on ncp_max; infinite: none [m/s]
  std::unique_ptr<ContactSolver> solver;                 // required
  std::unique_ptr<ContactSolver> fallback;               // tried after a missed budget; may be null
  double first_effort = 1.0;                             // factor on the solver's iteration limits
  double retry_effort = 4.0;                             // the same after a missed budget
  SleepStage sleep;                                      // and who sleeps

  // Results of the last step.
  Kinematics kin;  // at the start of the step
  std::vector<DetectedContact> contacts;
  std::vector<LimitRow> limits;
  ContactProblem problem;
  std::vector<RowSource> sources;  // one a constraint of the problem
  // One a contact: its constraint, -1 if not admitted. Its friction moments follow it.
  std::vector<int> contact_constraint;
  Solution solution;

  // Scratch.
  Kinematics probe;   // at a trial configuration
  Kinematics middle;  // where the integrator evaluates forces, if that is not the start
  VectorXd middle_q;  // its configuration
  MocapMotion mocap_motion;
  ContactDetector detector;
  BranchPattern pattern;
  BranchSparseMatrix M;
  BranchSparseFactor factor;  // of problem.A
  CrbaWorkspace crba;
  RneaWorkspace rnea;
  JointForces forces;
  double springs_dt = 0.0;         // the step for which forces.explicit_springs are
  VectorXd free_advance;           // where the motion without impulses leads, size nv [m or rad]
  VectorXd impulse;                // Jᵀ λ
  TendonWorkspace tendons;         // at the start of the step
  VectorXd foreseen;               // displacement for which equalities are bent, size nv [m or rad]
  VectorXd row;                    // one row of J, size nv
  std::vector<double> soft_error;  // Φ of one soft equality
  VectorXd bias, force, trial_q, trial_v, advance, displacement;
  std::vector<double> warm_start;  // λ while rows are added
  std::vector<ContactMemory> next_contacts;
  std::vector<double> row_velocity;  // J v of the end of the step
  std::vector<int> slip_pause;       // one a contact: ContactMemory::slip_pause
  std::vector<Vector3d> slip_W;      // one a contact: accumulated slip, tangential [m]
  std::vector<FreeBody> free_bodies;
  std::vector<Vector6d> flights;  // one a free body: CalcFreeFlight
  std::vector<char> tree_has_impulse;
  ProblemSolver problem_solver;
  Solution trial_solution;  // of a retry
  Solution ghost_solution;  // without far contacts
  std::unique_ptr<ContactSolver> ghost_solver;
  PositionStage position_stage;
  FloatingMomentum floating_momentum;
  EqualityStage equality_stage;
  VectorXd start_activation;     // with sleep alone
  double loop_correction = 0.0;  // the largest displacement that closed loops [m or rad]
  bool knows_residuals = false;  // those of problem_solver are of ws.solution
  std::vector<double> tree_ncp;  // one a tree: the largest residual of its rows [m/s]
};

// Advances `state` by ws.dt. On kDiverged and kSingularMass the state is left as it was, but for trees that
// were woken.
void Step(const Model& model, const Input& input, State& state, StepWorkspace& ws, StepReport& report);

// The first stages alone: kinematics, contacts and limits at the state, without advancing it.
void DetectAll(const Model& model, const Input& input, const State& state, StepWorkspace& ws);

}  // namespace stiction
