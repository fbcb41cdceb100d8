// Scenarios: models that stand in one world, how they are simulated, and what has to come out. Plain data
// that io/scenario.h reads from a file and sim/scenario.h simulates.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stiction/contact/budget.h"
#include "stiction/contact/default_solver.h"
#include "stiction/contact/solver_budget.h"
#include "stiction/model/model_builder.h"
#include "stiction/scenario/controller.h"
#include "stiction/scenario/quantity.h"
#include "stiction/scenario/record.h"
#include "stiction/scenario/task.h"

namespace stiction {

// As a time of an expectation: the end of the simulation, whenever that is.
inline constexpr double kScenarioEnd = std::numeric_limits<double>::infinity();

// At every time from `from` to `to`, the quantity lies within [min, max]. It is measured after every step
// within its time, and at the start where there is something to measure then.
struct Expectation {
  Quantity what = Quantity::kPosition;
  std::string of{}, in{};          // names of bodies or frames
  std::string by{};                // of contacts and force: only those with this body
  Axis axis = Axis::kNorm;         // component, or Euclidean norm
  double from = 0.0;               // since the start of the simulation [s]
  double to = kScenarioEnd;        // equal to `from`: at that one time [s]
  std::optional<double> min, max;  // at least one of them
  std::string file{};              // where it is written
  int line = 0;
};

// "drift of cup in arm/hand from 1 s to the end".
std::string Describe(const Expectation& expectation);

struct ScenarioModel {
  std::string file;  // as it is to be opened
  std::string name;  // names of its elements become name/element
  RigidTransform X_WM;
  ModelBase base = ModelBase::kAsInModel;
  std::string keyframe;  // in which it starts; empty: as in its file
  int line = 0;
};

struct ScenarioGround {
  double z = 0.0;  // [m]
  double friction = 1.0;
};

struct Scenario {
  std::string file;
  std::string name;
  double duration = 5.0;                 // [s]
  double timestep = 0.002;               // [s]
  Vector3d gravity = {0.0, 0.0, -9.81};  // [m/s²]
  Integrator integrator = Integrator::kSymplecticEuler;
  double density = 0.0;              // of a fluid [kg/m³]
  double viscosity = 0.0;            // [Pa·s]
  Vector3d wind = Vector3d::Zero();  // [m/s]
  ContactModel contact_model = ContactModel::kRigid;
  double contact_stiffness = 0.0;         // of kCompliant, a pair's with every geom [N/m]
  double contact_dissipation_time = 0.0;  // [s]
  // As in Options: whether bodies at rest may sleep, and when.
  bool sleep = false;
  double sleep_tolerance = Options{}.sleep_tolerance;               // [m/s]
  double sleep_time = Options{}.sleep_time;                         // [s]
  std::string solver = kDefaultSolver;                              // contact/registry.h
  std::vector<std::pair<std::string, std::string>> solver_options;  // by name, as text
  std::optional<Budget> budget;
  SolverBudget solver_budget;
  std::optional<ScenarioGround> ground;
  std::vector<ScenarioModel> models;
  std::vector<ControllerDescription> controllers;
  std::vector<TaskDescription> tasks;
  std::optional<RecordOptions> record;  // what a log of it holds; it names no file
  int record_line = 0;
  std::vector<Expectation> expectations;
  std::vector<std::string> package_paths;  // not in the file: LoadOptions::package_paths of the models
  bool visuals = false;                    // not in the file: LoadOptions::visuals of the models
  ModelRepairs repairs;                    // not in the file: LoadOptions::repairs of the models
};

// The name of the keyframe in which a scenario starts.
inline constexpr const char* kStartKeyframe = "start";

// Throws LoadError, with the scenario's file and line, for a body or frame of an expectation or of the record
// that the model does not have.
//   model  all models of the scenario in one
void CheckNames(const Scenario& scenario, const Model& model);

}  // namespace stiction
