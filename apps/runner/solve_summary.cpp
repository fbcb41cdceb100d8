#include "solve_summary.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <set>

namespace stiction::runner {
namespace {

struct SolverSummary {
  std::string name;
  // One entry per problem that the solver can take; what is not a number counts as infinite.
  std::vector<double> ncp, own_law, iterations, time_us;
};

double AsResidual(double x) {
  return std::isnan(x) ? std::numeric_limits<double>::infinity() : x;
}

std::vector<SolverSummary> Group(const std::vector<SolveResult>& results) {
  std::vector<SolverSummary> summaries;
  for (const SolveResult& result : results) {
    auto summary = std::find_if(summaries.begin(), summaries.end(),
                                [&](const SolverSummary& s) { return s.name == result.solver; });
    if (summary == summaries.end()) summary = summaries.insert(summary, {result.solver, {}, {}, {}, {}});
    if (!result.is_supported()) continue;
    summary->ncp.push_back(AsResidual(result.report.certificate.ncp_max));
    summary->own_law.push_back(AsResidual(result.report.certificate.own_law));
    summary->iterations.push_back(result.report.solve.iterations);
    summary->time_us.push_back(result.time_us);
  }
  return summaries;
}

// The upper one of two.
double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

long CountBelow(const std::vector<double>& values, double limit) {
  return std::count_if(values.begin(), values.end(), [=](double x) { return x <= limit; });
}

std::string FormatRow(const SolverSummary& s) {
  char text[256];
  if (s.ncp.empty()) return "| `" + s.name + "` | 0 | | | | | | | |\n";
  std::snprintf(text, sizeof text, "| `%s` | %zu | %ld | %ld | %ld | %.1e | %.0f | %.0f | %.1e |\n",
                s.name.c_str(), s.ncp.size(), CountBelow(s.ncp, 1e-8), CountBelow(s.ncp, 1e-6),
                CountBelow(s.own_law, 1e-8), Median(s.ncp), Median(s.iterations), Median(s.time_us),
                *std::max_element(s.ncp.begin(), s.ncp.end()));
  return text;
}

}  // namespace

void WriteMarkdown(const std::string& path, const std::vector<SolveResult>& results) {
  std::set<const Problem*> problems;
  for (const SolveResult& result : results) problems.insert(result.problem);
  std::ofstream out(path);
  out << problems.size() << " problems; residuals in m/s.\n\n"
      << "| solver | problems | ncp ≤ 1e-8 | ncp ≤ 1e-6 | own law ≤ 1e-8 | median ncp | median iterations | "
         "median time [µs] | worst ncp |\n"
      << "|---|--:|--:|--:|--:|--:|--:|--:|--:|\n";
  for (const SolverSummary& summary : Group(results)) out << FormatRow(summary);
  out.close();
  if (!out) throw UsageError("--markdown: cannot write " + path);
}

}  // namespace stiction::runner
