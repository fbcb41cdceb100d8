// Quadrupeds dropped on a heap: SubADMM beside ADMM without a split, and with one by tree [Lee 2024,
// §VII-D.2, Table III].
#include <algorithm>
#include <cmath>

#include "canal_experiments.h"
#include "canal_figures.h"
#include "stiction/scenes/scenes.h"

namespace stiction::runner {
namespace {

constexpr int kRobotIterations = 100;
constexpr int kFewIterations = 20;  // what comes after them is without the first factorisation
constexpr int kRobotCases = 20;     // steps of a heap
constexpr double kHeapStart = 1.5, kHeapEnd = 3.0;  // [s], of which they are
constexpr int kFewRobots = 8, kManyRobots = 27;
constexpr int kRobotRepeats = 3;
constexpr const char* kSource = "Table III";
// The paper's "No Sub" factors the matrix of the whole system, by Eigen; it does not say whether as a sparse
// or as a full one, so that both are judged. By default ours knows the robots and which of them touch, which
// is half a split by subsystems: it is told beside them.
enum { kSubAdmm, kNoSub, kNoBody, kEntries, kFull };
const StepSolver kSplits[] = {{"subadmm"},
                              {"admm_nosub"},
                              {"admm_nobody"},
                              {"admm_nosub", {}, {{"matrix", "entries"}}},
                              {"admm_nosub", {}, {{"matrix", "full"}}}};
constexpr double kPaperTimes[] = {435.0, 1210.0, 638.0, 1210.0, 1210.0};  // of 8 robots [µs]

// Steps of a heap of robots that fall and come to rest, spread over the time. They are taken by a World whose
// solver asks for the structure of the robots, which SubADMM splits by; what moves them is the default one.
// Each carries the impulses of the step before it, as a simulation begins with.
std::vector<StepCase> MakeRobotCases(int robots, int count) {
  const Model model = MakeScene("quadruped", {.count = robots});
  World world(model, {.timestep = kCanalTimestep});
  World taker(model, {.solver = "subadmm", .on_miss = OnMiss::kAccept, .timestep = kCanalTimestep});
  const int first = static_cast<int>(kHeapStart / kCanalTimestep);
  const int last = static_cast<int>(kHeapEnd / kCanalTimestep);
  std::vector<StepCase> cases;
  for (int step = 0; static_cast<int>(cases.size()) < count; ++step) {
    if (step >= first + static_cast<int>(cases.size()) * (last - first) / count) {
      cases.push_back(TakeCase(taker, world.state(), Matrix6Xd::Zero(6, model.num_bodies())));
      cases.back().lambda = taker.warm_start().lambda;
    }
    world.Step();
  }
  return cases;
}

struct SplitSummary {
  double time_us = 0.0;       // median
  double iteration_us = 0.0;  // of one, median
  double exponent = 0.0;      // −log10 of the residual, mean
  double warm = 0.0;          // the same, from the impulses of the step before
};

double CalcExponent(const StepTrace& trace) {
  double exponent = 0.0;
  const std::vector<StepResult>& all = trace.results[trace.IndexOf(kRobotIterations)];
  for (const StepResult& result : all)
    exponent -= std::log10(std::max(result.canal, 1e-300)) / static_cast<double>(all.size());
  return exponent;
}

SplitSummary SummarizeSplit(const std::vector<StepCase>& warm_cases, const StepSolver& solver) {
  std::vector<StepCase> cases = warm_cases;
  for (StepCase& step : cases) step.lambda = {};
  StepSolver limited = solver;
  limited.limits = {kFewIterations, kRobotIterations};
  const StepTrace trace = TraceSolver(cases, limited, kRobotRepeats);
  limited.limits = {kRobotIterations};
  return {.time_us = trace.Median(trace.IndexOf(kRobotIterations), &StepResult::time_us),
          .iteration_us = trace.CalcTimePerIteration(kFewIterations, kRobotIterations),
          .exponent = CalcExponent(trace),
          .warm = CalcExponent(TraceSolver(warm_cases, limited, 1))};
}

std::string DescribeContacts(const std::vector<StepCase>& cases) {
  std::vector<double> counts;
  for (const StepCase& step : cases) counts.push_back(step.problem.num_constraints());
  return FormatNumber("%.0f", QuantileOf(counts, 0.5));
}

// Of one split's time to that of SubADMM.
PaperFigure JudgeRatio(const std::vector<SplitSummary>& summaries, int robots, int other, double paper) {
  PaperFigure figure{.source = kSource,
                     .quantity = "time of " + kSplits[other].Label() + " over that of subadmm, " +
                                 std::to_string(robots) + " robots",
                     .paper = FormatNumber("%.2f", paper)};
  if (summaries.empty()) {
    figure.remark = "left out of a short look";
    return figure;
  }
  const double ours = summaries[other].time_us / summaries[0].time_us;
  figure.ours = FormatNumber("%.2f", ours);
  figure.verdict = Judge(ours >= paper);
  figure.ratio = ours / paper;
  figure.remark =
      FormatNumber("%.0f µs against ", summaries[other].time_us) + FormatNumber("%.0f", summaries[0].time_us);
  if (robots == kFewRobots)
    figure.remark += FormatNumber(", where the paper has %.0f", kPaperTimes[other]) +
                     FormatNumber(" and %.0f on its machine", kPaperTimes[0]);
  figure.remark += "; an iteration takes " +
                   FormatNumber("%.2f", summaries[other].iteration_us / summaries[0].iteration_us) +
                   " times as long";
  if (other == kEntries)
    figure.remark += ": Eigen's sparse Cholesky; by blocks of robots that touch, " +
                     FormatNumber("%.2f", summaries[kNoSub].time_us / summaries[0].time_us) +
                     " times the time of subadmm";
  if (other == kFull) figure.remark += ": its matrix is full";
  if (other == kNoBody)
    figure.remark += ": it multiplies by rows of J, contact by contact, and has dense factors of 18 dofs";
  return figure;
}

PaperFigure JudgeExponent(const std::vector<SplitSummary>& summaries, int split) {
  constexpr double kPaperExponents[] = {4.8802, 4.8817, 4.8562};
  return {.source = kSource,
          .quantity = "−log10 residual of " + kSplits[split].Label() + ", mean, 8 robots",
          .paper = FormatNumber("%.4f", kPaperExponents[split]),
          .ours = FormatNumber("%.2f", summaries[split].exponent),
          .verdict = Judge(summaries[split].exponent >= kPaperExponents[split]),
          .remark = "from zero impulses; " + FormatNumber("%.2f", summaries[split].warm) +
                    " from those of the step before. The paper does not say which it began with",
          .ratio = summaries[split].exponent / kPaperExponents[split]};
}

}  // namespace

PaperOutcome MeasureCanalRobots(const PaperOptions& options) {
  const int count = options.cases > 0 ? options.cases : kRobotCases;
  PaperOutcome outcome;
  PaperTable table{"A hundred iterations",
                   {"robots", "contacts, median", "solver", "time median [µs]", "an iteration [µs]",
                    "−log10 residual, mean", "from the step before"},
                   {}};
  std::vector<SplitSummary> few, many;
  for (auto& [robots, summaries] : {std::pair{kFewRobots, &few}, {kManyRobots, &many}}) {
    if (robots == kManyRobots && options.cases > 0) continue;  // too much for a short look
    const std::vector<StepCase> cases = MakeRobotCases(robots, count);
    for (const StepSolver& split : kSplits) {
      summaries->push_back(SummarizeSplit(cases, split));
      const SplitSummary& summary = summaries->back();
      table.rows.push_back({std::to_string(robots), DescribeContacts(cases), split.Label(),
                            FormatNumber("%.0f", summary.time_us), FormatNumber("%.2f", summary.iteration_us),
                            FormatNumber("%.2f", summary.exponent), FormatNumber("%.2f", summary.warm)});
    }
  }
  outcome.figures = {JudgeRatio(few, kFewRobots, kEntries, 2.78),
                     JudgeRatio(few, kFewRobots, kFull, 2.78),
                     JudgeRatio(few, kFewRobots, kNoBody, 1.46),
                     JudgeRatio(many, kManyRobots, kEntries, 3.63),
                     JudgeRatio(many, kManyRobots, kFull, 3.63),
                     JudgeExponent(few, kSubAdmm),
                     JudgeExponent(few, kNoSub),
                     JudgeExponent(few, kNoBody)};
  outcome.about =
      "8 and 27 quadrupeds of 18 dofs (scene:quadruped:count=8) are dropped on a heap with limp joints; " +
      std::to_string(count) +
      " steps of 1/240 s between 1.5 and 3 s, each as one island, a hundred iterations from zero impulses. "
      "The "
      "paper's are Laikagos. subadmm goes from dofs to the twists of bodies, and from there to contacts; the "
      "others multiply by rows of J.";
  outcome.tables = {table};
  outcome.pictures = {{"picture",
                       "Eight quadrupeds after three seconds.",
                       {"scene:quadruped:count=8", "--time", "3", "--show", "contacts"}}};
  return outcome;
}

}  // namespace stiction::runner
