// After the first solve of a size, solving allocates nothing.
#include <gtest/gtest.h>

#include "stiction/contact/registry.h"
#include "stiction/contact/solve.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/contact_problems.h"

namespace stiction {
namespace {

using stiction::testing::CanCountAllocations;
using stiction::testing::CountAllocations;

class Allocation : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!CanCountAllocations()) GTEST_SKIP() << "malloc belongs to a sanitizer";
  }
  void ExpectNoneOnTheSecondSolve(const ContactProblem& problem) {
    const auto solver = MakeSolver(GetParam());
    ProblemSolver workspace;
    Solution solution;
    EXPECT_GT(workspace.Solve(problem, *solver, solution).num_islands, 0);
    solution.lambda.setZero();  // the same work again, with the velocity too far from its end
    solution.v.setOnes();
    const long before = CountAllocations();
    const ProblemReport report = workspace.Solve(problem, *solver, solution);
    EXPECT_EQ(CountAllocations() - before, 0);
    EXPECT_GT(report.solve.iterations, 0);
  }
};

std::vector<const char*> ListNames() {
  std::vector<const char*> names;
  for (const SolverEntry& entry : ListSolvers()) names.push_back(entry.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Contact, Allocation, ::testing::ValuesIn(ListNames()),
                         [](const auto& solver) { return std::string(solver.param); });

TEST_P(Allocation, CounterSeesEigenAndNew) {
  const long before = CountAllocations();
  const VectorXd x = VectorXd::Zero(100);
  EXPECT_EQ(CountAllocations() - before, 1 + (x.sum() != 0.0));
  const std::vector<int> y(100);
  EXPECT_EQ(CountAllocations() - before, 2 + (y[7] != 0));
}

TEST_P(Allocation, NoneInASlidingBlock) {
  ExpectNoneOnTheSecondSolve(stiction::testing::MakeBlockOnPlane(0.3, 0.2, 1.0));
}

TEST_P(Allocation, NoneInAStack) {
  ExpectNoneOnTheSecondSolve(stiction::testing::MakeStack(8, 1000.0));
}

TEST_P(Allocation, NoneInRandomIslandsOfAllRowTypes) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    ExpectNoneOnTheSecondSolve(stiction::testing::MakeRandomProblem(seed, 10, 12));
  }
}

}  // namespace
}  // namespace stiction
