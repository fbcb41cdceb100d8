// The stages of a step, each with its scratch, and what they hand to one another.
#pragma once

#include "sim/floating_momentum.h"
#include "sim/free_body.h"
#include "sim/ghost_filter.h"
#include "sim/position_stage.h"
#include "sim/row_assembler.h"
#include "sim/slip_memory.h"
#include "sim/solve_stage.h"
#include "sim/step_frame.h"
#include "stiction/dynamics/crba.h"
#include "stiction/dynamics/forces.h"
#include "stiction/dynamics/rnea.h"
#include "stiction/sim/step.h"

namespace stiction {

struct StepWorkspace {
  // Throws std::invalid_argument: unknown solver or solver option, timestep or budget not positive.
  StepWorkspace(const Model& model, const WorldOptions& options);
  // Instead of the model's own.
  void set_integrator(const Model& model, Integrator scheme);

  // The first stages alone: kinematics, contacts and limits at the state, without advancing it.
  void Detect(const Model& model, const Input& input, const State& state);

  StepFrame frame() const {
    return {kin, tendons, contacts, limits, mocap_motion, sleep, pattern, dt, integrator};
  }
  RowAssembler::Motion motion() const { return {forces, factor}; }

  double dt = 0.002;  // [s]
  Integrator integrator = Integrator::kSymplecticEuler;
  BranchPattern pattern;  // of the mass matrix

  // The start of the step.
  SleepStage sleep;
  MocapMotion mocap_motion;
  Kinematics kin;
  TendonWorkspace tendons;
  ContactDetector detector;
  std::vector<DetectedContact> contacts;
  std::vector<LimitRow> limits;

  // The motion without impulses (sim/free_velocity.h).
  BranchSparseMatrix M;
  BranchSparseFactor factor;  // of problem.A
  CrbaWorkspace crba;
  RneaWorkspace rnea;
  JointForces forces;
  double springs_dt = 0.0;  // the step for which forces.explicit_springs are
  VectorXd free_advance;    // where it leads, size nv [m or rad]
  Kinematics middle;        // where the integrator evaluates forces, if that is not the start
  VectorXd middle_q;        // its configuration
  VectorXd impulse;         // Jᵀ λ
  VectorXd bias, force, trial_q, trial_v, advance;
  std::vector<FreeBody> free_bodies;
  std::vector<Vector6d> flights;  // one a free body: CalcFreeFlight

  // The contact problem and its solution.
  EqualityStage equality_stage;
  VectorXd foreseen;  // displacement for which equalities are bent, size nv [m or rad]
  RowAssembler assembler;
  SlipMemory slip;
  GhostFilter ghost_filter;
  SolveStage solve;
  StepRows& rows = assembler.rows();
  ContactProblem& problem = rows.problem;
  const Solution& solution = solve.solution();
  std::vector<int> admitted;  // far contacts that act

  // The end of the step.
  PositionStage position_stage;
  FloatingMomentum floating_momentum;
  Kinematics probe;  // at a trial configuration
  std::vector<char> tree_has_impulse;
  double loop_correction = 0.0;  // the largest displacement that closed loops [m or rad]
  VectorXd start_activation;     // with sleep alone

  StepWorkspace(const StepWorkspace&) = delete;
  StepWorkspace& operator=(const StepWorkspace&) = delete;
};

}  // namespace stiction
