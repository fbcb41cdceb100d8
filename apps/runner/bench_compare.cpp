#include "bench_compare.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>

#include "command.h"

namespace stiction::runner {
namespace {

// In the order of preference: a median tells more of a scene than its cheapest step.
constexpr const char* kTimeTitles[] = {"us_median", "us_step", "cpu_us_step", "us"};
constexpr const char* kKeyTitles[] = {"scene",      "pair", "solver",  "coordinates", "bodies",
                                      "mass_ratio", "by",   "threads", "worlds"};

using Cells = std::vector<std::string>;

Cells SplitCsvLine(const std::string& line) {
  Cells cells(1);
  bool is_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && is_quoted && i + 1 < line.size() && line[i + 1] == '"')
      cells.back() += line[++i];
    else if (line[i] == '"')
      is_quoted = !is_quoted;
    else if (line[i] == ',' && !is_quoted)
      cells.emplace_back();
    else if (line[i] != '\r')
      cells.back() += line[i];
  }
  return cells;
}

// The cell under a title; empty where there is none.
std::string FindCell(const Cells& titles, const Cells& cells, const std::string& title) {
  const auto found = std::find(titles.begin(), titles.end(), title);
  const auto i = static_cast<std::size_t>(found - titles.begin());
  return i < std::min(titles.size(), cells.size()) ? cells[i] : "";
}

std::optional<BenchRow> MakeBenchRow(const Cells& titles, const Cells& cells) {
  BenchRow row;
  for (const char* title : kKeyTitles) {
    const std::string cell = FindCell(titles, cells, title);
    if (!cell.empty()) row.key += (row.key.empty() ? "" : " ") + cell;
  }
  for (const char* title : kTimeTitles) {
    const std::optional<double> time = ParseNumber(FindCell(titles, cells, title));
    if (!time || !(*time > 0.0)) continue;
    row.time_title = title, row.time = *time;
    break;
  }
  if (row.key.empty() || row.time_title.empty()) return {};
  row.hash = FindCell(titles, cells, "state_hash");
  row.commit = FindCell(titles, cells, "commit"), row.compiler = FindCell(titles, cells, "compiler");
  return row;
}

}  // namespace

std::vector<BenchRow> ParseBenchRows(const std::string& text) {
  std::vector<BenchRow> rows;
  std::map<std::string, std::size_t> known;
  Cells titles;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const Cells cells = SplitCsvLine(line);
    if (cells.front() == "scene" || cells.front() == "pair") {
      titles = cells;
      continue;
    }
    const std::optional<BenchRow> row = MakeBenchRow(titles, cells);
    if (!row) continue;
    const auto [found, is_new] = known.try_emplace(row->key, rows.size());
    if (is_new)
      rows.push_back(*row);
    else
      rows[found->second] = *row;
  }
  return rows;
}

std::vector<BenchRow> ReadBenchRows(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw LoadError(path, 0, "", "cannot be read");
  std::ostringstream text;
  text << file.rdbuf();
  std::vector<BenchRow> rows = ParseBenchRows(text.str());
  if (rows.empty()) throw LoadError(path, 0, "", "holds no rows of `stiction bench`, with their titles");
  return rows;
}

bool CompareBench(const std::string& path, const std::vector<BenchRow>& before,
                  const std::vector<BenchRow>& now, std::optional<double> max_loss) {
  std::size_t width = 0;
  for (const BenchRow& row : now) width = std::max(width, row.key.size());
  bool is_good = true, has_title = false;
  for (const BenchRow& row : now) {
    const auto old = std::find_if(before.begin(), before.end(), [&](const BenchRow& other) {
      return other.key == row.key && other.time_title == row.time_title;
    });
    if (old == before.end()) {
      std::fprintf(stderr, "%-*s  is not in %s\n", static_cast<int>(width), row.key.c_str(), path.c_str());
      continue;
    }
    if (!has_title)
      std::fprintf(stderr, "%s of commit %s%s, then of %s:\n", row.time_title.c_str(), old->commit.c_str(),
                   old->compiler == row.compiler ? "" : (" by " + old->compiler).c_str(), row.commit.c_str());
    has_title = true;
    const double change = 100.0 * (row.time / old->time - 1.0);
    const bool is_loss = max_loss && change > *max_loss;
    is_good = is_good && !is_loss;
    std::fprintf(stderr, "%-*s  %10.2f  %10.2f  %+7.1f %%%s%s\n", static_cast<int>(width), row.key.c_str(),
                 old->time, row.time, change, old->hash == row.hash ? "" : "  states moved",
                 is_loss ? "  LOSS" : "");
  }
  return is_good;
}

}  // namespace stiction::runner
