#include "truth/convergence.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assets_folder.h"
#include "papers/canal_figures.h"
#include "random_state.h"
#include "stiction/io/load.h"

namespace stiction::runner {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
// Starts that are the known one to all that rounding leaves of a run, and how many [m/s or rad/s].
constexpr double kDisturbance = 1e-12;
constexpr int kDisturbedRuns = 3;

double OrderOf(Integrator integrator) {
  if (integrator == Integrator::kRungeKutta4) return 4.0;
  return integrator == Integrator::kMidpoint ? 2.0 : 1.0;
}

std::string Print(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", value);
  return text;
}

// "within 0.01 m"'s part " m"; nothing where there is no unit.
std::string UnitBehind(const std::string& unit) {
  return unit.empty() ? "" : " " + unit;
}

// "error [m]"; where there is no unit, "error".
std::string TitleOfError(const std::string& unit) {
  return unit.empty() ? "error" : "error [" + unit + "]";
}

// NaN if the run diverged.
//   seed  of a disturbance of the velocities at the start; 0: none
double MeasureError(const KnownMotion& motion, const Model& model, Integrator integrator, double step,
                    double& ncp, std::uint64_t seed = 0) {
  WorldOptions options;
  options.integrator = integrator;
  options.timestep = step;
  options.solver = motion.solver;
  World world(model, options);
  for (const Keyframe& keyframe : model.keyframes) {
    if (keyframe.name == "home") world.SetKeyframe(keyframe);
  }
  if (motion.prepare) motion.prepare(world);
  if (seed != 0) {
    State state = world.state();
    DisturbVelocities(model, seed, kDisturbance, state);
    world.set_state(state);
  }
  const long count = std::lround(motion.duration / step);
  double largest = 0.0;
  for (long i = 0; i < count; ++i) {
    if (motion.drive) motion.drive(world, (i + 1) * step);
    const StepReport& report = world.Step();
    if (report.status != StepStatus::kOk && report.status != StepStatus::kBudgetMissed) return kNaN;
    ncp = std::max(ncp, report.certificate.ncp_max);
    if (motion.watch) motion.watch(world);
    if (motion.is_path) largest = std::max(largest, motion.error(world));
  }
  return motion.is_path ? largest : motion.error(world);
}

}  // namespace

void MeasureSpreads(const KnownMotion& motion, Integrator integrator, Convergence& result) {
  const Model model = LoadModel(FindAsset("benchmarks/" + motion.file));
  KnownMotion again = motion;
  again.watch = nullptr;
  result.spreads.assign(result.errors.size(), 0.0);
  for (std::size_t i = 0; i < result.errors.size(); ++i) {
    if (!std::isfinite(result.errors[i])) continue;
    for (std::uint64_t seed = 1; seed <= kDisturbedRuns; ++seed) {
      const double error = MeasureError(again, model, integrator, motion.steps[i], result.ncp, seed);
      const double change = std::abs(error - result.errors[i]);
      if (!(change <= result.spreads[i])) result.spreads[i] = change;
    }
  }
}

Convergence MeasureConvergence(const KnownMotion& motion, Integrator integrator) {
  const Model model = LoadModel(FindAsset("benchmarks/" + motion.file));
  Convergence result{{.steps = motion.steps, .errors = {}}};
  for (const double step : motion.steps)
    result.errors.push_back(MeasureError(motion, model, integrator, step, result.ncp));
  return result;
}

double MeasureOnce(const KnownMotion& motion, double* ncp) {
  const Model model = LoadModel(FindAsset("benchmarks/" + motion.file));
  double largest = 0.0;
  const double error = MeasureError(motion, model, model.options.integrator, motion.steps.back(), largest);
  if (ncp != nullptr) *ncp = std::max(*ncp, largest);
  return error;
}

