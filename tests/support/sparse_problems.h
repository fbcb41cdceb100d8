// Contact problems whose A is sparse and has no tree's pattern, and the same with dense blocks.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "stiction/contact/problem.h"
#include "tests/support/random_numbers.h"

namespace stiction::testing {

// Random springs between random pairs of a subsystem's dofs, over masses.
inline CompressedMatrix MakeRandomSprings(RandomNumbers& random, const std::vector<Subsystem>& subsystems) {
  std::vector<MatrixEntry> entries;
  int n = 0;
  for (const auto& [first, count] : subsystems) {
    for (int k = 0; k < count; ++k) entries.push_back({first + k, first + k, random.Uniform(0.5, 2.0)});
    for (int spring = 0; spring < 2 * count; ++spring) {
      const int i = first + random.Index(count), j = first + random.Index(count);
      const double k = random.LogUniform(0.1, 100.0);
      if (i == j) continue;
      entries.insert(entries.end(), {{i, i, k}, {j, j, k}, {i, j, -k}, {j, i, -k}});
    }
    n += count;
  }
  return MakeCompressedMatrix(n, entries);
}

// Constraints of one type after the other in `types`, each on a few dofs of one subsystem or two.
inline ContactProblem MakeSparseProblem(unsigned seed, int num_subsystems, int dofs_each, int num_constraints,
                                        const std::vector<ConstraintType>& types) {
  RandomNumbers random(seed);
  ContactProblem problem;
  for (int s = 0; s < num_subsystems; ++s) problem.subsystems.push_back({s * dofs_each, dofs_each});
  problem.A_sparse = MakeRandomSprings(random, problem.subsystems);
  problem.v_star = random.Vector(num_subsystems * dofs_each);
  for (int i = 0; i < num_constraints; ++i) {
    const ConstraintType type = types[static_cast<std::size_t>(i) % types.size()];
    problem.AddConstraint(type, random.Uniform(0, 1), random.Uniform(0, 5), random.Uniform(0, 2));
    if (type == ConstraintType::kBounded) problem.SetBounds(random.Uniform(-0.2, 0), random.Uniform(0, 0.2));
    for (int r = 0; r < NumRows(type); ++r) problem.SetBias(r, random.Uniform(-0.2, 0.2));
    const int a = random.Index(num_subsystems), b = random.Index(num_subsystems);
    for (const int s : a == b ? std::vector<int>{a} : std::vector<int>{a, b}) {
      std::vector<int> dofs(dofs_each);
      std::iota(dofs.begin(), dofs.end(), problem.subsystems[s].first_dof);
      while (dofs.size() > 4) dofs.erase(dofs.begin() + random.Index(static_cast<int>(dofs.size())));
      double* J = problem.AddBlock(s, dofs.data(), 4);
      for (int k = 0; k < 4 * NumRows(type); ++k) J[k] = random.Uniform(-1, 1);
    }
  }
  return problem;
}

// The same problem with a dense block a subsystem, and rows over all of it.
inline ContactProblem MakeDense(const ContactProblem& from) {
  ContactProblem problem;
  const MatrixXd A = from.DenseA(), J = from.DenseJ();
  std::vector<int> parent(from.nv());
  for (const auto& [first, count] : from.subsystems)
    for (int k = 0; k < count; ++k) parent[first + k] = k == 0 ? -1 : first + k - 1;
  problem.subsystems = from.subsystems;
  problem.A.Resize(BranchPattern(parent));
  for (int k = 0; k < from.nv(); ++k) {
    const int first = problem.A.pattern().root(k);
    for (int j = first; j <= k; ++j) problem.A.row(k)[j - first] = A(k, j);
  }
  problem.v_star = from.v_star;
  for (const Constraint& c : from.constraints) {
    problem.AddConstraint(c.type, c.mu, c.stiffness, c.damping);
    Constraint& to = problem.constraints.back();
    to.lower = c.lower, to.upper = c.upper, to.contact = c.contact;
    to.compliance_n = c.compliance_n, to.compliance_t = c.compliance_t;
    for (int r = 0; r < c.dim(); ++r) problem.SetBias(r, from.e[c.row + r]);
    for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
      const int s = from.blocks[b].subsystem;
      const auto [first, count] = from.subsystems[s];
      std::vector<int> dofs(count);
      std::iota(dofs.begin(), dofs.end(), first);
      Eigen::Map<MatrixXd>(problem.AddBlock(s, dofs.data(), count), c.dim(), count) =
          J.block(c.row, first, c.dim(), count);
    }
  }
  return problem;
}

}  // namespace stiction::testing
