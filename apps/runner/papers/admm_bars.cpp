#include "admm_bars.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <sstream>

#include "report/process.h"
#include "single_step.h"

namespace stiction::runner {
namespace {

constexpr const char* kBarsProgram = "deformable_bars";
constexpr const char* kBarsSource = "§8.4";
constexpr double kBarsLimit = 600.0;            // wall time of a run [s]
constexpr int kBarSteps = 10, kQuickSteps = 5;  // of 50 ms
constexpr int kBarCount = 15, kQuickBars = 6;
constexpr double kBarsTolerance = 1e-4;  // of the program as it stands [m/s]
constexpr double kPaperFactors = 3.0, kPaperMostSolves = 50.0, kPaperContacts = 1650.0, kPaperStep = 1.0;
constexpr double kAboutContacts = 0.25;  // share by which an "average number of about" may be missed
constexpr double kAlike = 2.0;           // solves of one stiffness over those of the other
constexpr const char* kYoungs[] = {"1e6", "2e11"};
constexpr const char* kBarNames[] = {"E = 1e6", "E = 2e11"};

// A line of the program.
struct BarStep {
  double number = 0, time = 0, contacts = 0, islands = 0, factors = 0, solves = 0;
  double ms = 0;            // wall time of the solve
  double ncp = 0, own = 0;  // [m/s]
  double depth = 0;         // [m]
  bool has_work() const { return solves > 0; }
};

struct BarRun {
  std::vector<BarStep> steps;
  double processor_time = 0.0;  // of the program [s]
  std::string problem{};        // why there is none

  // Of the steps with work.
  double Mean(double BarStep::*what) const {
    double sum = 0.0, count = 0.0;
    for (const BarStep& step : steps)
      if (step.has_work()) sum += step.*what, ++count;
    return sum / std::max(1.0, count);
  }
  double Most(double BarStep::*what) const {
    double most = 0.0;
    for (const BarStep& step : steps) most = std::max(most, step.*what);
    return most;
  }
  double LeastSolves() const {
    double least = std::numeric_limits<double>::infinity();
    for (const BarStep& step : steps)
      if (step.has_work()) least = std::min(least, step.solves);
    return least;
  }
};

// The lines that are ten numbers.
std::vector<BarStep> ReadBarSteps(const std::string& text) {
  std::vector<BarStep> steps;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    BarStep step;
    if (words >> step.number >> step.time >> step.contacts >> step.islands >> step.factors >> step.solves >>
        step.ms >> step.ncp >> step.own >> step.depth)
      steps.push_back(step);
  }
  return steps;
}

BarRun RunBars(const char* young, int bars, int num_steps) {
  const std::filesystem::path program =
      std::filesystem::read_symlink("/proc/self/exe").parent_path() / kBarsProgram;
  BarRun run;
  if (!std::filesystem::exists(program)) {
    run.problem = "this build has no " + std::string(kBarsProgram);
    return run;
  }
  const ProcessEnd end = RunProcess({program.string(), "--young", young, "--bars", std::to_string(bars),
                                     "--steps", std::to_string(num_steps)},
                                    kBarsLimit, false);
  run.processor_time = end.processor_time;
  run.steps = ReadBarSteps(end.out);
  if (!end.is_good())
    run.problem = std::string(kBarsProgram) + " " + end.Describe(kBarsLimit);
  else if (static_cast<int>(run.steps.size()) != num_steps)
    run.problem = std::string(kBarsProgram) + " printed " + std::to_string(run.steps.size()) + " steps of " +
                  std::to_string(num_steps);
  return run;
}

PaperFigure MakeBarFigure(const std::string& quantity, const std::string& paper, const std::string& ours,
                          bool is_held, std::optional<double> ratio = std::nullopt,
                          const std::string& remark = "") {
  return {.source = kBarsSource,
          .quantity = quantity,
          .paper = paper,
          .ours = ours,
          .verdict = Judge(is_held),
          .remark = remark,
          .ratio = ratio};
}

std::string Whole(double number) {
  return FormatNumber("%.0f", number);
}

// At rest in the end: what the last three steps take.
std::string TellLastSolves(const BarRun& run) {
  std::string text;
  for (std::size_t i = run.steps.size() - 3; i < run.steps.size(); ++i)
    text += (text.empty() ? "" : ", ") + Whole(run.steps[i].solves);
  return "in the last three steps " + text;
}

void JudgeBars(const BarRun& run, const char* name, bool is_quick, std::vector<PaperFigure>& figures) {
  const std::string of = std::string(", ") + name + " Pa";
  const double factors = run.Mean(&BarStep::factors), most = run.Most(&BarStep::solves);
  figures.push_back(MakeBarFigure("factorisations a step on average" + of, "3", FormatNumber("%.1f", factors),
                                  factors <= kPaperFactors, factors / kPaperFactors));
  figures.push_back(MakeBarFigure(
      "back-solves in a step with contacts" + of, "4 to 50", Whole(run.LeastSolves()) + " to " + Whole(most),
      most <= kPaperMostSolves, most / kPaperMostSolves,
      TellLastSolves(run) + "; more where layers strike; the paper gives no tolerance, ours is 1e-4 m/s"));
  const double own = run.Most(&BarStep::own);
  figures.push_back(MakeBarFigure("largest residual of the contact law [m/s]" + of, "converges equally well",
                                  FormatNumber("%.1e", own), own <= kBarsTolerance, own / kBarsTolerance,
                                  "deepest contact " + FormatNumber("%.1e m", run.Most(&BarStep::depth))));
  if (is_quick) return;
  const double contacts = run.Mean(&BarStep::contacts);
  figures.push_back(MakeBarFigure("contacts on average" + of, "about " + Whole(kPaperContacts),
                                  Whole(contacts),
                                  std::abs(contacts - kPaperContacts) <= kAboutContacts * kPaperContacts,
                                  contacts / kPaperContacts, "held within a quarter; the meshes are ours"));
  const double seconds = run.processor_time / static_cast<double>(run.steps.size());
  figures.push_back(MakeBarFigure("time of a step" + of, "about 1 s", FormatNumber("%.1f s", seconds),
                                  seconds <= kPaperStep, seconds / kPaperStep,
                                  "processor time of one thread with Eigen's factorisation; the paper's "
                                  "machine has six cores and a parallel one"));
}

PlotPanel MakeBarPanel(const std::vector<BarRun>& runs, const char* title, double BarStep::*what) {
  PlotPanel panel{.y_title = title};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    PlotCurve curve{.label = std::string(kBarNames[i]) + " Pa"};
    for (const BarStep& step : runs[i].steps) curve.points.emplace_back(step.time, step.*what);
    panel.curves.push_back(std::move(curve));
  }
  return panel;
}

