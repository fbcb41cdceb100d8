// A solver remembers nothing of what it solved: one that has solved others gives the same bits as a new one,
// so that a run does not depend on its history. Hard problems count most, which end in the last resorts.
#include <gtest/gtest.h>

#include "contact/solvers/central_path.h"
#include "stiction/contact/registry.h"
#include "stiction/contact/solve.h"
#include "tests/support/one_island.h"
#include "tests/support/problem_sets.h"
#include "tests/support/random_problem.h"

namespace stiction {
namespace {

using stiction::testing::MakeRandomProblem;
using stiction::testing::ProblemSketch;
using stiction::testing::RandomNumbers;

// Of small islands, whose rows say different things of the same few dofs: many have no answer.
std::vector<ContactProblem> MakeContradictions(int count) {
  std::vector<ContactProblem> problems;
  for (int seed = 0; seed < count; ++seed) {
    RandomNumbers random(static_cast<unsigned>(seed));
    ProblemSketch sketch;
    const int body =
        sketch.AddFreeBody(1.0, Matrix3d::Identity() * 0.02, Vector3d::Zero(), random.NormalVector(6));
    for (int k = 0; k < 3 + random.Index(3); ++k) {
      if (random.Index(2) == 0) {
        sketch.AddContact(-1, body, 0.1 * random.NormalVector(3), random.NormalVector(3).normalized(), 0.8);
      } else {
        sketch.AddConstraint(ConstraintType::kUnilateral, {{body, random.NormalVector(6).transpose()}},
                             random.NormalVector(1));
      }
    }
    problems.push_back(sketch.Build());
  }
  return problems;
}

TEST(Reuse, EverySolverGivesTheBitsOfANewOne) {
  std::vector<ContactProblem> problems = MakeContradictions(12);
  for (unsigned seed = 0; seed < 8; ++seed) problems.push_back(MakeRandomProblem(seed, 4, 9));
  for (const SolverEntry& entry : ListSolvers()) {
    const auto solver = MakeSolver(entry.name);
    solver->set_effort(0.1);
    ProblemSolver workspace;
    for (std::size_t i = 0; i < problems.size(); ++i) {
      Solution used, fresh;
      (void)workspace.Solve(problems[i], *solver, used);
      const auto other = MakeSolver(entry.name);
      other->set_effort(0.1);
      (void)ProblemSolver().Solve(problems[i], *other, fresh);
      EXPECT_TRUE(used.lambda == fresh.lambda) << entry.name << ", problem " << i;
      EXPECT_TRUE(used.v == fresh.v) << entry.name << ", problem " << i;
    }
  }
}

// Its cones are contacts in one island, and unilateral rows in another.
TEST(Reuse, SoDoesTheCentralPath) {
  CentralPath used;
  int num_followed = 0;
  for (const ContactProblem& problem : MakeContradictions(60)) {
    for (const Island& island : testing::MakeIslands(problem)) {
      std::vector<double> lambda(island.num_rows(), 0.0), delta(island.num_dofs(), 0.0);
      const double start = island.CalcResidual(lambda.data(), delta.data());
      std::vector<double> other = lambda;
      double residual = start, other_residual = start;
      const SolveReport report = used.Run(island, {.max_factorizations = 60}, lambda.data(), residual);
      (void)CentralPath().Run(island, {.max_factorizations = 60}, other.data(), other_residual);
      EXPECT_EQ(lambda, other);
      EXPECT_EQ(residual, other_residual);
      num_followed += report.newton_steps > 10;
    }
  }
  EXPECT_GT(num_followed, 20);
}

}  // namespace
}  // namespace stiction
