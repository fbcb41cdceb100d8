#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <sstream>
#include <unordered_map>

#include "io/mjcf/orientation.h"
#include "io/model_path.h"
#include "io/scenario/controller.h"
#include "io/scenario/expect.h"
#include "io/scenario/format.h"
#include "io/scenario/task.h"
#include "io/xml/reader.h"
#include "io/xml/root_element.h"
#include "stiction/contact/registry.h"
#include "stiction/io/scenario.h"
#include "stiction/model/integrator.h"

namespace stiction {
namespace {

namespace fs = std::filesystem;

// Leaves `value` where the attribute is absent.
void ReadPositive(xml::Element& element, const char* attribute, double& value) {
  if (element.Read(attribute, value) && !(value > 0.0))
    element.Fail(attribute, std::string(attribute) + " must be positive");
}

std::unique_ptr<ContactSolver> MakeKnownSolver(const xml::Element& root, const std::string& name) {
  std::unique_ptr<ContactSolver> solver = MakeSolver(name);
  if (solver) return solver;
  std::vector<std::string_view> known;
  for (const SolverEntry& entry : ListSolvers()) known.push_back(entry.name);
  root.Fail("solver", "there is no solver \"" + name + "\"; known: " + scenario::List(known));
}

void ReadBudget(xml::Element& root, Scenario& scenario) {
  std::string word;
  if (!root.Read("budget", word)) return;
  scenario.budget = ParseBudget(word);
  if (!scenario.budget) root.Fail("budget", "budget is \"" + word + "\"; expected " + kBudgetWords);
}

void ReadSolverBudget(xml::Element& root, Scenario& scenario) {
  double microseconds = 0.0;
  if (root.Read("solver_budget_us", microseconds)) scenario.solver_budget.seconds = 1e-6 * microseconds;
  root.Read("solver_budget_iterations", scenario.solver_budget.iterations);
  for (const char* attribute : {"solver_budget_us", "solver_budget_iterations"}) {
    if (!scenario.solver_budget.is_valid() && root.Has(attribute))
      root.Fail(attribute, std::string(attribute) + " must not be negative");
  }
}

void ReadRoot(xml::Element& root, Scenario& scenario) {
  scenario.name = fs::path(scenario.file).stem().string();
  root.Read("name", scenario.name);
  ReadPositive(root, "duration", scenario.duration);
  ReadPositive(root, "timestep", scenario.timestep);
  if (scenario.duration / scenario.timestep > 1e12) root.Fail("duration", "takes more than 1e12 steps");
  if (std::round(scenario.duration / scenario.timestep) == 0.0)
    root.Fail("timestep", "timestep is too long for the duration, in which it is taken not once");
  root.Read("gravity", scenario.gravity);
  for (const auto& [attribute, value] :
       {std::pair{"density", &scenario.density}, std::pair{"viscosity", &scenario.viscosity}}) {
    if (root.Read(attribute, *value) && *value < 0.0)
      root.Fail(attribute, std::string(attribute) + " must not be negative");
  }
  root.Read("wind", scenario.wind);
  ReadBudget(root, scenario);
  ReadSolverBudget(root, scenario);
  root.Read("solver", scenario.solver);
  root.Read("sleep", scenario.sleep);
  ReadPositive(root, "sleep_tolerance", scenario.sleep_tolerance);
  ReadPositive(root, "sleep_time", scenario.sleep_time);
  std::string integrator;
  if (root.ReadWord("integrator", {"euler", "explicit", "implicit", "midpoint", "rk4"}, integrator))
    scenario.integrator = *FindIntegrator(integrator);
}

void ReadOption(xml::Element& element, ContactSolver& solver, Scenario& scenario) {
  const std::string name = element.RequireString("name"), value = element.RequireString("value");
  const std::string wrong = SetSolverOption(solver, name, value);
  if (!wrong.empty()) element.Fail(wrong);
  scenario.solver_options.emplace_back(name, value);
}

void ReadContact(xml::Element& element, Scenario& scenario) {
  std::string model;
  element.ReadWord("model", {"rigid", "soft", "compliant"}, model);
  if (model == "soft") scenario.contact_model = ContactModel::kSoft;
  if (model != "compliant") {
    for (const char* attribute : {"stiffness", "dissipation_time"})
      if (element.Has(attribute)) element.Fail(attribute, "only model=\"compliant\" has one");
    return;
  }
  scenario.contact_model = ContactModel::kCompliant;
  scenario.contact_stiffness = element.RequireNumber("stiffness");
  if (!(scenario.contact_stiffness > 0.0)) element.Fail("stiffness", "stiffness must be positive");
  element.Read("dissipation_time", scenario.contact_dissipation_time);
  if (scenario.contact_dissipation_time < 0.0)
    element.Fail("dissipation_time", "dissipation_time must not be negative");
}

ScenarioGround ReadGround(xml::Element& element) {
  ScenarioGround ground;
  element.Read("z", ground.z);
  element.Read("friction", ground.friction);
  if (ground.friction < 0.0) element.Fail("friction", "the friction must not be negative");
  return ground;
}

//   lines  of the models so far, by name
void ReadModel(xml::Element& element, std::unordered_map<std::string, int>& lines, Scenario& scenario) {
  ScenarioModel model;
  model.line = element.line();
  const std::string written = element.RequireString("file");
  model.file = ResolveModelPath(fs::path(scenario.file).parent_path(), written, element).string();
  model.name = fs::path(model.file).stem().string();
  element.Read("name", model.name);
  if (model.name.empty() || model.name.find('/') != std::string::npos || model.name == "world")
    element.Fail("name", "a model needs a name without a slash, and other than \"world\"");
  const auto [other, is_new] = lines.emplace(model.name, model.line);
  if (!is_new) {
    element.Fail("name", "the model on line " + std::to_string(other->second) + " has the name \"" +
                             model.name + "\" already; give one of them another name");
  }
  mjcf::ReadPose(element, {}, model.X_WM);
  std::string base;
  if (element.ReadWord("base", {"fixed", "floating"}, base))
    model.base = base == "fixed" ? ModelBase::kFixed : ModelBase::kFloating;
  element.Read("keyframe", model.keyframe);
  scenario.models.push_back(model);
}

void CheckModelName(const std::string& name, const std::unordered_map<std::string, int>& lines,
                    const xml::Element& element) {
  if (name.empty() || lines.contains(name)) return;
  std::vector<std::string_view> known;
  for (const auto& [model, line] : lines) known.push_back(model);
  std::sort(known.begin(), known.end());
  element.Fail("model", "there is no model \"" + name + "\"; known: " + scenario::List(known));
}

RecordOptions ReadRecord(xml::Element& element) {
  RecordOptions record;
  std::string bodies;
  element.Read("bodies", bodies);
  record.all_bodies = bodies == "all";
  std::istringstream names(record.all_bodies ? "" : bodies);
  for (std::string name; names >> name;) record.bodies.push_back(name);
  element.Read("contacts", record.contacts);
  element.Read("energy", record.energy);
  element.Read("sensors", record.sensors);
  if (element.Read("every", record.every) && record.every < 1)
    element.Fail("every", "every must be 1 or more");
  return record;
}

}  // namespace

bool IsScenario(const std::string& path) {
  return xml::PeekRootElement(path) == "scenario";
}

Scenario LoadScenario(const std::string& path, ImportReport* report) {
  const std::unique_ptr<xml::Element> root = xml::ReadFile(path);
  if (root->name() != "scenario")
    throw LoadError(path, root->line(), root->name(), "not a scenario: expected <scenario>");
  scenario::CheckFormat(*root);
  Scenario scenario;
  scenario.file = path;
  ReadRoot(*root, scenario);
  const std::unique_ptr<ContactSolver> solver = MakeKnownSolver(*root, scenario.solver);
  std::unordered_map<std::string, int> lines;
  std::vector<std::pair<const xml::Element*, std::string>> users;  // of a model, by its name
  for (const auto& child : root->children()) {
    const std::string& name = child->name();
    if (name == "option") ReadOption(*child, *solver, scenario);
    if (name == "contact") ReadContact(*child, scenario);
    if (name == "ground") scenario.ground = ReadGround(*child);
    if (name == "model") ReadModel(*child, lines, scenario);
    if (name == "controller") {
      scenario.controllers.push_back(scenario::ReadController(*child));
      users.emplace_back(child.get(), scenario.controllers.back().model);
    }
    if (name == "task") {
      scenario.tasks.push_back(scenario::ReadTask(*child));
      users.emplace_back(child.get(), scenario.tasks.back().model);
    }
    if (name == "record") scenario.record = ReadRecord(*child), scenario.record_line = child->line();
    if (name == "expect")
      scenario.expectations.push_back(scenario::ReadExpectation(*child, scenario.duration));
  }
  // Controllers and tasks may stand before their model.
  for (const auto& [element, model] : users) CheckModelName(model, lines, *element);
  if (scenario.models.empty()) root->Fail("holds no model; add <model file=\"...\"/>");
  if (report) {
    const auto unread = [](const xml::Element&, std::string_view) {
      return xml::Unread{"has no meaning here"};
    };
    xml::AppendReport(*root, unread, *report);
  }
  return scenario;
}

}  // namespace stiction