PaperTable TabulateBars(const std::vector<BarRun>& runs) {
  PaperTable table{"Step by step",
                   {"E [Pa]", "t [s]", "contacts", "factorisations", "back-solves", "wall time [ms]",
                    "own residual [m/s]", "deepest contact [m]"},
                   {}};
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (const BarStep& s : runs[i].steps)
      table.rows.push_back({kYoungs[i], FormatNumber("%.2f", s.time), Whole(s.contacts), Whole(s.factors),
                            Whole(s.solves), Whole(s.ms), FormatNumber("%.1e", s.own),
                            FormatNumber("%.1e", s.depth)});
  return table;
}

}  // namespace

PaperOutcome MeasureAdmmBars(const PaperOptions& options) {
  const int bars = options.is_quick ? kQuickBars : kBarCount;
  const int num_steps = options.is_quick ? kQuickSteps : kBarSteps;
  PaperOutcome outcome;
  outcome.about =
      std::to_string(bars) +
      " bars of 648 linear tetrahedra and 624 degrees of freedom each fall on the ground and on one "
      "another, " +
      std::to_string(num_steps) +
      " steps of 50 ms, solved by admm_ncp: `deformable_bars`, an example program, as it stands. "
      "The paper gives density, damping, friction and heights, but neither sizes nor meshes of its "
      "bars.";
  std::vector<BarRun> runs;
  for (const char* young : kYoungs) {
    runs.push_back(RunBars(young, bars, num_steps));
    if (runs.back().problem.empty()) continue;
    outcome.figures = {{.source = kBarsSource,
                        .quantity = "back-solves in a step with contacts",
                        .paper = "4 to 50",
                        .remark = runs.back().problem}};
    return outcome;
  }
  for (std::size_t i = 0; i < runs.size(); ++i)
    JudgeBars(runs[i], kBarNames[i], options.is_quick, outcome.figures);
  const double ratio = runs[1].Mean(&BarStep::solves) / runs[0].Mean(&BarStep::solves);
  outcome.figures.push_back(MakeBarFigure("back-solves on average, stiff bars over soft ones", "comparable",
                                          FormatNumber("%.2f", ratio), ratio <= kAlike, ratio,
                                          "held where stiffness costs no more than twice as many"));
  outcome.tables = {TabulateBars(runs)};
  PlotFigure plot{
      .title = "Deformable bars", .x_title = "time [s]", .has_tight_x = true, .panel_height = 160.0};
  plot.panels = {MakeBarPanel(runs, "contacts", &BarStep::contacts),
                 MakeBarPanel(runs, "factorisations", &BarStep::factors),
                 MakeBarPanel(runs, "back-solves", &BarStep::solves)};
  outcome.plots.push_back({"steps", std::move(plot)});
  return outcome;
}

}  // namespace stiction::runner
