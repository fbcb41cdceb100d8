// `stiction bench --compare`: the rows of this run beside those of an earlier one.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace stiction::runner {

// A row of a table of `stiction bench`: what was timed, how long it took, and what came out.
struct BenchRow {
  std::string key;  // scene or pair, solver, threads and what else tells rows apart
  std::string time_title;
  double time = 0.0;  // [µs]
  std::string hash, commit, compiler;
};

// The rows of the tables in a CSV text, each table with its titles; of rows of one key the last, as where a
// file collects the tables of many commits. Rows without a time are left out.
std::vector<BenchRow> ParseBenchRows(const std::string& text);

// The same of a file. Throws LoadError: it cannot be read, or has no rows.
std::vector<BenchRow> ReadBenchRows(const std::string& path);

// Prints on standard error what became faster or slower, row by row, and whose states moved.
//   path      of the earlier rows
//   max_loss  [%] above which a row is a loss
// Returns whether no row lost more than that; true without it.
bool CompareBench(const std::string& path, const std::vector<BenchRow>& before,
                  const std::vector<BenchRow>& now, std::optional<double> max_loss);

}  // namespace stiction::runner
