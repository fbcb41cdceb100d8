// `stiction run --report`: a page of the run, with what was expected of it.
#pragma once

#include <memory>
#include <string>

#include "page/page.h"
#include "run_answer.h"

namespace stiction::runner {

class RunReport {
 public:
  // At the start of the run, which will last about `duration` [s]. The world must outlive it.
  RunReport(const World& world, double duration) : recorder_(world, duration) { recorder_.Add(world); }

  // After each step, and after the monitor has seen it.
  void Add(const World& world, const ExpectationMonitor& monitor);
  // Throws std::runtime_error: it cannot be written.
  void Write(const std::string& path, const World& world, const RunOutcome& outcome, bool is_good) const;

 private:
  PageRecorder recorder_;
  std::vector<std::vector<double>> values_;  // of each expectation, by step
};

// What the head of a page says of how the world was simulated.
std::vector<std::pair<std::string, std::string>> DescribeWorld(const World& world);

}  // namespace stiction::runner
