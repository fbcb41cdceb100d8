#include "scenario_experiment.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "assets_folder.h"
#include "papers/single_step.h"
#include "run_answer.h"
#include "study_run.h"

namespace stiction::runner {
namespace {

constexpr std::size_t kMostPanels = 4;                // of one plot, the certificate among them
constexpr const char* kStudyPictureSize = "960x540";  // many are in one page
constexpr double kStudyPanelHeight = 130.0;           // [px]

// The comment with which a file begins, its lines joined; empty where it begins otherwise.
std::string ReadFirstComment(const std::string& file) {
  std::ostringstream whole;
  whole << std::ifstream(file).rdbuf();
  const std::string text = whole.str();
  const std::size_t begin = text.find("<!--"), end = text.find("-->");
  if (end == std::string::npos || begin != text.find('<')) return "";
  std::istringstream words(text.substr(begin + 4, end - begin - 4));
  std::string joined;
  for (std::string word; words >> word;) joined += (joined.empty() ? "" : " ") + word;
  return joined;
}

std::string StudyNumber(double number) {
  return FormatNumber("%.4g", number);
}

// Of a curve: what is watched, short.
std::string NameWatched(const Expectation& e) {
  return e.of + (e.in.empty() ? "" : " in " + e.in) + (e.by.empty() ? "" : " by " + e.by);
}

// Digits enough to tell a value from its bounds.
std::string PrintBetween(double number, const Expectation& e) {
  return e.min && e.max ? FormatNumber("%.9g", number) : StudyNumber(number);
}

std::string DescribeBounds(const Expectation& e) {
  if (e.min && e.max && *e.min == *e.max) return PrintBetween(*e.min, e);
  if (e.min && e.max) return PrintBetween(*e.min, e) + " to " + PrintBetween(*e.max, e);
  return e.max ? "≤ " + StudyNumber(*e.max) : "≥ " + StudyNumber(*e.min);
}

// Measured over the bound where it is one; of an interval how far from its middle, in halves of it.
std::optional<double> CalcBoundRatio(const ExpectationResult& result) {
  const Expectation& e = result.expectation;
  if (!std::isfinite(result.measured)) return std::nullopt;
  if (e.min && e.max) {
    const double half = 0.5 * (*e.max - *e.min);
    return half > 0.0 ? std::optional(std::abs(result.measured - 0.5 * (*e.max + *e.min)) / half)
                      : std::nullopt;
  }
  const double bound = e.max ? *e.max : *e.min;
  return bound != 0.0 ? std::optional(result.measured / bound) : std::nullopt;
}

PaperFigure MakeExpectationFigure(const ScenarioStudy& study, const StudyRun& run,
                                  const ExpectationResult& result) {
  const Expectation& e = result.expectation;
  PaperFigure figure{.source = study.source,
                     .quantity = Describe(e),
                     .paper = DescribeBounds(e),
                     .ours = PrintBetween(result.measured, e),
                     .verdict = Judge(result.is_met),
                     .remark = "at " + StudyNumber(result.time) + " s; line " + std::to_string(e.line),
                     .ratio = CalcBoundRatio(result)};
  if (!run.reached_end && !result.is_met) figure.remark = "the run ended before its time: " + run.status;
  return figure;
}

PaperFigure MakeBudgetFigure(const ScenarioStudy& study, const StudyRun& run) {
  return {.source = study.source,
          .quantity = "steps whose certificate misses " + ToString(run.budget) + " m/s",
          .paper = "0 of " + std::to_string(run.statistics.steps),
          .ours = std::to_string(run.statistics.budget_misses),
          .verdict = Judge(run.statistics.budget_misses == 0),
          .remark = "largest ncp " + FormatNumber("%.1e", run.statistics.ncp_max.max()) + " m/s; " +
                    FormatNumber("%.0f", 1e6 * run.statistics.wall_time /
                                             static_cast<double>(std::max(1LL, run.statistics.steps))) +
                    " µs a step"};
}

std::vector<std::pair<double, double>> Pair(const std::vector<double>& time,
                                            const std::vector<double>& values) {
  std::vector<std::pair<double, double>> points;
  for (std::size_t i = 0; i < std::min(time.size(), values.size()); ++i)
    points.emplace_back(time[i], values[i]);
  return points;
}

PlotPanel MakeStudyPanel(const StudyRun& run, std::size_t i) {
  const Expectation& e = run.results[i].expectation;
  PlotPanel panel{.y_title = ToString(e.what)};
  panel.curves.push_back({.label = NameWatched(e), .points = Pair(run.time, run.values[i])});
  for (const auto& bound : {e.min, e.max}) {
    if (bound)
      panel.curves.push_back({.label = panel.curves.back().is_faint ? "" : "bound",
                              .points = {{run.time.front(), *bound}, {run.time.back(), *bound}},
                              .is_faint = true});
  }
  return panel;
}

// The certificate, and those expectations that say something over time.
PaperPlot PlotStudy(const std::string& title, const StudyRun& run) {
  PlotFigure plot{
      .title = title, .x_title = "time [s]", .has_tight_x = true, .panel_height = kStudyPanelHeight};
  PlotPanel ncp{.y_title = "certificate [m/s]", .y_scale = PlotScale::kLogarithmic};
  ncp.curves.push_back({.label = "ncp", .points = Pair(run.time, run.ncp)});
  if (!run.budget.is_none())
    ncp.curves.push_back(
        {.label = "budget",
         .points = {{run.time.front(), run.budget.absolute}, {run.time.back(), run.budget.absolute}},
         .is_faint = true});
  plot.panels.push_back(std::move(ncp));
  for (std::size_t i = 0; i < run.results.size() && plot.panels.size() < kMostPanels; ++i) {
    const auto is_due = [](double value) { return std::isfinite(value); };
    const Quantity what = run.results[i].expectation.what;
    if (what == Quantity::kNcp || std::count_if(run.values[i].begin(), run.values[i].end(), is_due) < 2)
      continue;
    plot.panels.push_back(MakeStudyPanel(run, i));
  }
  return {"time", std::move(plot)};
}

}  // namespace

PaperOutcome MeasureScenario(const ScenarioStudy& study) {
  const std::string file = FindAsset(std::string("scenarios/") + study.file);
  RunArguments scenario;
  scenario.model.path = file;
  const StudyRun run = RunStudy(scenario);
  PaperOutcome outcome;
  outcome.about = ReadFirstComment(file);
  for (const ExpectationResult& result : run.results)
    outcome.figures.push_back(MakeExpectationFigure(study, run, result));
  for (const TaskProgress& task : run.tasks)
    outcome.figures.push_back({.source = study.source,
                               .quantity = "its task",
                               .paper = "done",
                               .ours = Describe(task),
                               .verdict = Judge(task.status == TaskStatus::kDone)});
  outcome.figures.push_back(MakeBudgetFigure(study, run));
  if (run.time.size() > 1) outcome.plots.push_back(PlotStudy(study.file, run));
  if (!study.picture.empty()) {
    std::vector<std::string> arguments{std::filesystem::absolute(file).string()};
    arguments.insert(arguments.end(), study.picture.begin(), study.picture.end());
    arguments.insert(arguments.end(), {"--size", kStudyPictureSize});
    outcome.pictures = {{"picture", study.caption, std::move(arguments)}};
  }
  return outcome;
}

}  // namespace stiction::runner
