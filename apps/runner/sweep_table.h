// The table that `stiction sweep` ends with.
#pragma once

#include <vector>

#include "stiction/io/table_file.h"
#include "sweep_cases.h"
#include "sweep_record.h"

namespace stiction::runner {

// A row per case, ascending: `case`, what was varied, and what came out (sweep_case.h). A column of numbers
// alone is one of numbers; what is no number there, not finite or missing, is NaN.
std::vector<TableColumn> MakeTable(const SweepCases& cases, const FinishedCases& finished);

// "990 ok, 7 expectation_failed, 3 diverged".
std::string SummarizeStatuses(const FinishedCases& finished);

}  // namespace stiction::runner
