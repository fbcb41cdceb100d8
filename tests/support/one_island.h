// A whole problem as one island, as in papers that know no islands: independent parts share penalties and
// iterations.
#pragma once

#include <stdexcept>

#include "stiction/contact/island.h"
#include "stiction/contact/solve.h"

namespace stiction::testing {

// What islands are cut from.
struct PreparedProblem {
  explicit PreparedProblem(const ContactProblem& problem) {
    if (factor.Factor(problem.A) >= 0) throw std::invalid_argument("A is not positive definite");
    scaled.Assign(problem, factor);
    partition.Assign(problem);
  }
  BranchSparseFactor factor;
  ScaledProblem scaled;
  IslandPartition partition;
};

inline ProblemReport SolveAsOneIsland(const ContactProblem& problem, ContactSolver& solver,
                                      Solution& solution) {
  PreparedProblem prepared(problem);
  IslandPartition& partition = prepared.partition;
  partition.num_islands = 1;
  partition.first_constraint = {0, problem.num_constraints()};
  partition.constraints.clear();
  for (int i = 0; i < problem.num_constraints(); ++i) partition.constraints.push_back(i);
  partition.first_subsystem = {0, static_cast<int>(problem.subsystems.size())};
  partition.subsystems.clear();
  for (int s = 0; s < partition.first_subsystem[1]; ++s) partition.subsystems.push_back(s);
  Island island;
  island.Assign(problem, prepared.scaled, partition, 0);
  if (!solution.penalty.empty()) island.warm_penalty = solution.penalty[0];
  if (solution.lambda.size() != problem.num_rows()) solution.lambda.setZero(problem.num_rows());
  ProblemReport report;
  report.solve = solver.Solve(island, solution.lambda.data());
  solution.penalty.assign(problem.subsystems.size(), report.solve.penalty);
  report.certificate = Certifier().Certify(problem, prepared.factor, prepared.scaled.scale, solution.lambda,
                                           &solution.v, nullptr, solver.law());
  report.num_islands = 1;
  return report;
}

// The islands of a problem, for tests of what works on one.
inline std::vector<Island> MakeIslands(const ContactProblem& problem) {
  const PreparedProblem prepared(problem);
  std::vector<Island> islands(prepared.partition.num_islands);
  for (int i = 0; i < prepared.partition.num_islands; ++i)
    islands[i].Assign(problem, prepared.scaled, prepared.partition, i);
  return islands;
}

}  // namespace stiction::testing
