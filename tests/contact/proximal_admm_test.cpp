#include "contact/solvers/proximal_admm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/contact/registry.h"
#include "stiction/contact/solve.h"
#include "tests/support/contact_problems.h"
#include "tests/support/dense_algebra.h"
#include "tests/support/dense_certificate.h"

namespace stiction {
namespace {

using stiction::testing::CalcSymmetricEigen;
using stiction::testing::kGravity;
using stiction::testing::kTimeStep;
using stiction::testing::MakeBlockOnPlane;
using stiction::testing::MakeRandomProblem;
using stiction::testing::ProblemSketch;
using stiction::testing::ProjectByGeometry;
using stiction::testing::RandomNumbers;
using stiction::testing::SolveDense;

VectorXd Map(const std::vector<double>& values) {
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

// The first island of a problem, with W and g0 dense.
class DenseIsland {
 public:
  explicit DenseIsland(const ContactProblem& problem) : problem_(problem) {
    BranchSparseFactor factor;
    EXPECT_EQ(factor.Factor(problem_.A), -1);
    ScaledProblem scaled;
    scaled.Assign(problem_, factor);
    IslandPartition partition;
    partition.Assign(problem_);
    island.Assign(problem_, scaled, partition, 0);
    MatrixXd Y(rows(), island.num_dofs());
    for (int k = 0; k < island.num_dofs(); ++k) {
      island.Multiply(VectorXd::Unit(island.num_dofs(), k).eval().data(), Y.col(k).data());
    }
    W = Y * Y.transpose();
    g0 = Map(island.g0);
  }
  int rows() const { return island.num_rows(); }
  // Closest point of K, and Γ.
  VectorXd Project(VectorXd x) const {
    for (const IslandConstraint& c : island.constraints) {
      if (c.type == ConstraintType::kContact) {
        x.segment<3>(c.row) = ProjectByGeometry(x.segment<3>(c.row), c.mu);
      } else {
        x[c.row] = std::clamp(x[c.row], c.lower, c.upper);
      }
    }
    return x;
  }
  VectorXd CalcShift(const VectorXd& z) const {
    VectorXd s = VectorXd::Zero(rows());
    for (const IslandConstraint& c : island.constraints) {
      if (c.dim() == 3) s[c.row + 2] = c.mu * z.segment<2>(c.row).norm();
    }
    return s;
  }

  Island island;
  MatrixXd W;
  VectorXd g0;

 private:
  ContactProblem problem_;
};

// The iteration as the header writes it, by dense matrices and the penalties that the method reports.
struct DenseAdmm {
  VectorXd x, y, z, r_p, r_d;

  void Iterate(const DenseIsland& dense, const ProximalAdmm& method, bool is_convex) {
    const Island& island = dense.island;
    const int n = dense.rows();
    const VectorXd s = is_convex ? VectorXd(VectorXd::Zero(n)) : dense.CalcShift(z);
    VectorXd rho = VectorXd::Zero(n), eta = rho, compliance = rho, bias = rho;
    for (int i = 0; i < island.num_constraints(); ++i) {
      const IslandConstraint& c = island.constraints[i];
      if (c.type == ConstraintType::kSoft) {
        compliance[c.row] = 1.0 / c.damping;
        bias[c.row] = c.offset / c.damping;
        continue;
      }
      rho.segment(c.row, c.dim()).setConstant(method.RowPenalty(i));
      eta.segment(c.row, c.dim()).setConstant(method.RowProximal(i));
    }
    const VectorXd before = x, y_before = y;
    const MatrixXd H = dense.W + MatrixXd((rho + eta + compliance).asDiagonal());
    const VectorXd rhs = dense.g0 + bias + s - eta.cwiseProduct(x) - rho.cwiseProduct(y) - z;
    x = -SolveDense(H, rhs);
    y = x;
    for (int r = 0; r < n; ++r) {
      if (rho[r] > 0.0) y[r] -= z[r] / rho[r];
    }
    y = dense.Project(y);
    z -= rho.cwiseProduct(x - y);
    r_p = x - y;
    r_d = eta.cwiseProduct(x - before) + rho.cwiseProduct(y - y_before);
    identity = z - (dense.W * x + dense.g0 + bias + s + compliance.cwiseProduct(x));
  }
  VectorXd identity;  // z − (W x + g0 + s), what r_d must be
};

class RandomAdmm : public ::testing::TestWithParam<PenaltyPolicy> {};

INSTANTIATE_TEST_SUITE_P(Penalties, RandomAdmm,
                         ::testing::Values(PenaltyPolicy::kFixed, PenaltyPolicy::kLinear,
                                           PenaltyPolicy::kSpectral));

TEST_P(RandomAdmm, IterationsAreThoseOfThePaperByDenseMatrices) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const DenseIsland dense(MakeRandomProblem(seed, 4, 10));
    for (bool is_convex : {false, true}) {
      SCOPED_TRACE(std::to_string(seed) + (is_convex ? " convex" : " exact"));
      ProximalAdmmOptions options;
      options.penalty = GetParam();
      options.precondition = seed % 2 == 1;
      options.penalty_on_bilateral = seed % 3 == 0;
      ProximalAdmm method;
      const std::vector<double> start(dense.rows(), 0.0);
      method.Start(dense.island, options, is_convex, start.data());
      DenseAdmm expected{Map(method.x()), Map(method.y()), Map(method.z()), {}, {}, {}};
      EXPECT_EQ(expected.z.norm(), 0.0);
      for (int k = 0; k < 15; ++k) {
        ASSERT_TRUE(method.Iterate(dense.island));
        expected.Iterate(dense, method, is_convex);  // with the same penalty
        const double size = 1.0 + expected.x.norm() + expected.z.norm();
        EXPECT_LT((Map(method.x()) - expected.x).norm(), 1e-8 * size) << k;
        EXPECT_LT((Map(method.y()) - expected.y).norm(), 1e-8 * size) << k;
        EXPECT_LT((Map(method.z()) - expected.z).norm(), 1e-8 * size) << k;
        EXPECT_LT((expected.r_d - expected.identity).norm(), 1e-8 * size) << k;
        if (!options.precondition) {
          EXPECT_NEAR(method.primal_residual(), expected.r_p.cwiseAbs().maxCoeff(), 1e-8 * size) << k;
          EXPECT_NEAR(method.dual_residual(), expected.r_d.cwiseAbs().maxCoeff(), 1e-8 * size) << k;
        }
      }
    }
  }
}

// Moreau: y and −z are the two orthogonal parts of x − z/ρ.
TEST_P(RandomAdmm, ImpulsesLieInTheConeAndShiftedVelocitiesInItsDual) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const DenseIsland dense(MakeRandomProblem(seed, 4, 10));
    ProximalAdmmOptions options;
    options.penalty = GetParam();
    ProximalAdmm method;
    const std::vector<double> start(dense.rows(), 0.0);
    method.Start(dense.island, options, false, start.data());
    for (int k = 0; k < 15; ++k) {
      ASSERT_TRUE(method.Iterate(dense.island));
      const VectorXd y = Map(method.y()), z = Map(method.z());
      for (const IslandConstraint& c : dense.island.constraints) {
        if (c.type == ConstraintType::kContact) {
          const Vector3d l = y.segment<3>(c.row), v = z.segment<3>(c.row);
          EXPECT_LE(l.head<2>().norm(), c.mu * l[2] + 1e-13);
          EXPECT_LE(c.mu * v.head<2>().norm(), v[2] + 1e-9);
          EXPECT_NEAR(l.dot(v), 0.0, 1e-9);
        } else if (c.type == ConstraintType::kBilateral || c.type == ConstraintType::kSoft) {
          EXPECT_EQ(z[c.row], 0.0);
        } else {
          EXPECT_GE(y[c.row], c.lower);
          EXPECT_LE(y[c.row], c.upper);
        }
      }
    }
  }
}

