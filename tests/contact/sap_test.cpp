// SAP: its cost against finite differences, its law against closed forms, its iterations against the
// specification's measurements.
#include "contact/solvers/sap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>

#include "contact/regularized_law.h"
#include "stiction/contact/auxiliary_dofs.h"
#include "stiction/contact/certificate.h"
#include "stiction/contact/registry.h"
#include "stiction/contact/solve.h"
#include "stiction/io/problem_file.h"
#include "tests/support/contact_problems.h"
#include "tests/support/problem_sets.h"
#include "tests/support/tasora_problems.h"

namespace stiction {
namespace {

using stiction::testing::MakeDishes;
using stiction::testing::MakeRandomProblem;
using stiction::testing::ProblemSketch;
using stiction::testing::RandomNumbers;

constexpr double kPi = 3.14159265358979323846;

// Which of the three regions a velocity lies in: 0 open, 1 stick, 2 slip.
int FindRegion(double mu, const Vector3d& gamma) {
  if (gamma[2] == 0.0) return 0;
  return gamma.head<2>().norm() < mu * gamma[2] * (1.0 - 1e-12) ? 1 : 2;
}

TEST(RegularizedLaw, ImpulseAndHessianAreDerivatives) {
  RandomNumbers random(1);
  int seen[3] = {0, 0, 0};
  for (int k = 0; k < 3000; ++k) {
    const double mu = k % 5 == 0 ? 0.0 : random.Uniform(0.05, 2.0);
    const double R_t = random.LogUniform(1e-5, 1.0), R_n = random.LogUniform(1e-5, 1.0);
    const Vector3d g = random.Vector3();
    Vector3d gamma, above, below;
    Matrix3d G, unused;
    EvaluateRegularizedContact(mu, R_t, R_n, g, gamma, &G);
    EXPECT_EQ(G, G.transpose());
    Vector3d slope;
    Matrix3d curvature;
    bool same = true;
    const double h = 1e-6;
    for (int j = 0; j < 3; ++j) {
      const Vector3d step = h * Vector3d::Unit(j);
      const double up = EvaluateRegularizedContact(mu, R_t, R_n, g + step, above);
      const double down = EvaluateRegularizedContact(mu, R_t, R_n, g - step, below);
      slope[j] = (up - down) / (2.0 * h);
      curvature.col(j) = -(above - below) / (2.0 * h);
      same = same && FindRegion(mu, above) == FindRegion(mu, gamma) &&
             FindRegion(mu, below) == FindRegion(mu, gamma);
    }
    if (!same) continue;
    ++seen[FindRegion(mu, gamma)];
    // Central differences: truncation h² and rounding ε/h, relative to the size of the derivative.
    EXPECT_LT((slope + gamma).norm(), 1e-8 * (1.0 + gamma.norm()));
    EXPECT_LT((curvature - G).norm(), 1e-8 * (1.0 + G.norm()));
  }
  for (int region : seen) EXPECT_GT(region, 100);
}

TEST(RegularizedLaw, ImpulseAndItsVelocityAreInDualConesAndOrthogonal) {
  RandomNumbers random(2);
  for (int k = 0; k < 3000; ++k) {
    const double mu = random.Uniform(0.0, 2.0);
    const double R_t = random.LogUniform(1e-5, 1.0), R_n = random.LogUniform(1e-5, 1.0);
    const Vector3d g = random.Vector3();
    Vector3d gamma;
    EvaluateRegularizedContact(mu, R_t, R_n, g, gamma);
    const Vector3d s = g + Vector3d(R_t, R_t, R_n).cwiseProduct(gamma);
    const double size = 1.0 + gamma.norm() + s.norm();
    EXPECT_LE(gamma.head<2>().norm() - mu * gamma[2], 1e-13 * size);
    EXPECT_LE(mu * s.head<2>().norm() - s[2], 1e-13 * size);
    EXPECT_LE(std::abs(s.dot(gamma)), 1e-12 * size * size);
  }
}

// A bounded row's cost is continuous and smooth across its bounds.
TEST(RegularizedLaw, BoundedRowsHaveASmoothCost) {
  IslandConstraint c;
  c.type = ConstraintType::kBounded;
  c.lower = -0.3, c.upper = 0.7;
  const double R = 0.2, h = 1e-7;
  for (double g = -0.5; g < 0.5; g += 0.00731) {
    double gamma, curvature, other;
    EvaluateRegularizedRow(c, R, g, gamma, curvature);
    const double slope = (EvaluateRegularizedRow(c, R, g + h, other, curvature) -
                          EvaluateRegularizedRow(c, R, g - h, other, curvature)) /
                         (2.0 * h);
    EXPECT_NEAR(slope, -gamma, 1e-7);
  }
}

struct Prepared {
  explicit Prepared(const ContactProblem& p) : problem(p) {
    EXPECT_LT(factor.Factor(problem.A), 0);
    scaled.Assign(problem, factor);
    partition.Assign(problem);
  }
  Island MakeIsland(int i) const {
    Island island;
    island.Assign(problem, scaled, partition, i);
    return island;
  }
  const ContactProblem& problem;
  BranchSparseFactor factor;
  ScaledProblem scaled;
  IslandPartition partition;
};

TEST(SapCost, GradientAndNewtonStepAgreeWithFiniteDifferences) {
  RandomNumbers random(3);
  for (unsigned seed = 0; seed < 10; ++seed) {
    const ContactProblem problem = MakeRandomProblem(seed, 5, 9);
    const Prepared p(problem);
    for (int i = 0; i < p.partition.num_islands; ++i) {
      const Island island = p.MakeIsland(i);
      SolverSap solver;
      SapCost cost;
      cost.Assign(island, solver.law());
      const int n = island.num_dofs();
      const VectorXd delta = random.Vector(n);
      VectorXd gradient(n), d(n);
      MatrixXd H(n, n);
      const double h = 1e-6;
      for (int k = 0; k < n; ++k) {
        VectorXd moved = delta;
        moved[k] += h;
        const double up = cost.Evaluate(island, moved.data());
        H.col(k) = Eigen::Map<VectorXd>(cost.gradient.data(), n);
        moved[k] -= 2.0 * h;
        gradient[k] = (up - cost.Evaluate(island, moved.data())) / (2.0 * h);
        H.col(k) = (H.col(k) - Eigen::Map<VectorXd>(cost.gradient.data(), n)) / (2.0 * h);
      }
      const double value = cost.Evaluate(island, delta.data());
      const Eigen::Map<VectorXd> exact(cost.gradient.data(), n);
      EXPECT_LT((gradient - exact).norm(), 1e-8 * (std::abs(value) + exact.norm()));
      ASSERT_TRUE(cost.CalcStep(island, d.data()));
      EXPECT_LT((H * d + exact).norm(),
                1e-6 * exact.norm());  // differences of H across a kink's neighbourhood
    }
  }
}

// One mass in a plane: a force that friction should carry makes it creep at R_t times it, at most μ σ g dt
// [Castro 2022, (31)], and the normal law gives way by R_n.
TEST(Sap, StickingCreepsByItsOwnLaw) {
  const double mu = 0.8, dt = 0.01, g = 9.81, sigma = 1e-3;
  ProblemSketch sketch;
  const int mass = sketch.AddSubsystem(Matrix3d::Identity(), Vector3d(0.5 * mu * g * dt, 0.0, -g * dt));
  sketch.AddConstraint(ConstraintType::kContact, {{mass, Matrix3d::Identity()}}, Vector3d::Zero(), mu);
  const ContactProblem problem = sketch.Build();
  const auto solver = MakeSolver("sap");
  Solution solution;
  const ProblemReport report = ProblemSolver().Solve(problem, *solver, solution);
  EXPECT_EQ(report.solve.status, SolveStatus::kConverged);
  EXPECT_LE(report.certificate.own_law, 1e-9);
  EXPECT_GT(report.certificate.ncp_max, 1e-6);  // the exact law is not what it solves
  const double R_n = 1.0 / (4.0 * kPi * kPi);
  EXPECT_NEAR(solution.v[2], -R_n * solution.lambda[2], 1e-9);
  EXPECT_NEAR(solution.v[0], 0.5 * mu * g * dt * sigma / (1.0 + sigma), 1e-9);  // w = 1/m
}

// The near-rigid switch: a soft contact keeps its own compliance.
TEST(Sap, ComplianceIsHonouredAboveTheSwitch) {
  const double dt = 0.01, g = 9.81;
  for (const double compliance : {0.0, 1e-4, 0.1, 3.0}) {
    ProblemSketch sketch;
    const int mass = sketch.AddSubsystem(Matrix3d::Identity(), Vector3d(0.0, 0.0, -g * dt));
    sketch.AddConstraint(ConstraintType::kContact, {{mass, Matrix3d::Identity()}}, Vector3d::Zero(), 0.5);
    const ContactProblem problem = sketch.Build();
    const auto solver = MakeSolver("sap");
    EXPECT_EQ(SetSolverOption(*solver, "compliance", std::to_string(compliance)), "");
    Solution solution;
    EXPECT_EQ(ProblemSolver().Solve(problem, *solver, solution).solve.status, SolveStatus::kConverged);
    const double R_n = std::max(compliance, 1.0 / (4.0 * kPi * kPi));
    EXPECT_NEAR(solution.lambda[2], g * dt / (1.0 + R_n), 1e-9);
  }
}

// A sliding contact leaves the surface with g_n + R_n γ_n = μ (‖g_t‖ − R_t ‖γ_t‖).
TEST(Sap, SlidingGlides) {
  const double mu = 0.5, dt = 0.01, g = 9.81;
  ProblemSketch sketch;
  const int mass = sketch.AddSubsystem(Matrix3d::Identity(), Vector3d(1.0, 0.0, -g * dt));
  sketch.AddConstraint(ConstraintType::kContact, {{mass, Matrix3d::Identity()}}, Vector3d(0, 0, -0.5), mu);
  const ContactProblem problem = sketch.Build();
  const auto solver = MakeSolver("sap");
  Solution solution;
  EXPECT_EQ(ProblemSolver().Solve(problem, *solver, solution).solve.status, SolveStatus::kConverged);
  const double R_n = 1.0 / (4.0 * kPi * kPi), R_t = 1e-3;
  ASSERT_GT(solution.v[0], 0.0);
  EXPECT_NEAR(solution.lambda[0], -mu * solution.lambda[2], 1e-9);
  EXPECT_NEAR(solution.v[2] - 0.5 + R_n * solution.lambda[2],
              mu * (solution.v[0] - R_t * mu * solution.lambda[2]), 1e-8);
}

// Six bodies of masses over three decades with dense inertia, twelve contacts between random pairs.
ContactProblem MakeSixBodies(RandomNumbers& random) {
  ProblemSketch sketch;
  for (int b = 0; b < 6; ++b) {
    const MatrixXd B = random.Matrix(6, 6, 1.7);  // variance about one
    const MatrixXd A = random.LogUniform(0.1, 100.0) * (B * B.transpose() + MatrixXd::Identity(6, 6));
    sketch.AddSubsystem(A, random.Vector(6, 1.7));
  }
  for (int i = 0; i < 12; ++i) {
    const int a = random.Index(6), b = (a + 1 + random.Index(5)) % 6;
    sketch.AddConstraint(ConstraintType::kContact,
                         {{a, random.Matrix(3, 6, 1.7)}, {b, random.Matrix(3, 6, 1.7)}},
                         Vector3d(0, 0, random.Uniform(-0.5, 0.2)), random.Uniform(0.0, 1.2));
  }
  return sketch.Build();
}

// [spec. sap §5]: 11.4 Newton steps on average and 7 evaluations a line search on problems of this kind.
TEST(Sap, IterationsOfRandomProblems) {
  RandomNumbers random(4);
  ProblemSolver workspace;
  int steps = 0, evaluations = 0, worst = 0;
  for (int k = 0; k < 20; ++k) {
    SolverSap solver;
    Solution solution;
    const ProblemReport report = workspace.Solve(MakeSixBodies(random), solver, solution);
    EXPECT_EQ(report.solve.status, SolveStatus::kConverged);
    steps += report.solve.newton_steps;
    worst = std::max(worst, report.solve.newton_steps);
    evaluations += solver.line_evaluations();
  }
  RecordProperty("mean_steps", std::to_string(steps / 20.0));
  EXPECT_LE(steps / 20.0, 1.1 * 11.4);
  EXPECT_LE(worst, 18);
  EXPECT_LE(evaluations, 7.7 * steps);
}

// [spec. sap §5]: Newton steps at a relative momentum residual of 1e-6 for σ = 1e-1 … 1e-6.
TEST(Sap, IterationsOfABrickWallGrowWithTheLogarithmOfSigma) {
  const ContactProblem wall = stiction::testing::MakeBrickWall();
  ASSERT_EQ(wall.num_constraints(), 165);
  const std::pair<const char*, int> expected[] = {
      {"1e-1", 9}, {"1e-2", 18}, {"1e-3", 38}, {"1e-4", 65}, {"1e-6", 101}};
  for (const auto& [sigma, steps] : expected) {
    SolverSap solver;
    EXPECT_EQ(SetSolverOption(solver, "sigma", sigma), "");
    EXPECT_EQ(SetSolverOption(solver, "relative", "1e-6"), "");
    EXPECT_EQ(SetSolverOption(solver, "max_iterations", "200"), "");
    Solution solution;
    const ProblemReport report = ProblemSolver().Solve(wall, solver, solution);
    RecordProperty(std::string("steps_") + sigma, report.solve.newton_steps);
    EXPECT_LE(report.solve.newton_steps, 1.1 * steps + 1) << sigma;
  }
}

// What moves fast has momentum, whether or not a contact changes it [Castro 2022, (26)]: beside that, what
// carries the weight of a step may be left for the next.
TEST(Sap, RelativeToleranceIsThatOfMomenta) {
  const double dt = 0.01, g = 9.81;
  for (const double speed : {0.0, 1.0, 1e4}) {
    ProblemSketch sketch;
    const int mass = sketch.AddSubsystem(MatrixXd::Identity(4, 4), Eigen::Vector4d(0.0, 0.0, -g * dt, speed));
    sketch.AddConstraint(ConstraintType::kContact, {{mass, MatrixXd::Identity(3, 4)}}, Vector3d::Zero(), 0.5);
    SolverSap solver;
    EXPECT_EQ(SetSolverOption(solver, "relative", "1e-3"), "");
    Solution solution;
    const ProblemReport report = ProblemSolver().Solve(sketch.Build(), solver, solution);
    EXPECT_EQ(report.solve.status, SolveStatus::kConverged) << speed;
    EXPECT_EQ(report.solve.newton_steps == 0, speed > 10.0) << speed;
    EXPECT_LE(report.certificate.momentum, 1e-3) << speed;
  }
}

// Of islands that are not solved, the velocity that their impulses give is what is held.
TEST(Sap, IslandsThatStayAsTheyAreHaveNoMomentumError) {
  ProblemSketch sketch;
  for (int i = 0; i < 2; ++i) {
    const int mass = sketch.AddSubsystem(Matrix3d::Identity(), Vector3d(0.0, 0.0, -0.1));
    sketch.AddConstraint(ConstraintType::kContact, {{mass, Matrix3d::Identity()}}, Vector3d::Zero(), 0.5);
  }
  const ContactProblem problem = sketch.Build();
  SolverSap solver;
  ProblemSolver workspace;
  Solution solution;
  EXPECT_LE(workspace.Solve(problem, solver, solution).certificate.momentum, 1e-8);
  workspace.asked() = {1, 0};
  const ProblemReport report = workspace.Solve(problem, solver, solution);
  EXPECT_LE(report.certificate.momentum, 1e-8);
  EXPECT_LE(report.certificate.own_law, 1e-8);
}

// ℓ_p is strongly convex and the line search exact: it converges from every start, on every problem.
TEST(Sap, ConvergesOnEveryGeneratedProblem) {
  const double friction[] = {0.3, 0.5, 0.8, 1.0, 1.5};
  const std::pair<const char*, std::function<ContactProblem(unsigned)>> sets[] = {
      {"settled", [](unsigned k) { return MakeDishes(k, stiction::testing::kSettled); }},
      {"uneven", [](unsigned k) { return MakeDishes(k, stiction::testing::kUneven); }},
      {"moving", [](unsigned k) { return MakeDishes(k, stiction::testing::kMoving); }},
      {"nut", [](unsigned k) { return stiction::testing::MakeNut(k); }},
      {"slide", [&](unsigned k) { return stiction::testing::MakeSlidingTower(k, friction[k % 5]); }},
      {"mixed", [](unsigned k) { return stiction::testing::MakeMixedChain(k); }},
      {"random", [](unsigned k) { return MakeRandomProblem(k, 8, 8); }}};
  ProblemSolver workspace;
  for (const auto& [name, make] : sets) {
    for (unsigned seed = 300; seed < 360; ++seed) {
      SolverSap solver;
      Solution solution;
      const ProblemReport report = workspace.Solve(make(seed), solver, solution);
      EXPECT_EQ(report.solve.status, SolveStatus::kConverged) << name << " " << seed;
      EXPECT_LE(report.certificate.own_law, 1e-8) << name << " " << seed;
    }
  }
}

TEST(Sap, ConvergesOnEveryStoredProblem) {
  int count = 0;
  for (const char* folder : {"problems", "problems/real"}) {
    const std::filesystem::path root = std::filesystem::path(STICTION_SHARED_DIR) / folder;
    if (!std::filesystem::exists(root)) GTEST_SKIP() << "no reference problems";
    for (const auto& entry : std::filesystem::directory_iterator(root)) {
      if (entry.path().extension() != ".json") continue;
      const ProblemFile stored = ReadProblemJson(entry.path().string());
      for (const bool is_warm : {false, true}) {
        SolverSap solver;
        Solution solution = is_warm ? stored.warm_start : Solution();
        ProblemSolver workspace;
        const ProblemReport report = workspace.Solve(stored.problem, solver, solution);
        EXPECT_LE(report.certificate.own_law, 1e-8) << entry.path().stem();
        ++count;
      }
    }
  }
  EXPECT_EQ(count, 2 * 60);
}

// From 1, Newton's steps on aᵖ − rᵖ shrink a by 1/p each: 60 of them end far from the root, where two bits of
// a are found by every two bisections.
TEST(LineSearch, BisectsWhereNewtonCreeps) {
  for (const double root : {0.9, 0.5, 0.03}) {
    for (const double p : {1.0, 10.0, 300.0}) {
      const double slope0 = -std::pow(root, p);
      if (slope0 == 0.0) continue;
      int evaluations = 0;
      const double a = SearchLine(
          slope0, 1e-8,
          [&](double x) {
            return LineSlope{std::pow(x, p) + slope0, p * std::pow(x, p - 1.0)};
          },
          &evaluations);
      EXPECT_LE(std::abs(std::pow(a, p) + slope0), 1e-8 * std::abs(slope0)) << root << " " << p;
      EXPECT_LE(evaluations, 30) << root << " " << p;
    }
  }
}

// The law of the problem with auxiliary dofs of mass 1/R, whose Delassus scale contains R too.
TEST(Sap, TakesComplianceAsAuxiliaryDofsDo) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    ContactProblem problem = MakeRandomProblem(seed, 5, 10);
    for (Constraint& c : problem.constraints) {
      if (c.type == ConstraintType::kSoft) continue;
      c.compliance_n = 0.3 * (c.row % 4);
      if (c.type == ConstraintType::kContact) c.compliance_t = 0.2 * (c.row % 3);
    }
    SolverSap solver;
    solver.set_tolerance(1e-11);
    Solution taken;
    const ProblemReport report = ProblemSolver().Solve(problem, solver, taken);
    EXPECT_EQ(report.solve.status, SolveStatus::kConverged);
    EXPECT_LE(report.certificate.own_law, 2e-11);
    AuxiliaryDofs auxiliary;
    BranchSparseFactor factor;
    ASSERT_LT(factor.Factor(problem.A), 0);
    auxiliary.Extend(problem, CalcDelassusScales(problem, factor), {});
    ASSERT_GT(auxiliary.problem().nv(), problem.nv());
    (void)ProblemSolver().Solve(auxiliary.problem(), solver, auxiliary.solution());
    EXPECT_LT((auxiliary.solution().v.head(problem.nv()) - taken.v).norm(), 1e-8 * taken.v.norm()) << seed;
  }
}

