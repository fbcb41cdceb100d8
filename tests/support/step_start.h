// The start of a step by hand: what its stages need to be tested alone.
#pragma once

#include "sim/row_assembler.h"
#include "sim/slip_memory.h"
#include "sim/step_frame.h"
#include "sim/step_rows.h"
#include "sim/still_islands.h"
#include "stiction/dynamics/crba.h"
#include "stiction/dynamics/forces.h"
#include "stiction/dynamics/rnea.h"
#include "stiction/model/input.h"
#include "stiction/model/state.h"

namespace stiction::testing {

// Kinematics, contacts and limits at a state, and the motion without impulses by the explicit rule
// A = M, v* = v + dt M⁻¹ (τ − h).
struct StepStart {
  explicit StepStart(Model model_in, double dt_in = 0.002)
      : model(std::move(model_in)),
        input(Input::Default(model)),
        state(State::Default(model)),
        dt(dt_in),
        pattern(MakeMassMatrixPattern(model)),
        chains(MakeGeomChains(model, pattern)),
        mocap(model),
        sleep(model),
        still(model),
        detector(model) {
    kin.Resize(model);
    tendons.Resize(model);
    forces.Resize(model);
  }

  // After `state` or `input` have changed.
  void Compute() {
    mocap.Update(state.mocap, input.mocap);
    sleep.Begin(model, input, state, still);
    CalcPositionKinematics(model, state.q, input.mocap, kin);
    CalcVelocityKinematics(model, state.v, kin);
    if (model.num_tendons() > 0) CalcTendons(model, kin, state.q, tendons);
    detector.Detect(model, kin, {}, state.contacts, dt, contacts);
    CalcContactFrames(contacts, pool, R_WC);
    FindLimits(model, model.all_trees, state.q, state.v, tendons, dt, limits);
  }

  // Fills A and v* of a problem, and `factor`.
  void Move(ContactProblem& problem) {
    InitializeProblem(model, pattern, problem);
    CrbaWorkspace crba;
    RneaWorkspace rnea;
    VectorXd bias = VectorXd::Zero(model.nv());
    CalcMassMatrix(model, model.all_trees, kin, crba, problem.A);
    CalcBias(model, model.all_trees, kin, state.v, model.options.gravity, rnea, bias);
    CalcJointForces(model, kin, state.q, state.v, state.activation, input, forces);
    VectorXd change = dt * (forces.passive + forces.actuation + forces.applied - bias);
    is_regular = factor.Factor(problem.A) < 0;
    factor.Solve(change.data());
    problem.v_star = state.v + change;
  }

  // All rows of the step, and what contacts remember of their slip.
  void Assemble(SlipMemory& slip, RowAssembler& assembler) {
    Compute();
    Move(assembler.rows().problem);
    slip.Recall(model, frame(), state.contacts);
    assembler.Assemble(model, input, state, frame(), {forces, factor}, EqualityStage(), slip, {}, false);
  }

  StepFrame frame() const {
    return {kin, tendons, contacts, R_WC, chains, limits, mocap, sleep, pattern, pool, dt, scheme};
  }

  TaskPool pool;
  Model model;
  Input input;
  State state;
  double dt;  // [s]
  Integrator scheme = Integrator::kSymplecticEuler;
  BranchPattern pattern;
  std::vector<GeomChain> chains;
  MocapMotion mocap;
  SleepStage sleep;
  StillIslands still;
  ContactDetector detector;
  Kinematics kin;
  TendonWorkspace tendons;
  std::vector<DetectedContact> contacts;
  std::vector<Matrix3d> R_WC;
  std::vector<LimitRow> limits;
  JointForces forces;
  BranchSparseFactor factor;
  bool is_regular = false;
};

}  // namespace stiction::testing