TEST_P(RandomAdmm, SolutionOfTheExactLawStaysWhereItIs) {
  ProblemSketch sketch;
  const Vector6d v_star = (Vector6d() << 1.0, 0.3, -0.1, 0.2, -0.1, 0.4).finished();
  const int box = sketch.AddFreeBody(1.0, Matrix3d::Identity() * 0.02, Vector3d(0, 0, 0.05), v_star);
  sketch.AddContact(-1, box, {0.2, 0.1, 0.0}, {0, 0, 1}, 0.4);
  sketch.AddContact(-1, box, {-0.2, 0.1, 0.0}, {0, 0, 1}, 0.7);
  sketch.AddRow(ConstraintType::kSoft, box, 1.0, 0.01, 2.0, 0.3);
  const DenseIsland dense(sketch.Build());
  std::vector<double> lambda(dense.rows(), 0.0);
  SolverAdmmNcp solver;
  solver.set_tolerance(1e-12);
  ASSERT_EQ(solver.Solve(dense.island, lambda.data()).status, SolveStatus::kConverged);
  ProximalAdmmOptions options;
  options.penalty = GetParam();
  ProximalAdmm method;
  method.Start(dense.island, options, false, lambda.data());
  for (int k = 0; k < 5; ++k) {
    ASSERT_TRUE(method.Iterate(dense.island));
    EXPECT_LT((Map(method.y()) - Map(lambda)).norm(), 1e-10);
    EXPECT_LT((Map(method.x()) - Map(lambda)).norm(), 1e-10);
  }
}

