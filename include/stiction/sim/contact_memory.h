// What contacts carry from step to step: warm start, slip memory, anchors.
//
// The law makes the relative velocity of a sticking contact zero with the Jacobian of the step's start; on a
// rotating hand the points part by O(dt² ω² r) every step, and the errors add up. So each contact remembers
// the slip a that it has not undone yet, and the next step's law acts on v_t + a/dt. With d, the tangential
// displacement over the step of the two material points that coincided at its start,
//
//   stuck                  a <- a + d             everything that moved must come back
//   at the friction limit  a <- a + d − dt g_t    g_t = v_t + a/dt is the slide that the law allowed: what
//                                                 remains is the integration error
//   really sliding, open   a <- 0
//
// Rolling and pivoting are free: each step takes new material points, and what the finite rotation of a
// rolling body moves them is no slip.
#pragma once

#include "stiction/sim/step.h"

namespace stiction {

// Slip to undo, tangential to the new normal [m].
Vector3d CalcSlip(const Model& model, const StepWorkspace& ws, const TrackedContact& contact,
                  const std::vector<ContactMemory>& memory);

// Torsional and rolling friction of a contact that was admitted, on B, world axes [N·m·s].
Vector3d CalcFrictionMoment(const StepWorkspace& ws, int contact);

// Takes the slip out of islands that miss the budget, and starts them cold; the contacts then do not count
// slip for some steps. Without slip the laws always have a solution, because v = 0 keeps every e_n ≥ 0; with
// it a wedged body may not: two contacts ask for motions that exclude each other, and the impulses grow
// without bound. Returns false if there was no slip to take out.
bool ForgetSlip(StepWorkspace& ws);

// Stores contacts, slip and the impulses of all rows of the solved step in the state.
void Remember(const Model& model, StepWorkspace& ws, State& state);

}  // namespace stiction
