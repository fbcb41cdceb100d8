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
  // Of every picture why there is none, empty where there is one: by WriteFilesAndPictures.
  std::vector<std::string> picture_faults{};
};

// One line a figure: experiment, source, what the paper says, ours, verdict; on standard error one of each
// picture that is skipped.
void PrintPaperFigures(const MeasuredExperiment& measured);
// "12 held, 3 not held, 2 refuted, 1 not measured".
std::string CountVerdicts(const std::vector<MeasuredExperiment>& measured);

// Throws UsageError where it can neither be found nor made.
void MakeReportFolder(const std::string& folder);

// Writes the experiment's files, which its pictures may need, and draws these by the viewer's program; where
// it is missing, or cannot draw, they are skipped and named, with the reason. Throws as the files' functions
// do.
void WriteFilesAndPictures(const std::string& folder, MeasuredExperiment& measured);

// Writes into the folder, in which files and pictures are already,
//   report.md           figures, tables, plots and pictures of all experiments
//   figures.csv         the figures, a row each
//   <experiment>.csv    its tables, one after another under their titles
//   <experiment>_<plot>.svg
// Files of these names are overwritten. Throws UsageError or std::runtime_error: a file that cannot be
// written.
//   title  of report.md
void WritePaperReport(const std::string& folder, const std::string& title,
                      const std::vector<MeasuredExperiment>& measured);

}  // namespace stiction::runner