// z of a warm start is the projection of g + Γ(g) on K* ∩ λ^⊥, a convex cone: v − z makes no acute angle with
// any of its members, and a right one with z.
TEST(ProximalAdmm, WarmStartComplementsTheImpulses) {
  RandomNumbers random(5);
  for (int draw = 0; draw < 300; ++draw) {
    const double mu = draw % 7 == 0 ? 0.0 : random.Uniform(0.1, 1.0);
    ProblemSketch sketch;
    sketch.AddSubsystem(random.PositiveDefinite(4), random.Vector(4, 3.0));
    sketch.AddConstraint(ConstraintType::kContact, {{0, random.Matrix(3, 4)}}, Vector3d::Zero(), mu);
    sketch.AddConstraint(ConstraintType::kUnilateral, {{0, random.Matrix(1, 4)}}, VectorXd::Zero(1));
    const DenseIsland dense(sketch.Build());
    const double n = random.Uniform(0.1, 1.0), angle = random.Uniform(-3.0, 3.0);
    const int kind = draw % 3;  // inside, on the boundary, at the tip
    const double t = kind == 0 ? 0.5 * mu * n : mu * n;
    VectorXd lambda(4);
    lambda << t * std::cos(angle), t * std::sin(angle), n, 1.0;
    if (kind == 2) lambda.head<3>().setZero();
    ProximalAdmm method;
    method.Start(dense.island, {}, false, lambda.data());
    const VectorXd z = Map(method.z());
    VectorXd v = dense.W * lambda + dense.g0;
    v += dense.CalcShift(v);
    EXPECT_EQ(Map(method.y()).tail(1), lambda.tail(1));
    EXPECT_LT((Map(method.y()) - lambda).norm(), 1e-15);
    EXPECT_EQ(z[3], 0.0);  // free while its impulse is positive
    const Vector3d l = lambda.head<3>(), rest = (v - z).head<3>(), z_contact = z.head<3>();
    EXPECT_NEAR(z_contact.dot(l), 0.0, 1e-14);
    EXPECT_LE(mu * z_contact.head<2>().norm(), z[2] + 1e-14);
    EXPECT_NEAR(rest.dot(z_contact), 0.0, 1e-12);
    for (int k = 0; k < 20; ++k) {
      Vector3d member = random.Vector3();
      member[2] = mu * member.head<2>().norm() + (kind == 2 ? random.Uniform(0, 1) : 0.0);
      if (kind == 0 && mu > 0.0) break;  // z = 0 alone
      if (kind == 1 && mu > 0.0) member = Vector3d(-std::cos(angle), -std::sin(angle), mu);
      EXPECT_LE(rest.dot(member), 1e-12);
    }
  }
}