void AddMethodTable(const std::string& name, const std::string& unit, const KnownMotion& motion,
                    PaperOutcome& outcome) {
  KnownMotion once = motion;
  once.steps = {motion.steps.back()};
  PaperTable table{.title = name + " at " + Print(once.steps[0]) + " s, by method: " + TitleOfError(unit) +
                            ", and the worst certificate of a step",
                   .columns = {"integrator", "solver", "error", "ncp [m/s]"},
                   .rows = {}};
  const auto add = [&](Integrator integrator, const char* solver) {
    once.solver = solver;
    const Convergence result = MeasureConvergence(once, integrator);
    table.rows.push_back({ToString(integrator), solver, Print(result.errors[0]), Print(result.ncp)});
  };
  for (const Integrator integrator : {Integrator::kSymplecticEuler, Integrator::kImplicitEuler,
                                      Integrator::kMidpoint, Integrator::kRungeKutta4})
    add(integrator, "auto");
  const Integrator own = LoadModel(FindAsset("benchmarks/" + motion.file)).options.integrator;
  for (const char* solver : {"canal", "subadmm", "nbgs_c", "admm_ncp", "pgs_ncp", "raisim", "sap"})
    add(own, solver);
  outcome.tables.push_back(std::move(table));
}

void AddBoundedFigure(const std::string& source, const std::string& quantity, double ours, double bound,
                      const std::string& unit, PaperOutcome& outcome) {
  outcome.figures.push_back({.source = source,
                             .quantity = quantity,
                             .paper = "within " + Print(bound) + UnitBehind(unit),
                             .ours = Print(ours) + UnitBehind(unit),
                             .verdict = Judge(ours <= bound),
                             .ratio = ours / bound});
}

void AddConvergence(const std::string& name, const std::string& unit, const std::string& source,
                    const KnownMotion& motion, const std::vector<Integrator>& integrators, double bound,
                    double floor, PaperOutcome& outcome) {
  const Integrator own = LoadModel(FindAsset("benchmarks/" + motion.file)).options.integrator;
  PaperTable table{.title = name + ": " + TitleOfError(unit) + (motion.is_path ? " within " : " after ") +
                            Print(motion.duration) + " s",
                   .columns = {"integrator"},
                   .rows = {}};
  for (const double step : motion.steps) table.columns.push_back(Print(step) + " s");
  table.columns.push_back("spread");
  table.columns.push_back("order");
  PlotFigure plot = MakeLogFigure(name, "timestep [s]", TitleOfError(unit));
  for (const Integrator integrator : integrators) {
    Convergence result = MeasureConvergence(motion, integrator);
    MeasureSpreads(motion, integrator, result);
    const double order = FindOrder(result, floor);
    std::vector<std::string> row{ToString(integrator)};
    PlotCurve curve{.label = ToString(integrator)};
    for (std::size_t i = 0; i < result.errors.size(); ++i) {
      row.push_back(Print(result.errors[i]));
      if (std::isfinite(result.errors[i])) curve.points.push_back({result.steps[i], result.errors[i]});
    }
    row.push_back(Print(*std::max_element(result.spreads.begin(), result.spreads.end())));
    row.push_back(Print(order));
    table.rows.push_back(std::move(row));
    plot.panels[0].curves.push_back(std::move(curve));
    if (integrator == own)
      AddBoundedFigure(source,
                       name + ", " + ToString(integrator) + " at " + Print(motion.steps.back()) + " s",
                       result.errors.back(), bound, unit, outcome);
    if (std::isnan(order)) continue;
    outcome.figures.push_back({.source = source,
                               .quantity = name + ", order of " + ToString(integrator),
                               .paper = Print(OrderOf(integrator)),
                               .ours = Print(order),
                               .verdict = Judge(order >= OrderOf(integrator) - kOrderSlack),
                               .ratio = order / OrderOf(integrator)});
  }
  std::string plot_name = name;
  std::replace_if(
      plot_name.begin(), plot_name.end(), [](char c) { return c == ' ' || c == ','; }, '_');
  outcome.tables.push_back(std::move(table));
  outcome.plots.push_back({plot_name, std::move(plot)});
}

}  // namespace stiction::runner
