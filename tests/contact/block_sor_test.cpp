// The block solvers on the specification's thirteen problems, and their local rules.
#include <gtest/gtest.h>

#include <cmath>

#include "contact/local_contact.h"
#include "stiction/contact/registry.h"
#include "stiction/contact/solve.h"
#include "tests/support/dense_algebra.h"
#include "tests/support/loop_systems.h"
#include "tests/support/one_island.h"

namespace stiction {
namespace {

using stiction::testing::CalcSvd;
using stiction::testing::ListLoopCases;
using stiction::testing::LoopCase;
using stiction::testing::RandomNumbers;
using stiction::testing::SolvePositive;
using Options = std::vector<std::pair<std::string, std::string>>;

TEST(LoopSystems, HaveTheRanksOfTheSpecification) {
  for (const LoopCase& loop : ListLoopCases()) {
    const MatrixXd J = loop.problem.DenseJ();
    EXPECT_EQ(J.rows(), loop.rows) << loop.name;
    const MatrixXd A = loop.problem.A.ToDense();
    const MatrixXd D = J * SolvePositive(A, J.transpose());
    EXPECT_EQ(CalcSvd(D, 1e-12).values.size(), loop.rank) << loop.name;
  }
}

// Sweeps to a natural-map residual of 1e-8, unscaled, as the specification counts; 0: not within 10,000.
int CountSweeps(const LoopCase& loop, const std::string& name, Options options) {
  const auto solver = MakeSolver(name);
  const Options common = {
      {"tolerance", "1e-8"}, {"max_sweeps", "10000"}, {"check_interval", "1"}, {"unscaled", "1"}};
  options.insert(options.begin(), common.begin(), common.end());
  for (const auto& [option, value] : options) EXPECT_EQ(SetSolverOption(*solver, option, value), "");
  Solution solution;
  const ProblemReport report = stiction::testing::SolveAsOneIsland(loop.problem, *solver, solution);
  EXPECT_TRUE(solution.lambda.allFinite()) << loop.name;
  return report.solve.status == SolveStatus::kConverged ? report.solve.sweeps : 0;
}

struct Column {
  const char* name;
  Options options;
  std::vector<int> sweeps;  // of the thirteen problems; 0: not solved
};

// [spec. dual solvers §12].
TEST(BlockSor, SweepsOfTheSpecification) {
  const std::vector<Column> columns = {
      {"pgs_ncp", {{"split_step", "0"}}, {16, 14, 19, 1, 0, 0, 0, 0, 18, 128, 2482, 0, 0}},
      {"pgs_ncp", {}, {20, 14, 26, 1, 0, 0, 0, 62, 18, 128, 2482, 0, 0}},
      {"nbgs", {}, {5, 0, 12, 1, 0, 0, 0, 54, 0, 128, 2482, 0, 0}},
      {"raisim", {}, {4, 0, 13, 1, 0, 0, 0, 60, 0, 153, 4468, 0, 0}},
      {"raisim_ds", {}, {5, 12, 13, 1, 0, 0, 0, 60, 21, 153, 4468, 0, 0}},
  };
  const std::vector<LoopCase> cases = ListLoopCases();
  for (const Column& column : columns) {
    for (std::size_t k = 0; k < cases.size(); ++k) {
      const int found = CountSweeps(cases[k], column.name, column.options), expected = column.sweeps[k];
      if (expected == 0) continue;
      EXPECT_GT(found, 0) << column.name << " " << cases[k].name;
      EXPECT_LE(found, std::max(1.1 * expected, expected + 1.0)) << column.name << " " << cases[k].name;
    }
  }
}

// A block of a rigid body: symmetric positive definite, sometimes so skew that the sliding plane cuts the
// cone in a hyperbola.
Matrix3d MakeBlock(RandomNumbers& random, double skew) {
  const Matrix3d B = random.Matrix(3, 3);
  Matrix3d D = B * B.transpose() + 0.05 * Matrix3d::Identity();
  D.row(2) *= skew;
  D.col(2) *= skew;
  return D;
}

TEST(LocalRules, EnergyRootIsTheMinimumOnTheSlidingPlane) {
  RandomNumbers random(1);
  int slides = 0;
  for (int k = 0; k < 4000; ++k) {
    const Matrix3d D = MakeBlock(random, k % 2 == 0 ? 1.0 : 0.5);
    const Vector3d v(random.Uniform(-1, 1), random.Uniform(-1, 1), random.Uniform(-1, 0));
    const double mu = random.Uniform(0.05, 1.2), s = k % 3 == 0 ? random.Uniform(0, 0.5) : 0.0;
    const Vector3d lambda = SolveContactByEnergy(D, D.inverse(), v, mu, s, EnergySearch::kRoots);
    EXPECT_LE(lambda.head<2>().norm(), mu * lambda[2] * (1.0 + 1e-12));
    const Vector3d u = D * lambda + v;
    if (std::abs(lambda.head<2>().norm() - mu * lambda[2]) > 1e-9 * lambda[2]) continue;
    if (std::abs(u[2]) > 1e-9 * (1.0 + lambda.norm())) continue;
    ++slides;
    const double energy = lambda.dot(0.5 * (D * lambda) + v) + s * lambda[2];
    for (int i = 0; i < 360; ++i) {
      const double angle = i * M_PI / 180.0,
                   q = D(2, 2) + mu * (D(0, 2) * std::cos(angle) + D(1, 2) * std::sin(angle));
      if (q <= 1e-6) continue;
      const double n = -v[2] / q;
      const Vector3d other(mu * n * std::cos(angle), mu * n * std::sin(angle), n);
      EXPECT_GE(other.dot(0.5 * (D * other) + v) + s * n, energy - 1e-9 * (1.0 + std::abs(energy)));
    }
  }
  EXPECT_GT(slides, 500);
}

TEST(LocalRules, BisectionFindsALocalMinimumOfTheSameEnergy) {
  RandomNumbers random(2);
  int same = 0, slides = 0;
  for (int k = 0; k < 4000; ++k) {
    const Matrix3d D = MakeBlock(random, 1.0);
    const Vector3d v(random.Uniform(-1, 1), random.Uniform(-1, 1), random.Uniform(-1, 0));
    const double mu = random.Uniform(0.05, 0.8);
    const Vector3d roots = SolveContactByEnergy(D, D.inverse(), v, mu, 0.0, EnergySearch::kRoots);
    const Vector3d walked = SolveContactByEnergy(D, D.inverse(), v, mu, 0.0, EnergySearch::kBisection);
    EXPECT_TRUE(walked.allFinite());
    ++slides;
    same += (roots - walked).norm() < 1e-9 * (1.0 + roots.norm());
  }
  EXPECT_GT(same, 0.95 * slides);  // it walks to the nearest minimum, which rarely is not the least
}

// Every rule on blocks of every kind: finite, inside the cone, open where the contact opens.
TEST(LocalRules, AnswersLieInTheConeWhateverTheBlock) {
  RandomNumbers random(3);
  for (int k = 0; k < 100000; ++k) {
    Matrix3d D = MakeBlock(random, random.Uniform(0.05, 1.0));
    if (k % 5 == 0) {  // rank one, with the proximal term that solvers add
      const Vector3d x = random.Vector3();
      D = x * x.transpose();
      D.diagonal().array() += 1e-8 * D.trace();
    }
    const double mu = k % 7 == 0 ? 0.0 : random.Uniform(0.0, 2.0);
    Vector3d v = random.Vector3();
    if (k % 11 == 0) v[2] = 0.0;
    const double s = k % 2 == 0 ? 0.0 : random.Uniform(0, 1);
    const Vector3d before = Vector3d(0.1, 0.0, 0.5);
    const Matrix3d inverse = D.inverse();
    const Vector3d answers[] = {
        SolveContactByEnergy(D, inverse, v, mu, s, EnergySearch::kRoots),
        SolveContactByEnergy(D, inverse, v, mu, s, EnergySearch::kBisection),
        SolveSingleContact(D, inverse, v, mu, before),
        StepContactByCone(D * before + v, mu, 1.0 / D.trace(), before),
        StepContactBySplit(D, D * before + v, mu, D(0, 0) + D(1, 1), before),
    };
    for (const Vector3d& lambda : answers) {
      ASSERT_TRUE(lambda.allFinite()) << k;
      ASSERT_LE(lambda.head<2>().norm(), mu * lambda[2] * (1.0 + 1e-9) + 1e-12 * lambda.norm()) << k;
      ASSERT_GE(lambda[2], 0.0) << k;
    }
    ASSERT_TRUE(v[2] <= 0.0 || answers[0].norm() == 0.0) << k;
  }
}

// With De Saxcé's shift the fixed point of the energy rule is Coulomb's law.
TEST(LocalRules, DeSaxceFixedPointIsCoulombsLaw) {
  RandomNumbers random(4);
  int compared = 0;
  for (int k = 0; k < 2000; ++k) {
    const Matrix3d D = MakeBlock(random, 0.7);
    const Vector3d v(random.Uniform(-1, 1), random.Uniform(-1, 1), random.Uniform(-1, -0.1));
    const double mu = random.Uniform(0.1, 0.6);
    const Vector3d exact = SolveSingleContact(D, D.inverse(), v, mu, Vector3d::Zero());
    const Vector3d u = D * exact + v;
    const double s = mu * u.head<2>().norm();
    const Vector3d shifted = SolveContactByEnergy(D, D.inverse(), v, mu, s, EnergySearch::kBisection);
    if (s < 1e-9) continue;
    ++compared;
    EXPECT_LT((shifted - exact).norm(), 1e-6 * (1.0 + exact.norm())) << k;
  }
  EXPECT_GT(compared, 200);
}

TEST(BlockSor, ConvexFrictionLiftsOffAndExactFrictionDoesNot) {
  const double mu = 0.5;
  const ContactProblem block = stiction::testing::MakeBlockOnPlane(mu, 0.0, 2.0);
  for (const char* name : {"pgs_ccp", "pgs_ncp", "raisim_ds"}) {
    const auto solver = MakeSolver(name);
    solver->set_effort(20.0);
    Solution solution;
    const ProblemReport report = ProblemSolver().Solve(block, *solver, solution);
    EXPECT_EQ(report.solve.status, SolveStatus::kConverged) << name;
    const double drag = mu * stiction::testing::kGravity * stiction::testing::kTimeStep;
    if (name == std::string("pgs_ccp")) {
      EXPECT_NEAR(solution.v[2], mu * solution.v[0], 1e-6);  // g_n = μ ‖g_t‖
      EXPECT_GT(report.certificate.ncp_max, 1e-2);
    } else {
      EXPECT_NEAR(solution.v[0], 2.0 - drag, 1e-8) << name;
      EXPECT_NEAR(solution.v[2], 0.0, 1e-8) << name;
    }
  }
}

// The sliding cube is where maximum dissipation on a plane goes wrong: it must not be called converged.
TEST(BlockSor, MaximumDissipationSaysThatItStalls) {
  const std::vector<LoopCase> cases = ListLoopCases();
  for (const char* name : {"nbgs", "raisim"}) {
    const auto solver = MakeSolver(name);
    Solution solution;
    const ProblemReport report = ProblemSolver().Solve(cases[1].problem, *solver, solution);
    EXPECT_NE(report.solve.status, SolveStatus::kConverged) << name;
    EXPECT_GT(report.certificate.ncp_max, 1e-5) << name;
    EXPECT_LT(report.certificate.ncp_max, 1e-2) << name;
  }
}

// A loop's redundant rows: still, with impulses of least norm, in one sweep of one group.
TEST(BilateralGroups, SolveARedundantJointAtOnce) {
  const std::vector<LoopCase> cases = ListLoopCases();
  const auto solver = MakeSolver("nbgs_c");
  Solution solution;
  const ProblemReport report = ProblemSolver().Solve(cases[3].problem, *solver, solution);
  EXPECT_EQ(report.solve.status, SolveStatus::kConverged);
  EXPECT_LE(report.solve.sweeps, 2);  // the second for rounding at a thousand times the mass
  EXPECT_LT(report.certificate.loop, 1e-9);
}

}  // namespace
}  // namespace stiction
