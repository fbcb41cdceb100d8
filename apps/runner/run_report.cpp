#include "run_report.h"

#include <cstdio>

namespace stiction::runner {
namespace {

std::string FormatFact(const char* format, double number) {
  char text[48];
  std::snprintf(text, sizeof text, format, number);
  return text;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> DescribeWorld(const World& world) {
  return {{"solver", world.options().solver},
          {"timestep", FormatFact("%g ms", 1e3 * world.timestep())},
          {"budget", world.budget().is_none() ? "none" : ToString(world.budget()) + " m/s"}};
}

void RunReport::Add(const World& world, const ExpectationMonitor& monitor) {
  recorder_.Add(world);
  const std::vector<double> values = monitor.values();
  values_.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) values_[i].push_back(values[i]);
}

void RunReport::Write(const std::string& path, const World& world, const RunOutcome& outcome,
                      bool is_good) const {
  const RunStatistics& s = outcome.statistics;
  PageContent content{.title = outcome.model_name, .facts = DescribeWorld(world)};
  content.facts.emplace_back("steps", std::to_string(s.steps));
  content.facts.emplace_back(
      "mean time of a step",
      FormatFact("%.1f µs", s.steps > 0 ? 1e6 * s.wall_time / static_cast<double>(s.steps) : 0.0));
  content.facts.emplace_back("largest ncp", FormatFact("%.1e m/s", s.ncp_max.max()));
  content.facts.emplace_back("budget missed", std::to_string(s.budget_misses) + " times");
  content.facts.emplace_back("state hash", HashText(world.state()));
  content.budget = world.budget();
  content.has_verdict = true, content.is_good = is_good;
  content.expectations = outcome.expectations;
  content.expectation_values = values_;
  content.notes = outcome.notes;
  content.notes.insert(content.notes.end(), outcome.warnings.begin(), outcome.warnings.end());
  if (!outcome.error.empty()) content.notes.push_back(outcome.error);
  WritePage(path, recorder_, content);
}

}  // namespace stiction::runner
