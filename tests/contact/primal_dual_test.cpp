// Primal-dual Newton alone: near an answer it needs few steps, and nowhere does it make things worse.
#include "contact/solvers/primal_dual.h"

#include <gtest/gtest.h>

#include "stiction/contact/registry.h"
#include "tests/support/contact_problems.h"
#include "tests/support/one_island.h"
#include "tests/support/random_numbers.h"

namespace stiction {
namespace {

using stiction::testing::MakeBlockOnPlane;
using stiction::testing::MakeRandomProblem;
using stiction::testing::MakeStack;
using stiction::testing::RandomNumbers;

// The islands of a problem with what `auto` makes of them.
struct SolvedIsland {
  Island island;
  std::vector<double> lambda;
};

std::vector<SolvedIsland> SolveIslands(const ContactProblem& problem) {
  const auto solver = MakeSolver("auto");
  solver->set_tolerance(1e-12);
  std::vector<SolvedIsland> solved;
  for (Island& island : stiction::testing::MakeIslands(problem)) {
    std::vector<double> lambda(island.num_rows(), 0.0);
    if (solver->Solve(island, lambda.data()).status == SolveStatus::kConverged)
      solved.push_back({std::move(island), std::move(lambda)});
  }
  return solved;
}

double CalcResidual(const Island& island, const std::vector<double>& lambda) {
  std::vector<double> delta(island.num_dofs());
  island.MapImpulses(lambda.data(), delta.data());
  return island.CalcResidual(lambda.data(), delta.data());
}

SolveReport RunPrimalDual(const Island& island, std::vector<double>& lambda, double& residual,
                          int max_group = PrimalDualOptions().max_group) {
  PrimalDualOptions options;
  options.max_group = max_group;
  options.tolerance = options.acceptance = 1e-11;
  residual = CalcResidual(island, lambda);
  return PrimalDualNewton().Run(island, options, lambda.data(), residual);
}

SolveReport RunDamped(const Island& island, const DampedPrimalDualOptions& options,
                      std::vector<double>& lambda, double& residual) {
  residual = CalcResidual(island, lambda);
  return PrimalDualNewton().RunDamped(island, options, lambda.data(), residual);
}

TEST(PrimalDual, ReturnsToTheAnswerInAFewSteps) {
  RandomNumbers random(1);
  for (const ContactProblem& problem : {MakeBlockOnPlane(0.3, 0.0, 1.0), MakeBlockOnPlane(0.3, 1.0, 1.0),
                                        MakeStack(3, 10.0), MakeStack(8, 1000.0)}) {
    const auto islands = SolveIslands(problem);
    ASSERT_EQ(islands.size(), 1u);
    std::vector<double> lambda = islands[0].lambda;
    for (double& value : lambda) value *= 1.0 + 1e-4 * random.Uniform(-1.0, 1.0);
    double residual = 0.0;
    const SolveReport report = RunPrimalDual(islands[0].island, lambda, residual);
    EXPECT_EQ(report.status, SolveStatus::kConverged);
    EXPECT_GE(report.newton_steps, 1);
    EXPECT_LE(report.newton_steps, 8);
    EXPECT_EQ(residual, CalcResidual(islands[0].island, lambda));
  }
}

// All row types, from answers that are a little off: soft, bounded, bilateral and unilateral rows among
// contacts.
TEST(PrimalDual, SolvesMostIslandsOfAllRowTypes) {
  RandomNumbers random(2);
  int count = 0, converged = 0, steps = 0;
  for (unsigned seed = 0; seed < 30; ++seed) {
    for (const SolvedIsland& solved : SolveIslands(MakeRandomProblem(seed, 10, 12))) {
      std::vector<double> lambda = solved.lambda;
      for (double& value : lambda) value *= 1.0 + 1e-3 * random.Uniform(-1.0, 1.0);
      double residual = 0.0;
      const SolveReport report = RunPrimalDual(solved.island, lambda, residual);
      ++count;
      if (report.status != SolveStatus::kConverged) continue;
      EXPECT_LE(residual, 1e-11);
      ++converged;
      steps += report.newton_steps;
    }
  }
  EXPECT_GT(count, 30);
  EXPECT_GE(converged, 0.9 * count);
  EXPECT_LE(steps, 6 * converged);
}

// From nothing, full steps that linearise every constraint often go round in circles.
TEST(PrimalDual, GroupsSolvedExactlyEndManyCircles) {
  int count = 0, with = 0, without = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    for (const SolvedIsland& solved : SolveIslands(MakeRandomProblem(seed, 20, 40))) {
      const std::vector<double> cold(solved.lambda.size(), 0.0);
      double residual = 0.0;
      std::vector<double> lambda = cold;
      with += RunPrimalDual(solved.island, lambda, residual).status == SolveStatus::kConverged;
      lambda = cold;
      without += RunPrimalDual(solved.island, lambda, residual, 0).status == SolveStatus::kConverged;
      ++count;
    }
  }
  EXPECT_GT(count, 30);
  EXPECT_GE(with, 0.9 * count);
  EXPECT_LT(2 * (count - with), count - without);
}

// Two corners of a block are to move apart from the other two: stuck, they pull against one another, until
// friction is used up at some. How far that is does not depend on how much they ask for, and neither do the
// steps.
TEST(PrimalDual, RowsThatContradictOneAnotherGiveWayInAFewSteps) {
  for (double apart = 1e-7; apart < 1e-2; apart *= 10.0) {
    ContactProblem problem = MakeBlockOnPlane(0.5, 0.0, 0.0);
    const auto still = SolveIslands(problem);
    ASSERT_EQ(still.size(), 1u);
    for (int i = 0; i < 4; ++i) problem.e[problem.constraints[i].row] = i < 2 ? apart : -apart;
    const Island island = std::move(stiction::testing::MakeIslands(problem).front());
    std::vector<double> lambda = still[0].lambda;
    double residual = 0.0;
    PrimalDualOptions options;
    options.patience = 16;
    residual = CalcResidual(island, lambda);
    EXPECT_GT(residual, 0.5 * apart);
    const SolveReport report = PrimalDualNewton().Run(island, options, lambda.data(), residual);
    EXPECT_EQ(report.status, SolveStatus::kConverged) << apart;
    EXPECT_LE(report.newton_steps, 16) << apart;
    EXPECT_LE(residual, options.acceptance);
  }
}

// From nothing, where full steps that linearise every constraint lose their way.
TEST(PrimalDual, DampedStepsArriveWhereFullOnesLoseTheirWay) {
  int lost = 0, arrived = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    for (const Island& island : stiction::testing::MakeIslands(MakeRandomProblem(seed, 20, 40))) {
      std::vector<double> lambda(island.num_rows(), 0.0);
      double residual = 0.0;
      if (RunPrimalDual(island, lambda, residual, 0).status == SolveStatus::kConverged) continue;
      ++lost;
      std::fill(lambda.begin(), lambda.end(), 0.0);
      const SolveReport report = RunDamped(island, {.tolerance = 1e-9}, lambda, residual);
      EXPECT_EQ(report.status == SolveStatus::kConverged, residual <= 1e-9);
      EXPECT_LE(report.newton_steps, DampedPrimalDualOptions().max_steps);
      arrived += report.status == SolveStatus::kConverged;
    }
  }
  EXPECT_GT(lost, 10);
  EXPECT_GE(3 * arrived, lost);
}

