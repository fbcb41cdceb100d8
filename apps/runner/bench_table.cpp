#include "bench_table.h"

#include <cinttypes>
#include <cstdio>

#include "bench_commit.h"

namespace stiction::runner {
namespace {

#ifdef __clang__
constexpr const char* kCompiler = "Clang " __clang_version__;
#else
constexpr const char* kCompiler = "GCC " __VERSION__;
#endif

}  // namespace

std::string Cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

void PrintBuildTitle() {
  std::printf(",compiler,commit\n");
}

void PrintBuild() {
  std::printf(",%s,%s\n", Cell(kCompiler).c_str(), kCommit);
  std::fflush(stdout);
}

void PrintSceneTitle() {
  std::printf("scene,solver,steps,status,us_min,us_median,us_p99");
  for (const StepPhase& phase : kStepPhases) std::printf(",%s_us", phase.name);
  std::printf(",contacts_mean,iterations_mean,iterations_sum_mean,ncp_max,ncp_mean,own_law_max,budget,");
  std::printf("budget_misses,cut_solves,state_hash");
}

void PrintScene(const std::string& name, const std::string& solver, const std::string& status,
                const World& world, const RunStatistics& s) {
  std::printf("%s,%s,%lld,%s,%.2f,%.2f,%.2f", Cell(name).c_str(), solver.c_str(), s.steps, status.c_str(),
              1e6 * s.step_times.Quantile(0.0), 1e6 * s.step_times.Quantile(0.5),
              1e6 * s.step_times.Quantile(0.99));
  for (const Series& phase : s.phases) std::printf(",%.2f", 1e6 * phase.mean());
  std::printf(",%.2f,%.2f,%.2f,%.3e,%.3e,%.3e,", s.contacts.mean(), s.iterations.mean(),
              s.iterations_sum.mean(), s.ncp_max.max(), s.ncp_mean.mean(), s.own_law.max());
  std::printf("%s,%lld,%lld,%016" PRIx64, ToString(world.budget()).c_str(), s.budget_misses, s.cut_solves,
              Hash(world.state()));
}

}  // namespace stiction::runner
