// The files of a report, from the answers of its rows alone.
#pragma once

#include <string>
#include <vector>

#include "report_row.h"

namespace stiction::runner {

inline constexpr const char* kReportPage = "report.html";

// Writes report.html, report.md, summary.md and figures.csv into the folder (report_run.h), each whole or not
// at all. Throws std::runtime_error: one cannot be written.
void WriteReportFiles(const std::string& folder, const ReportHead& head, const std::vector<ReportRow>& rows);

// The page, with pictures read from the rows' folders.
std::string MakeReportPage(const std::string& folder, const ReportHead& head,
                           const std::vector<ReportRow>& rows);

}  // namespace stiction::runner
