// What somebody may not have meant of where a simulation starts, in a line.
#pragma once

#include <string>

#include "run_plan.h"

namespace stiction::runner {

// The first of these, else empty: that nothing of the model can move; with --ground, that something starts
// well inside of it, how deep, and what helps; what starts deepest in one another, and how many pairs of
// shapes do: by more than a centimetre of planes, and 2 % of the thinner one of two other shapes. Patches do
// not count, which press by their overlap.
std::string DescribeStart(const RunPlan& plan, const ModelArguments& arguments);

}  // namespace stiction::runner
