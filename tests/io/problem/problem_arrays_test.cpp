#include "stiction/io/problem_arrays.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "stiction/contact/registry.h"
#include "stiction/contact/solve.h"

namespace stiction {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

// A unit mass that falls onto the ground while it slides, and four sliders with a row of each other kind.
ProblemArrays MakeFive() {
  return {.name = "five",
          .A = MatrixXd::Identity(7, 7),
          .v_star = (VectorXd(7) << 2, 0, -1, -2, 3, -1, 5).finished(),
          .J = MatrixXd::Identity(7, 7),
          .mu = VectorXd::Constant(1, 0.5),
          .num_limits = 1,
          .num_equalities = 1,
          .stiffness = VectorXd::Zero(1),
          .damping = VectorXd::Ones(1),
          .lower = VectorXd::Constant(1, -2.0),
          .upper = VectorXd::Constant(1, kInf)};
}

TEST(ProblemArrays, EveryKindOfRowIsSolved) {
  const ContactProblem problem = MakeProblem(MakeFive());
  Solution solution;
  ProblemSolver solver;
  const ProblemReport report = solver.Solve(problem, *MakeSolver("canal"), solution);
  EXPECT_LT(report.certificate.ncp_max, 1e-9);
  const VectorXd expected = (VectorXd(7) << -0.5, 0, 1, 2, -3, 0.5, -2).finished();
  EXPECT_LT((solution.lambda - expected).lpNorm<Eigen::Infinity>(), 1e-8) << solution.lambda.transpose();
}

TEST(ProblemArrays, WhatIsMadeOfAProblemMakesItAgain) {
  ProblemArrays arrays = MakeFive();
  arrays.A(0, 3) = arrays.A(3, 0) = 0.25;
  arrays.J(5, 6) = -1.0;
  arrays.warm_start = VectorXd::LinSpaced(7, 1.0, 7.0);
  Solution warm_start;
  warm_start.lambda = arrays.warm_start;
  const ProblemArrays again = MakeArrays(MakeProblem(arrays), warm_start);
  EXPECT_EQ(again.name, "five");
  EXPECT_EQ(again.A, arrays.A);
  EXPECT_EQ(again.J, arrays.J);
  EXPECT_EQ(again.v_star, arrays.v_star);
  EXPECT_EQ(again.e, VectorXd::Zero(7));
  EXPECT_EQ(again.mu, arrays.mu);
  EXPECT_EQ(again.num_limits, 1);
  EXPECT_EQ(again.num_equalities, 1);
  EXPECT_EQ(again.upper[0], kInf);
  EXPECT_EQ(again.warm_start, arrays.warm_start);
}

// The block of the first four dofs, which entry (0, 3) couples, and the others by themselves.
TEST(ProblemArrays, SubsystemsAreTheFinestBlocks) {
  ProblemArrays arrays = MakeFive();
  arrays.A(0, 3) = arrays.A(3, 0) = 0.25;
  const ContactProblem problem = MakeProblem(arrays);
  ASSERT_EQ(problem.subsystems.size(), 4u);
  EXPECT_EQ(problem.subsystems[0].num_dofs, 4);
  arrays.subsystem_of_dof = {0, 0, 0, 0, 0, 1, 1};
  EXPECT_EQ(MakeProblem(arrays).subsystems.size(), 2u);
}

void ExpectFault(const ProblemArrays& arrays, const std::string& what) {
  try {
    MakeProblem(arrays);
    ADD_FAILURE() << "no error: " << what;
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
  }
}

TEST(ProblemArrays, ErrorsNameTheArray) {
  const auto change = [](auto&& apply) {
    ProblemArrays arrays = MakeFive();
    apply(arrays);
    return arrays;
  };
  ExpectFault(change([](auto& a) { a.A.resize(3, 3); }), "A is 3 x 3; it has to be 7 x 7");
  ExpectFault(change([](auto& a) { a.J.resize(6, 7); }), "J is 6 x 7; it has to be 7 x 7");
  ExpectFault(change([](auto& a) { a.e = VectorXd::Zero(2); }), "e holds 2 numbers; it needs 7");
  ExpectFault(change([](auto& a) { a.upper.resize(0); }), "upper holds 0 numbers; it needs 1");
  ExpectFault(change([](auto& a) { a.damping.resize(3); }), "damping holds 3 numbers");
  ExpectFault(change([](auto& a) { a.damping[0] = -1.0; }), "damping");
  ExpectFault(change([](auto& a) { a.mu[0] = -1.0; }), "mu is -1");
  ExpectFault(change([](auto& a) { a.A(0, 1) = 1.0; }), "A is not symmetric");
  ExpectFault(change([](auto& a) { a.A(2, 2) = -1.0; }), "A");
  ExpectFault(change([](auto& a) { a.v_star[1] = kInf; }), "not finite");
  ExpectFault(change([](auto& a) { a.num_limits = -1; }), "num_limits");
  ExpectFault(change([](auto& a) { a.subsystem_of_dof = {0, 1}; }), "subsystem_of_dof holds 2 numbers");
}

}  // namespace
}  // namespace stiction
