// Quadrupeds dropped on a heap: SubADMM beside ADMM without a split, and with one by tree [Lee 2024,
// §VII-D.2, Table III].
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
constexpr double kPaperTimes[] = {435.0, 1210.0, 638.0};  // of 8 robots, in the order of: [µs]
constexpr const char* kSplits[] = {"subadmm", "admm_nosub", "admm_nobody"};

// Steps of a heap of robots that fall and come to rest, spread over the time. They are taken by a World whose
// solver asks for the structure of the robots, which SubADMM splits by; what moves them is the default one.
std::vector<StepCase> MakeRobotCases(int robots, int count) {
  const Model model = MakeScene("quadruped", {.count = robots});
  World world(model, {.timestep = kCanalTimestep});
  World taker(model, {.solver = "subadmm", .on_miss = OnMiss::kAccept, .timestep = kCanalTimestep});
  const int first = static_cast<int>(kHeapStart / kCanalTimestep);
  const int last = static_cast<int>(kHeapEnd / kCanalTimestep);
  std::vector<StepCase> cases;
  for (int step = 0; static_cast<int>(cases.size()) < count; ++step) {
    if (step >= first + static_cast<int>(cases.size()) * (last - first) / count)
      cases.push_back(TakeCase(taker, world.state(), Matrix6Xd::Zero(6, model.num_bodies())));
    world.Step();
  }
  return cases;
}

struct SplitSummary {
  double time_us = 0.0;       // median
  double iteration_us = 0.0;  // of one, median
  double exponent = 0.0;      // −log10 of the residual, mean
};

SplitSummary SummarizeSplit(const std::vector<StepCase>& cases, const char* solver) {
  const StepTrace trace = TraceSolver(cases, {solver, {kFewIterations, kRobotIterations}}, kRobotRepeats);
  const std::size_t last = trace.IndexOf(kRobotIterations);
  SplitSummary summary{.time_us = trace.Median(last, &StepResult::time_us),
                       .iteration_us = trace.CalcTimePerIteration(kFewIterations, kRobotIterations)};
  for (const StepResult& result : trace.results[last])
    summary.exponent -= std::log10(result.canal) / static_cast<double>(cases.size());
  return summary;
}

std::string DescribeContacts(const std::vector<StepCase>& cases) {
  std::vector<double> counts;
  for (const StepCase& step : cases) counts.push_back(step.problem.num_constraints());
  return FormatNumber("%.0f", QuantileOf(counts, 0.5));
}

}  // namespace

PaperOutcome MeasureCanalRobots(const PaperOptions& options) {
  const int count = options.cases > 0 ? options.cases : kRobotCases;
  PaperOutcome outcome;
  PaperTable table{"A hundred iterations",
                   {"robots", "contacts, median", "solver", "time median [µs]", "an iteration [µs]",
                    "−log10 residual, mean"},
                   {}};
  SplitSummary few[3], many[3];
  for (const auto& [robots, summaries] : {std::pair{kFewRobots, few}, {kManyRobots, many}}) {
    if (robots == kManyRobots && options.cases > 0) continue;  // too much for a short look
    const std::vector<StepCase> cases = MakeRobotCases(robots, count);
    for (int i = 0; i < 3; ++i) {
      summaries[i] = SummarizeSplit(cases, kSplits[i]);
      table.rows.push_back({std::to_string(robots), DescribeContacts(cases), kSplits[i],
                            FormatNumber("%.0f", summaries[i].time_us),
                            FormatNumber("%.2f", summaries[i].iteration_us),
                            FormatNumber("%.2f", summaries[i].exponent)});
    }
  }
  const char* const source = "Table III";
  const auto ratio = [&](int robots, const SplitSummary* summaries, int other, double paper) {
    PaperFigure figure{.source = source,
                       .quantity = "time of " + std::string(kSplits[other]) + " over that of subadmm, " +
                                   std::to_string(robots) + " robots",
                       .paper = FormatNumber("%.2f", paper)};
    if (summaries[0].time_us == 0.0) {
      figure.ours = "";
      figure.remark = "left out of a short look";
      return figure;
    }
    const double ours = summaries[other].time_us / summaries[0].time_us;
    figure.ours = FormatNumber("%.2f", ours);
    figure.verdict = Judge(ours >= paper);
    figure.ratio = ours / paper;
    figure.remark = FormatNumber("%.0f µs against ", summaries[other].time_us) +
                    FormatNumber("%.0f", summaries[0].time_us);
    if (robots == kFewRobots)
      figure.remark += FormatNumber(", where the paper has %.0f", kPaperTimes[other]) +
                       FormatNumber(" and %.0f on its machine", kPaperTimes[0]);
    figure.remark += "; an iteration takes " +
                     FormatNumber("%.2f", summaries[other].iteration_us / summaries[0].iteration_us) +
                     " times as long: all update contacts alike, and the factors of the other two are "
                     "block-sparse here";
    return figure;
  };
  outcome.figures = {ratio(kFewRobots, few, 1, 2.78), ratio(kFewRobots, few, 2, 1.46),
                     ratio(kManyRobots, many, 1, 3.63)};
  constexpr double kPaperExponent[] = {4.8802, 4.8817, 4.8562};
  for (int i = 0; i < 3; ++i)
    outcome.figures.push_back(
        {.source = source,
         .quantity = "−log10 residual of " + std::string(kSplits[i]) + ", mean, 8 robots",
         .paper = FormatNumber("%.4f", kPaperExponent[i]),
         .ours = FormatNumber("%.2f", few[i].exponent),
         .verdict = Judge(few[i].exponent >= kPaperExponent[i]),
         .ratio = few[i].exponent / kPaperExponent[i]});
  outcome.about =
      "8 and 27 quadrupeds of 18 dofs (scene:quadruped:count=8) are dropped on a heap with limp joints; " +
      std::to_string(count) +
      " steps of 1/240 s between 1.5 and 3 s, each as one island, a hundred iterations from zero impulses. "
      "The "
      "paper's are Laikagos.";
  outcome.tables = {table};
  outcome.pictures = {{"picture",
                       "Eight quadrupeds after three seconds.",
                       {"scene:quadruped:count=8", "--time", "3", "--show", "contacts"}}};
  return outcome;
}

}  // namespace stiction::runner
