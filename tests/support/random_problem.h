// Contact problems of no particular system, with everything that a problem may hold.
#pragma once

#include "stiction/contact/problem.h"
#include "tests/support/random_numbers.h"

namespace stiction::testing {

// Random trees with random constraints of all types between the path of one dof and that of another, or the
// world. The blocks are closed under parents, some are shorter than their subsystem, and some subsystems stay
// untouched.
inline ContactProblem MakeRandomProblem(unsigned seed, int num_subsystems, int num_constraints) {
  RandomNumbers random(seed);
  ContactProblem problem;
  std::vector<int> parent;
  for (int s = 0; s < num_subsystems; ++s) {
    const int first = static_cast<int>(parent.size()), n = 1 + random.Index(8);
    problem.subsystems.push_back({first, n});
    for (int above : random.Parents(n)) parent.push_back(above < 0 ? -1 : first + above);
  }
  problem.A = random.BranchSparse(BranchPattern(parent));
  problem.v_star = random.Vector(static_cast<int>(parent.size()));
  const BranchPattern& pattern = problem.A.pattern();
  const ConstraintType types[] = {ConstraintType::kContact,    ConstraintType::kContact,
                                  ConstraintType::kUnilateral, ConstraintType::kBilateral,
                                  ConstraintType::kSoft,       ConstraintType::kBounded};
  for (int i = 0; i < num_constraints; ++i) {
    const ConstraintType type = types[random.Index(6)];
    problem.AddConstraint(type, random.Uniform(0, 1), random.Uniform(0, 5), random.Uniform(0, 2));
    if (type == ConstraintType::kBounded) problem.SetBounds(random.Uniform(-0.2, 0), random.Uniform(0, 0.2));
    for (int r = 0; r < NumRows(type); ++r) problem.SetBias(r, random.Uniform(-0.2, 0.2));
    const int a = random.Index(num_subsystems), b = random.Index(num_subsystems);
    for (int side = 0; side < (a == b ? 1 : 2); ++side) {
      const int s = side == 0 ? a : b;
      const auto [first, n] = problem.subsystems[s];
      const int k = first + random.Index(n);
      double* values = problem.AddBlock(s, pattern.columns(k), pattern.row_length(k));
      for (int j = 0; j < NumRows(type) * pattern.row_length(k); ++j) values[j] = random.Uniform(-1, 1);
    }
  }
  return problem;
}

}  // namespace stiction::testing
