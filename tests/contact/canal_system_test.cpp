#include "contact/solvers/canal_system.h"

#include <gtest/gtest.h>

#include "tests/support/contact_problems.h"
#include "tests/support/dense_certificate.h"

namespace stiction {
namespace {

using stiction::testing::MakeRandomProblem;
using stiction::testing::ProjectByGeometry;
using stiction::testing::RandomNumbers;

// One island of a random problem with random multipliers, penalties and shifts, and the same system by dense
// matrices.
class DrawnSystem {
 public:
  explicit DrawnSystem(unsigned seed) : problem_(MakeRandomProblem(seed, 4, 10)) {
    BranchSparseFactor factor;
    EXPECT_EQ(factor.Factor(problem_.A), -1);
    ScaledProblem scaled;
    scaled.Assign(problem_, factor);
    IslandPartition partition;
    partition.Assign(problem_);
    island.Assign(problem_, scaled, partition, 0);
    system.Assign(island);
    RandomNumbers random(seed + 1000);
    for (double& value : system.multiplier) value = random.Uniform(-1, 1);
    for (double& value : system.penalty) value = random.LogUniform(0.1, 10);
    for (double& value : system.shift) value = random.Uniform(0, 0.5);
    for (double& value : system.delta) value = random.Uniform(-1, 1);
    Y_ = MatrixXd::Zero(island.num_rows(), island.num_dofs());
    for (int k = 0; k < island.num_dofs(); ++k) {
      island.Multiply(VectorXd::Unit(island.num_dofs(), k).eval().data(), Y_.col(k).data());
    }
  }

  VectorXd delta() const { return Eigen::Map<const VectorXd>(system.delta.data(), island.num_dofs()); }
  VectorXd lambda() const { return Eigen::Map<const VectorXd>(system.lambda.data(), island.num_rows()); }
  VectorXd CalcVelocity(const VectorXd& at) const {
    return Y_ * at + Eigen::Map<const VectorXd>(island.g0.data(), island.num_rows());
  }

  // λ at a point, by the cone operators in another form than the code's.
  VectorXd CalcImpulse(ContactLaw law, const VectorXd& at) const {
    const VectorXd g = CalcVelocity(at);
    VectorXd lambda(island.num_rows());
    for (int i = 0; i < island.num_constraints(); ++i) {
      const IslandConstraint& c = island.constraints[i];
      VectorXd x = Eigen::Map<const VectorXd>(&system.multiplier[c.row], c.dim()) -
                   system.penalty[i] * g.segment(c.row, c.dim());
      if (c.dim() == 1 && c.type != ConstraintType::kSoft) x = x.cwiseMax(c.lower).cwiseMin(c.upper);
      if (c.type == ConstraintType::kSoft) x[0] = -c.offset - c.damping * g[c.row];
      if (c.type == ConstraintType::kContact && law == ContactLaw::kConvex) {
        x[2] -= system.penalty[i] * system.shift[i];
        x = ProjectByGeometry(x, c.mu);
      } else if (c.type == ConstraintType::kContact) {
        x[2] = std::max(x[2], 0.0);
        const double t = x.head(2).norm();
        if (t > c.mu * x[2]) x.head(2) *= c.mu * x[2] / t;
      }
      lambda.segment(c.row, c.dim()) = x;
    }
    return lambda;
  }
  VectorXd CalcGradient(ContactLaw law, const VectorXd& at) const {
    return at - Y_.transpose() * CalcImpulse(law, at);
  }
  MatrixXd CalcJacobianByDifferences(ContactLaw law, const VectorXd& at) const {
    const int n = island.num_dofs();
    const double h = 1e-6;
    MatrixXd K(n, n);
    for (int k = 0; k < n; ++k) {
      const VectorXd step = h * VectorXd::Unit(n, k);
      K.col(k) = (CalcGradient(law, at + step) - CalcGradient(law, at - step)) / (2.0 * h);
    }
    return K;
  }
  // h = ½‖δ‖² + Σ ‖λ‖²/2β, soft rows λ²/2b, bounded ones (x λ − λ²/2)/β: linear beyond the bounds.
  double CalcObjective(const VectorXd& at) const {
    const VectorXd lambda_at = CalcImpulse(ContactLaw::kConvex, at);
    double h = 0.5 * at.squaredNorm();
    for (int i = 0; i < island.num_constraints(); ++i) {
      const IslandConstraint& c = island.constraints[i];
      const double weight = c.type == ConstraintType::kSoft ? c.damping : system.penalty[i];
      const VectorXd impulse = lambda_at.segment(c.row, c.dim());
      if (c.type == ConstraintType::kBounded) {
        const double x = system.multiplier[c.row] - weight * CalcVelocity(at)[c.row];
        h += (x * impulse[0] - 0.5 * impulse[0] * impulse[0]) / weight;
      } else {
        h += impulse.squaredNorm() / (2.0 * weight);
      }
    }
    return h;
  }

