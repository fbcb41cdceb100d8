// Reads scenarios (scenario/scenario.h) and builds their models.
//
//   const stiction::Scenario scenario = stiction::LoadScenario("pour.xml");
//   stiction::World world = stiction::MakeWorld(scenario);                         // sim/scenario.h
//   stiction::ExpectationMonitor monitor(world, scenario.expectations);            // sim/expectation.h
//   while (world.time() < scenario.duration) {
//     world.Step();
//     monitor.Observe(world);
//   }
//   for (const stiction::ExpectationResult& result : monitor.results()) ...
//
// The file is XML with the root <scenario>; assets/scenarios/README.md lists its elements and attributes. It
// has to be understood in full: an element or attribute that is not known is an error.
#pragma once

#include <string>

#include "stiction/io/import_report.h"
#include "stiction/model/load_error.h"
#include "stiction/model/model.h"
#include "stiction/scenario/scenario.h"

namespace stiction {

// Whether the file's root element is <scenario>. Looks at its first 64 kB and throws nothing: what is wrong
// with the file is for its loader to say.
bool IsScenario(const std::string& path);

// Throws LoadError with file and line, among others: an unknown element, attribute, solver, option or
// quantity, a time outside of the duration, a model's file that does not exist or lies outside of the
// scenario's folder tree, a model's name that appears twice, a controller of a model that is not there.
// Models are not opened, trajectories are. `report`, where given, receives what was read.
Scenario LoadScenario(const std::string& path, ImportReport* report = nullptr);

// All models in one, named after the scenario, with its timestep, gravity and ground (a geom "ground").
//
// A model's name is also that of a frame: its only body on the world, if that is free or fixed, or else the
// frame of its file. Keyframes: "start", in which every model is in the keyframe chosen for it; then every
// model's own, as "arm/home", with all other models as in "start". Joints of keyframes are transformed as
// ModelBuilder::AddModel says.
//
// Throws LoadError: a model that cannot be loaded or placed, a keyframe, body or frame that does not exist, a
// controller that does not fit the model (FindControllerTasks).
// `report`, where given, receives in addition what the models' readers say.
Model BuildModel(const Scenario& scenario, ImportReport* report = nullptr);

}  // namespace stiction
