// A nut on its bolt, single steps [Lee 2024, §VII-A.1, Fig. 7].
#include <cmath>
#include <numbers>

#include "assets_folder.h"
#include "canal_experiments.h"
#include "canal_figures.h"
#include "stiction/io/load.h"
#include "stiction/io/state_file.h"

namespace stiction::runner {
namespace {

constexpr const char* kNutModel = "models/nut_on_bolt.xml";
constexpr double kNutPitch = 0.005;  // of the model's thread [m]
constexpr double kMaxTurns = 4.0;    // up and down: the whole nut stays on the thread
constexpr int kNutPoses = 10, kWrenchesPerPose = 10;
constexpr int kSeatingSteps = 24;       // 0.1 s
constexpr double kSeatingForce = 50.0;  // along the bolt [N]
constexpr double kSeatingShare = 0.2;   // of a random wrench, with it
constexpr double kNutForce = 20.0;      // standard deviation of a component of a wrench [N]
constexpr double kNutMoment = 1.0;      // the same [N·m]
constexpr double kStrong = 5.0;         // factor of the second table
constexpr int kNutRepeats = 3;

Matrix6Xd DrawNutWrench(const Model& model, Random& random) {
  Matrix6Xd wrench = Matrix6Xd::Zero(6, model.num_bodies());
  for (int i = 0; i < 3; ++i) wrench(i, 1) = kNutMoment * Normal(random);
  for (int i = 3; i < 6; ++i) wrench(i, 1) = kNutForce * Normal(random);
  return wrench;
}

// On the thread, wherever turned, then pushed up or down and a little askew until it is seated on a flank:
// gaps and overlaps are those of a simulation.
State SeatNut(World& world, State state, Random& random) {
  const double turn = 2.0 * std::numbers::pi * Uniform(random, -kMaxTurns, kMaxTurns);
  state.q << 0.0, 0.0, kNutPitch * turn / (2.0 * std::numbers::pi), std::cos(0.5 * turn), 0.0, 0.0,
      std::sin(0.5 * turn);
  world.set_state(state);
  world.input().applied_wrench = kSeatingShare * DrawNutWrench(world.model(), random);
  world.input().applied_wrench(5, 1) += Uniform(random, -1.0, 1.0) > 0.0 ? kSeatingForce : -kSeatingForce;
  for (int step = 0; step < kSeatingSteps; ++step) world.Step();
  return world.state();
}

//   strength  factor on the wrenches
//   first     the state in which the first of them begins
std::vector<StepCase> MakeNutCases(const PaperOptions& options, const Model& model, double strength,
                                   State& first) {
  World world(model, {.timestep = kCanalTimestep});
  const State start = world.state();
  const int count = options.cases > 0 ? options.cases : kNutPoses * kWrenchesPerPose;
  Random random(options.seed);
  std::vector<StepCase> cases;
  State seated;
  for (int i = 0; i < count; ++i) {
    if (i % kWrenchesPerPose == 0) seated = SeatNut(world, start, random);
    if (i == 0) first = seated;
    cases.push_back(TakeCase(world, seated, strength * DrawNutWrench(world.model(), random)));
  }
  return cases;
}

std::string CountContacts(const std::vector<StepCase>& cases) {
  int least = cases.front().problem.num_constraints(), most = least;
  for (const StepCase& step : cases) {
    least = std::min(least, step.problem.num_constraints());
    most = std::max(most, step.problem.num_constraints());
  }
  return std::to_string(least) + " to " + std::to_string(most);
}

}  // namespace

PaperOutcome MeasureCanalNut(const PaperOptions& options) {
  const std::string file = FindAsset(kNutModel);
  const Model model = LoadModel(file);
  State first;
  const std::vector<StepCase> strong_cases = MakeNutCases(options, model, kStrong, first);
  const std::vector<StepCase> cases = MakeNutCases(options, model, 1.0, first);
  const std::vector<StepTrace> traces = TraceSolvers(cases, ListCanalSolvers(), kNutRepeats);
  const std::vector<StepTrace> strong = TraceSolvers(
      strong_cases, {{"canal", {10}}, {"canal_paper", {10}}, {"subadmm", {100}}, {"pgs_ncp", {100}}}, 1);
  PaperOutcome outcome;
  outcome.about =
      "An M48 nut on its bolt (assets/models/nut_on_bolt.xml: both distance fields, clearance 0.1 mm, "
      "friction 0.1), " +
      std::to_string(cases.size()) +
      " single steps of 1/240 s: the nut is put on the thread at a random turn, seated for 0.1 s by 50 N "
      "along "
      "the bolt and a small random wrench, and then, ten times from there, pushed by a random one (standard "
      "deviations 20 N and 1 N·m a component) for the step that is solved, from zero impulses. " +
      CountContacts(cases) + " contacts.";
  const char* const figure = "Fig. 7";
  outcome.figures = {
      JudgeResidual(figure, FindTrace(traces, "canal"), kCanalIterations, kCanalSolved, "≤ 1e-8"),
      JudgeResidual(figure, FindTrace(traces, "canal_paper"), kCanalIterations, kCanalSolved, "≤ 1e-8"),
      JudgeIterations(figure, FindTrace(traces, "canal"), "about 10"),
      JudgeIterations(figure, FindTrace(traces, "canal_paper"), "about 10"),
      JudgeSuperlinear(figure, FindTrace(traces, "canal")),
      JudgeResidual(figure, FindTrace(traces, "subadmm"), 1000, kCanalSolved, "≤ 1e-8"),
      JudgeResidual(figure, FindTrace(traces, "subadmm beta=100 adapt_interval=0"), 1000, kCanalSolved,
                    "≤ 1e-8"),
      JudgePgsInTime(figure, traces, 1e-4, "> 1e-4"),
      JudgeTimeOrder(figure, traces),
      JudgeWarmIterations(figure, FindTrace(traces, "canal_paper"))};
  outcome.tables = {TabulateTraces("Residuals ‖J v − z‖ / contacts", traces),
                    TabulateTraces("The same with wrenches five times as strong", strong)};
  outcome.plots = PlotTraces("M48 nut on its bolt", traces);
  outcome.files = {
      {"state.json", [=](const std::string& path) { WriteState(path, model, first, {.file = file}); }}};
  outcome.pictures = {{"picture",
                       "A nut as it is seated on the thread, its contacts and their forces.",
                       {"canal_nut_state.json", "--show", "contacts,forces,transparent"}}};
  return outcome;
}

}  // namespace stiction::runner
