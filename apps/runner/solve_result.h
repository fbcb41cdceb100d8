// One problem through one solver, for `stiction solve`.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "command.h"
#include "json_output.h"
#include "stiction/contact/solve.h"
#include "stiction/io/problem_file.h"

namespace stiction::runner {

struct Problem {
  std::string path;
  std::string label;  // the path, and behind a colon the group of a file of several
  ProblemFile file;
};

// A solver by its name, with what the command line sets.
struct SolverChoice {
  std::string name;
  std::vector<std::pair<std::string, std::string>> settings;  // option, value: those that it has
  std::optional<double> tolerance;                            // [m/s]; its own where not given
  bool one_island = false;
  std::unique_ptr<ContactSolver> Make() const;
};

struct SolveResult {
  const Problem* problem = nullptr;
  std::string solver;
  ProblemReport report;
  double time_us = 0.0;  // median of five solves, or of one that takes over 20 ms
  Solution solution;
  bool is_supported() const { return report.solve.status != SolveStatus::kUnsupported; }
};

// From the warm start of the file.
SolveResult SolveOne(const Problem& problem, const SolverChoice& choice);

// As JSON; `full` adds v and lambda.
Json MakeAnswer(const SolveResult& result, bool full);

void PrintHeader();
void PrintRow(const SolveResult& result);

}  // namespace stiction::runner
