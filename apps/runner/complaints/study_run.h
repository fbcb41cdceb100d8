// A scenario run to its end, with what its experiment tells of it.
#pragma once

#include <string>
#include <vector>

#include "run_plan.h"
#include "run_statistics.h"
#include "stiction/sim/expectation.h"
#include "stiction/sim/task.h"

namespace stiction::runner {

struct StudyRun {
  int num_dofs = 0;
  std::string status;  // of the last step
  bool reached_end = false;
  RunStatistics statistics;
  std::vector<ExpectationResult> results;
  std::vector<TaskProgress> tasks;
  std::vector<double> time, ncp;  // after every step
  // Of the contact solver in every step: its share of the processor time, so that waiting does not count [s].
  std::vector<double> solve_time;
  std::vector<std::vector<double>> values;  // of each expectation; NaN where it was not due
  Budget budget;
};

// Runs the scenario that the arguments name, up to its end, a step that fails or a task that does. Throws
// UsageError and LoadError as MakeRunPlan does.
StudyRun RunStudy(const RunArguments& arguments);

}  // namespace stiction::runner
