// From a scenario to the World that simulates it.
#pragma once

#include "stiction/scenario/scenario.h"
#include "stiction/sim/world.h"

namespace stiction {

struct ImportReport;  // io/import_report.h

// Solver with its options, budget and timestep.
WorldOptions MakeWorldOptions(const Scenario& scenario);

// All models in their starting keyframes, moved by the scenario's controllers (sim/controller.h). Throws
// LoadError as BuildModel (io/scenario.h) does. `report`, where given, receives what the models' readers say.
World MakeWorld(const Scenario& scenario, ImportReport* report = nullptr);

}  // namespace stiction
