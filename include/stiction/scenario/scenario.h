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
#include "stiction/model/model_builder.h"
#include "stiction/scenario/controller.h"
#include "stiction/scenario/record.h"

namespace stiction {

// What an expectation measures, after every step within its time, and at the start where there is something
// to measure then. With `of` and `in`, bodies or frames F and I; the world where `in` is empty.
enum class Quantity {
  kPosition,     // of F's origin in I's frame [m]
  kDrift,        // displacement of F's origin in I's frame since `from` [m]
  kSpeed,        // of F's origin as seen from I; without F of the fastest body's origin [m/s]
  kPenetration,  // deepest overlap, of F's body with anything or of all [m]
  kNcp,          // the certificate's ncp_max [m/s]
  kLoop,         // the certificate's loop error [m or rad]
  kEnergyDrift,  // |E − E at `from`|, kinetic and potential energy [J]
  kContacts,     // contact points that carry a normal impulse of at least 1e-9 N·s, of F's body or of all
};
// As in the file: "position", "energy_drift".
const char* ToString(Quantity quantity);
// "m/s"; empty for a count.
const char* UnitOf(Quantity quantity);

enum class Axis { kX, kY, kZ, kNorm };

// As a time of an expectation: the end of the simulation, whenever that is.
inline constexpr double kScenarioEnd = std::numeric_limits<double>::infinity();

// At every time from `from` to `to`, the quantity lies within [min, max].
struct Expectation {
  Quantity what = Quantity::kPosition;
  std::string of{}, in{};          // names of bodies or frames
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
  std::optional<ScenarioGround> ground;
  std::vector<ScenarioModel> models;
  std::vector<ControllerDescription> controllers;
  std::optional<RecordOptions> record;  // what a log of it holds; it names no file
  int record_line = 0;
  std::vector<Expectation> expectations;
  std::vector<std::string> package_paths;  // not in the file: LoadOptions::package_paths of the models
  bool visuals = false;                    // not in the file: LoadOptions::visuals of the models
};

// The name of the keyframe in which a scenario starts.
inline constexpr const char* kStartKeyframe = "start";

// Throws LoadError, with the scenario's file and line, for a body or frame of an expectation or of the record
// that the model does not have.
//   model  all models of the scenario in one
void CheckNames(const Scenario& scenario, const Model& model);

}  // namespace stiction
