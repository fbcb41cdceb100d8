// A table of solvers over many problems, in Markdown.
#pragma once

#include <string>
#include <vector>

#include "solve_result.h"

namespace stiction::runner {

// One row a solver, in the order of `results`. Throws UsageError if the file cannot be written.
//   problems       that the solver can take, with how many there are at the top
//   ncp ≤ 1e-8     how many of these the certificate found solved so well [m/s]; the same for 1e-6
//   own law ≤ 1e-8 the same by the law that the solver set out to solve
// and the medians and the worst over the problems that it can take.
void WriteMarkdown(const std::string& path, const std::vector<SolveResult>& results);

}  // namespace stiction::runner
