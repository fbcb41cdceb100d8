// The stages of a step, each with its scratch, and what they hand to one another.
#pragma once

#include "math/task_pool.h"
#include "sim/coarse_motion.h"
#include "sim/end_gaps.h"
#include "sim/floating_momentum.h"
#include "sim/free_motion.h"
#include "sim/ghost_filter.h"
#include "sim/load_spread.h"
#include "sim/position_stage.h"
#include "sim/rest_stage.h"
#include "sim/row_assembler.h"
#include "sim/slip_memory.h"
#include "sim/solve_stage.h"
#include "sim/step_frame.h"
#include "sim/step_parts.h"
#include "sim/still_islands.h"
#include "sim/stillness.h"
#include "sim/tree_parts.h"
#include "sim/unseen_contacts.h"
#include "stiction/sim/step.h"

namespace stiction {

struct StepWorkspace {
  // Throws std::invalid_argument: unknown solver or solver option, timestep or budget not positive.
  StepWorkspace(const Model& model, const WorldOptions& options);
  // Instead of those of the options. Throws std::invalid_argument as CheckNumThreads does.
  void set_num_threads(const WorldOptions& options, int num_threads);
  // Instead of the model's own.
  void set_integrator(const Model& model, Integrator scheme);

  // Nothing is known to repeat itself: state or settings are others than the last step's.
  void ForgetRest() {
    stillness.Forget();
    still.Forget();
  }

  // The first stages alone: kinematics, contacts and limits at the state, without advancing it.
  void Detect(const Model& model, const Input& input, const State& state);

  const StepFrame& frame() const { return frame_; }
  FreeMotion::Loops loops() { return {equality_stage, probe}; }
  RowAssembler::Motion motion() const { return {free_motion.forces(), free_motion.factor()}; }

  TaskPool pool;       // who shares the work
  double dt = 0.002;   // of the step; while a part of one is taken, of that [s]
  int most_parts = 1;  // that a step may be divided into
  StepParts parts_taken;
  Integrator integrator = Integrator::kSymplecticEuler;
  BranchPattern pattern;  // of the mass matrix
  std::vector<GeomChain> chains;

  // What the last step left, and only repeats itself.
  Stillness stillness;
  StillIslands still;
  bool keeps_state = false;  // nobody else writes what the state remembers between its steps (Stillness)

  // The start of the step.
  SleepStage sleep;
  TreeParts parts;
  MocapMotion mocap_motion;
  Kinematics kin;
  // At the start of the step that is taken next, where it is known; who uses it takes it, and leaves another.
  Kinematics* start_kin = nullptr;
  TendonWorkspace tendons;
  TendonWorkspace moved_tendons;  // where other configurations are tried
  FieldMemory field_memory;
  ContactDetector detector;
  std::vector<DetectedContact> contacts;
  std::vector<Matrix3d> R_WC;  // their frames
  std::vector<LimitRow> limits;

  FreeMotion free_motion;  // without impulses

  // The contact problem and its solution.
  EqualityStage equality_stage;
  RowAssembler assembler;
  SlipMemory slip;
  LoadSpread load_spread;
  GhostFilter ghost_filter;
  UnseenContacts unseen;
  SolveStage solve;
  StepRows& rows = assembler.rows();
  ContactProblem& problem = rows.problem;
  const Solution& solution = solve.solution();
  std::vector<int> admitted;  // far contacts that act
  std::vector<char> late;     // one per tree: whether such a contact came late
  VectorXd effort_response;   // velocity from a unit of a limited force, size nv

  // The end of the step.
  RestStage rest;
  PositionStage position_stage;
  EndGaps end_gaps;
  FloatingMomentum floating_momentum;
  CoarseMotion coarse_motion;
  Kinematics probe;          // at a trial configuration
  VectorXd advance;          // where the step leads without the position stage, size nv [m or rad]
  VectorXd lead;             // and with it
  VectorXd no_displacement;  // zero, size nv
  VectorXd end_q, end_v;
  VectorXd open_q;               // end_q before loops were closed
  double loop_correction = 0.0;  // the largest displacement that closed loops [m or rad]
  VectorXd start_activation;     // with sleep alone

  // All of the above that it refers to.
  StepFrame frame_{kin,          tendons, contacts, R_WC, chains, limits,
                   mocap_motion, sleep,   pattern,  pool, dt,     integrator};

  StepWorkspace(const StepWorkspace&) = delete;
  StepWorkspace& operator=(const StepWorkspace&) = delete;
};

}  // namespace stiction
