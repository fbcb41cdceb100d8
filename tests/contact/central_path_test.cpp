// The central path alone: it arrives from nothing, where Newton's method loses its way.
#include "contact/solvers/central_path.h"

#include <gtest/gtest.h>

#include "stiction/contact/registry.h"
#include "tests/support/contact_problems.h"
#include "tests/support/one_island.h"
#include "tests/support/random_numbers.h"

namespace stiction {
namespace {

using stiction::testing::MakeStack;
using stiction::testing::ProblemSketch;
using stiction::testing::RandomNumbers;

double CalcResidualOf(const Island& island, const std::vector<double>& lambda) {
  std::vector<double> delta(island.num_dofs());
  island.MapImpulses(lambda.data(), delta.data());
  return island.CalcResidual(lambda.data(), delta.data());
}

// Balls that fall among walls: contacts with one another and with the world, in all directions, with gaps.
// What a convex cone asks of velocities, no motion has: those between two walls must not even turn.
ContactProblem MakeHeap(unsigned seed, int num_bodies, double mu) {
  RandomNumbers random(seed);
  ProblemSketch sketch;
  std::vector<Vector3d> p;
  for (int b = 0; b < num_bodies; ++b) {
    p.push_back(random.NormalVector(3) * 0.1);
    const double mass = random.Uniform(0.1, 2.0);
    Vector6d v = random.NormalVector(6) * 0.3;
    v[2] -= 0.05;
    sketch.AddFreeBody(mass, Vector3d::Constant(1e-3 * mass).asDiagonal(), p.back(), v);
  }
  const auto add = [&](int a, int b) {
    const Vector3d n = random.NormalVector(3).normalized();
    const Vector3d at = p[b] - 0.05 * n;
    sketch.AddContact(a, b, at, n, mu, random.Uniform(0.0, 0.05));
  };
  for (int b = 0; b < num_bodies; ++b) {
    for (int k = 0; k < 2; ++k) add(-1, b);
    if (b > 0) add(random.Index(b), b);
  }
  return sketch.Build();
}

TEST(CentralPath, ArrivesFromNothing) {
  int count = 0, arrived = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    for (const double mu : {0.3, 1.0}) {
      for (const Island& island : stiction::testing::MakeIslands(MakeHeap(seed, 4 + seed % 12, mu))) {
        ASSERT_TRUE(CentralPath::Solves(island));
        std::vector<double> lambda(island.num_rows(), 0.0);
        double residual = CalcResidualOf(island, lambda);
        if (residual <= 9e-9) continue;
        const SolveReport report = CentralPath().Run(island, {}, lambda.data(), residual);
        EXPECT_EQ(report.status == SolveStatus::kConverged, residual <= 9e-9);
        EXPECT_EQ(residual, CalcResidualOf(island, lambda)) << seed;
        ++count;
        arrived += report.status == SolveStatus::kConverged;
      }
    }
  }
  EXPECT_GT(count, 60);
  EXPECT_GE(20 * arrived, 19 * count) << arrived << " of " << count;
}

TEST(CentralPath, NeverWorsensTheResidual) {
  RandomNumbers random(7);
  for (unsigned seed = 0; seed < 20; ++seed) {
    for (const Island& island : stiction::testing::MakeIslands(MakeHeap(seed, 8, 0.8))) {
      std::vector<double> lambda(island.num_rows());
      for (double& value : lambda) value = random.Uniform(-1.0, 1.0);
      const double before = CalcResidualOf(island, lambda);
      double residual = before;
      const SolveReport report =
          CentralPath().Run(island, {.max_factorizations = 12}, lambda.data(), residual);
      EXPECT_LE(residual, before) << seed;
      EXPECT_EQ(residual, CalcResidualOf(island, lambda)) << seed;
      EXPECT_LE(report.factorizations, 12 + 60) << seed;
    }
  }
}

TEST(CentralPath, IsForContactsAndUnilateralRowsOnly) {
  for (const Island& island : stiction::testing::MakeIslands(MakeStack(5, 10.0)))
    EXPECT_TRUE(CentralPath::Solves(island));
  const auto is_mixed = [](const Island& island) {
    return std::any_of(island.constraints.begin(), island.constraints.end(), [](const IslandConstraint& c) {
      return c.type != ConstraintType::kContact && c.type != ConstraintType::kUnilateral;
    });
  };
  for (const Island& island : stiction::testing::MakeIslands(stiction::testing::MakeRandomProblem(3, 10, 20)))
    EXPECT_EQ(CentralPath::Solves(island), !is_mixed(island));
}

}  // namespace
}  // namespace stiction
