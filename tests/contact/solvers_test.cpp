// What every solver must do with small problems whose solution is known in closed form.
#include <gtest/gtest.h>

#include <string>

#include "stiction/contact/registry.h"
#include "stiction/contact/solve.h"
#include "tests/support/contact_problems.h"
#include "tests/support/dense_algebra.h"
#include "tests/support/dense_certificate.h"

namespace stiction {
namespace {

using stiction::testing::kGravity;
using stiction::testing::kTimeStep;
using stiction::testing::MakeBlockOnPlane;
using stiction::testing::MakeStack;
using stiction::testing::ProblemSketch;
using stiction::testing::SolvePositive;

// The default tolerance of 1e-9 m/s on the residual, which velocities share up to a conditioning of ten.
constexpr double kTolerance = 1e-8;

class Solvers : public ::testing::TestWithParam<const char*> {
 protected:
  ProblemReport Solve(const ContactProblem& problem) {
    solution_ = {};
    return Resume(problem);
  }
  // With solution_.lambda as warm start.
  ProblemReport Resume(const ContactProblem& problem) {
    return workspace_.Solve(problem, *solver_, solution_);
  }
  void ExpectSolved(const ContactProblem& problem) {
    const ProblemReport report = Solve(problem);
    EXPECT_EQ(report.solve.status, SolveStatus::kConverged);
    EXPECT_LE(report.certificate.ncp_max, kTolerance);
    // Both laws anew by dense matrices, of the velocity and the impulses that came back.
    const testing::DenseCertificate dense =
        testing::CalcDenseCertificate(problem, solution_.lambda, solution_.v);
    EXPECT_LE(dense.momentum, 1e-12);
    EXPECT_LE(dense.ncp.lpNorm<Eigen::Infinity>(), 2.0 * kTolerance);
  }
  bool is_newton() const { return is("auto") || is("canal"); }
  bool is(const std::string& name) const { return name == GetParam(); }