// The iteration with weights is the plain one on rows divided by √m.
TEST(ProximalAdmm, WeightsScaleTheProblem) {
  RandomNumbers random(7);
  MatrixXd J = random.Matrix(5, 6);
  VectorXd e = random.Vector(5);
  const MatrixXd A = random.PositiveDefinite(6);
  const VectorXd v_star = random.Vector(6);
  const auto make = [&] {
    ProblemSketch sketch;
    sketch.AddSubsystem(A, v_star);
    sketch.AddConstraint(ConstraintType::kContact, {{0, J.topRows(3)}}, e.head(3), 0.6);
    sketch.AddConstraint(ConstraintType::kBilateral, {{0, J.row(3)}}, e.segment(3, 1));
    sketch.AddConstraint(ConstraintType::kBounded, {{0, J.row(4)}}, e.segment(4, 1));
    sketch.SetBounds(-1e9, 1e9);
    return DenseIsland(sketch.Build());
  };
  const DenseIsland plain = make();
  VectorXd root(5);
  root << Vector3d::Constant(std::sqrt(plain.W.diagonal().head(3).maxCoeff())),
      plain.W.diagonal().tail(2).cwiseSqrt();
  J = root.cwiseInverse().asDiagonal() * J;
  e = e.cwiseQuotient(root);
  const DenseIsland scaled = make();
  for (const int columns : {0, 10}) {
    ProximalAdmmOptions options;
    options.anderson = columns;
    ProximalAdmm a, b;
    const std::vector<double> start(5, 0.0);
    b.Start(scaled.island, options, false, start.data());
    options.precondition = true;
    a.Start(plain.island, options, false, start.data());
    EXPECT_NEAR(a.largest_eigenvalue(), b.largest_eigenvalue(), 1e-12);
    // Mixed, it soon is where rounding decides.
    for (int k = 0; k < (columns > 0 ? 8 : 30); ++k) {
      ASSERT_TRUE(a.Iterate(plain.island) && b.Iterate(scaled.island));
      const VectorXd y = root.cwiseProduct(Map(a.y()));
      EXPECT_LT((y - Map(b.y())).norm(), 1e-9) << k;
      EXPECT_NEAR(a.rho(), b.rho(), 1e-9 * b.rho());
      EXPECT_NEAR(a.primal_residual(), b.primal_residual(), 1e-9);
      EXPECT_NEAR(a.dual_residual(), b.dual_residual(), 1e-9);
    }
  }
}

TEST(ProximalAdmm, PowerIterationFindsTheLargestEigenvalue) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    const DenseIsland dense(MakeRandomProblem(seed, 4, 10));
    ProximalAdmm method;
    const std::vector<double> start(dense.rows(), 0.0);
    method.Start(dense.island, {}, false, start.data());
    const double expected = CalcSymmetricEigen(dense.W).values.maxCoeff();
    EXPECT_LE(method.largest_eigenvalue(), expected * (1.0 + 1e-12));
    EXPECT_GE(method.largest_eigenvalue(), expected * 0.9);
  }
}

TEST(ProximalAdmm, ProximalTermGrowsWithTheLargestEigenvalue) {
  for (double mass : {1.0, 1e-9}) {
    const DenseIsland dense(MakeBlockOnPlane(0.5, 0.1, 0.0, mass));
    ProximalAdmm method;
    const std::vector<double> start(dense.rows(), 0.0);
    method.Start(dense.island, {}, false, start.data());
    const double L = method.largest_eigenvalue();
    EXPECT_EQ(method.eta(), mass == 1.0 ? 1e-6 : 1e-13 * L);
    // ρ = √(Lη) κ^0.2
    const double rho = std::sqrt(L * method.eta()) * std::pow(L / method.eta(), 0.2);
    EXPECT_NEAR(method.rho(), rho, 1e-12 * rho);
  }
}

