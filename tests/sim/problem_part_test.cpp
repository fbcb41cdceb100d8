// A part of a problem is solved as it is in the whole, bit by bit.
#include "sim/problem_part.h"

#include <gtest/gtest.h>

#include <numeric>

#include "contact/solvers/auto.h"
#include "sim/row_assembler.h"
#include "stiction/contact/solve.h"
#include "tests/support/scenes.h"
#include "tests/support/step_start.h"

namespace stiction::testing {
namespace {

// Two boxes that slide, with friction moments, and a third on top of the second.
StepStart MakeStart() {
  ModelBuilder builder("islands");
  builder.AddGeom({.shape = Plane{}, .torsional_friction = 0.01, .condim = 4});
  for (const Vector3d& p : {Vector3d(0, 0, 0.05), Vector3d(1, 0, 0.05), Vector3d(1, 0, 0.15)})
    AddFreeBody(builder, Box{Vector3d::Constant(0.05)}, 1.0, Shift(p.x(), p.y(), p.z()));
  StepStart start(builder.Build());
  for (const int k : {0, 6 + 1, 12}) start.state.v[k] = 0.5;
  return start;
}

const ContactProblem& Assemble(StepStart& start, RowAssembler& assembler) {
  start.Compute();
  start.Move(assembler.rows().problem);
  SlipMemory slip;
  slip.Recall(start.model, start.frame(), start.state.contacts);
  assembler.Assemble(start.model, start.input, start.state, start.frame(), {start.forces, start.factor},
                     EqualityStage(), slip, {}, false);
  return assembler.rows().problem;
}

TEST(ProblemPart, IsSolvedAsInTheWhole) {
  StepStart start = MakeStart();
  RowAssembler assembler(start.model, start.pattern);
  const ContactProblem& whole = Assemble(start, assembler);
  ProblemPart part;
  part.Assign(whole, {0, 0, 1});
  ASSERT_GT(part.problem().num_rows(), 0);
  ASSERT_LT(part.problem().num_rows(), whole.num_rows());

  SolverAuto solver;
  ProblemSolver all, some;
  Solution of_all, of_part;
  EXPECT_EQ(all.Solve(whole, start.factor, solver, of_all).num_islands, 2);
  EXPECT_EQ(some.Solve(part.problem(), start.factor, solver, of_part).num_islands, 1);
  EXPECT_EQ(of_part.v.head(6), whole.v_star.head(6));
  EXPECT_EQ(of_part.v.tail(12), of_all.v.tail(12));
  EXPECT_FALSE(part.HasVelocityOf(0));
  EXPECT_TRUE(part.HasVelocityOf(1) && part.HasVelocityOf(2));

  const std::vector<double> lambda(of_all.lambda.begin(), of_all.lambda.end());
  GrowingVector gathered;
  part.Gather(lambda, gathered);
  EXPECT_EQ(gathered, of_part.lambda);
  for (const Constraint& c : part.problem().constraints) {
    if (c.type != ConstraintType::kTorsional) continue;
    EXPECT_EQ(part.problem().constraints[c.contact].row + 3, c.row);
  }
}

TEST(ProblemPart, OfAllIslandsIsTheWholeItself) {
  StepStart start = MakeStart();
  RowAssembler assembler(start.model, start.pattern);
  const ContactProblem& whole = Assemble(start, assembler);
  ProblemPart part;
  part.Assign(whole, {1, 0, 1});
  EXPECT_EQ(&part.problem(), &whole);
  std::vector<double> lambda(whole.num_rows());
  std::iota(lambda.begin(), lambda.end(), 1.0);
  GrowingVector gathered;
  part.Gather(lambda, gathered);
  EXPECT_EQ(gathered, Eigen::Map<const VectorXd>(lambda.data(), whole.num_rows()));
  std::vector<double> scattered(whole.num_rows());
  part.Scatter(gathered, scattered);
  EXPECT_EQ(scattered, lambda);
  // And is none of it when it is assigned anew.
  part.Assign(whole, {0, 0, 1});
  EXPECT_LT(part.problem().num_rows(), whole.num_rows());
}

TEST(ProblemPart, MayBeEmpty) {
  StepStart start = MakeStart();
  RowAssembler assembler(start.model, start.pattern);
  start.Compute();
  start.Move(assembler.rows().problem);
  ProblemPart part;
  part.Assign(assembler.rows().problem, {1, 1, 1});
  EXPECT_EQ(part.problem().num_constraints(), 0);
  EXPECT_EQ(part.problem().v_star, assembler.rows().problem.v_star);
}

}  // namespace
}  // namespace stiction::testing
