// A row of the report as its record holds it, and what rows add up to.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiment_suites.h"
#include "json_output.h"

namespace stiction::runner {

struct ReportRow {
  const ExperimentSuite* suite = nullptr;
  const PaperExperiment* experiment = nullptr;
  // paper_json.h's keys, `notes`, a list of lines, and `processor_seconds`; or `error`, why there are none of
  // them, and `command`. No value: it has not run yet.
  std::optional<Json> answer{};

  bool has_answer() const { return answer && !answer->contains("error"); }
  bool has_failed() const { return answer && answer->contains("error"); }
  // Of the row's files, in the report's folder.
  std::string Folder() const { return experiment->FileStem(); }
};

struct ReportCount {
  int rows = 0, failed = 0, left = 0;  // failed: did not run to its end; left: not run yet
  int held = 0, not_held = 0, refuted = 0, not_measured = 0;
  double seconds = 0.0, processor_seconds = 0.0;

  void Add(const ReportRow& row);
  // "12 held, 3 not held, 2 refuted, 1 not measured".
  std::string Describe() const;
};

// What a page says of all.
struct ReportHead {
  std::string command;
  int jobs = 1;          // rows at a time
  std::string left_out;  // names of rows, by --quick; empty: none
};

// The rows of one chapter, in their order.
struct ReportChapter {
  const ExperimentGroup* group = nullptr;
  std::vector<const ReportRow*> rows;
  ReportCount count;
};
std::vector<ReportChapter> MakeChapters(const std::vector<ReportRow>& rows);
ReportCount CountAll(const std::vector<ReportRow>& rows);

// "1.3", "0.021"; "–" where there is none.
std::string FormatRatio(const Json& ratio);

// "Linux machine with 2 cores (Xeon ...)".
std::string DescribeMachine();

}  // namespace stiction::runner
