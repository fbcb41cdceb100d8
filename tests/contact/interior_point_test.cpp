// The interior-point method alone: unilateral rows, as many of them redundant as one likes.
#include "contact/solvers/interior_point.h"

#include <gtest/gtest.h>

#include "tests/support/one_island.h"
#include "tests/support/random_numbers.h"

namespace stiction {
namespace {

using stiction::testing::RandomNumbers;

constexpr double kTolerance = 1e-9;

// `num_bodies` bodies of six dofs and `num_pairs` random pairs, all with the first one, each with `repeats`
// unilateral rows that say the same, of which one may ask for more. Feasible: some motion meets all rows.
ContactProblem MakeRows(unsigned seed, int num_bodies, int num_pairs, int repeats) {
  RandomNumbers random(seed);
  const int nv = 6 * num_bodies;
  ContactProblem problem;
  std::vector<int> parent(nv);
  for (int k = 0; k < nv; ++k) parent[k] = k % 6 == 0 ? -1 : k - 1;
  problem.A.Resize(BranchPattern(parent));
  for (int k = 0; k < nv; ++k) problem.A.diagonal(k) = random.Uniform(0.5, 20.0);
  for (int b = 0; b < num_bodies; ++b) problem.subsystems.push_back({6 * b, 6});
  problem.v_star = VectorXd::Zero(nv);
  const VectorXd allowed = VectorXd::NullaryExpr(nv, [&] { return random.Uniform(-1.0, 1.0); });
  for (int p = 0; p < num_pairs; ++p) {
    const int other = 1 + p % (num_bodies - 1);
    double row[2][6];
    for (auto& body : row) {
      for (double& value : body) value = random.Uniform(-1.0, 1.0);
    }
    for (int r = 0; r < repeats; ++r) {
      problem.AddConstraint(ConstraintType::kUnilateral);
      double speed = 0.0;
      for (const int b : {0, other}) {
        int dofs[6];
        for (int k = 0; k < 6; ++k) dofs[k] = 6 * b + k;
        double* J = problem.AddBlock(b, dofs, 6);
        for (int k = 0; k < 6; ++k) {
          J[k] = row[b == 0 ? 0 : 1][k];
          speed += J[k] * allowed[6 * b + k];
        }
      }
      problem.SetBias(0, -speed + random.Uniform(0.0, 0.1) * (p % 3));
    }
  }
  return problem;
}

TEST(InteriorPoint, SolvesRedundantRowsInAFewSteps) {
  int count = 0, most = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    const int num_bodies = 2 + static_cast<int>(seed % 12), repeats = 1 + static_cast<int>(seed % 5);
    for (const Island& island :
         stiction::testing::MakeIslands(MakeRows(seed, num_bodies, 5 * num_bodies, repeats))) {
      ASSERT_TRUE(InteriorPoint::Solves(island));
      std::vector<double> lambda(island.num_rows(), 0.0), delta(island.num_dofs());
      island.MapImpulses(lambda.data(), delta.data());
      double residual = island.CalcResidual(lambda.data(), delta.data());
      if (residual == 0.0) continue;
      const SolveReport report = InteriorPoint().Run(island, kTolerance, lambda.data(), residual);
      EXPECT_EQ(report.status, SolveStatus::kConverged) << seed << ": " << residual;
      island.MapImpulses(lambda.data(), delta.data());
      EXPECT_EQ(residual, island.CalcResidual(lambda.data(), delta.data()));
      most = std::max(most, report.newton_steps);
      ++count;
    }
  }
  EXPECT_GE(count, 35);
  EXPECT_LE(most, 25);
}

TEST(InteriorPoint, IsForUnilateralRowsAlone) {
  ContactProblem problem = MakeRows(1, 2, 4, 1);
  problem.AddConstraint(ConstraintType::kContact, 0.5);
  const int dofs[] = {0, 1, 2};
  double* J = problem.AddBlock(0, dofs, 3);
  for (int k = 0; k < 3; ++k) J[3 * k + k] = 1.0;
  const auto islands = stiction::testing::MakeIslands(problem);
  ASSERT_EQ(islands.size(), 1u);
  EXPECT_FALSE(InteriorPoint::Solves(islands[0]));
}

// Rows that contradict each other have no answer: it ends, and gives back what it was given or better.
TEST(InteriorPoint, EndsWithoutAnAnswer) {
  ContactProblem problem = MakeRows(2, 2, 3, 1);
  // v_0 >= 1 and -v_0 >= 1
  for (const double sign : {1.0, -1.0}) {
    problem.AddConstraint(ConstraintType::kUnilateral);
    const int dof = 0;
    *problem.AddBlock(0, &dof, 1) = sign;
    problem.SetBias(0, -1.0);
  }
  for (const Island& island : stiction::testing::MakeIslands(problem)) {
    std::vector<double> lambda(island.num_rows(), 0.0), delta(island.num_dofs(), 0.0);
    const double before = island.CalcResidual(lambda.data(), delta.data());
    double residual = before;
    const SolveReport report = InteriorPoint().Run(island, 1e-9, lambda.data(), residual);
    EXPECT_NE(report.status, SolveStatus::kConverged);
    EXPECT_LE(residual, before);
    for (const double value : lambda) EXPECT_TRUE(std::isfinite(value));
  }
}

}  // namespace
}  // namespace stiction
