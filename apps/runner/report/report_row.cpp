#include "report_row.h"

#include <cmath>
#include <cstdio>
#include <thread>

#include "machine.h"

namespace stiction::runner {

void ReportCount::Add(const ReportRow& row) {
  ++rows;
  failed += row.has_failed();
  left += !row.answer;
  if (!row.has_answer()) return;
  seconds += row.answer->value("seconds", 0.0);
  processor_seconds += row.answer->value("processor_seconds", 0.0);
  for (const Json& figure : (*row.answer)["figures"]) {
    const std::string verdict = figure["verdict"];
    ++(verdict == ToString(PaperVerdict::kHeld)      ? held
       : verdict == ToString(PaperVerdict::kNotHeld) ? not_held
       : verdict == ToString(PaperVerdict::kRefuted) ? refuted
                                                     : not_measured);
  }
}

std::string ReportCount::Describe() const {
  std::string text;
  for (const auto& [number, what] : {std::pair{held, "held"},
                                     {not_held, "not held"},
                                     {refuted, "refuted"},
                                     {not_measured, "not measured"},
                                     {failed, "failed to run"},
                                     {left, "not run yet"}}) {
    if (number > 0) text += (text.empty() ? "" : ", ") + std::to_string(number) + " " + what;
  }
  return text.empty() ? "nothing" : text;
}

std::vector<ReportChapter> MakeChapters(const std::vector<ReportRow>& rows) {
  std::vector<ReportChapter> chapters;
  for (const ReportRow& row : rows) {
    const ExperimentGroup& group = FindExperimentGroup(row.experiment->paper);
    if (chapters.empty() || chapters.back().group != &group) chapters.push_back({&group, {}, {}});
    chapters.back().rows.push_back(&row);
    chapters.back().count.Add(row);
  }
  return chapters;
}

ReportCount CountAll(const std::vector<ReportRow>& rows) {
  ReportCount count;
  for (const ReportRow& row : rows) count.Add(row);
  return count;
}

std::string FormatRatio(const Json& ratio) {
  if (!ratio.is_number()) return "–";
  const double number = ratio.get<double>();
  char text[32];
  // Of what should be nothing, powers of ten say enough.
  std::snprintf(text, sizeof text, number != 0.0 && std::abs(number) < 1e-3 ? "%.0e" : "%.3g", number);
  return text;
}

std::string DescribeMachine() {
  const unsigned cores = std::thread::hardware_concurrency();
  return ReadCpuName() + ", " + std::to_string(cores) + (cores == 1 ? " core" : " cores");
}

}  // namespace stiction::runner
