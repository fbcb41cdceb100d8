// What threads sweep over at the same time touches no body in common, and nothing is left out.
#include "contact/island_slabs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "contact/solvers/nbgs_c.h"
#include "math/task_pool.h"
#include "tests/support/one_island.h"
#include "tests/support/random_numbers.h"

namespace stiction {
namespace {

using stiction::testing::RandomNumbers;

constexpr int kLeast = 512;  // constraints that are worth cutting

// Bodies of six dofs in a row, each in contact with some of those that follow it: by `reach` places.
ContactProblem MakeRow(unsigned seed, int num_bodies, int reach, int contacts_per_body) {
  RandomNumbers random(seed);
  ContactProblem problem;
  std::vector<int> parent;
  for (int s = 0; s < num_bodies; ++s) {
    problem.subsystems.push_back({6 * s, 6});
    for (int k = 0; k < 6; ++k) parent.push_back(k == 0 ? -1 : 6 * s + k - 1);
  }
  problem.A = random.BranchSparse(BranchPattern(parent));
  problem.v_star = random.Vector(6 * num_bodies);
  // Numbered at random: the order of bodies says nothing of where they are.
  std::vector<int> number(num_bodies);
  for (int s = 0; s < num_bodies; ++s) number[s] = s;
  for (int s = num_bodies - 1; s > 0; --s) std::swap(number[s], number[random.Index(s + 1)]);
  const BranchPattern& pattern = problem.A.pattern();
  for (int i = 0; i < num_bodies * contacts_per_body; ++i) {
    const int a = i % num_bodies, b = std::min(num_bodies - 1, a + 1 + random.Index(reach));
    problem.AddConstraint(ConstraintType::kContact, 0.5);
    for (const int body : a == b ? std::vector<int>{a} : std::vector<int>{a, b}) {
      const int last = 6 * number[body] + 5;
      double* values = problem.AddBlock(number[body], pattern.columns(last), 6);
      for (int k = 0; k < 18; ++k) values[k] = random.Uniform(-1, 1);
    }
  }
  return problem;
}

TEST(IslandSlabs, TasksOfAPhaseShareNoBody) {
  int num_cut = 0;
  for (unsigned seed = 0; seed < 10; ++seed) {
    const ContactProblem problem = MakeRow(seed, 220, 1 + seed % 4, 4);
    for (const Island& island : stiction::testing::MakeIslands(problem)) {
      IslandSlabs order;
      order.Assign(island);
      if (island.num_constraints() < kLeast) continue;
      ++num_cut;
      ASSERT_TRUE(order.is_cut());
      std::vector<int> visits(island.num_constraints(), 0);
      for (int phase = 0; phase < IslandSlabs::kNumPhases; ++phase) {
        std::vector<int> task_of_node(island.nodes.size(), -1);
        for (int task = 0; task < order.num_tasks(phase); ++task) {
          const auto constraints = order.constraints(phase, task);
          EXPECT_TRUE(std::is_sorted(constraints.begin(), constraints.end()));
          for (const int i : constraints) {
            ++visits[i];
            const IslandConstraint& c = island.constraints[i];
            for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
              int& owner = task_of_node[island.blocks[b].node];
              EXPECT_TRUE(owner < 0 || owner == task);
              owner = task;
            }
          }
        }
      }
      EXPECT_EQ(visits, std::vector<int>(visits.size(), 1));
    }
  }
  EXPECT_GT(num_cut, 5);
}

// A tray under all bodies leaves two levels: there is nothing to cut.
TEST(IslandSlabs, LeavesStarsAsTheyAre) {
  RandomNumbers random(1);
  ContactProblem problem = MakeRow(2, 200, 1, 1);
  const BranchPattern& pattern = problem.A.pattern();
  for (int body = 1; body < 200; ++body) {
    for (int corner = 0; corner < 3; ++corner) {
      problem.AddConstraint(ConstraintType::kContact, 0.5);
      for (const int s : {0, body}) {
        double* values = problem.AddBlock(s, pattern.columns(6 * s + 5), 6);
        for (int k = 0; k < 18; ++k) values[k] = random.Uniform(-1, 1);
      }
    }
  }
  const std::vector<Island> islands = stiction::testing::MakeIslands(problem);
  ASSERT_EQ(islands.size(), 1u);
  IslandSlabs order;
  order.Assign(islands[0]);
  EXPECT_FALSE(order.is_cut());
}

TEST(IslandSlabs, SweepsAndSumsGiveTheBitsOfOneThread) {
  const ContactProblem problem = MakeRow(3, 240, 3, 4);
  std::vector<Island> islands = stiction::testing::MakeIslands(problem);
  Island& island = *std::max_element(islands.begin(), islands.end(), [](const Island& a, const Island& b) {
    return a.num_constraints() < b.num_constraints();
  });
  IslandSlabs slabs;
  slabs.Assign(island);
  ASSERT_TRUE(slabs.is_cut());
  std::vector<double> expected, expected_sum, sum(island.num_dofs()), plain(island.num_dofs());
  for (const int threads : {1, 2, 3, 8}) {
    const TaskPool pool(threads);
    island.pool = threads > 1 ? &pool : nullptr;
    island.slabs = &slabs;
    GaussSeidelSweep sweep;
    sweep.Prepare(island, true);
    std::vector<double> lambda(island.num_rows(), 0.0), delta(island.num_dofs(), 0.0);
    for (int k = 0; k < 20; ++k) EXPECT_GT(sweep.Sweep(island, lambda.data(), delta.data()), 0.0);
    if (threads == 1) expected = lambda;
    EXPECT_EQ(lambda, expected) << threads << " threads";
    island.MapImpulses(lambda.data(), sum.data());
    if (threads == 1) expected_sum = sum;
    EXPECT_EQ(sum, expected_sum) << threads << " threads";
    island.slabs = nullptr;
    island.pool = nullptr;
    island.MapImpulses(lambda.data(), plain.data());
    for (int k = 0; k < island.num_dofs(); ++k)
      EXPECT_NEAR(sum[k], plain[k], 1e-12 * (1.0 + std::abs(plain[k])));
  }
}

}  // namespace
}  // namespace stiction
