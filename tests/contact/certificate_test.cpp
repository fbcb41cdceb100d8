#include "stiction/contact/certificate.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>

#include "stiction/contact/laws.h"
#include "stiction/contact/registry.h"
#include "stiction/contact/solve.h"
#include "tests/support/contact_problems.h"
#include "tests/support/dense_certificate.h"

namespace stiction {
namespace {

using stiction::testing::CalcDenseCertificate;
using stiction::testing::DenseCertificate;
using stiction::testing::MakeBlockOnPlane;
using stiction::testing::MakeRandomProblem;
using stiction::testing::MakeStack;
using stiction::testing::ProblemSketch;
using stiction::testing::RandomNumbers;

Certificate Certify(const ContactProblem& problem, const Solution& solution, VectorXd* v = nullptr) {
  BranchSparseFactor factor;
  EXPECT_EQ(factor.Factor(problem.A), -1);
  Certifier certifier;
  const GrowingVector v_held(solution.v);
  return certifier.Certify(problem, factor, CalcDelassusScales(problem, factor), solution.lambda, v,
                           v_held.size() > 0 ? &v_held : nullptr);
}

TEST(Certificate, EqualsADenseRecomputation) {
  RandomNumbers random(1);
  for (unsigned seed = 0; seed < 100; ++seed) {
    const ContactProblem problem = MakeRandomProblem(seed, 6, 12);
    const Solution solution{random.Vector(problem.nv()), random.Vector(problem.num_rows())};
    VectorXd v;
    const Certificate found = Certify(problem, solution, &v);
    const DenseCertificate dense = CalcDenseCertificate(problem, solution.lambda, solution.v);
    const double tolerance = 1e-11;  // sums over trees of eight dofs with condition numbers below 1e3
    int worst = -1;
    EXPECT_NEAR(found.ncp_max, dense.ncp.maxCoeff(&worst), tolerance);
    EXPECT_EQ(found.worst_constraint, worst);
    EXPECT_NEAR(found.ncp_mean, dense.ncp.mean(), tolerance);
    EXPECT_NEAR(found.canal, dense.canal, tolerance);
    EXPECT_NEAR(found.momentum, dense.momentum, tolerance);
    EXPECT_LT((v - dense.v).norm(), tolerance);
    double loop = 0.0;
    for (int i = 0; i < problem.num_constraints(); ++i) {
      if (problem.constraints[i].type == ConstraintType::kBilateral) loop = std::max(loop, dense.ncp[i]);
    }
    EXPECT_NEAR(found.loop, loop, tolerance);
  }
}

TEST(Certificate, ScalesEqualADenseRecomputation) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const ContactProblem problem = MakeRandomProblem(seed, 6, 12);
    BranchSparseFactor factor;
    ASSERT_EQ(factor.Factor(problem.A), -1);
    const VectorXd expected = CalcDenseCertificate(problem, VectorXd::Zero(problem.num_rows())).scale;
    EXPECT_LT((CalcDelassusScales(problem, factor) - expected).norm(), 1e-12 * expected.norm());  // as above
  }
}

// A sliding ball and its closed form: μ m g dt of friction on a normal impulse of m g dt.
ContactProblem MakeSlidingBall(double mu) {
  ProblemSketch sketch;
  const double impulse = stiction::testing::kTimeStep * stiction::testing::kGravity;
  Vector6d v_star = Vector6d::Zero();
  v_star[0] = 3.0, v_star[2] = -impulse;
  sketch.AddBall(1.0, 0.1, {0, 0, 0.1}, v_star);
  sketch.AddContact(-1, 0, {0, 0, 0}, {0, 0, 1}, mu);
  return sketch.Build();
}

Solution SolveSlidingBall(const ContactProblem& problem, double mu) {
  const MatrixXd J = problem.DenseJ();
  const double n = stiction::testing::kTimeStep * stiction::testing::kGravity;
  const Vector2d direction = (J * problem.v_star).head<2>().normalized();
  Solution solution;
  solution.lambda = Vector3d(-mu * n * direction[0], -mu * n * direction[1], n);
  return solution;
}

