// `stiction bench`: times, one CSV row a scene and solver, or a pair of shapes.
#include <chrono>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "bench_collision.h"
#include "command.h"
#include "run_plan.h"
#include "run_statistics.h"

namespace stiction::runner {
namespace {

struct BenchArguments {
  std::vector<std::string> subjects;  // suites and files
  std::vector<std::string> solvers;
  std::optional<double> time;  // [s]
  std::string keyframe;
};

#ifdef __clang__
constexpr const char* kCompiler = "Clang " __clang_version__;
#else
constexpr const char* kCompiler = "GCC " __VERSION__;
#endif
constexpr const char* kCollision = "collision";

// A cell of a CSV table: in quotes where it holds a separator (RFC 4180).
std::string Cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

void PrintBuild(bool is_title) {
  if (is_title)
    std::printf(",compiler,commit\n");
  else
    std::printf(",%s,%s\n", Cell(kCompiler).c_str(), STICTION_COMMIT);
}

void PrintPair(const PairTiming& timing) {
  std::printf("%s,%d,%.4f,%.4f,%.2f", Cell(timing.pair).c_str(), timing.poses, 1e6 * timing.minimum,
              1e6 * timing.median, timing.points);
  if (timing.fcl)
    std::printf(",%s,%.4f,%.4f", timing.fcl->call.c_str(), 1e6 * timing.fcl->minimum,
                1e6 * timing.fcl->median);
  else
    std::printf(",,,");
  PrintBuild(false);
}

void BenchCollision() {
  std::printf("pair,poses,us_min,us_median,points_mean,fcl_call,fcl_us_min,fcl_us_median");
  PrintBuild(true);
  for (const PairTiming& timing : TimePairs()) PrintPair(timing);
  PrintPair(TimeBroadphase());
}

void PrintSceneTitle() {
  std::printf("scene,solver,steps,status,us_min,us_median,us_p99");
  for (const Phase& phase : kPhases) std::printf(",%s_us", phase.name);
  std::printf(",contacts_mean,iterations_mean,ncp_max,ncp_mean,budget_misses,state_hash");
  PrintBuild(true);
}

void PrintScene(const std::string& name, const std::string& solver, const World& world,
                const RunStatistics& s) {
  const double fastest = s.step_times.empty() ? 0.0 : s.Quantile(0.0);
  std::printf("%s,%s,%lld,%s,%.2f,%.2f,%.2f", Cell(name).c_str(), solver.c_str(), s.steps,
              ToString(world.report().status), 1e6 * fastest, 1e6 * s.Quantile(0.5), 1e6 * s.Quantile(0.99));
  for (const Series& phase : s.phases) std::printf(",%.2f", 1e6 * phase.mean());
  std::printf(",%.2f,%.2f,%.3e,%.3e,%lld,%016" PRIx64, s.contacts.mean(), s.iterations.mean(),
              s.ncp_max.max(), s.ncp_mean.mean(), s.budget_misses, Hash(world.state()));
  PrintBuild(false);
  std::fflush(stdout);
}

// False if the simulation diverged.
bool BenchScene(const BenchArguments& arguments, const std::string& file, const std::string& solver) {
  using Clock = std::chrono::steady_clock;
  RunArguments run;
  run.model.path = file;
  run.model.keyframe = arguments.keyframe;
  run.time = arguments.time;
  if (!solver.empty()) run.solver = solver;
  ImportReport report;
  RunPlan plan = MakeRunPlan(run, report);
  World world = MakeWorld(plan);
  RunStatistics statistics;
  const long long steps = std::llround(plan.duration / world.timestep());
  bool is_good = true;
  for (long long step = 0; step < steps && is_good; ++step) {
    const Clock::time_point start = Clock::now();
    const StepReport& step_report = world.Step();
    const double time = std::chrono::duration<double>(Clock::now() - start).count();
    is_good = step_report.status == StepStatus::kOk || step_report.status == StepStatus::kBudgetMissed;
    if (is_good) statistics.Add(step_report, time);
  }
  PrintScene(plan.model_name, world.options().solver, world, statistics);
  return is_good;
}

int Bench(const BenchArguments& arguments) {
  for (const std::string& solver : arguments.solvers) MakeKnownSolver(solver);
  bool has_title = false, is_good = true;
  for (const std::string& subject : arguments.subjects) {
    if (subject == kCollision) {
      BenchCollision();
      has_title = false;
      continue;
    }
    if (!std::filesystem::exists(subject))
      throw UsageError("'" + subject + "' is neither a suite (known: " + kCollision + ") nor a file");
    if (!has_title) PrintSceneTitle();
    has_title = true;
    for (const std::string& solver :
         arguments.solvers.empty() ? std::vector<std::string>{""} : arguments.solvers)
      is_good = BenchScene(arguments, subject, solver) && is_good;
  }
  return is_good ? kOk : kDiverged;
}

}  // namespace

void AddBenchCommand(CLI::App& app, Command& command) {
  CLI::App* bench = app.add_subcommand("bench", "Time scenes, or suites, as CSV");
  auto arguments = std::make_shared<BenchArguments>();
  BenchArguments& a = *arguments;
  bench
      ->add_option(
          "SUITE|SCENE", a.subjects,
          "`collision`: the manifold of every pair of shapes, and the broadphase; or models and scenarios")
      ->required();
  bench->add_option("--solver", a.solvers, "Contact solvers, a row each")
      ->delimiter(',')
      ->option_text("A,B,... [auto, or the scenario's]");
  bench->add_option("--time", a.time, "Simulated time")
      ->check(AtLeast(0.0))
      ->option_text("S [5, or the scenario's]");
  bench->add_option("--keyframe", a.keyframe, "Start from this keyframe")->option_text("NAME");
  bench->callback([&command, arguments] { command = [arguments] { return Bench(*arguments); }; });
}

}  // namespace stiction::runner
