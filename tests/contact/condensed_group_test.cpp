// A few constraints by their exact laws against the others linearised.
#include "contact/condensed_group.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "stiction/contact/laws.h"
#include "stiction/math/cone.h"
#include "tests/support/contact_problems.h"
#include "tests/support/one_island.h"
#include "tests/support/random_numbers.h"

namespace stiction {
namespace {

using stiction::testing::RandomNumbers;

// An island whose constraints stick but for those of a group, with a point that they are linearised at.
struct LinearizedIsland {
  LinearizedIsland(Island made, std::vector<int> members)
      : island(std::move(made)), group(std::move(members)) {
    RandomNumbers random(1);
    hessian.Assign(island);
    for (int i = 0; i < island.num_constraints(); ++i) {
      const bool is_member = std::find(group.begin(), group.end(), i) != group.end();
      hessian.set_active(i, !is_member);
      if (island.constraints[i].dim() == 1) {
        hessian.weight(i)[0] = kWeight;
      } else {
        Eigen::Map<Matrix3d>(hessian.weight(i)) = kWeight * Matrix3d::Identity();
      }
    }
    lambda = VectorXd::NullaryExpr(island.num_rows(), [&] { return random.Uniform(0.0, 0.1); });
    delta.resize(island.num_dofs());
    island.MapImpulses(lambda.data(), delta.data());
    others_step = VectorXd::NullaryExpr(island.num_dofs(), [&] { return random.Uniform(-1.0, 1.0); });
  }

  static constexpr double kWeight = 30.0;
  Island island;
  std::vector<int> group;
  ScaledHessian hessian;
  VectorXd lambda, delta, others_step;
};

// K x by its definition.
VectorXd MultiplyHessian(const LinearizedIsland& linearized, const VectorXd& x) {
  VectorXd product = x;
  for (int i = 0; i < linearized.island.num_constraints(); ++i) {
    if (!linearized.hessian.is_active(i)) continue;
    const IslandConstraint& c = linearized.island.constraints[i];
    double y[3];
    linearized.island.ReadChange(c, x.data(), y);
    for (int r = 0; r < c.dim(); ++r) y[r] *= LinearizedIsland::kWeight;
    linearized.island.AddImpulse(c, y, product.data());
  }
  return product;
}

// How far impulses are from the law of a constraint at its velocity [m/s].
double CalcNaturalMapError(const IslandConstraint& c, const double* u, const double* lambda) {
  if (c.dim() == 1) return c.scale * std::abs(ClampImpulse(c, lambda[0] - u[0] / c.scale) - lambda[0]);
  const Eigen::Map<const Vector3d> at(lambda), velocity(u);
  return c.scale * (ClampCone(at - velocity / c.scale, c.mu) - at).norm();
}

// Of the group's members, a step on.
double CalcLargestError(const LinearizedIsland& linearized, const VectorXd& step,
                        const VectorXd& lambda_step) {
  const VectorXd delta = linearized.delta + step, lambda = linearized.lambda + lambda_step;
  double largest = 0.0;
  for (const int i : linearized.group) {
    const IslandConstraint& c = linearized.island.constraints[i];
    double u[3];
    linearized.island.ReadVelocity(c, delta.data(), u);
    largest = std::max(largest, CalcNaturalMapError(c, u, lambda.data() + c.row));
  }
  return largest;
}

void ExpectSolvesGroup(LinearizedIsland linearized) {
  Island& island = linearized.island;
  ASSERT_TRUE(linearized.hessian.Factor(island, true));
  VectorXd step = linearized.others_step, lambda_step = VectorXd::Constant(island.num_rows(), 7.0);
  CondensedGroup condensed;
  condensed.Reserve(island, static_cast<int>(linearized.group.size()));
  condensed.Solve(island, linearized.hessian, linearized.group, linearized.lambda.data(),
                  linearized.delta.data(), step.data(), lambda_step.data());

  // K (dδ − dδ of the others alone) = Y_Gᵀ dλ_G
  VectorXd forces = VectorXd::Zero(island.num_dofs());
  for (const int i : linearized.group) {
    const IslandConstraint& c = island.constraints[i];
    island.AddImpulse(c, lambda_step.data() + c.row, forces.data());
  }
  const VectorXd left = MultiplyHessian(linearized, step - linearized.others_step);
  EXPECT_LT((left - forces).norm(), 1e-10 * (1.0 + forces.norm()));

  // Alone exactly, together to what is worth it.
  const double before =
      CalcLargestError(linearized, linearized.others_step, VectorXd::Zero(island.num_rows()));
  const double after = CalcLargestError(linearized, step, lambda_step);
  EXPECT_LT(after, linearized.group.size() == 1 ? 1e-9 : 1e-9 + 0.01 * before);
  for (int i = 0; i < island.num_constraints(); ++i) {
    if (std::find(linearized.group.begin(), linearized.group.end(), i) != linearized.group.end()) continue;
    EXPECT_EQ(lambda_step[island.constraints[i].row], 7.0);
  }
}

TEST(CondensedGroup, ObeysItsLawsAgainstTheOthersLinearised) {
  const ContactProblem stack = stiction::testing::MakeStack(12, 10.0);
  const std::vector<Island> stacks = stiction::testing::MakeIslands(stack);
  ASSERT_EQ(stacks.size(), 1u);
  ASSERT_EQ(stacks[0].num_constraints(), 12);
  ExpectSolvesGroup({stacks[0], {5}});
  ExpectSolvesGroup({stacks[0], {0, 6}});
  ExpectSolvesGroup({stacks[0], {1, 4, 9, 10}});
  const ContactProblem block = stiction::testing::MakeBlockOnPlane(0.3, 0.5, 1.0);
  const std::vector<Island> blocks = stiction::testing::MakeIslands(block);
  ASSERT_EQ(blocks.size(), 1u);
  ASSERT_EQ(blocks[0].num_constraints(), 4);
  ExpectSolvesGroup({blocks[0], {1, 2}});
}

// Rows of all types among contacts: groups of every two neighbours that may be in one.
TEST(CondensedGroup, TakesRowsOfEveryTypeButSoftOnes) {
  int groups = 0, rows = 0;
  for (unsigned seed = 0; seed < 5; ++seed) {
    const ContactProblem problem = stiction::testing::MakeRandomProblem(seed, 10, 12);
    for (const Island& island : stiction::testing::MakeIslands(problem)) {
      for (int i = 1; i < island.num_constraints(); ++i) {
        const IslandConstraint &a = island.constraints[i - 1], &b = island.constraints[i];
        EXPECT_EQ(CondensedGroup::MayContain(a), a.type != ConstraintType::kSoft);
        if (!CondensedGroup::MayContain(a) || !CondensedGroup::MayContain(b)) continue;
        ExpectSolvesGroup({island, {i - 1, i}});
        ++groups;
        rows += a.dim() == 1 || b.dim() == 1;
      }
    }
  }
  EXPECT_GT(groups, 20);
  EXPECT_GT(rows, 5);
}

}  // namespace
}  // namespace stiction
