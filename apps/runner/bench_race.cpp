#include "bench_race.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "bench_table.h"
#include "machine.h"
#include "race_peer.h"
#include "run_plan.h"
#include "run_statistics.h"
#include "scenario_input.h"
#include "stiction/io/mjcf_writer.h"

namespace stiction::runner {
namespace {

namespace fs = std::filesystem;

// A folder of its own, that goes with it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "stiction-race-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw UsageError("no temporary folder: " + pattern);
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

struct Race {
  RunStatistics statistics;  // of the fastest repeat
  double us = INFINITY;
  unsigned long long hash = 0;
  std::optional<PeerTiming> peer;
};

std::string FindModels(const std::string& folder) {
  if (!folder.empty()) return folder;
  const char* named = std::getenv("STICTION_SHARED_DIR");
  return named != nullptr ? named : STICTION_SHARED_DIR;
}

// The scene as a file that both read; empty, and said, where there is none.
std::string FindFile(const RaceCase& scene, const std::string& models, const fs::path& scratch) {
  if (!IsSceneText(scene.file)) {
    const fs::path file = fs::path(models) / scene.file;
    if (fs::exists(file)) return file.string();
    std::fprintf(stderr, "note: %s is skipped: there is no %s (--models DIR)\n", scene.name, file.c_str());
    return {};
  }
  ImportReport report;
  ModelArguments arguments;
  arguments.path = scene.file;
  const fs::path folder = scratch / scene.name;
  fs::create_directory(folder);
  const std::string file = (folder / "scene.xml").string();
  SaveMjcf(MakeMjcf(LoadReported(arguments, report), file), file);
  return file;
}

// Our engine, once. False if it diverged.
bool RunOurs(const RunArguments& run, Race& race) {
  ImportReport report;
  RunPlan plan = MakeRunPlan(run, report);
  World world = MakeWorld(plan);
  RunStatistics statistics;
  const long long steps = std::llround(plan.duration / world.timestep());
  const std::clock_t start = std::clock();
  for (long long step = 0; step < steps; ++step) {
    const StepReport& step_report = world.Step();
    if (step_report.status != StepStatus::kOk && step_report.status != StepStatus::kBudgetMissed)
      return false;
    statistics.Add(step_report, step_report.phases.total);
  }
  const double us =
      1e6 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / static_cast<double>(steps);
  race.hash = Hash(world.state());
  if (us >= race.us) return true;
  race.us = us;
  race.statistics = std::move(statistics);
  return true;
}

void PrintTitle() {
  PrintCells("scene,steps,us,peer_us,ratio,peer_native_us,native_ratio");
  for (const StepPhase& phase : kStepPhases) PrintCells(",%s_us", phase.name);
  PrintCells(",contacts_mean,solved,newton_mean,newton_p99,sweeps_mean,sweeps_p99");
  PrintCells(",ncp_max,budget,budget_misses,state_hash,peer,machine");
  PrintBuildTitle();
}

// Our time, and the peer's over it.
void PrintRatio(double us, double peer_us) {
  if (peer_us > 0.0)
    PrintCells(",%.2f,%.3f", peer_us, peer_us / us);
  else
    PrintCells(",,");
}

void PrintRace(const RaceCase& scene, const Race& race, const Budget& budget) {
  const RunStatistics& s = race.statistics;
  PrintCells("%s,%lld,%.2f", scene.name, s.steps, race.us);
  const double peer_us = race.peer ? race.peer->us : 0.0;
  PrintRatio(race.us, peer_us);
  PrintRatio(race.us, scene.native > 0.0 ? peer_us / scene.native : 0.0);
  for (const Series& phase : s.phases) PrintCells(",%.2f", 1e6 * phase.mean());
  PrintCells(",%.2f,%.4f,%.2f,%.0f,%.2f,%.0f", s.contacts.mean(),
             static_cast<double>(s.solved_steps) / static_cast<double>(std::max(1LL, s.steps)),
             s.newton_steps.mean(), s.newton_steps.Quantile(0.99), s.sweeps.mean(), s.sweeps.Quantile(0.99));
  PrintCells(",%.3e,%s,%lld,%016llx,%s,%s", s.ncp_max.max(), ToString(budget).c_str(), s.budget_misses,
             race.hash, Cell(race.peer ? race.peer->version : "").c_str(), Cell(ReadCpuName()).c_str());
  PrintBuild();
}

// Both engines in turns. False if ours diverged.
bool RunRace(const RaceCase& scene, const std::string& file, const RaceOptions& options,
             const RacePeer& peer) {
  RunArguments run;
  run.model.path = file;
  run.model.keyframe = IsSceneText(scene.file) ? kStartKeyframe : scene.keyframe;
  run.time = options.time.value_or(scene.time);
  run.budget = options.budget;
  if (scene.dt > 0.0) run.dt = scene.dt;
  RaceCase peer_scene = scene;
  peer_scene.keyframe = run.model.keyframe.c_str();
  Race race;
  bool has_peer = peer.problem().empty();
  for (int repeat = 0; repeat < options.repeats; ++repeat) {
    if (!RunOurs(run, race)) {
      std::fprintf(stderr, "error: %s diverged\n", scene.name);
      return false;
    }
    if (!has_peer) continue;
    std::string problem;
    const std::optional<PeerTiming> timing = peer.Run(peer_scene, file, *run.time, problem);
    has_peer = timing.has_value();
    if (!has_peer) std::fprintf(stderr, "note: %s\n", problem.c_str());
    if (timing && (!race.peer || timing->us < race.peer->us)) race.peer = timing;
  }
  PrintRace(scene, race, options.budget.value_or(kDefaultBudget));
  return true;
}

std::vector<RaceCase> ChooseCases(const std::vector<std::string>& names) {
  const std::vector<RaceCase>& all = ListRaceCases();
  if (names.empty()) return all;
  std::vector<RaceCase> chosen;
  for (const std::string& name : names) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const RaceCase& scene) { return scene.name == name; });
    if (found == all.end()) {
      std::string known;
      for (const RaceCase& scene : all) known += std::string(known.empty() ? "" : ", ") + scene.name;
      throw UsageError("--scenes: there is no scene '" + name + "' in the race; known: " + known);
    }
    chosen.push_back(*found);
  }
  return chosen;
}

}  // namespace

bool BenchRace(const RaceOptions& options) {
  const std::vector<RaceCase> cases = ChooseCases(options.scenes);
  const RacePeer peer;
  if (!peer.problem().empty()) std::fprintf(stderr, "note: no peer: %s\n", peer.problem().c_str());
  const TemporaryFolder scratch;
  const std::string models = FindModels(options.models);
  PrintTitle();
  bool is_good = true;
  for (const RaceCase& scene : cases) {
    const std::string file = FindFile(scene, models, scratch.path());
    if (!file.empty()) is_good = RunRace(scene, file, options, peer) && is_good;
  }
  return is_good;
}

}  // namespace stiction::runner