// From impulses far from an answer.
template <typename RunSteps>
void ExpectNeverWorsensTheResidual(const RunSteps& run, int max_steps) {
  RandomNumbers random(4);
  for (unsigned seed = 0; seed < 30; ++seed) {
    for (const SolvedIsland& solved : SolveIslands(MakeRandomProblem(seed, 10, 12))) {
      std::vector<double> lambda = solved.lambda;
      for (double& value : lambda) value += random.Uniform(-1.0, 1.0);
      const double before = CalcResidual(solved.island, lambda);
      double residual = 0.0;
      const SolveReport report = run(solved.island, lambda, residual);
      EXPECT_LE(residual, before) << seed;
      EXPECT_EQ(residual, CalcResidual(solved.island, lambda)) << seed;
      EXPECT_LE(report.newton_steps, max_steps) << seed;
    }
  }
}

TEST(PrimalDual, DampedStepsNeverWorsenTheResidual) {
  const auto run = [](const Island& island, std::vector<double>& lambda, double& residual) {
    return RunDamped(island, {.max_steps = 5}, lambda, residual);
  };
  ExpectNeverWorsensTheResidual(run, 5);
}

TEST(PrimalDual, NeverWorsensTheResidual) {
  const auto run = [](const Island& island, std::vector<double>& lambda, double& residual) {
    return RunPrimalDual(island, lambda, residual);
  };
  ExpectNeverWorsensTheResidual(run, PrimalDualOptions().max_steps);
}

}  // namespace
}  // namespace stiction
