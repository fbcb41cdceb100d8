// What sleep adds to the stages of a step.
#pragma once

#include "stiction/sim/contact.h"
#include "stiction/sim/step.h"

namespace stiction {

// Poses, velocities and tendons at the start of the step. Needs SleepStage::Begin.
void CalcStart(const Model& model, const Input& input, const State& state, StepWorkspace& ws);

// Finds contacts, wakes whom something awake reaches, and looks again.
void DetectContacts(const Model& model, State& state, StepWorkspace& ws);

// Makes `all` the contacts of the last step: the given ones, of trees that were awake, and those that hold
// who slept through it. Sorted by pair. Those who sleep stand still: their points are where they were found
// last.
void MergeSleepingContacts(const Model& model, const StepWorkspace& ws, const SleepMemory& sleep,
                           const std::vector<Contact>& awake, std::vector<Contact>& all);

// At the end of the step: puts to sleep who has been at rest for long enough, and reports on all who sleep.
void LetSleep(const Model& model, const Input& input, StepWorkspace& ws, StepReport& report, State& state);

}  // namespace stiction
