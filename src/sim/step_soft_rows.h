// The rows of a step that give way (sim/soft_rows.h).
#pragma once

#include "stiction/sim/step.h"

namespace stiction {

// Gives a contact, whose rows are the last of the problem, its compliance and the bias that goes with it.
//   gap        at the start of the step [m]
//   v_mocap_C  what mocap bodies add to the relative velocity J v, in the contact frame [m/s]
//   e_C        in: the bias of a rigid contact, out: that of this one, both without v_mocap_C [m/s]
void SoftenContact(const Model& model, const State& state, StepWorkspace& ws, const TrackedContact& contact,
                   double gap, const Vector3d& v_mocap_C, Vector3d& e_C);

// The same of a limit, if it is soft.
void SoftenLimit(const Model& model, const State& state, StepWorkspace& ws, const LimitRow& limit);

// Appends the rows of active equalities that are soft, with their warm start.
void AddSoftEqualities(const Model& model, const Input& input, const State& state, StepWorkspace& ws);

}  // namespace stiction
