// Scenarios: files that say what has to come out of a simulation.
#include "stiction/sim/scenario.h"

#include <pybind11/stl.h>

#include <cmath>
#include <filesystem>

#include "stiction/io/scenario.h"
#include "stiction/sim/controller.h"
#include "stiction/sim/expectation.h"
#include "world.h"

namespace stiction::python {
namespace {

struct PyScenario {
  Scenario scenario;
  ImportReport report;
};

PyScenario ReadScenario(const PathLike& path, bool visuals) {
  const std::string file = ReadPath("path", path);
  PyScenario out;
  const py::gil_scoped_release others_may_run;
  if (std::filesystem::exists(file) && !IsScenario(file))
    throw LoadError(file, 0, "", "this is not a scenario; read a model with stiction.load");
  out.scenario = LoadScenario(file, &out.report);
  out.scenario.visuals = visuals;
  return out;
}

WorldPointer MakeScenarioWorld(const PyScenario& self, const WorldArguments& arguments) {
  Scenario scenario = self.scenario;
  const WorldOptions options = MakeOptions(arguments, MakeWorldOptions(scenario));
  scenario.timestep = *options.timestep;
  auto loaded = std::make_shared<LoadedModel>();
  loaded->report = self.report;
  loaded->model = BuildModel(scenario, &loaded->report);
  loaded->source = MakeSource(scenario.file);
  loaded->is_of_scenario = true;
  WarnOfLosses(loaded->report);
  World world(loaded->model, options);
  world.SetKeyframe(*world.model().FindKeyframe(kStartKeyframe));
  AttachControllers(world, scenario.controllers, scenario.tasks);
  return std::make_shared<PyWorld>(loaded, std::move(world));
}

WorldPointer MakeWorldWith(const PyScenario& self, std::optional<double> dt,
                           const std::optional<std::string>& solver, const std::optional<py::dict>& options,
                           std::optional<double> budget, const std::string& on_miss,
                           const std::optional<std::string>& integrator, std::optional<bool> sleep,
                           std::optional<int> halvings) {
  return MakeScenarioWorld(self, {dt, solver, options, budget, on_miss, integrator, sleep, halvings});
}

py::list DescribeResults(const std::vector<ExpectationResult>& results) {
  py::list out;
  for (const ExpectationResult& result : results) {
    const Expectation& e = result.expectation;
    py::dict entry;
    entry["text"] = Describe(result);
    entry["what"] = ToString(e.what);
    entry["measured"] = result.measured;
    entry["min"] = e.min;
    entry["max"] = e.max;
    entry["is_met"] = result.is_met;
    entry["file"] = e.file;
    entry["line"] = e.line;
    out.append(entry);
  }
  return out;
}

ScenarioResultObject Run(const PyScenario& self, std::optional<double> duration) {
  if (duration && !(std::isfinite(*duration) && *duration >= 0.0))
    throw py::value_error("duration: expected a finite number >= 0 [s]");
  const WorldPointer world = MakeScenarioWorld(self, {});
  const World& engine = world->unguarded();
  ExpectationMonitor monitor(engine, self.scenario.expectations);
  const long long steps = std::llround(duration.value_or(self.scenario.duration) / engine.timestep());
  if (steps == 0 && duration.value_or(1.0) > 0.0)
    throw py::value_error("duration: the timestep is too long for it, and is taken not once");
  double ncp = 0.0;
  using Clock = std::chrono::steady_clock;
  Clock::time_point looked = Clock::now();
  for (long long i = 0; i < steps; ++i) {
    world->Step(1);
    monitor.Observe(engine);
    ncp = std::max(ncp, engine.report().certificate.ncp_max);
    if (Clock::now() - looked < kSignalInterval) continue;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    looked = Clock::now();
  }
  const py::list expectations = DescribeResults(monitor.results(true));
  using namespace py::literals;
  return py::module_::import("stiction._types")
      .attr("ScenarioResult")("world"_a = world, "steps"_a = steps, "ncp"_a = ncp,
                              "budget_misses"_a = world->num_misses(), "expectations"_a = expectations);
}

}  // namespace

void BindScenario(py::module_& module) {
  py::class_<PyScenario>(
      module, "Scenario",
      "A file that names models, controllers, and what has to come out of simulating them;\n"
      "assets/scenarios/README.md describes the format.\n\n"
      "  result = stiction.Scenario('pinch.xml').run()\n"
      "  assert result.is_met")
      .def(py::init(&ReadScenario), py::arg("path"), py::kw_only(), py::arg("visuals") = false,
           "visuals: its models are read with what is only looked at. Raises LoadError, with file and line.")
      .def_property_readonly("name", [](const PyScenario& s) { return s.scenario.name; })
      .def_property_readonly(
          "duration", [](const PyScenario& s) { return s.scenario.duration; }, "[s]")
      .def_property_readonly(
          "timestep", [](const PyScenario& s) { return s.scenario.timestep; }, "[s]")
      .def_property_readonly("solver", [](const PyScenario& s) { return s.scenario.solver; })
      .def_property_readonly(
          "import_report", [](const PyScenario& s) { return DescribeReport(s.report); },
          "As Model.import_report, of the scenario's file alone.")
      .def("world", &MakeWorldWith, py::kw_only(), py::arg("dt") = py::none(), py::arg("solver") = py::none(),
           py::arg("options") = py::none(), py::arg("budget") = py::none(), py::arg("on_miss") = "retry",
           py::arg("integrator") = py::none(), py::arg("sleep") = py::none(),
           py::arg("halvings") = py::none(),
           "A world of all its models in their starting keyframes, moved by its controllers at every step; "
           "the\n"
           "keywords are those of World and take the place of what the scenario says.")
      .def("run", &Run, py::arg("duration") = py::none(),
           "Simulates it for its duration, or another one [s], and says whether it came out as expected: a\n"
           "ScenarioResult. Raises SimulationError.");
}

}  // namespace stiction::python