TEST(Certificate, VanishesOnAClosedForm) {
  for (double mu : {0.0, 0.3, 1.0}) {
    const ContactProblem problem = MakeSlidingBall(mu);
    const Certificate c = Certify(problem, SolveSlidingBall(problem, mu));
    EXPECT_LT(c.ncp_max, 1e-15);  // rounding of velocities of 3 m/s
    EXPECT_LT(c.canal, 1e-15);
    EXPECT_LT(c.momentum, 1e-15);
    EXPECT_EQ(c.loop, 0.0);
  }
}

TEST(Certificate, SeesEveryPerturbation) {
  const double mu = 0.3;
  const ContactProblem problem = MakeSlidingBall(mu);
  const Solution exact = SolveSlidingBall(problem, mu);
  for (int r = 0; r < 3; ++r) {
    for (double change : {1e-6, -1e-6}) {
      Solution perturbed = exact;
      perturbed.lambda[r] += change;
      const double residual = Certify(problem, perturbed).ncp_max;
      // Velocities move by W change, and W lies between 1 and 3.5 per kg here. Across the direction of
      // sliding the cone's curvature adds a factor.
      EXPECT_GT(residual, 1e-7) << r;
      EXPECT_LT(residual, 1e-4) << r;
    }
  }
}

// The convex relaxation lifts a sliding contact off at μ‖v_t‖: no solution of the exact law.
TEST(Certificate, RejectsTheLiftOffOfConvexContact) {
  const double mu = 0.3;
  const ContactProblem problem = MakeSlidingBall(mu);
  Solution convex = SolveSlidingBall(problem, mu);
  const double slip = (problem.DenseJ() * problem.v_star).head<2>().norm();
  // n with g_n = μ g_t, where g_t = slip − 3.5 μ n and g_n = −g dt + n.
  const double n =
      (stiction::testing::kTimeStep * stiction::testing::kGravity + mu * slip) / (1 + 3.5 * mu * mu);
  convex.lambda *= n / convex.lambda[2];
  EXPECT_GT(Certify(problem, convex).ncp_max, 0.1);
}

TEST(Certificate, FrictionlessSeparationIsSolved) {
  ProblemSketch sketch;
  Vector6d v_star = Vector6d::Zero();
  v_star[2] = 1.0;
  sketch.AddBall(1.0, 0.1, {0, 0, 0.1}, v_star);
  sketch.AddContact(-1, 0, {0, 0, 0}, {0, 0, 1}, 0.0);
  const ContactProblem problem = sketch.Build();
  EXPECT_EQ(Certify(problem, {problem.v_star, Vector3d::Zero()}).ncp_max, 0.0);
}

TEST(Certificate, JudgesEachRowType) {
  ProblemSketch sketch;
  sketch.AddSlider(4.0, 1.0);  // a square: every number below is exact
  sketch.AddRow(ConstraintType::kBilateral, 0, 1.0, 0.25);
  const ContactProblem bilateral = sketch.Build();
  EXPECT_EQ(Certify(bilateral, {{}, VectorXd::Zero(1)}).loop, 1.25);
  EXPECT_EQ(Certify(bilateral, {{}, VectorXd::Constant(1, -5.0)}).loop, 0.0);

  ProblemSketch limit;
  limit.AddSlider(4.0, -1.0);
  limit.AddRow(ConstraintType::kUnilateral, 0, 1.0, 0.25);
  const ContactProblem unilateral = limit.Build();
  EXPECT_EQ(Certify(unilateral, {{}, VectorXd::Zero(1)}).ncp_max, 0.75);           // penetrates
  EXPECT_EQ(Certify(unilateral, {{}, VectorXd::Constant(1, 3.0)}).ncp_max, 0.0);   // v = -0.25
  EXPECT_EQ(Certify(unilateral, {{}, VectorXd::Constant(1, 5.0)}).ncp_max, 0.5);   // pushes off
  EXPECT_EQ(Certify(unilateral, {{}, VectorXd::Constant(1, -1.0)}).ncp_max, 1.0);  // pulls
}

