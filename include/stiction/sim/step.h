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
// (src/sim/free_motion.h has the others). Free single bodies conserve energy and angular momentum in flight
// (sim/free_body.h), and whatever floats its momentum (sim/floating_momentum.h).
#pragma once

#include <memory>

#include "stiction/contact/problem.h"
#include "stiction/contact/solution.h"
#include "stiction/model/input.h"
#include "stiction/model/model.h"
#include "stiction/model/state.h"
#include "stiction/sim/step_report.h"
#include "stiction/sim/world_options.h"

namespace stiction {

// Everything that a step computes anew, sized for one model, and its solver: src/sim/step_workspace.h. One
// belongs to one thread at a time.
struct StepWorkspace;
struct DeleteStepWorkspace {
  void operator()(StepWorkspace* workspace) const;
};
using StepWorkspacePtr = std::unique_ptr<StepWorkspace, DeleteStepWorkspace>;

// Throws std::invalid_argument: unknown solver or solver option, timestep or budget not positive.
StepWorkspacePtr MakeStepWorkspace(const Model& model, const WorldOptions& options = {});

// Advances `state` by the timestep. On kDiverged and kSingularMass the state is left as it was, but for trees
// that were woken.
void Step(const Model& model, const Input& input, State& state, StepWorkspace& ws, StepReport& report);

// The contact problem of the last step (of its last part, if there were several), and the answer that it went
// on with.
const ContactProblem& GetProblem(const StepWorkspace& ws);
const Solution& GetSolution(const StepWorkspace& ws);

}  // namespace stiction
