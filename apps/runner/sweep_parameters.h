// What `stiction sweep --vary` can vary.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "run_plan.h"

namespace stiction::runner {

// A case before it is run: the flags of `run`, and what they have no word for.
struct SweepCase {
  RunArguments run;
  std::vector<std::pair<std::string, double>> frictions{};  // of a body, or of all where the name is empty
  std::optional<std::uint64_t> seed{};                      // of velocities at the start
  double spread = 0.01;                                     // their size [m/s or rad/s]
};

// Sets what `name` says. Throws UsageError: an unknown name, a value that it cannot have.
void ApplyParameter(const std::string& name, const std::string& value, SweepCase& sweep_case);

// For --help: a line for each name.
std::string DescribeParameters();

}  // namespace stiction::runner