// Changes of ρ: a factor at a time, within its bounds, no more than allowed, and the fixed one never.
TEST(ProximalAdmm, PenaltyFollowsItsPolicy) {
  const DenseIsland dense(stiction::testing::MakeStack(6, 1000.0));
  const std::vector<double> start(dense.rows(), 0.0);
  for (PenaltyPolicy policy : {PenaltyPolicy::kFixed, PenaltyPolicy::kLinear, PenaltyPolicy::kSpectral}) {
    for (int every : {1, 5}) {
      ProximalAdmmOptions options;
      options.penalty = policy;
      options.update_every = every;
      options.max_updates = 6;
      ProximalAdmm method;
      method.Start(dense.island, options, false, start.data());
      const double L = method.largest_eigenvalue(), eta = method.eta();
      const double factor = policy == PenaltyPolicy::kLinear ? 1.5 : std::pow(L / eta, 0.05);
      int changes = 0;
      for (int k = 1; k <= 100; ++k) {
        const double before = method.rho();
        ASSERT_TRUE(method.Iterate(dense.island));
        const double change = std::abs(std::log(method.rho() / before));
        if (change == 0.0) continue;
        ++changes;
        EXPECT_EQ((k - 1) % every, 0);
        EXPECT_LE(change, std::log(factor) * (1.0 + 1e-12));
        EXPECT_GE(method.rho(), 1e-4 * std::sqrt(L * eta));
        EXPECT_LE(method.rho(), L);
      }
      EXPECT_EQ(changes, policy == PenaltyPolicy::kFixed ? 0 : changes);
      EXPECT_LE(changes, 6);
      EXPECT_GE(changes, policy == PenaltyPolicy::kFixed ? 0 : 1);
      EXPECT_LE(method.factorizations(), changes + 1);
    }
  }
}

TEST(ProximalAdmm, RestoreReturnsToTheStateKeptAndFreezesThePenalty) {
  const DenseIsland dense(stiction::testing::MakeStack(6, 1000.0));
  const std::vector<double> start(dense.rows(), 0.0);
  ProximalAdmm method;
  method.Start(dense.island, {}, false, start.data());
  for (int k = 0; k < 3; ++k) ASSERT_TRUE(method.Iterate(dense.island));
  const std::vector<double> x = method.x(), y = method.y(), z = method.z();
  const double rho = method.rho();
  method.Keep();
  for (int k = 0; k < 20; ++k) ASSERT_TRUE(method.Iterate(dense.island));
  EXPECT_NE(method.rho(), rho);
  EXPECT_NE(method.y(), y);
  method.Restore();
  EXPECT_EQ(method.x(), x);
  EXPECT_EQ(method.y(), y);
  EXPECT_EQ(method.z(), z);
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(method.Iterate(dense.island));
    EXPECT_EQ(method.rho(), rho);
  }
}

// Without a damper the impulse of a soft row is given: −k e.
TEST(SolverAdmm, SoftRowWithoutDampingIsAGivenImpulse) {
  ProblemSketch sketch;
  sketch.AddSlider(2.0, 0.5);
  sketch.AddRow(ConstraintType::kSoft, 0, 1.0, 0.02, 30.0, 0.0);
  sketch.AddRow(ConstraintType::kUnilateral, 0, -1.0, 0.1);
  SolverAdmmNcp solver;
  Solution solution;
  const ProblemReport report = ProblemSolver().Solve(sketch.Build(), solver, solution);
  EXPECT_EQ(report.solve.status, SolveStatus::kConverged);
  EXPECT_NEAR(solution.lambda[0], -0.6, 1e-12);
  EXPECT_NEAR(solution.v[0], 0.1, 1e-8);
}

// The convex law lifts a sliding block off: g_n = μ‖g_t‖ in the mean of its contacts. The exact one does not.
TEST(SolverAdmm, ConvexLawLiftsASlidingBlockOff) {
  const double mu = 0.5, speed = 2.0;
  const ContactProblem problem = MakeBlockOnPlane(mu, 0.0, speed);
  SolverAdmmCcp convex;
  Solution solution;
  const ProblemReport report = ProblemSolver().Solve(problem, convex, solution);
  EXPECT_EQ(report.solve.status, SolveStatus::kConverged);
  EXPECT_LE(report.certificate.own_law, 1e-9);
  EXPECT_GT(report.certificate.ncp_max, 0.1);
  // With λ_t = μ λ_n along x, v_x = speed − μ p, v_z = p − g dt and v_z = μ v_x, per kg.
  const double p = (kTimeStep * kGravity + mu * speed) / (1.0 + mu * mu);
  EXPECT_NEAR(solution.v[0], speed - mu * p, 1e-8);
  EXPECT_NEAR(solution.v[2], mu * solution.v[0], 1e-8);
  SolverAdmmNcp exact;
  solution = {};
  EXPECT_LE(ProblemSolver().Solve(problem, exact, solution).certificate.ncp_max, 1e-9);
  EXPECT_NEAR(solution.v[2], 0.0, 1e-8);
}

