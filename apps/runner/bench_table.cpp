#include "bench_table.h"

#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <optional>

#include "build_info.h"

namespace stiction::runner {
namespace {

std::optional<std::string>& Kept() {
  static std::optional<std::string> kept;
  return kept;
}

}  // namespace

void KeepPrinted() {
  Kept().emplace();
}

const std::string& Printed() {
  static const std::string nothing;
  return Kept() ? *Kept() : nothing;
}

void PrintCells(const char* format, ...) {
  char text[4096];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  std::fputs(text, stdout);
  if (Kept()) *Kept() += text;
}

std::string Cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

void PrintBuildTitle() {
  PrintCells(",compiler,commit\n");
}

void PrintBuild() {
  PrintCells(",%s,%s\n", Cell(kCompiler).c_str(), kCommit);
  std::fflush(stdout);
}

void PrintSceneTitle() {
  PrintCells("scene,solver,steps,status,us_min,us_median,us_p99");
  for (const StepPhase& phase : kStepPhases) PrintCells(",%s_us", phase.name);
  PrintCells(",contacts_mean,iterations_mean,iterations_sum_mean,ncp_max,ncp_mean,own_law_max,budget,");
  PrintCells("budget_misses,cut_solves,state_hash");
}

void PrintScene(const std::string& name, const std::string& solver, const std::string& status,
                const World& world, const RunStatistics& s) {
  PrintCells("%s,%s,%lld,%s,%.2f,%.2f,%.2f", Cell(name).c_str(), solver.c_str(), s.steps, status.c_str(),
             1e6 * s.step_times.Quantile(0.0), 1e6 * s.step_times.Quantile(0.5),
             1e6 * s.step_times.Quantile(0.99));
  for (const Series& phase : s.phases) PrintCells(",%.2f", 1e6 * phase.mean());
  PrintCells(",%.2f,%.2f,%.2f,%.3e,%.3e,%.3e,", s.contacts.mean(), s.iterations.mean(),
             s.iterations_sum.mean(), s.ncp_max.max(), s.ncp_mean.mean(), s.own_law.max());
  PrintCells("%s,%lld,%lld,%016" PRIx64, ToString(world.budget()).c_str(), s.budget_misses, s.cut_solves,
             Hash(world.state()));
}

}  // namespace stiction::runner