// A NaN must not hide behind a later constraint that is solved.
TEST(Certificate, KeepsNan) {
  ProblemSketch sketch;
  for (int i = 0; i < 2; ++i) {
    sketch.AddSlider(1.0, 0.0);
    sketch.AddRow(ConstraintType::kUnilateral, i, 1.0, 0.0);
  }
  const ContactProblem problem = sketch.Build();
  const Certificate c = Certify(problem, {{}, Vector2d(std::nan(""), 0.0)});
  EXPECT_TRUE(std::isnan(c.ncp_max));
  EXPECT_EQ(c.worst_constraint, 0);
  EXPECT_TRUE(std::isnan(c.ncp_mean));
}

TEST(Certificate, MomentumJudgesTheVelocityReturned) {
  const ContactProblem problem = MakeBlockOnPlane(0.5, 0.0, 1.0);
  Solution solution{problem.v_star, VectorXd::Zero(problem.num_rows())};
  EXPECT_EQ(Certify(problem, solution).momentum, 0.0);
  solution.v[0] *= 1.1;
  // 0.1 of 1.1 m/s, with a little vertical speed in the denominator.
  EXPECT_NEAR(Certify(problem, solution).momentum, 0.1 / 1.1, 1e-3);
}

// A primal method that stops early leaves its velocity and its impulses apart; one that ends has both.
TEST(Certificate, MomentumTellsHowFarAMethodWas) {
  const ContactProblem problem = MakeBlockOnPlane(0.5, 1.0, 1.0);
  const auto judge = [&](const std::string& name, const std::string& option, const std::string& value) {
    const auto solver = MakeSolver(name);
    EXPECT_EQ(SetSolverOption(*solver, option, value), "");
    Solution solution;
    return ProblemSolver().Solve(problem, *solver, solution).certificate.momentum;
  };
  EXPECT_GT(judge("admm", "max_iterations", "1"), 1e-3);
  EXPECT_LT(judge("admm", "tolerance", "1e-11"), 1e-9);
  EXPECT_LT(judge("sap", "tolerance", "1e-11"), 1e-9);
  EXPECT_EQ(judge("nbgs", "max_sweeps", "1"), 0.0) << "impulses are all that it has";
}

// Whatever stands for the velocity inside a method, it is that of the impulses once both have converged.
TEST(Certificate, MomentumVanishesWithEveryMethodThatConverges) {
  std::set<std::string> judged;
  for (const SolverEntry& entry : ListSolvers()) {
    const auto solver = entry.Make();
    solver->set_tolerance(1e-11);
    solver->set_effort(100.0);
    for (const ContactProblem& problem : {MakeBlockOnPlane(0.5, 1.0, 1.0), MakeStack(3, 10.0)}) {
      Solution solution;
      const ProblemReport report = ProblemSolver().Solve(problem, *solver, solution);
      if (report.solve.status != SolveStatus::kConverged) continue;
      EXPECT_LT(report.certificate.momentum, 1e-8) << entry.name;
      EXPECT_EQ(solver->held() == HeldVelocity::kNone, report.certificate.momentum == 0.0) << entry.name;
      if (solver->held() != HeldVelocity::kNone) judged.insert(entry.name);
    }
  }
  for (const char* name : {"canal", "al_trdogleg", "subadmm", "admm_nobody", "admm_nosub", "sap", "admm"})
    EXPECT_TRUE(judged.count(name)) << name;
}

TEST(Certificate, EmptyProblemIsSolved) {
  const Certificate c = Certify(ContactProblem(), {});
  EXPECT_EQ(c.ncp_max, 0.0);
  EXPECT_EQ(c.worst_constraint, -1);
}

// An iterate may pull a little; a moment of nothing at rest is then within the law, and 0/0 must not come of it.
TEST(Certificate, MomentOfNothingUnderAPullingContactIsWithinTheLaw) {
  const double none[2] = {0.0, 0.0};
  EXPECT_EQ(CalcDiscMap(1, none, none, 1.0, -1e-18), 0.0);
  EXPECT_EQ(CalcDiscMap(2, none, none, 1.0, -1e-18), 0.0);
  const double one[1] = {1.0};
  EXPECT_EQ(CalcDiscMap(1, one, none, 2.0, -1e-18), 2.0);
}

}  // namespace
}  // namespace stiction
