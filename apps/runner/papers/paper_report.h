// What `stiction bench papers` writes: a table on the terminal, and a folder with the report.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "paper_experiment.h"

namespace stiction::runner {

struct MeasuredExperiment {
  const PaperExperiment* experiment = nullptr;
  PaperOutcome outcome;
  std::string command;   // that measures it again
  double seconds = 0.0;  // that it took
};

// One line a figure: experiment, source, what the paper says, ours, verdict.
void PrintPaperFigures(const MeasuredExperiment& measured);
// "12 held, 3 not held, 1 not measured".
std::string CountVerdicts(const std::vector<MeasuredExperiment>& measured);

// Throws UsageError where it can neither be found nor made.
void MakeReportFolder(const std::string& folder);

// Writes into the folder
//   report.md           figures, tables, plots and pictures of all experiments
//   figures.csv         the figures, a row each
//   <experiment>.csv    its tables, one after another under their titles
//   <experiment>_<plot>.svg, <experiment>_<picture>.png, <experiment>_<file>
// Files of these names are overwritten. Pictures come from the viewer's program; where it, or a display, is
// missing, they are skipped and named, with the reason. Throws UsageError or std::runtime_error: a file that
// cannot be written.
void WritePaperReport(const std::string& folder, const std::vector<MeasuredExperiment>& measured);

}  // namespace stiction::runner
