#include "log_plot.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "command.h"
#include "figure.h"
#include "suggestion.h"

namespace stiction::runner {
namespace {

// Short names of what is looked at most.
constexpr std::pair<const char*, const char*> kAliases[] = {{"ncp", "ncp_max"}};
// Residuals, whose decades matter.
constexpr const char* kLogarithmic[] = {"ncp_max", "ncp_mean", "canal", "own_law", "momentum"};

std::string ResolveAlias(const std::string& word) {
  for (const auto& [alias, name] : kAliases)
    if (word == alias) return name;
  return word;
}

// Whether the text is of the pattern, in which * stands for any letters.
bool MatchesPattern(const std::string& text, const std::string& pattern, std::size_t t = 0,
                    std::size_t p = 0) {
  for (; p < pattern.size(); ++t, ++p) {
    if (pattern[p] == '*') {
      for (std::size_t end = t; end <= text.size(); ++end)
        if (MatchesPattern(text, pattern, end, p + 1)) return true;
      return false;
    }
    if (t == text.size() || text[t] != pattern[p]) return false;
  }
  return t == text.size();
}

// "sensor:imu" of "sensor:imu.x"; the column itself.
bool IsNamedBy(const std::string& column, const std::string& word) {
  if (column == word || MatchesPattern(column, word)) return true;
  return column.size() > word.size() && column.starts_with(word) && column[word.size()] == '.';
}

// "q:elbow" of "q:arm/elbow", as scenarios of several models name their columns.
std::string WithoutModel(const std::string& column) {
  const std::size_t kind = column.find(':'), model = column.rfind('/');
  if (kind == std::string::npos || model == std::string::npos || model < kind) return column;
  return column.substr(0, kind + 1) + column.substr(model + 1);
}

// By their whole names, or, where no column has that one, without their models.
std::vector<std::size_t> FindColumns(const LogTable& log, const std::string& word) {
  std::vector<std::size_t> whole, part;
  for (std::size_t i = 0; i < log.series().size(); ++i) {
    const std::string& name = log.series()[i].name;
    if (IsNamedBy(name, word)) whole.push_back(i);
    if (IsNamedBy(WithoutModel(name), word)) part.push_back(i);
  }
  return whole.empty() ? part : whole;
}

[[noreturn]] void FailUnknownColumn(const std::string& word, const std::vector<LogTable>& logs) {
  std::vector<std::string> known;
  for (const LogTable& log : logs) {
    for (const LogSeries& column : log.series()) {
      known.push_back(column.name);
      known.push_back(WithoutModel(column.name));
      for (const auto& [alias, name] : kAliases)
        if (column.name == name) known.emplace_back(alias);
      const std::size_t dot = column.name.rfind('.');
      if (dot != std::string::npos) known.push_back(column.name.substr(0, dot));
    }
  }
  throw UsageError("--show: no log has '" + word + "'" + DidYouMean(word, known) +
                   " (`stiction plot LOG` lists what there is)");
}

// At the times of another log, straight lines between rows; nothing beyond its own.
double Interpolate(const LogCurve& curve, double time) {
  const auto next = std::lower_bound(curve.time.begin(), curve.time.end(), time);
  if (next == curve.time.end()) return std::numeric_limits<double>::quiet_NaN();
  const auto i = static_cast<std::size_t>(next - curve.time.begin());
  if (curve.time[i] == time) return curve.values[i];
  if (i == 0) return std::numeric_limits<double>::quiet_NaN();
  const double part = (time - curve.time[i - 1]) / (curve.time[i] - curve.time[i - 1]);
  return curve.values[i - 1] + part * (curve.values[i] - curve.values[i - 1]);
}

LogCurve CutCurve(const LogTable& log, std::size_t column, const LogPlotOptions& options) {
  LogCurve curve{.label = log.series()[column].name};
  const std::vector<double> values = log.Read(column);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (log.time()[i] < options.start || log.time()[i] > options.end) continue;
    curve.time.push_back(log.time()[i]);
    curve.values.push_back(values[i]);
  }
  return curve;
}

// Of the logs after the first what they have more than it.
std::vector<LogCurve> SubtractFirst(const std::vector<LogCurve>& curves) {
  std::vector<LogCurve> differences;
  for (const LogCurve& curve : curves) {
    if (curve.log == 0) continue;
    const auto first = std::find_if(curves.begin(), curves.end(), [&](const LogCurve& other) {
      return other.log == 0 && other.label == curve.label;
    });
    if (first == curves.end()) continue;
    LogCurve difference = curve;
    difference.time = first->time;
    difference.values.clear();
    for (std::size_t i = 0; i < first->time.size(); ++i)
      difference.values.push_back(Interpolate(curve, first->time[i]) - first->values[i]);
    differences.push_back(std::move(difference));
  }
  return differences;
}

void AddPanelColumns(const std::string& word, const std::vector<LogTable>& logs,
                     const LogPlotOptions& options, LogPanel& panel, std::vector<std::string>& units) {
  bool is_known = false;
  for (std::size_t k = 0; k < logs.size(); ++k) {
    for (const std::size_t i : FindColumns(logs[k], ResolveAlias(word))) {
      is_known = true;
      panel.curves.push_back(CutCurve(logs[k], i, options));
      panel.curves.back().log = k;
      const std::string& unit = logs[k].series()[i].unit;
      if (std::find(units.begin(), units.end(), unit) == units.end()) units.push_back(unit);
    }
  }
  if (!is_known) FailUnknownColumn(word, logs);
}

std::vector<std::string> SplitAt(const std::string& text, char separator) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

bool IsLogarithmic(const LogPanel& panel) {
  return std::all_of(panel.curves.begin(), panel.curves.end(), [](const LogCurve& curve) {
    return std::find(std::begin(kLogarithmic), std::end(kLogarithmic), curve.label) != std::end(kLogarithmic);
  });
}

// "model.h5"; with its folder where two logs have one name.
std::vector<std::string> NameLogs(const std::vector<std::string>& files) {
  std::vector<std::string> names;
  for (const std::string& file : files) names.push_back(std::filesystem::path(file).filename().string());
  for (std::size_t i = 0; i < files.size(); ++i)
    if (std::count(names.begin(), names.end(), names[i]) > 1) names[i] = files[i];
  return names;
}

LogPanel MakePanel(const std::string& item, const LogSelection& selection, const LogPlotOptions& options) {
  LogPanel panel{.item = item};
  std::vector<std::string> units;
  for (const std::string& word : SplitAt(item, '+'))
    AddPanelColumns(word, selection.logs, options, panel, units);
  panel.is_logarithmic = IsLogarithmic(panel) && !options.is_difference;
  if (panel.is_logarithmic && panel.curves.front().label == "ncp_max" && selection.logs[0].budget() &&
      !selection.logs[0].budget()->is_none())
    panel.bound = selection.logs[0].budget()->absolute;
  if (options.is_difference) panel.curves = SubtractFirst(panel.curves);
  if (panel.curves.empty()) throw UsageError("--diff: the first log has no '" + item + "', or no other has");
  std::string unit;
  for (const std::string& each : units) unit += (unit.empty() || each.empty() ? "" : ", ") + each;
  panel.title =
      (options.is_difference ? "Δ " : "") + item + (unit.empty() || unit == "1" ? "" : " [" + unit + "]");
  const std::vector<std::string> names = NameLogs(selection.files);
  const bool is_one_each = panel.curves.size() == names.size() - (options.is_difference ? 1 : 0);
  for (LogCurve& curve : panel.curves) {
    if (names.size() == 1) break;
    const std::string name = names[curve.log] + (options.is_difference ? " − " + names[0] : "");
    curve.label = is_one_each ? name : curve.label + ", " + name;
  }
  return panel;
}

// "cup_joint.*" of "cup_joint.qx": what stands for all components.
std::string NameWhole(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return name;
  const std::string end = name.substr(dot + 1);
  for (const char* component : {"x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"})
    if (end == component) return name.substr(0, dot) + ".*";
  return name;
}

std::string FormatLogNumber(double number, const char* format = "%.6g") {
  char text[40];
  std::snprintf(text, sizeof text, format, number);
  return text;
}

std::string QuoteCell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

LogSelection SelectFromLogs(const std::vector<std::string>& files, const LogPlotOptions& options) {
  LogSelection selection{.files = files};
  for (const std::string& file : files) {
    selection.logs.emplace_back(file);
    if (selection.logs.back().time().empty()) throw LoadError(file, 0, "", "a log without rows");
  }
  const std::vector<std::string> usual{"ncp"};
  for (const std::string& item : options.items.empty() ? usual : options.items)
    selection.panels.push_back(MakePanel(item, selection, options));
  return selection;
}

std::vector<std::string> DescribeColumns(const LogSelection& selection) {
  std::vector<std::string> lines;
  for (std::size_t k = 0; k < selection.logs.size(); ++k) {
    const LogTable& log = selection.logs[k];
    lines.push_back(selection.files[k] + ": " + std::to_string(log.time().size()) + " rows, " +
                    FormatLogNumber(log.time().front()) + " to " + FormatLogNumber(log.time().back()) + " s" +
                    (log.model().empty() ? "" : ", model " + log.model()) +
                    (log.solver().empty() ? "" : ", solver " + log.solver()));
    // Columns "kind:name" by their kind, in the order of the log.
    std::vector<std::pair<std::string, std::string>> kinds;
    std::string last;
    for (const LogSeries& column : log.series()) {
      const std::size_t colon = column.name.find(':');
      const std::string kind = colon == std::string::npos ? "" : column.name.substr(0, colon + 1);
      auto found =
          std::find_if(kinds.begin(), kinds.end(), [&](const auto& pair) { return pair.first == kind; });
      if (found == kinds.end()) found = kinds.insert(kinds.end(), {kind, ""});
      const bool has_unit = kind.empty() && column.unit != "1" && !column.unit.empty();
      const std::string name = NameWhole(column.name.substr(kind.size()));
      if (name == last) continue;  // another component of the same
      last = name;
      found->second +=
          (found->second.empty() ? "" : ", ") + name + (has_unit ? " [" + column.unit + "]" : "");
    }
    for (const auto& [kind, names] : kinds) {
      std::string head = "  " + (kind.empty() ? std::string("of the step") : kind);
      head.resize(std::max<std::size_t>(head.size(), 16), ' ');
      lines.push_back(head + "  " + names);
    }
  }
  return lines;
}

std::vector<std::string> Summarize(const LogSelection& selection) {
  std::vector<std::string> lines;
  for (const LogPanel& panel : selection.panels) {
    lines.push_back(panel.title);
    constexpr std::size_t kMost = 8;
    for (const LogCurve& curve : panel.curves) {
      if (&curve - panel.curves.data() >= static_cast<std::ptrdiff_t>(kMost) &&
          panel.curves.size() > kMost + 1) {
        lines.push_back("  and " + std::to_string(panel.curves.size() - kMost) + " more");
        break;
      }
      double least = std::numeric_limits<double>::infinity(), largest = -least, last = 0.0;
      for (const double value : curve.values) {
        if (std::isfinite(value))
          least = std::min(least, value), largest = std::max(largest, value), last = value;
      }
      lines.push_back("  " + curve.label + ": " +
                      (least > largest ? "nothing in this span"
                                       : FormatLogNumber(least) + " to " + FormatLogNumber(largest) +
                                             ", at the end " + FormatLogNumber(last)));
    }
  }
  return lines;
}

std::string DrawSelection(const LogSelection& selection, const LogPlotOptions& options) {
  PlotFigure figure{.x_title = "time [s]",
                    .has_tight_x = true,
                    .width = options.width,
                    .panel_height = options.panel_height};
  for (const LogPanel& panel : selection.panels) {
    PlotPanel drawn{.y_title = panel.title,
                    .y_scale = panel.is_logarithmic ? PlotScale::kLogarithmic : PlotScale::kLinear};
    for (const LogCurve& curve : panel.curves) {
      drawn.curves.push_back({.label = panel.curves.size() > 1 || options.is_difference ? curve.label : ""});
      for (std::size_t i = 0; i < curve.time.size(); ++i)
        drawn.curves.back().points.emplace_back(curve.time[i], curve.values[i]);
    }
    if (panel.bound && !panel.curves.front().time.empty()) {
      const std::vector<double>& time = panel.curves.front().time;
      drawn.curves.push_back(
          {"budget", {{time.front(), *panel.bound}, {time.back(), *panel.bound}}, -1, true});
    }
    figure.panels.push_back(std::move(drawn));
  }
  return figure.Draw();
}

// Logs have times of their own, and a table one column of them for each.
std::string FormatTable(const LogSelection& selection) {
  std::string text;
  std::size_t num_rows = 0;
  const std::vector<double>* time = nullptr;
  std::vector<const std::vector<double>*> columns;
  for (const LogPanel& panel : selection.panels) {
    for (const LogCurve& curve : panel.curves) {
      if (!time || *time != curve.time) {
        text += (text.empty() ? "" : ",") + std::string("time");
        columns.push_back(&curve.time);
        time = &curve.time;
      }
      text += "," + QuoteCell(curve.label);
      columns.push_back(&curve.values);
      num_rows = std::max(num_rows, curve.time.size());
    }
  }
  text += "\n";
  for (std::size_t i = 0; i < num_rows; ++i) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (c > 0) text += ",";
      if (i < columns[c]->size()) text += FormatLogNumber((*columns[c])[i], "%.17g");
    }
    text += "\n";
  }
  return text;
}

}  // namespace stiction::runner