  Island island;
  CanalSystem system;

 private:
  ContactProblem problem_;
  MatrixXd Y_;
};

constexpr int kSeeds = 40;
// On ‖r‖: ten times what rounding leaves of it where K reaches 1e5.
constexpr double kCanalTolerance = 1e-9;

// The test's own two routes first: the gradient is that of h.
TEST(CanalSystem, ConvexResidualIsTheGradientOfTheObjective) {
  RandomNumbers random(1);
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    const DrawnSystem drawn(seed);
    const VectorXd at = drawn.delta(), direction = random.Vector(drawn.island.num_dofs());
    const double h = 1e-5;
    const double slope =
        (drawn.CalcObjective(at + h * direction) - drawn.CalcObjective(at - h * direction)) / (2 * h);
    // Rounding of h near 100 over 1e-5; kinks of the second derivative leave terms of order h.
    EXPECT_NEAR(slope, direction.dot(drawn.CalcGradient(ContactLaw::kConvex, at)),
                1e-7 * (1.0 + std::abs(slope)));
  }
}

TEST(CanalSystem, ConvexSolutionIsTheMinimiser) {
  RandomNumbers random(2);
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    DrawnSystem drawn(seed);
    ASSERT_TRUE(drawn.system.SolveConvex(drawn.island, kCanalTolerance, 60).converged) << seed;
    const VectorXd at = drawn.delta();
    EXPECT_LT(drawn.CalcGradient(ContactLaw::kConvex, at).norm(), 1.1 * kCanalTolerance) << seed;
    EXPECT_LT((drawn.lambda() - drawn.CalcImpulse(ContactLaw::kConvex, at)).norm(), kCanalTolerance);
    for (int i = 0; i < 20; ++i) {
      const VectorXd other = at + random.LogUniform(1e-3, 1.0) * random.Vector(drawn.island.num_dofs());
      // h is strongly convex with modulus one: A has become the identity.
      EXPECT_GE(drawn.CalcObjective(other) - drawn.CalcObjective(at), 0.4999 * (other - at).squaredNorm());
    }
  }
}

TEST(CanalSystem, StrictSolutionHasNoResidual) {
  int converged = 0;
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    DrawnSystem drawn(seed);
    if (!drawn.system.SolveStrict(drawn.island, kCanalTolerance, 30).converged) continue;
    ++converged;
    EXPECT_LT(drawn.CalcGradient(ContactLaw::kStrict, drawn.delta()).norm(), 1.1 * kCanalTolerance) << seed;
    EXPECT_LT((drawn.lambda() - drawn.CalcImpulse(ContactLaw::kStrict, drawn.delta())).norm(),
              kCanalTolerance)
        << seed;
  }
  EXPECT_GE(converged, kSeeds / 2);  // a method without a guarantee far from its solution
}