  std::unique_ptr<ContactSolver> solver_ = MakeSolver(GetParam());
  ProblemSolver workspace_;
  Solution solution_;
};

INSTANTIATE_TEST_SUITE_P(Contact, Solvers,
                         ::testing::Values("auto", "canal", "nbgs_c", "subadmm", "admm_nobody", "admm_nosub",
                                           "admm_ncp"),
                         [](const auto& solver) { return std::string(solver.param); });

TEST_P(Solvers, BlockSticksBelowTheFrictionAngle) {
  ExpectSolved(MakeBlockOnPlane(0.5, std::atan(0.45), 0.0));
  EXPECT_LT(solution_.v.norm(), kTolerance);
}

TEST_P(Solvers, BlockSlidesWithDecelerationMuG) {
  for (double mu : {0.0, 0.1, 0.5}) {
    ExpectSolved(MakeBlockOnPlane(mu, 0.0, 2.0));
    Vector6d expected = Vector6d::Zero();
    expected[0] = 2.0 - mu * kGravity * kTimeStep;
    EXPECT_LT((solution_.v - expected).norm(), kTolerance);
  }
}

TEST_P(Solvers, BlockAcceleratesAboveTheFrictionAngle) {
  const double slope = std::atan(0.6), mu = 0.5;
  ExpectSolved(MakeBlockOnPlane(mu, slope, 0.0));
  const double speed = kTimeStep * kGravity * (std::sin(slope) - mu * std::cos(slope));
  EXPECT_NEAR(solution_.v[0], speed, kTolerance);
  EXPECT_LT(solution_.v.tail(5).norm(), kTolerance);
}

TEST_P(Solvers, BlockThatWouldReverseStops) {
  // Friction may take 0.049 m/s in a step; the block has 0.02.
  ExpectSolved(MakeBlockOnPlane(0.5, 0.0, 0.02));
  EXPECT_LT(solution_.v.norm(), kTolerance);
}

// Dry friction of a joint: a bounded row stops what its impulse can stop and slows the rest.
TEST_P(Solvers, DryFrictionStopsOrSlows) {
  const double mass = 2.0, limit = 0.3;
  for (double speed : {-1.0, -0.16, -0.14, 0.0, 0.14, 0.16, 1.0}) {
    ProblemSketch sketch;
    sketch.AddSlider(mass, speed);
    sketch.AddRow(ConstraintType::kBounded, 0, 1.0, 0.0);
    sketch.SetBounds(-limit, limit);
    ExpectSolved(sketch.Build());
    const double expected = std::copysign(std::max(0.0, std::abs(speed) - limit / mass), speed);
    EXPECT_NEAR(solution_.v[0], expected, kTolerance);
    EXPECT_NEAR(solution_.lambda[0], mass * (expected - speed), mass * kTolerance);
  }
}

// Friction of μ m g dt against the velocity of the contact point, and the spin that it gives: W_tt = 3.5/m.
TEST_P(Solvers, SlidingBallLosesSpeedAndGainsSpin) {
  const double mu = 0.4, r = 0.1, speed = 3.0, friction = mu * kTimeStep * kGravity;
  for (double angle : {0.0, 0.7, 1.570796, 3.0, -2.0}) {
    ProblemSketch sketch;
    const Vector3d direction(std::cos(angle), std::sin(angle), 0);
    Vector6d v_star = Vector6d::Zero();
    v_star.head<3>() = speed * direction - kTimeStep * kGravity * Vector3d::UnitZ();
    sketch.AddBall(2.0, r, {0, 0, r}, v_star);
    sketch.AddContact(-1, 0, {0, 0, 0}, {0, 0, 1}, mu);
    ExpectSolved(sketch.Build());
    Vector6d expected;
    expected << (speed - friction) * direction, 2.5 * friction / r * Vector3d::UnitZ().cross(direction);
    // Spin is 1/r times the velocity at the contact.
    EXPECT_LT((solution_.v - expected).norm(), kTolerance / r) << angle;
  }
}

TEST_P(Solvers, SeparatingContactGetsNoImpulse) {
  ProblemSketch sketch;
  Vector6d v_star;
  v_star << 1, 2, 0.5, 3, -2, 1;
  sketch.AddBall(1.0, 0.1, {0, 0, 0.1}, v_star);
  sketch.AddContact(-1, 0, {0, 0, 0}, {0, 0, 1}, 0.8);
  ExpectSolved(sketch.Build());
  EXPECT_EQ(solution_.lambda, Vector3d::Zero());
  EXPECT_EQ(solution_.v, v_star);
}

// A gap bias e = φ/dt lets a contact close, but not cross.
TEST_P(Solvers, FarContactStopsAtTheSurface) {
  ProblemSketch sketch;
  Vector6d v_star = Vector6d::Zero();
  v_star[2] = -1.0;
  sketch.AddBall(1.0, 0.1, {0, 0, 0.104}, v_star);
  sketch.AddContact(-1, 0, {0, 0, 0}, {0, 0, 1}, 0.5, 0.004 / kTimeStep);
  ExpectSolved(sketch.Build());
  EXPECT_NEAR(solution_.v[2], -0.4, kTolerance);
}

// One ball bears all above it: n = dt g Σ m. Sweeps alone carry the load up one ball at a time and give up,
// openly.
TEST_P(Solvers, StackOfMassRatioThousandRests) {
  const ContactProblem stack = MakeStack(10, 1000.0);
  const ProblemReport report = Solve(stack);
  EXPECT_EQ(report.solve.status == SolveStatus::kConverged, report.certificate.ncp_max <= kTolerance);
  if (!is_newton()) return;  // methods of first order do not carry mass ratios at their default limits
  EXPECT_LT(report.certificate.ncp_max, kTolerance);
  double load = 0.0;
  for (int i = 9; i >= 0; --i) {
    load += kTimeStep * kGravity * std::pow(1000.0, i / 9.0);
    // The mass above times the speed that the errors of ten contacts add up to.
    const double mass = load / (kTimeStep * kGravity);
    EXPECT_NEAR(solution_.lambda[3 * i + 2], load, mass * 10.0 * kTolerance) << i;
  }
}

TEST_P(Solvers, StackOfEqualMassesRests) {
  ExpectSolved(MakeStack(5, 1.0));
  EXPECT_LT(solution_.v.norm(), 10.0 * kTolerance);  // five balls whose errors add up
}

// Two walls that close in: no velocity satisfies both. The middle violates both least.
TEST_P(Solvers, OpposingWallsAreFlaggedWithBoundedVelocity) {
  ProblemSketch sketch;
  Vector6d v_star = Vector6d::Zero();
  v_star[1] = 0.3;
  sketch.AddBall(1.0, 0.1, {0, 0, 0}, v_star);
  sketch.AddContact(-1, 0, {-0.1, 0, 0}, {1, 0, 0}, 0.5, -1.0);
  sketch.AddContact(-1, 0, {0.1, 0, 0}, {-1, 0, 0}, 0.5, -1.0);
  const ProblemReport report = Solve(sketch.Build());
  EXPECT_TRUE(report.solve.status == SolveStatus::kInfeasible ||
              report.solve.status == SolveStatus::kMaxIterations ||
              report.solve.status == SolveStatus::kStalled)
      << ToString(report.solve.status);
  EXPECT_TRUE(solution_.v.allFinite() && solution_.lambda.allFinite());
  EXPECT_LT(solution_.v.head<3>().norm(), 2.0);
  EXPECT_GT(report.certificate.ncp_max, 0.5);  // and the certificate says so
}

TEST_P(Solvers, ProblemWithoutConstraintsMovesFreely) {
  ProblemSketch sketch;
  Vector6d v_star;
  v_star << 1, 2, 3, 4, 5, 6;
  sketch.AddBall(1.0, 0.1, Vector3d::Zero(), v_star);
  ExpectSolved(sketch.Build());
  EXPECT_EQ(solution_.v, v_star);
  ExpectSolved(ContactProblem());
}

// Rows of rank three among five: impulses are not unique, the velocity is that of the projected free motion.
TEST_P(Solvers, RedundantLoopRowsAreSolved) {
  stiction::testing::RandomNumbers random(1);
  ProblemSketch sketch;
  const MatrixXd A = random.PositiveDefinite(4), independent = random.Matrix(3, 4);
  const VectorXd v_star = random.Vector(4), e = random.Vector(3);
  MatrixXd combination(5, 3);
  combination << MatrixXd::Identity(3, 3), random.Matrix(2, 3);
  const MatrixXd J = combination * independent;
  sketch.AddSubsystem(A, v_star);
  for (int r = 0; r < 5; ++r) {
    sketch.AddConstraint(ConstraintType::kBilateral, {{0, J.row(r)}}, combination.row(r) * e);
  }
  ExpectSolved(sketch.Build());
  const MatrixXd A_inv_Jt = SolvePositive(A, independent.transpose());
  const VectorXd lambda = SolvePositive(independent * A_inv_Jt, -(independent * v_star + e));
  EXPECT_LT((solution_.v - v_star - A_inv_Jt * lambda).norm(), 10.0 * kTolerance);  // rows are not orthogonal
}

// K and C of a spring stretched by φ, taken implicitly: k = dt K, b = dt C + dt² K.
TEST_P(Solvers, SoftRowIsAnImplicitSpring) {
  const double K = 400.0, C = 3.0, phi = 0.02, m = 2.0, v0 = 0.5, dt = kTimeStep;
  ProblemSketch sketch;
  sketch.AddSlider(m, v0);
  sketch.AddRow(ConstraintType::kSoft, 0, 1.0, phi, dt * K, dt * C + dt * dt * K);
  ExpectSolved(sketch.Build());
  EXPECT_NEAR(solution_.v[0], (m * v0 - dt * K * phi) / (m + dt * C + dt * dt * K), kTolerance);
}

TEST_P(Solvers, LimitStopsMotionIntoItOnly) {
  const double m = 2.0;
  ProblemSketch sketch;
  const int into = sketch.AddSlider(m, -2.0), away = sketch.AddSlider(m, 2.0);
  sketch.AddRow(ConstraintType::kUnilateral, into, 1.0, 0.5);
  sketch.AddRow(ConstraintType::kUnilateral, away, 1.0, 0.5);
  ExpectSolved(sketch.Build());
  EXPECT_NEAR(solution_.v[0], -0.5, kTolerance);
  EXPECT_NEAR(solution_.lambda[0], 1.5 * m, m * kTolerance);
  EXPECT_EQ(solution_.v[1], 2.0);
  EXPECT_EQ(solution_.lambda[1], 0.0);
}

// A block on a plane with a spring, a limit and a rail at once, and a second island beside it.
ContactProblem MakeMixedProblem() {
  ProblemSketch sketch;
  Vector6d v_star;
  v_star << 1.0, 0.3, -0.1, 0.2, -0.1, 0.4;
  for (int i = 0; i < 2; ++i) {
    const int box = sketch.AddFreeBody(1.0 + i, Matrix3d::Identity() * 0.02, Vector3d(0, 0, 0.05), v_star);
    for (double x : {-0.2, 0.2}) {
      for (double y : {-0.2, 0.2}) sketch.AddContact(-1, box, {x, y, 0.0}, {0, 0, 1}, 0.4);
    }
    sketch.AddRow(ConstraintType::kUnilateral, box, -1.0, 0.9);
    sketch.AddRow(ConstraintType::kSoft, box, 1.0, 0.01, 2.0, 0.3);
    const int slider = sketch.AddSlider(0.5, 0.7);
    sketch.AddConstraint(ConstraintType::kBilateral,
                         {{box, Vector6d::Unit(1).transpose()}, {slider, -MatrixXd::Ones(1, 1)}},
                         VectorXd::Zero(1));
  }
  return sketch.Build();
}

TEST_P(Solvers, MixedRowsMeetAllLaws) {
  ExpectSolved(MakeMixedProblem());
  const VectorXd g = MakeMixedProblem().DenseJ() * solution_.v;
  EXPECT_NEAR(solution_.lambda[13], -2.0 * 0.01 - 0.3 * g[13],
              kTolerance);  // the soft row, which ncp leaves out
}

TEST_P(Solvers, SolvedWarmStartComesBackBitForBit) {
  const ContactProblem problem = MakeMixedProblem();
  ExpectSolved(problem);
  const VectorXd lambda = solution_.lambda;
  const ProblemReport again = Resume(problem);
  EXPECT_EQ(solution_.lambda, lambda);
  EXPECT_EQ(again.solve.newton_steps, 0);
  EXPECT_EQ(again.solve.sweeps, 0);
  EXPECT_EQ(again.solve.factorizations, 0);
  EXPECT_EQ(again.solve.stage, 0);
}

TEST_P(Solvers, SameInputGivesTheSameBits) {
  const ContactProblem problem = MakeMixedProblem();
  ExpectSolved(problem);
  const VectorXd lambda = solution_.lambda;
  EXPECT_EQ(Solve(MakeStack(7, 30.0)).num_islands, 1);  // whatever the workspace did in between
  ExpectSolved(problem);
  EXPECT_EQ(solution_.lambda, lambda);
  const auto fresh = MakeSolver(GetParam());
  Solution solution;
  EXPECT_EQ(ProblemSolver().Solve(problem, *fresh, solution).solve.status, SolveStatus::kConverged);
  EXPECT_EQ(solution.lambda, lambda);
}

// Islands before, between and after must not change a bit.
TEST_P(Solvers, IslandBitsDoNotDependOnOtherIslands) {
  ProblemSketch alone, crowd;
  const auto add = [](ProblemSketch& sketch, double v) {
    Vector6d v_star;
    v_star << v, 0.2, -0.1, 0.3, 0.1, -0.2;
    const int box = sketch.AddFreeBody(1.0, Matrix3d::Identity() * 0.02, Vector3d(0, 0, 0.05), v_star);
    for (double x : {-0.2, 0.2}) {
      for (double y : {-0.2, 0.2}) sketch.AddContact(-1, box, {x, y, 0.0}, {0, 0, 1}, 0.4);
    }
  };
  add(alone, 0.7);
  for (double v : {3.0, 0.7, -1.0}) add(crowd, v);
  EXPECT_EQ(Solve(alone.Build()).num_islands, 1);
  const VectorXd lambda = solution_.lambda;
  EXPECT_EQ(Solve(crowd.Build()).num_islands, 3);
  EXPECT_EQ(solution_.lambda.segment(12, 12), lambda);
}

TEST_P(Solvers, ImpulseOfAConstraintThatTouchesNothingIsZero) {
  ProblemSketch sketch;
  sketch.AddSlider(1.0, -1.0);
  sketch.AddConstraint(ConstraintType::kContact, {}, Vector3d(0, 0, 1), 0.5);
  sketch.AddRow(ConstraintType::kUnilateral, 0, 1.0, 0.0);
  const ContactProblem problem = sketch.Build();
  solution_.lambda = VectorXd::Constant(4, 7.0);
  EXPECT_EQ(Resume(problem).solve.status, SolveStatus::kConverged);
  EXPECT_EQ(solution_.lambda.head<3>(), Vector3d::Zero());
  EXPECT_NEAR(solution_.lambda[3], 1.0, kTolerance);
}

TEST_P(Solvers, NonFiniteWarmStartIsDropped) {
  const ContactProblem problem = MakeMixedProblem();
  solution_.lambda = VectorXd::Zero(problem.num_rows());
  solution_.lambda[0] = std::nan("");
  const ProblemReport report = Resume(problem);
  EXPECT_EQ(report.solve.status, SolveStatus::kConverged);
  EXPECT_LE(report.certificate.ncp_max, kTolerance);
}

TEST_P(Solvers, NonFiniteProblemIsReported) {
  ContactProblem problem = MakeBlockOnPlane(0.5, 0.1, 0.0);
  problem.v_star[0] = std::nan("");
  const ProblemReport report = Solve(problem);
  EXPECT_EQ(report.solve.status, SolveStatus::kNonFinite);
  EXPECT_TRUE(std::isnan(report.certificate.ncp_max));
  EXPECT_TRUE(solution_.lambda.allFinite());
}

TEST_P(Solvers, SingularDynamicsAreReported) {
  ContactProblem problem = MakeBlockOnPlane(0.5, 0.1, 0.0);
  problem.A.diagonal(2) = 0.0;
  EXPECT_EQ(Solve(problem).solve.status, SolveStatus::kNonFinite);
  EXPECT_EQ(solution_.v, problem.v_star);
}

// A contact on a slider sees one dof: a Delassus block of rank one.
TEST_P(Solvers, RankDeficientContactIsSolved) {
  for (const Vector3d& direction : {Vector3d(0, 0, 1), Vector3d(1, 0, 1), Vector3d(0.1, 0, 1)}) {
    ProblemSketch sketch;
    sketch.AddSlider(2.0, -1.0);
    sketch.AddConstraint(ConstraintType::kContact, {{0, direction}}, Vector3d::Zero(), 0.5);
    ExpectSolved(sketch.Build());
    EXPECT_NEAR(solution_.v[0], 0.0, kTolerance);
  }
}

}  // namespace
}  // namespace stiction
