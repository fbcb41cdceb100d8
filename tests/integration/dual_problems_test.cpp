// Of `stiction bench duals`: residuals of a solution, and categories of problems.
#include "apps/runner/duals/dual_problems.h"

#include <gtest/gtest.h>

#include "tests/support/contact_problems.h"

namespace stiction::runner {
namespace {

// A point mass of 2 kg on three dofs, which each of the contacts, of friction 0.5, holds; and each of the
// joints by the first.
ContactProblem MakePoint(int contacts, int joints) {
  testing::ProblemSketch sketch;
  const int mass = sketch.AddSubsystem(2.0 * MatrixXd::Identity(3, 3), Vector3d(0.3, 0.0, -1.0));
  for (int i = 0; i < contacts; ++i)
    sketch.AddConstraint(ConstraintType::kContact, {{mass, MatrixXd::Identity(3, 3)}}, Vector3d::Zero(), 0.5);
  for (int i = 0; i < joints; ++i)
    sketch.AddConstraint(ConstraintType::kBilateral, {{mass, MatrixXd::Identity(1, 3)}}, VectorXd::Zero(1));
  return sketch.Build();
}

TEST(DualProblems, ResidualsAreOfTheConesAndOfTheirProduct) {
  const ContactProblem problem = MakePoint(1, 0);
  Solution solution;
  solution.v = Vector3d(0.1, 0.0, 0.0);  // slides
  solution.lambda = Vector3d(-1.0, 0.0, 2.0);
  // On the cone's edge, against the slip; its shifted velocity (0.1, 0, 0.05) on that of the dual one.
  DualResiduals residuals = CalcDualResiduals(problem, solution);
  EXPECT_NEAR(residuals.primal, 0.0, 1e-15);
  EXPECT_NEAR(residuals.dual, 0.0, 1e-15);
  EXPECT_NEAR(residuals.complementarity, 0.0, 1e-15);
  // A pull of 2 N·s is 2 away from the cone; a speed of 0.3 into the ground as far from the dual one.
  solution.lambda = Vector3d(0.0, 0.0, -2.0);
  solution.v = Vector3d(0.0, 0.0, -0.3);
  residuals = CalcDualResiduals(problem, solution);
  EXPECT_NEAR(residuals.primal, 2.0, 1e-15);
  EXPECT_NEAR(residuals.dual, 0.3, 1e-15);
  EXPECT_NEAR(residuals.complementarity, 0.6, 1e-15);
}

TEST(DualProblems, CategoriesGoByRowsAndRank) {
  using enum DualCategory;
  EXPECT_EQ(FindCategory(MakePoint(0, 1)), kIndependentJoints);
  EXPECT_EQ(FindCategory(MakePoint(0, 2)), kRedundantJoints);  // the same row twice
  EXPECT_EQ(FindCategory(MakePoint(0, 3)), kDenseJoints);
  EXPECT_EQ(FindCategory(MakePoint(1, 0)), kSingleContact);
  EXPECT_EQ(FindCategory(MakePoint(2, 0)), kDenseContacts);  // on half a body
  EXPECT_EQ(FindCategory(MakePoint(1, 1)), kDenseConstraints);
}

}  // namespace
}  // namespace stiction::runner
