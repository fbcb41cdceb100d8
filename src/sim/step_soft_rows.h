// The rows of a step that give way (sim/soft_rows.h).
#pragma once

#include "stiction/sim/step.h"

namespace stiction {

// Bias and compliance of a contact, whose rows are the last of the problem.
void SoftenContact(const Model& model, const State& state, StepWorkspace& ws, const TrackedContact& contact);

// The same of a limit, if it is soft.
void SoftenLimit(const Model& model, const State& state, StepWorkspace& ws, const LimitRow& limit);

// Appends the rows of active equalities that are soft, with their warm start.
void AddSoftEqualities(const Model& model, const Input& input, const State& state, StepWorkspace& ws);

}  // namespace stiction
