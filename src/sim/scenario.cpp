#include "stiction/sim/scenario.h"

#include "stiction/io/scenario.h"
#include "stiction/sim/controller.h"

namespace stiction {

WorldOptions MakeWorldOptions(const Scenario& scenario) {
  WorldOptions options;
  options.solver = scenario.solver;
  options.solver_options = scenario.solver_options;
  options.budget = scenario.budget;
  options.solver_budget = scenario.solver_budget;
  options.timestep = scenario.timestep;
  options.integrator = scenario.integrator;
  return options;
}

World MakeWorld(const Scenario& scenario, ImportReport* report) {
  World world(BuildModel(scenario, report), MakeWorldOptions(scenario));
  world.SetKeyframe(*world.model().FindKeyframe(kStartKeyframe));
  AttachControllers(world, scenario.controllers, scenario.tasks);
  return world;
}

}  // namespace stiction