// A body that was pushed onto the ground and lies there: the impulses of the push are the wrong start, its
// velocity is the right one.
TEST(Sap, BeginsWithTheVelocityBefore) {
  ContactProblem problem = stiction::testing::MakeStack(5, 10.0);
  SolverSap solver;
  Solution rest;
  ASSERT_EQ(ProblemSolver().Solve(problem, solver, rest).solve.status, SolveStatus::kConverged);
  Solution pushed;
  pushed.v = rest.v;
  EXPECT_LE(ProblemSolver().Solve(problem, solver, pushed).solve.newton_steps, 1);
  Solution cold;
  EXPECT_GT(ProblemSolver().Solve(problem, solver, cold).solve.newton_steps, 1);
}

TEST(Sap, NoIterationForASolvedProblem) {
  const ContactProblem stack = stiction::testing::MakeStack(5, 10.0);
  SolverSap solver;
  ProblemSolver workspace;
  Solution solution;
  EXPECT_EQ(workspace.Solve(stack, solver, solution).solve.status, SolveStatus::kConverged);
  const ProblemReport again = workspace.Solve(stack, solver, solution);
  EXPECT_EQ(again.solve.status, SolveStatus::kConverged);
  EXPECT_EQ(again.solve.factorizations, 0);
}

}  // namespace
}  // namespace stiction