TEST(CanalSystem, FailedStrictSolveNeverWorsensTheResidual) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    DrawnSystem drawn(seed);
    const double before = drawn.CalcGradient(ContactLaw::kStrict, drawn.delta()).norm();
    drawn.system.SolveStrict(drawn.island, kCanalTolerance, 3);
    EXPECT_LE(drawn.CalcGradient(ContactLaw::kStrict, drawn.delta()).norm(), before + kCanalTolerance);
    // g and λ belong to the point returned.
    const VectorXd g = Eigen::Map<const VectorXd>(drawn.system.g.data(), drawn.island.num_rows());
    EXPECT_LT((g - drawn.CalcVelocity(drawn.delta())).norm(), 1e-12);  // sums of a few dozen terms
    EXPECT_LT((drawn.lambda() - drawn.CalcImpulse(ContactLaw::kStrict, drawn.delta())).norm(),
              kCanalTolerance);
  }
}

// One step d of a Newton method solves K d = a r, with K by finite differences: blocks, edges, both
// triangles.
void ExpectNewtonStep(ContactLaw law) {
  int moved = 0;
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    DrawnSystem drawn(seed);
    const VectorXd before = drawn.delta(), r = drawn.CalcGradient(law, before);
    const MatrixXd K = drawn.CalcJacobianByDifferences(law, before);
    if (law == ContactLaw::kStrict) {
      drawn.system.SolveStrict(drawn.island, 1e-12, 1);
    } else {
      drawn.system.SolveConvex(drawn.island, 1e-12, 1);
      EXPECT_LT((K - K.transpose()).norm(), 1e-7 * K.norm());  // rounding over the difference of 1e-6
    }
    const VectorXd K_d = K * (before - drawn.delta());
    if (K_d.norm() == 0.0) continue;
    ++moved;
    const double a = K_d.dot(r) / r.squaredNorm();
    EXPECT_LT((K_d - a * r).norm(), 1e-6 * r.norm()) << seed;  // as above, times the condition of K
    if (law == ContactLaw::kStrict) {
      EXPECT_NEAR(std::log2(a), std::round(std::log2(a)), 1e-5) << seed;
    }
  }
  EXPECT_GE(moved, 3 * kSeeds / 4);
}

TEST(CanalSystem, StrictStepsSolveWithTheJacobian) {
  ExpectNewtonStep(ContactLaw::kStrict);
}
TEST(CanalSystem, ConvexStepsSolveWithTheHessian) {
  ExpectNewtonStep(ContactLaw::kConvex);
}

TEST(CanalSystem, ConvexStepsMinimiseAlongTheLine) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    DrawnSystem drawn(seed);
    const VectorXd before = drawn.delta();
    drawn.system.SolveConvex(drawn.island, 1e-12, 1);
    const VectorXd d = drawn.delta() - before;
    const double slope0 = d.dot(drawn.CalcGradient(ContactLaw::kConvex, before));
    const double slope = d.dot(drawn.CalcGradient(ContactLaw::kConvex, drawn.delta()));
    EXPECT_LT(slope0, 0.0);
    EXPECT_LE(std::abs(slope), 0.1001 * std::abs(slope0))
        << seed;  // the line search's own tolerance is a tenth
  }
}

// A block pressed onto a gentle slope sticks from the first iterate to the last: the strict problem is
// linear.
TEST(CanalSystem, SticksInOneStep) {
  const ContactProblem problem = stiction::testing::MakeBlockOnPlane(0.8, 0.05, 0.0);
  BranchSparseFactor factor;
  ASSERT_EQ(factor.Factor(problem.A), -1);
  ScaledProblem scaled;
  scaled.Assign(problem, factor);
  IslandPartition partition;
  partition.Assign(problem);
  Island island;
  island.Assign(problem, scaled, partition, 0);
  CanalSystem system;
  system.Assign(island);
  const CanalSystem::Outcome outcome = system.SolveStrict(island, 1e-12, 5);
  EXPECT_TRUE(outcome.converged);
  EXPECT_EQ(outcome.newton_steps, 1);
}

}  // namespace
}  // namespace stiction
