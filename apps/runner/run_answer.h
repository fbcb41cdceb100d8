// The answer of `stiction run`, as JSON and as a table.
#pragma once

#include "json_output.h"
#include "run_statistics.h"
#include "stiction/io/import_report.h"
#include "stiction/sim/expectation.h"
#include "stiction/sim/task.h"

namespace stiction::runner {

struct RunOutcome {
  std::string model_name;
  RunStatistics statistics;
  double start_time = 0.0;                      // [s], of the simulation
  double energy_start = 0.0, energy_end = 0.0;  // [J]
  ImportReport report;
  std::vector<ExpectationResult> expectations;  // of a scenario
  std::vector<TaskProgress> tasks;              // of a scenario
  std::vector<std::string> notes;               // beside the import report: an interruption, a stop
  std::vector<std::string> warnings;            // what was not solved as exactly as it should be: ListMisses
  std::string error;                            // empty unless the simulation diverged
  std::string last_good_state;                  // the file that holds it, after divergence or a failed task
};

// A line each for the budget and the stages, where steps missed their accuracy.
std::vector<std::string> ListMisses(const World& world, const RunStatistics& statistics);

// Whether it is an error: a budget that was given was missed; or a solver that was named, and given none, did
// not converge to the default one. What `auto` misses of the default is told and counted alone.
bool IsBudgetMissed(const WorldOptions& options, const RunStatistics& statistics);

// Sixteen hexadecimal digits of Hash().
std::string HashText(const State& state);

// Needs the world refreshed at its final state.
Json MakeRunAnswer(const World& world, const RunOutcome& outcome);
void PrintRunTable(const World& world, const RunOutcome& outcome);

}  // namespace stiction::runner
