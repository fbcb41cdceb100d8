// `stiction bench`: times, one CSV row a scene and solver, or a pair of shapes.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>

#include "bench_collision.h"
#include "bench_compare.h"
#include "bench_loops.h"
#include "bench_race.h"
#include "bench_rollout.h"
#include "bench_suites.h"
#include "bench_table.h"
#include "bench_threads.h"
#include "command.h"
#include "papers/bench_papers.h"
#include "program.h"
#include "report/report_run.h"
#include "run_plan.h"
#include "run_statistics.h"

namespace stiction::runner {
namespace {

struct BenchArguments {
  std::vector<std::string> subjects{"speed"};  // suites and files
  std::vector<std::string> solvers;
  std::optional<double> time;  // [s]
  std::string keyframe;
  std::optional<Budget> budget;
  RunArguments solver_budget;  // of which this and one_island alone are used
  BenchLoopsOptions loops;
  BenchRolloutOptions rollout;
  BenchThreadsOptions threads;
  bool has_peers = false;
  RaceOptions race;
  std::optional<int> repeats;
  BenchPapersOptions papers;
  bool is_all = false;  // the report of all suites of experiments
  BenchAllOptions all;
  std::string compare;             // table of an earlier run; empty: none
  std::optional<double> max_loss;  // [%]
};

constexpr const char* kSpeed = "speed";
constexpr const char* kCollision = "collision";
constexpr const char* kLoops = "loops";
constexpr const char* kPapers = "papers";
constexpr const char* kExperimentFlags = "--only, --out, --cases, --json, --quick";
constexpr double kSpeedTime = 2.0, kPapersTime = 0.2;  // simulated [s]
constexpr double kNoBound = std::numeric_limits<double>::infinity();

void PrintPair(const PairTiming& timing) {
  PrintCells("%s,%d,%.4f,%.4f,%.2f", Cell(timing.pair).c_str(), timing.poses, 1e6 * timing.minimum,
             1e6 * timing.median, timing.points);
  if (timing.fcl)
    PrintCells(",%s,%.4f,%.4f", timing.fcl->call.c_str(), 1e6 * timing.fcl->minimum,
               1e6 * timing.fcl->median);
  else
    PrintCells(",,,");
  PrintBuild();
}

void BenchCollision(int num_rounds) {
  PrintCells("pair,poses,us_min,us_median,points_mean,fcl_call,fcl_us_min,fcl_us_median");
  PrintBuildTitle();
  for (const auto& time : {&TimePairs, &TimeNestedFields})
    for (const PairTiming& timing : time(num_rounds)) PrintPair(timing);
  for (const PairTiming& timing : TimeFieldScenes()) PrintPair(timing);
  PrintPair(TimeBroadphase(num_rounds));
}

void SetSolverBudget(const BenchArguments& arguments, RunArguments& run) {
  run.one_island = arguments.solver_budget.one_island;
  run.solver_budget_us = arguments.solver_budget.solver_budget_us;
  run.solver_budget_iterations = arguments.solver_budget.solver_budget_iterations;
}

// One row, without its last cells; named after its model where no name is given, cut short after `limit` of
// wall time [s]. Overwrites the report. False if the simulation diverged.
bool BenchScene(const RunArguments& run, const std::string& name, double limit, ImportReport& report) {
  using Clock = std::chrono::steady_clock;
  report.items.clear();
  RunPlan plan = MakeRunPlan(run, report);
  World world = MakeWorld(plan);
  RunStatistics statistics;
  const long long steps = std::llround(plan.duration / world.timestep());
  bool is_good = true;
  const auto is_cut = [&] { return statistics.wall_time > limit; };
  for (long long step = 0; step < steps && is_good && !is_cut(); ++step) {
    const Clock::time_point start = Clock::now();
    const StepReport& step_report = world.Step();
    const double time = std::chrono::duration<double>(Clock::now() - start).count();
    is_good = step_report.status == StepStatus::kOk || step_report.status == StepStatus::kBudgetMissed;
    if (is_good) statistics.Add(step_report, time);
  }
  PrintScene(name.empty() ? plan.model_name : name, world.options().solver,
             is_good && is_cut() && statistics.steps < steps ? "time_limit" : ToString(world.report().status),
             world, statistics);
  return is_good;
}

bool BenchFile(const BenchArguments& arguments, const std::string& file) {
  RunArguments run;
  run.model.path = file;
  run.model.keyframe = arguments.keyframe;
  run.time = arguments.time;
  run.budget = arguments.budget;
  SetSolverBudget(arguments, run);
  ImportReport report;
  bool is_good = true;
  for (const std::string& solver :
       arguments.solvers.empty() ? std::vector<std::string>{""} : arguments.solvers) {
    if (!solver.empty()) run.solver = solver;
    if (arguments.rollout.worlds > 0 || !arguments.threads.threads.empty()) {
      is_good = (arguments.rollout.worlds > 0 ? BenchRollout(run, arguments.rollout, report)
                                              : BenchThreads(run, arguments.threads, report)) &&
                is_good;
      continue;
    }
    is_good = BenchScene(run, "", kNoBound, report) && is_good;
    PrintBuild();
  }
  WarnOfLosses(report);  // once for all solvers
  return is_good;
}

// A suite times a method as it is: what misses the budget is counted, and not tried again but by the default,
// whose last stage that is.
const char* WhatOnMiss(const std::string& solver) {
  return IsDefaultSolver(solver) ? "retry" : "accept";
}

// With a cell for the paper, where the cases are of papers.
bool BenchSuite(const BenchArguments& arguments, const std::vector<SuiteCase>& cases, double time,
                double limit) {
  const bool has_papers = !cases.front().paper.empty();
  PrintSceneTitle();
  if (has_papers) PrintCells(",paper");
  PrintBuildTitle();
  bool is_good = true;
  for (const SuiteCase& item : cases) {
    for (const std::string& solver : arguments.solvers.empty() ? item.solvers : arguments.solvers) {
      RunArguments run;
      run.model.path = "scene:" + item.scene;
      run.time = arguments.time.value_or(time);
      run.solver = solver;
      run.budget = arguments.budget;
      SetSolverBudget(arguments, run);
      run.on_miss = WhatOnMiss(solver);
      ImportReport report;  // stays empty: of a scene
      is_good = BenchScene(run, item.scene, limit, report) && is_good;
      if (has_papers) PrintCells(",%s", item.paper.c_str());
      PrintBuild();
    }
  }
  return is_good;
}

// Whether the subject is a suite, which then has been run; `is_good` as of BenchScene.
bool RunSuite(const BenchArguments& arguments, const std::string& subject, bool& is_good) {
  if (subject == kCollision)
    BenchCollision(arguments.repeats.value_or(kCollisionRounds));
  else if (subject == kLoops)
    BenchLoops(arguments.loops);
  else if (subject == kSpeed && arguments.has_peers)
    is_good = BenchRace(arguments.race) && is_good;
  else if (subject == kSpeed)
    is_good = BenchSuite(arguments, ListSpeedCases(), kSpeedTime, kNoBound) && is_good;
  else if (subject == kPapers && !arguments.papers.is_asked_for())
    is_good = BenchSuite(arguments, ListPaperCases(), kPapersTime, arguments.loops.limit) && is_good;
  else if (const ExperimentSuite* suite = FindExperimentSuite(subject))
    BenchPapers(*suite, arguments.papers);
  else
    return false;
  return true;
}

int BenchReport(BenchArguments& arguments) {
  if (arguments.papers.folder.empty()) throw UsageError("--all: name a folder for the report by --out DIR");
  if (arguments.papers.cases > 0)
    throw UsageError("--all: --cases goes with one suite; a short form is --quick");
  if (arguments.papers.json.wanted()) throw UsageError("--all: --json goes with one suite");
  arguments.all.folder = arguments.papers.folder;
  arguments.all.names = arguments.papers.names;
  arguments.all.is_quick = arguments.papers.is_quick;
  return BenchAll(arguments.all);
}

int Bench(BenchArguments& arguments) {
  if (arguments.is_all) return BenchReport(arguments);
  if (arguments.solvers == std::vector<std::string>{"all"}) {
    arguments.solvers.clear();
    for (const SolverEntry& entry : ListSolvers()) arguments.solvers.push_back(entry.name);
  }
  for (const std::string& solver : arguments.solvers) MakeKnownSolver(solver);
  arguments.loops.solvers = arguments.solvers;
  arguments.loops.budget = arguments.race.budget = arguments.budget;
  arguments.race.time = arguments.time;
  if (arguments.has_peers && arguments.subjects != std::vector<std::string>{kSpeed})
    throw UsageError("--peers: goes with the suite `speed` alone");
  const bool has_experiments =
      arguments.subjects.size() == 1 && FindExperimentSuite(arguments.subjects.front()) != nullptr;
  if (arguments.papers.is_asked_for() && !has_experiments)
    throw UsageError(std::string(kExperimentFlags) + ": go with --all, or with one of the suites " +
                     ListExperimentSuiteNames());
  if (arguments.papers.is_asked_for() && !arguments.solvers.empty())
    throw UsageError(std::string(kExperimentFlags) +
                     ": experiments have solvers of their own; leave out --solver");
  if (arguments.has_peers && !arguments.solvers.empty())
    throw UsageError("--peers: races the default solver; leave out --solver");
  if (arguments.max_loss && arguments.compare.empty()) throw UsageError("--max-loss: needs --compare");
  std::vector<BenchRow> before;
  if (!arguments.compare.empty()) before = ReadBenchRows(arguments.compare), KeepPrinted();
  arguments.loops.time = arguments.time.value_or(arguments.loops.time);
  if (!arguments.threads.threads.empty()) arguments.rollout.threads = arguments.threads.threads;
  if (arguments.repeats) arguments.race.repeats = arguments.threads.repeats = *arguments.repeats;
  bool has_title = false, is_good = true;
  for (const std::string& subject : arguments.subjects) {
    // Tables of their own.
    const bool has_table = arguments.rollout.worlds > 0 || !arguments.threads.threads.empty();
    if (!has_table && RunSuite(arguments, subject, is_good)) {
      has_title = false;
      continue;
    }
    if (!IsSceneText(subject) && !std::filesystem::exists(subject))
      throw UsageError("'" + subject + "' is neither a suite (known: " + kSpeed + ", " + kCollision + ", " +
                       kLoops + ", " + ListExperimentSuiteNames() + ") nor a scene nor a file");
    if (!has_title && !has_table) PrintSceneTitle(), PrintBuildTitle();
    has_title = true;
    is_good = BenchFile(arguments, subject) && is_good;
  }
  if (arguments.compare.empty()) return is_good ? kOk : kDiverged;
  const bool is_fast = CompareBench(arguments.compare, before, ParseBenchRows(Printed()), arguments.max_loss);
  return !is_good ? kDiverged : is_fast ? kOk : kMissed;
}

void AddExperimentArguments(CLI::App& bench, BenchArguments& a) {
  std::string names;
  for (const ExperimentSuite& suite : ListExperimentSuites())
    names += std::string(names.empty() ? "" : "; ") + suite.name + ": " + ListPaperNames(suite.list());
  bench.add_flag(
      "--all", a.is_all,
      "Every experiment of " + ListExperimentSuiteNames() +
          ", each a process of its own, into one report: a page report.html, report.md, and more. What "
          "was interrupted goes on with the same command");
  bench.add_flag("--quick", a.papers.is_quick,
                 "Of experiments: short forms; with --all without those that have none, four minutes in all");
  bench.add_option("--jobs", a.all.jobs, "With --all: experiments at a time; times are worth more with one")
      ->check(CLI::Range(1, kMaxThreads))
      ->option_text("N [1]");
  bench.add_option("--row-limit", a.all.limit, "With --all: wall time after which an experiment is stopped")
      ->check(Above(0.0))
      ->option_text("S [900]");
  bench
      .add_option("--only", a.papers.names,
                  "Of a suite of experiments, or --all: measure those of these papers, or these, and hold "
                  "each figure "
                  "against what is claimed or known (" +
                      names + ")")
      ->delimiter(',')
      ->option_text("A,B,... [all, with --out]");
  bench
      .add_option("--out", a.papers.folder,
                  "Of experiments: folder of the report: report.md, tables as CSV, plots as SVG, pictures")
      ->option_text("DIR");
  AddJsonOption(bench, a.papers.json);
  bench.add_option("--cases", a.papers.cases, "papers: cases of each experiment, for a short look")
      ->check(CLI::Range(1, 1'000'000))
      ->option_text("N [as many as in the paper]");
}

}  // namespace

void AddBenchCommand(CLI::App& app, Command& command) {
  CLI::App* bench = app.add_subcommand("bench", "Time scenes, or suites, as CSV");
  auto arguments = std::make_shared<BenchArguments>();
  BenchArguments& a = *arguments;
  bench
      ->add_option(
          "SUITE|SCENE", a.subjects,
          "`speed`: scenes of few bodies and many; `collision`: the manifold of every pair of shapes, and "
          "the broadphase; `loops`: thirteen mechanisms with closed loops, in reduced and maximal "
          "coordinates, by all solvers; `papers`: what the papers of the solvers measure on, by theirs; "
          "`duals`: all of them over frozen problems; `complaints`: what users of simulators complain of; "
          "`peers`: "
          "MuJoCo, Bullet and ODE on the same scenes; `truth`: problems with known answers, by integrators "
          "and "
          "timesteps; or models, scenarios and scenes (scene:NAME, see `stiction list`)")
      ->option_text("... [speed]");
  bench->add_option("--solver", a.solvers, "Contact solvers, a row each; or `all`")
      ->delimiter(',')
      ->option_text(std::string("A,B,... [") + kDefaultSolver +
                    ", or the scenario's; loops: all; papers: theirs]");
  bench->add_option("--time", a.time, "Simulated time")
      ->check(AtLeast(0.0))
      ->option_text("S [5, or the scenario's; speed: 2; papers: 0.2; loops: 0.05]");
  bench->add_option("--ratio", a.loops.ratios, "loops: heaviest body over lightest, a row each")
      ->delimiter(',')
      ->check(AtLeast(1.0))
      ->option_text("R,S,... [the systems' own]");
  bench->add_option("--limit", a.loops.limit, "loops, papers: wall time after which a row is cut short")
      ->check(AtLeast(0.0))
      ->option_text("S [2]");
  bench
      ->add_option("--worlds", a.rollout.worlds,
                   "Of scenes and files: so many worlds at once, each with another velocity at the start; a "
                   "row for one after another as `run` steps them, and one per number of threads")
      ->check(CLI::Range(1, 1'000'000))
      ->option_text("N");
  bench
      ->add_option(
          "--threads", a.threads.threads,
          "Of scenes and files: numbers of threads that share a step, or with --worlds the worlds; a "
          "row each")
      ->delimiter(',')
      ->check(CLI::Range(1, kMaxThreads))
      ->option_text("A,B,... [with --worlds: 1,2]");
  bench->add_flag("--peers", a.has_peers,
                  "speed: race MuJoCo instead, scene by scene in turns, CPU time per step of the fastest "
                  "repeat; by its WebAssembly package under node, in the folder STICTION_PEERS_DIR "
                  "[~/.cache/stiction-race]. Without it our own rows come all the same");
  bench->add_option("--scenes", a.race.scenes, "With --peers: these of its scenes")
      ->delimiter(',')
      ->option_text("A,B,... [all]");
  bench
      ->add_option(
          "--repeats", a.repeats,
          "With --peers, or --threads without --worlds: runs of each; collision: rounds of each pair")
      ->check(CLI::Range(1, 1000))
      ->option_text("N [3; collision: " + std::to_string(kCollisionRounds) + "]");
  bench->add_option("--models", a.race.models, "With --peers: folder of the scenes' files")
      ->check(CLI::ExistingDirectory)
      ->option_text("DIR [STICTION_SHARED_DIR]");
  AddExperimentArguments(*bench, a);
  bench
      ->add_option(
          "--compare", a.compare,
          "A table that this command printed before: on standard error, what is faster or slower now, "
          "row by row, and whose states moved. Only where the machine is the same does it mean "
          "anything")
      ->option_text("OLD.csv");
  bench
      ->add_option("--max-loss", a.max_loss,
                   "With --compare: exit code 1 where a row is slower by more than that")
      ->check(AtLeast(0.0))
      ->option_text("PERCENT");
  AddBudgetOption(*bench, a.budget,
                  "Largest certificate ncp of an island [m/s], as in `run`; steps that miss it are counted. "
                  "`none`: the solvers are meant to stop early");
  AddSolverBudgetArguments(*bench, a.solver_budget);
  AddOneIslandFlag(*bench, a.solver_budget.one_island);
  bench->add_option("--keyframe", a.keyframe, "Start from this keyframe")->option_text("NAME");
  bench->callback([&command, arguments] { command = [arguments] { return Bench(*arguments); }; });
}

}  // namespace stiction::runner
