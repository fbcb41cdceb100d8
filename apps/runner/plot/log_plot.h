// What of logs is drawn over time: columns by the words of --show, of one log or several, or of what they
// differ in.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "stiction/io/log_table.h"

namespace stiction::runner {

struct LogPlotOptions {
  std::vector<std::string> items{};  // of --show; none: the certificate
  bool is_difference = false;        // of each log from the first, at the first one's times
  double start = -std::numeric_limits<double>::infinity(),
         end = std::numeric_limits<double>::infinity();  // [s]
  double width = 900, panel_height = 220;                // [px]
};

// A column of a log, cut to the span of time.
struct LogCurve {
  std::string label{};
  std::size_t log = 0;
  std::vector<double> time{};  // [s]
  std::vector<double> values{};
};

struct LogPanel {
  std::string item{};   // as it stands in --show
  std::string title{};  // with its unit
  bool is_logarithmic = false;
  std::optional<double> bound{};  // of the certificate
  std::vector<LogCurve> curves{};
};

struct LogSelection {
  std::vector<std::string> files{};
  std::vector<LogTable> logs{};
  std::vector<LogPanel> panels{};
};

// Throws LoadError: a file that is no log; UsageError: a word that names no column of any of the logs, with
// the nearest that does.
LogSelection SelectFromLogs(const std::vector<std::string>& files, const LogPlotOptions& options);

// Lines: the columns of the logs by their kinds.
std::vector<std::string> DescribeColumns(const LogSelection& selection);
// Lines: of each curve its span and its last value.
std::vector<std::string> Summarize(const LogSelection& selection);
// As SVG, and as CSV: of each log its times and what is selected of it.
std::string DrawSelection(const LogSelection& selection, const LogPlotOptions& options);
std::string FormatTable(const LogSelection& selection);

}  // namespace stiction::runner
