#include "peer_experiments.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "papers/single_step.h"
#include "peer_engine.h"

namespace stiction::runner {
namespace {

constexpr const char* kPeers = "peers";
constexpr const char* kPeerReference =
    "MuJoCo's official WebAssembly package; Bullet and ODE as Debian has them, double precision";
constexpr double kFallen = 0.05;  // drift [m]
constexpr double kNoPeerNumber = std::numeric_limits<double>::quiet_NaN();

using enum PeerQuantity;

struct PeerResult {
  std::string engine, settings;
  bool is_ours = false;
  std::optional<PeerTrajectory> trajectory{};
  std::string problem{};  // why there is none
};

std::vector<PeerResult> RunAll(const PeerScene& scene) {
  std::vector<PeerResult> results{{"Stiction", "as it is", true, scene.Simulate(std::nullopt)}};
  // Where nothing touches, the integrator is what there is to choose.
  if (scene.study().plotted == kMomentum || scene.study().plotted == kLoop)
    results.push_back({"Stiction", "midpoint rule", true, scene.Simulate(Integrator::kMidpoint)});
  for (const PeerEngine& engine : ListPeerEngines()) {
    PeerResult result{.engine = engine.name, .settings = engine.settings};
    result.trajectory = RunPeer(engine, scene, result.problem);
    if (!result.trajectory)
      std::fprintf(stderr, "%s (%s) on %s is skipped: %s\n", engine.name, engine.settings, scene.study().name,
                   result.problem.c_str());
    results.push_back(std::move(result));
  }
  return results;
}

double MeasureResult(const PeerScene& scene, const PeerResult& result, PeerQuantity quantity) {
  return result.trajectory ? scene.Measure(quantity, *result.trajectory) : kNoPeerNumber;
}

bool IsAsked(const PeerScene& scene, PeerQuantity quantity) {
  const std::vector<PeerQuantity>& asked = scene.study().quantities;
  return std::find(asked.begin(), asked.end(), quantity) != asked.end();
}

// Whether what should stay has come away: then it rests on the floor, quick to compute and without creep.
bool HasFallen(const PeerScene& scene, const PeerResult& result) {
  return IsAsked(scene, kDrift) && !(MeasureResult(scene, result, kDrift) <= kFallen);
}

std::string FormatMeasured(PeerQuantity quantity, double value) {
  if (std::isnan(value)) return "diverged";
  return FormatNumber(quantity == kSpeed ? "%.0f" : "%.1e", value);
}

// Which of the other engines does best, of creep and speed among those where nothing has fallen; null: none.
const PeerResult* FindBest(const PeerScene& scene, const std::vector<PeerResult>& results,
                           PeerQuantity quantity) {
  const PeerResult* best = nullptr;
  for (const PeerResult& result : results) {
    if (result.is_ours || !result.trajectory) continue;
    if ((quantity == kCreep || quantity == kSpeed) && HasFallen(scene, result)) continue;
    const double value = MeasureResult(scene, result, quantity);
    if (std::isnan(value)) continue;
    const double least = best ? MeasureResult(scene, *best, quantity) : value;
    if (!best || (quantity == kSpeed ? value > least : value < least)) best = &result;
  }
  return best;
}

// "; at that speed its energy error is 9.5e-02, ours 4.6e-15": what a step buys, where nothing touches.
std::string TellErrors(const PeerScene& scene, const PeerResult& ours, const PeerResult& other) {
  std::string text;
  for (const PeerQuantity quantity : {kEnergy, kMomentum, kLoop}) {
    if (!IsAsked(scene, quantity)) continue;
    text += std::string(text.empty() ? "; at that speed its " : ", its ") + TraitsOf(quantity).title +
            " is " + FormatMeasured(quantity, MeasureResult(scene, other, quantity)) + ", ours " +
            FormatMeasured(quantity, MeasureResult(scene, ours, quantity));
  }
  return text;
}

// "; 4.4e-05 by the midpoint rule": what our other settings do.
std::string TellIntegrators(const PeerScene& scene, const std::vector<PeerResult>& results,
                            PeerQuantity quantity) {
  std::string text;
  for (std::size_t i = 1; i < results.size() && results[i].is_ours; ++i)
    text += "; " + FormatMeasured(quantity, MeasureResult(scene, results[i], quantity)) + " by the " +
            results[i].settings;
  return text;
}

PaperFigure JudgeQuantity(const PeerScene& scene, const std::vector<PeerResult>& results,
                          PeerQuantity quantity) {
  const PeerQuantityTraits& traits = TraitsOf(quantity);
  const double ours = MeasureResult(scene, results.front(), quantity);
  PaperFigure figure{.source = scene.study().name,
                     .quantity = traits.title,
                     .paper = "none of the others is here, or stands",
                     .ours = FormatMeasured(quantity, ours)};
  const PeerResult* best = FindBest(scene, results, quantity);
  if (!best) return figure;
  const double other = MeasureResult(scene, *best, quantity);
  figure.paper = FormatMeasured(quantity, other) + " by " + best->engine + ", " + best->settings;
  if (other > 0.0) figure.ratio = ours / other;
  if (quantity == kSpeed) {
    figure.verdict = Judge(ours >= other);
    figure.remark =
        "processor time, one thread; held where we are as fast as the fastest of those where nothing fell. "
        "MuJoCo's native "
        "build is faster than its WebAssembly" +
        TellErrors(scene, results.front(), *best);
    return figure;
  }
  figure.verdict = Judge(ours <= std::max(other, traits.floor));
  figure.remark = "held where no other is better, or ours is below " + FormatNumber("%.0e", traits.floor) +
                  TellIntegrators(scene, results, quantity);
  return figure;
}

PaperTable TabulateResults(const PeerScene& scene, const std::vector<PeerResult>& results) {
  PaperTable table{.title = "All engines, " + FormatNumber("%g", scene.study().duration) +
                            " s with steps of " + FormatNumber("%g", 1e3 * scene.dt()) + " ms",
                   .columns = {"engine", "settings"},
                   .rows = {}};
  for (int q = 0; q < kNumPeerQuantities; ++q)
    if (IsAsked(scene, static_cast<PeerQuantity>(q)))
      table.columns.push_back(TraitsOf(static_cast<PeerQuantity>(q)).title);
  for (const PeerResult& result : results) {
    std::vector<std::string> row{result.trajectory ? result.trajectory->version : result.engine,
                                 result.settings};
    for (int q = 0; q < kNumPeerQuantities; ++q) {
      const auto quantity = static_cast<PeerQuantity>(q);
      if (!IsAsked(scene, quantity)) continue;
      row.push_back(!result.trajectory ? "skipped"
                    : quantity == kCreep && HasFallen(scene, result)
                        ? "fell"
                        : FormatMeasured(quantity, MeasureResult(scene, result, quantity)));
    }
    if (!result.trajectory) row[1] += "; skipped: " + result.problem;
    table.rows.push_back(std::move(row));
  }
  return table;
}

PaperPlot PlotResults(const PeerScene& scene, const std::vector<PeerResult>& results) {
  const PeerQuantity plotted = scene.study().plotted;
  PlotFigure plot{.title = scene.study().title, .x_title = "time [s]", .has_tight_x = true};
  PlotPanel panel{.y_title = TraitsOf(plotted).title, .y_scale = PlotScale::kLogarithmic};
  for (const PeerResult& result : results) {
    if (!result.trajectory || !result.trajectory->is_finite()) continue;
    PlotCurve curve{.label = result.engine + ", " + result.settings};
    const std::vector<double> trace = scene.Trace(plotted, *result.trajectory);
    for (std::size_t i = 1; i < trace.size(); ++i)
      curve.points.emplace_back(result.trajectory->time[i], trace[i]);
    panel.curves.push_back(std::move(curve));
  }
  plot.panels.push_back(std::move(panel));
  return {"time", std::move(plot)};
}

PaperOutcome MeasurePeers(const PeerStudy& study, const std::string& about) {
  const PeerScene scene(study);
  const std::vector<PeerResult> results = RunAll(scene);
  PaperOutcome outcome;
  outcome.about = about;
  for (const PeerQuantity quantity : study.quantities)
    outcome.figures.push_back(JudgeQuantity(scene, results, quantity));
  outcome.tables = {TabulateResults(scene, results)};
  outcome.plots = {PlotResults(scene, results)};
  outcome.pictures = {
      {"picture", "The scene as it starts.", {scene.file(), "--keyframe", "start", "--size", "960x540"}}};
  return outcome;
}

PaperExperiment MakePeerExperiment(const PeerStudy& study, const std::string& about) {
  return {kPeers,
          study.name,
          study.title,
          kPeerReference,
          [study, about](const PaperOptions&) { return MeasurePeers(study, about); },
          "best of the others"};
}

}  // namespace

const std::vector<PaperExperiment>& ListPeerExperiments() {
  const std::vector<PeerQuantity> at_rest{kCreep, kPenetration, kDrift, kHeight, kSpeed};
  static const std::vector<PaperExperiment> experiments{
      MakePeerExperiment(
          {"rest", "A box at rest", 10.0, "box", at_rest, kDrift},
          "A box of 1 kg is put down on a plane, just touching it, and should stay where it is."),
      MakePeerExperiment(
          {"incline",
           "A box on a slope of 30 degrees",
           10.0,
           "box",
           {kCreep, kPenetration, kDrift, kSpeed},
           kDrift},
          "With a friction of 1 the box could hold on a slope of 45 degrees; it should not move."),
      MakePeerExperiment(
          {"grip", "A part between two jaws", 10.0, "part", at_rest, kDrift},
          "A part of 0.2 kg between a fixed jaw and one that presses with 20 N; friction could hold "
          "fourteen times its weight, and it should not sink."),
      MakePeerExperiment(
          {"stack20", "A stack of twenty boxes", 10.0, "box20", at_rest, kDrift},
          "Twenty boxes of 10 cm and 1 kg, exactly above one another; the top one should stay at 1.95 m."),
      MakePeerExperiment(
          {"stack20_heavy", "The same stack with 1000 kg on top", 10.0, "box20", at_rest, kDrift},
          "Nineteen boxes of 1 kg carry one of 1000 kg, a question of mass ratio alone; the top one "
          "should stay at 1.95 m."),
      MakePeerExperiment(
          {"tumble", "A block tumbles in the void", 20.0, "block", {kEnergy, kMomentum, kSpeed}, kMomentum},
          "A block turns about its middle axis, and flips over and over: nothing acts on it, and its "
          "energy and its angular momentum should stay."),
      MakePeerExperiment(
          {"four_bar", "A four-bar linkage swings", 20.0, "coupler", {kLoop, kEnergy, kSpeed}, kLoop},
          "Crank, coupler and rocker on four pins without friction: the pins should hold together, and "
          "the energy should stay. Other engines have every pin as a constraint, or, as MuJoCo and we, "
          "the closing one alone."),
  };
  return experiments;
}

}  // namespace stiction::runner