// Converged convex solutions of random problems obey the convex law by dense matrices.
TEST(SolverAdmm, ConvexLawHoldsOnRandomProblems) {
  SolverAdmmCcp solver;
  ProblemSolver workspace;
  int converged = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    const ContactProblem problem = MakeRandomProblem(seed, 8, 8);
    Solution solution;
    const ProblemReport report = workspace.Solve(problem, solver, solution);
    EXPECT_TRUE(solution.lambda.allFinite());
    if (report.solve.status != SolveStatus::kConverged) continue;
    ++converged;
    const auto dense = stiction::testing::CalcDenseCertificate(problem, solution.lambda);
    const VectorXd g = problem.DenseJ() * dense.v + Map(problem.e);
    for (int i = 0; i < problem.num_constraints(); ++i) {
      const Constraint& c = problem.constraints[i];
      const double w = dense.scale[i];
      if (c.type != ConstraintType::kContact || w < 1e-9) continue;
      const Vector3d l = solution.lambda.segment<3>(c.row), v = g.segment<3>(c.row);
      EXPECT_LT(w * (l - ProjectByGeometry(l - v / w, c.mu)).norm(), 1e-8) << seed;
    }
  }
  EXPECT_GE(converged, 30);
}

TEST(SolverAdmm, OpposingRowsAreInfeasible) {
  ProblemSketch sketch;
  sketch.AddSlider(2.0, 0.5);
  sketch.AddRow(ConstraintType::kUnilateral, 0, 1.0, -1.0);
  sketch.AddRow(ConstraintType::kUnilateral, 0, -1.0, -1.0);
  SolverAdmmNcp solver;
  Solution solution;
  const ProblemReport report = ProblemSolver().Solve(sketch.Build(), solver, solution);
  EXPECT_EQ(report.solve.status, SolveStatus::kInfeasible);
  EXPECT_LE(report.solve.iterations, 300);
  EXPECT_LE(std::abs(solution.v[0]), 1.0);
}

// The penalty of a solve is reported, and the next one starts from it.
TEST(SolverAdmm, RemembersThePenalty) {
  DenseIsland dense(stiction::testing::MakeStack(5, 100.0));
  SolverAdmmNcp solver;
  std::vector<double> lambda(dense.rows(), 0.0);
  const SolveReport cold = solver.Solve(dense.island, lambda.data());
  ASSERT_EQ(cold.status, SolveStatus::kConverged);
  EXPECT_GT(cold.penalty, 0.0);
  dense.island.warm_penalty = cold.penalty;
  std::fill(lambda.begin(), lambda.end(), 0.0);
  const SolveReport warm = solver.Solve(dense.island, lambda.data());
  EXPECT_EQ(warm.status, SolveStatus::kConverged);
  EXPECT_LT(warm.factorizations, cold.factorizations);
}

TEST(SolverAdmm, EffortMultipliesTheLimit) {
  const ContactProblem problem = stiction::testing::MakeStack(8, 1e6);
  SolverAdmmNcp solver;
  solver.set_tolerance(0.0);
  for (double effort : {0.01, 0.02}) {
    solver.set_effort(effort);
    Solution solution;
    const SolveReport report = ProblemSolver().Solve(problem, solver, solution).solve;
    EXPECT_EQ(report.status, SolveStatus::kMaxIterations);
    EXPECT_EQ(report.iterations, static_cast<int>(ProximalAdmmOptions().max_iterations * effort));
  }
}

}  // namespace
}  // namespace stiction
