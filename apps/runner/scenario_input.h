// Scenarios as the commands read them: with the flags that every command with a model has.
#pragma once

#include "command.h"
#include "stiction/io/scenario.h"

namespace stiction::runner {

// --ground and --contact take the place of the scenario's; --floating-base is a UsageError: the scenario says
// what floats.
Scenario LoadReportedScenario(const ModelArguments& arguments, ImportReport& report);

// A model as LoadReported reads it, or a scenario's, and the keyframe in which it starts where none is named.
Model LoadModelOrScenario(ModelArguments& arguments, ImportReport& report);

}  // namespace stiction::runner
