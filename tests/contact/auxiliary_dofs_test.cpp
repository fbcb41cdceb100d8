#include "stiction/contact/auxiliary_dofs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "stiction/contact/registry.h"
#include "stiction/contact/solve.h"

namespace stiction {
namespace {

constexpr double kMass = 2.0;

// One dof of 2 kg that moves freely with `v`, and a row on it.
ContactProblem MakeRow(ConstraintType type, double v, double compliance) {
  ContactProblem problem;
  problem.subsystems = {{0, 1}};
  problem.A.Resize(BranchPattern({-1}));
  problem.A.diagonal(0) = kMass;
  problem.v_star = VectorXd::Constant(1, v);
  problem.AddConstraint(type);
  problem.constraints[0].compliance_n = compliance;
  const int dof = 0;
  *problem.AddBlock(0, &dof, 1) = 1.0;
  return problem;
}

double SolveImpulse(const ContactProblem& problem, const char* solver) {
  Solution solution;
  const ProblemReport report = ProblemSolver().Solve(problem, *MakeSolver(solver), solution);
  EXPECT_LE(report.certificate.ncp_max, 1e-8) << solver;
  EXPECT_EQ(solution.v.size(), 1);
  EXPECT_NEAR(solution.v[0], problem.v_star[0] + solution.lambda[0] / kMass, 1e-14);
  return solution.lambda[0];
}

TEST(AuxiliaryDofs, AreNeededForMomentsAndComplianceAlone) {
  EXPECT_FALSE(AuxiliaryDofs::AreNeeded(MakeRow(ConstraintType::kUnilateral, 1.0, 0.0)));
  EXPECT_TRUE(AuxiliaryDofs::AreNeeded(MakeRow(ConstraintType::kUnilateral, 1.0, 0.1)));
}

// λ = clamp(−(v + e)/(W + R)) by each law.
TEST(AuxiliaryDofs, RowsWithComplianceFollowTheirFormula) {
  for (const char* solver : {"auto", "canal", "nbgs_c", "admm_ncp"}) {
    for (const double R : {0.01, 0.5, 30.0}) {
      for (const double v : {-1.5, 0.7}) {
        const double free = -v / (1.0 / kMass + R);
        EXPECT_NEAR(SolveImpulse(MakeRow(ConstraintType::kBilateral, v, R), solver), free, 1e-7) << solver;
        EXPECT_NEAR(SolveImpulse(MakeRow(ConstraintType::kUnilateral, v, R), solver), std::max(0.0, free),
                    1e-7);
        ContactProblem bounded = MakeRow(ConstraintType::kBounded, v, R);
        bounded.SetBounds(-0.4, 0.3);
        EXPECT_NEAR(SolveImpulse(bounded, solver), std::clamp(free, -0.4, 0.3), 1e-7);
      }
    }
  }
}

// As of a soft row that moves next to nothing: the inverse of such a number is none.
TEST(AuxiliaryDofs, NextToNoComplianceIsNone) {
  for (const double R : {5e-324, 1e-310, 1e-301}) {
    const ContactProblem problem = MakeRow(ConstraintType::kBilateral, 1.5, R);
    EXPECT_FALSE(AuxiliaryDofs::AreNeeded(problem)) << R;
    EXPECT_NEAR(SolveImpulse(problem, "nbgs"), -1.5 * kMass, 1e-7) << R;
  }
}

// Whether something keeps still is judged by the velocity before the solve; one left over from another
// problem would make the answer depend on what was solved before.
TEST(AuxiliaryDofs, TheVelocityBeforeIsThatOfTheProblem) {
  const ContactProblem problem = MakeRow(ConstraintType::kUnilateral, -1.5, 0.5);
  const VectorXd scales = VectorXd::Constant(1, 1.0 / kMass);
  AuxiliaryDofs auxiliary;
  auxiliary.solution().v = VectorXd::Constant(2, 9.0);
  Solution before;
  before.v = VectorXd::Constant(1, 0.25);
  auxiliary.Extend(problem, scales, before);
  ASSERT_EQ(auxiliary.solution().v.size(), auxiliary.problem().nv());
  EXPECT_EQ(auxiliary.solution().v[0], 0.25);
  EXPECT_TRUE(auxiliary.solution().v.tail(auxiliary.problem().nv() - 1).isZero(0.0));
  before.v.resize(0);
  auxiliary.Extend(problem, scales, before);
  EXPECT_EQ(auxiliary.solution().v.size(), 0);
}

// A ball at rest on the ground about to be turned: sliding in x and y, rising in z, angular velocities in
// units of the ball's radius of gyration. Contact friction is zero, so that the moments act alone.
ContactProblem MakeTurnedBall(const Vector3d& w_free, double torsional, double rolling) {
  ContactProblem problem;
  problem.subsystems = {{0, 6}};
  problem.A.Resize(BranchPattern({-1, 0, 1, 2, 3, 4}));
  const double inertia[6] = {1.0, 1.0, 1.0, 0.02, 0.03, 0.02};
  for (int k = 0; k < 6; ++k) problem.A.diagonal(k) = inertia[k];
  problem.v_star.setZero(6);
  problem.v_star[2] = -0.5;  // pressed with an impulse of 0.5 N·s
  problem.v_star.tail<3>() = w_free;
  const int dofs[6] = {0, 1, 2, 3, 4, 5};
  problem.AddConstraint(ConstraintType::kContact, 0.0);
  double* contact = problem.AddBlock(0, dofs, 6);
  for (int r = 0; r < 3; ++r) contact[3 * r + r] = 1.0;
  problem.AddFrictionMoment(ConstraintType::kTorsional, 0, torsional);
  problem.AddBlock(0, dofs, 6)[5] = 1.0;
  problem.AddFrictionMoment(ConstraintType::kRolling, 0, rolling);
  double* roll = problem.AddBlock(0, dofs, 6);
  roll[2 * 3] = 1.0;
  roll[2 * 4 + 1] = 1.0;
  return problem;
}

TEST(AuxiliaryDofs, FrictionMomentsHoldOrSlideWithinTheirOwnLimits) {
  for (const char* name : {"auto", "canal", "nbgs_c", "admm_ncp"}) {
    const auto solver = MakeSolver(name);
    Solution held, slid;
    const ContactProblem weak = MakeTurnedBall({0.1, -0.2, 0.4}, 0.1, 0.1);
    ASSERT_LE(ProblemSolver().Solve(weak, *solver, held).certificate.ncp_max, 1e-8) << name;
    EXPECT_LT(held.v.tail<3>().norm(), 1e-7) << name;
    const ContactProblem strong = MakeTurnedBall({3.0, -4.0, 9.0}, 0.1, 0.06);
    ASSERT_LE(ProblemSolver().Solve(strong, *solver, slid).certificate.ncp_max, 1e-8) << name;
    EXPECT_NEAR(slid.lambda[2], 0.5, 1e-8);
    EXPECT_NEAR(slid.lambda[3], -0.1 * 0.5, 1e-7);
    // On its circle, and against what is left of the rolling velocity.
    const Vector2d moment(slid.lambda[4], slid.lambda[5]), w = slid.v.segment<2>(3);
    EXPECT_NEAR(moment.norm(), 0.06 * 0.5, 1e-7) << name;
    EXPECT_NEAR(moment.dot(w), -moment.norm() * w.norm(), 1e-7) << name;
    ASSERT_GT(w.norm(), 1.0);
  }
}

// A warm start that the default solver takes as it is, because the extended problem is met to its acceptance,
// meets the laws of the moments to that as well.
TEST(AuxiliaryDofs, WhatIsAcceptedMeetsTheMomentsToo) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(-1.0, 1.0), power(-10.0, -7.0);
  const auto solver = MakeSolver("auto");
  const double acceptance = solver->acceptance();
  int num_accepted = 0;
  for (int i = 0; i < 4000; ++i) {
    const Vector3d w(unit(random), unit(random), unit(random));
    const ContactProblem problem =
        MakeTurnedBall(w, 0.3 * std::abs(unit(random)), 0.3 * std::abs(unit(random)));
    Solution solution;
    (void)ProblemSolver().Solve(problem, *solver, solution);
    const double size = std::pow(10.0, power(random));
    for (double& impulse : solution.lambda) impulse += size * unit(random);
    const ProblemReport report = ProblemSolver().Solve(problem, *solver, solution);
    EXPECT_LE(report.certificate.ncp_max, acceptance) << i;
    num_accepted += report.certificate.ncp_max > 0.01 * acceptance;
  }
  EXPECT_GT(num_accepted, 50);
}

TEST(AuxiliaryDofs, CertificateSeesAWrongMoment) {
  const ContactProblem problem = MakeTurnedBall({3.0, -4.0, 9.0}, 0.1, 0.06);
  Solution solution;
  EXPECT_EQ(ProblemSolver().Solve(problem, *MakeSolver("auto"), solution).solve.status,
            SolveStatus::kConverged);
  BranchSparseFactor factor;
  EXPECT_LT(factor.Factor(problem.A), 0);
  const VectorXd scales = CalcDelassusScales(problem, factor);
  Certifier certifier;
  ASSERT_LE(certifier.Certify(problem, factor, scales, solution.lambda).ncp_max, 1e-8);
  for (const int row : {3, 4, 5}) {
    for (const double change : {1e-3, -1e-3}) {
      VectorXd wrong = solution.lambda;
      wrong[row] += change;
      EXPECT_GT(certifier.Certify(problem, factor, scales, wrong).ncp_max, 1e-4) << row;
    }
  }
}

}  // namespace
}  // namespace stiction
