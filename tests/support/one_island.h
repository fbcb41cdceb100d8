// A whole problem as one island, as in papers that know no islands: independent parts share penalties and
// iterations.
#pragma once

#include <stdexcept>

#include "stiction/contact/solve.h"

namespace stiction::testing {

inline ProblemReport SolveAsOneIsland(const ContactProblem& problem, ContactSolver& solver,
                                      Solution& solution) {
  BranchSparseFactor factor;
  if (factor.Factor(problem.A) >= 0) throw std::invalid_argument("A is not positive definite");
  ScaledProblem scaled;
  scaled.Assign(problem, factor);
  IslandPartition partition;
  partition.Assign(problem);
  partition.num_islands = 1;
  partition.first_constraint = {0, problem.num_constraints()};
  partition.constraints.clear();
  for (int i = 0; i < problem.num_constraints(); ++i) partition.constraints.push_back(i);
  partition.first_subsystem = {0, static_cast<int>(problem.subsystems.size())};
  partition.subsystems.clear();
  for (int s = 0; s < partition.first_subsystem[1]; ++s) partition.subsystems.push_back(s);
  Island island;
  island.Assign(problem, scaled, partition, 0);
  if (!solution.penalty.empty()) island.warm_penalty = solution.penalty[0];
  if (solution.lambda.size() != problem.num_rows()) solution.lambda.setZero(problem.num_rows());
  ProblemReport report;
  report.solve = solver.Solve(island, solution.lambda.data());
  solution.penalty.assign(problem.subsystems.size(), report.solve.penalty);
  report.certificate =
      Certifier().Certify(problem, factor, scaled.scale, solution.lambda, &solution.v, nullptr, solver.law());
  report.num_islands = 1;
  return report;
}

// The islands of a problem, for tests of what works on one.
inline std::vector<Island> MakeIslands(const ContactProblem& problem) {
  BranchSparseFactor factor;
  if (factor.Factor(problem.A) >= 0) throw std::invalid_argument("A is not positive definite");
  ScaledProblem scaled;
  scaled.Assign(problem, factor);
  IslandPartition partition;
  partition.Assign(problem);
  std::vector<Island> islands(partition.num_islands);
  for (int i = 0; i < partition.num_islands; ++i) islands[i].Assign(problem, scaled, partition, i);
  return islands;
}

}  // namespace stiction::testing
