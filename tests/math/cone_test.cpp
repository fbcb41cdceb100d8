#include "stiction/math/cone.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "tests/support/random_numbers.h"

namespace stiction {
namespace {

using stiction::testing::RandomNumbers;

constexpr double kMus[] = {0.0, 0.05, 0.5, 1.0, 3.0};
constexpr double kConeTolerance = 1e-15;  // a dozen roundings, relative to the input

double TangentNorm(const Vector3d& x) {
  return x.head<2>().norm();
}

// In K_μ up to rounding of numbers as large as `size`.
bool IsInCone(const Vector3d& y, double mu, double size) {
  return TangentNorm(y) <= mu * y[2] + kConeTolerance * size;
}

// Vectors of all regions and sizes, and the borders between regions.
Vector3d DrawVector(RandomNumbers& random, double mu) {
  Vector3d x = random.LogUniform(1e-6, 1e6) * random.Vector3();
  const int choice = random.Index(12);
  if (choice == 0) x.head<2>() *= mu * std::abs(x[2]) / TangentNorm(x);  // on K or on −K
  if (choice == 1 && mu > 0.0) x[2] = -mu * TangentNorm(x);              // on the polar cone
  if (choice == 2) x.head<2>().setZero();
  if (choice == 3) x[2] = 0.0;
  return x;
}

TEST(ProjectCone, IsIdempotentAndEndsInTheCone) {
  RandomNumbers random(1);
  for (int i = 0; i < 20000; ++i) {
    const double mu = kMus[i % 5];
    const Vector3d x = DrawVector(random, mu), y = ProjectCone(x, mu);
    EXPECT_TRUE(IsInCone(y, mu, x.norm()));
    EXPECT_LE((ProjectCone(y, mu) - y).norm(), kConeTolerance * x.norm());
  }
}

TEST(ProjectCone, IsNonExpansive) {
  RandomNumbers random(2);
  for (int i = 0; i < 20000; ++i) {
    const double mu = kMus[i % 5];
    const Vector3d a = DrawVector(random, mu), b = DrawVector(random, mu);
    EXPECT_LE((ProjectCone(a, mu) - ProjectCone(b, mu)).norm(), (a - b).norm() * (1.0 + kConeTolerance));
  }
}

// x = P_K(x) + P_K°(x), orthogonal, with the polar cone K° = −K* = {x_n <= −μ‖x_t‖}.
TEST(ProjectCone, SplitsOrthogonallyIntoConeAndPolarCone) {
  RandomNumbers random(3);
  for (int i = 0; i < 20000; ++i) {
    const double mu = kMus[i % 5];
    const Vector3d x = DrawVector(random, mu), y = ProjectCone(x, mu), polar = x - y;
    EXPECT_LE(std::abs(y.dot(polar)), 2.0 * kConeTolerance * x.squaredNorm());
    EXPECT_LE(polar[2], -mu * TangentNorm(polar) + 5.0 * kConeTolerance * x.norm());
  }
}

// No point of a grid over the cone is closer, and the closest one lies within the grid's width.
TEST(ProjectCone, IsTheClosestPointByBruteForce) {
  RandomNumbers random(4);
  for (double mu : {0.3, 1.0, 2.0}) {
    for (int i = 0; i < 10; ++i) {
      const Vector3d x = random.Vector3(), y = ProjectCone(x, mu);
      double best = std::numeric_limits<double>::infinity();
      for (int n = 0; n <= 100; ++n) {
        for (int angle = 0; angle < 120; ++angle) {
          for (int s = 0; s <= 20; ++s) {
            const double height = 0.02 * n, radius = mu * height * s / 20.0, theta = angle * M_PI / 60.0;
            const Vector3d point(radius * std::cos(theta), radius * std::sin(theta), height);
            best = std::min(best, (x - point).norm());
          }
        }
      }
      EXPECT_GE(best, (x - y).norm() * (1.0 - kConeTolerance));
      EXPECT_LE(best, (x - y).norm() + 0.2);  // 2·μ·(cell of 1/20 in radius, of 1/60·π in angle), at most
    }
  }
}

// λ = T(x) for x = λ_old − β g obeys Coulomb's law with the velocity z = (λ − x)/β, for any β.
TEST(ClampCone, ObeysCoulombsLaw) {
  RandomNumbers random(5);
  for (int i = 0; i < 20000; ++i) {
    const double mu = kMus[i % 5], beta = random.LogUniform(1e-3, 1e3);
    const Vector3d x = DrawVector(random, mu), lambda = ClampCone(x, mu), z = (lambda - x) / beta;
    EXPECT_GE(lambda[2], 0.0);
    EXPECT_GE(z[2], 0.0);
    EXPECT_EQ(lambda[2] * z[2], 0.0);
    EXPECT_TRUE(IsInCone(lambda, mu, x.norm()));
    // Sliding: friction at its limit and against the velocity, ‖z_t‖ λ_t = −μ λ_n z_t.
    const Vector2d friction = TangentNorm(z) * lambda.head<2>() + mu * lambda[2] * z.head<2>();
    EXPECT_LE(friction.norm(), 5.0 * kConeTolerance * x.squaredNorm() * (1.0 + mu) / beta);
  }
}

TEST(Cone, OverloadsWithDerivativeGiveTheSameBits) {
  RandomNumbers random(6);
  for (int i = 0; i < 20000; ++i) {
    const double mu = kMus[i % 5];
    const Vector3d x = DrawVector(random, mu);
    Vector3d y;
    Matrix3d D;
    ProjectCone(x, mu, y, D);
    EXPECT_LE((y - ProjectCone(x, mu)).norm(), kConeTolerance * x.norm());
    ClampCone(x, mu, y, D);
    EXPECT_LE((y - ClampCone(x, mu)).norm(), kConeTolerance * x.norm());
  }
}

// Region by a margin, so that no difference quotient straddles a border.
enum class Region { kOpen, kStick, kSlip, kNone };

Region FindRegion(const Vector3d& x, double mu, bool is_strict) {
  const double margin = 1e-3, t = TangentNorm(x);
  if (t < mu * x[2] - margin) return Region::kStick;
  if (is_strict ? x[2] < -margin : mu * t < -x[2] - margin) return Region::kOpen;
  if (t > mu * x[2] + margin && (is_strict ? x[2] > margin : mu * t > -x[2] + margin)) return Region::kSlip;
  return Region::kNone;
}

using Operator = std::function<bool(const Vector3d&, double, Vector3d&, Matrix3d&)>;

void ExpectDerivativeMatchesDifferences(const Operator& apply, bool is_strict) {
  RandomNumbers random(7);
  int count[4] = {};
  for (int i = 0; i < 5000; ++i) {
    const double mu = kMus[i % 5];
    const Vector3d x = random.Vector3(2.0);
    const Region region = FindRegion(x, mu, is_strict);
    ++count[static_cast<int>(region)];
    if (region == Region::kNone || TangentNorm(x) < 0.05) continue;
    Vector3d y, high, low;
    Matrix3d D, unused, differences;
    const bool is_active = apply(x, mu, y, D);
    EXPECT_EQ(is_active, region != Region::kOpen);
    const double h = 1e-5;
    for (int k = 0; k < 3; ++k) {
      apply(x + h * Vector3d::Unit(k), mu, high, unused);
      apply(x - h * Vector3d::Unit(k), mu, low, unused);
      differences.col(k) = (high - low) / (2.0 * h);
    }
    // Truncation h²/6 times a third derivative of order μ x_n/‖x_t‖³.
    EXPECT_LT((D - differences).norm(), 1e-10 * (1.0 + mu * std::abs(x[2]) / std::pow(TangentNorm(x), 3)));
  }
  EXPECT_GT(count[static_cast<int>(Region::kOpen)], 500);
  EXPECT_GT(count[static_cast<int>(Region::kStick)], 500);
  EXPECT_GT(count[static_cast<int>(Region::kSlip)], 500);
}

TEST(ProjectCone, DerivativeMatchesDifferencesInEveryRegion) {
  ExpectDerivativeMatchesDifferences(
      [](const Vector3d& x, double mu, Vector3d& y, Matrix3d& D) { return ProjectCone(x, mu, y, D); }, false);
}

TEST(ClampCone, DerivativeMatchesDifferencesInEveryRegion) {
  ExpectDerivativeMatchesDifferences(
      [](const Vector3d& x, double mu, Vector3d& y, Matrix3d& D) { return ClampCone(x, mu, y, D); }, true);
}

// Eigenvalues 1, 0 and μ λ_n/‖x_t‖ in the slip region [Lee 2024, eq. (23)].
TEST(ProjectCone, SlipDerivativeIsSymmetricWithKnownInvariants) {
  RandomNumbers random(8);
  for (int i = 0; i < 1000; ++i) {
    const double mu = kMus[1 + i % 4];
    const Vector3d x = random.Vector3();
    if (FindRegion(x, mu, false) != Region::kSlip) continue;
    Vector3d y;
    Matrix3d D;
    ASSERT_TRUE(ProjectCone(x, mu, y, D));
    const double third = mu * y[2] / TangentNorm(x);
    EXPECT_LT((D - D.transpose()).norm(), kConeTolerance);
    EXPECT_NEAR(D.trace(), 1.0 + third, 5.0 * kConeTolerance * (1.0 + third));
    EXPECT_NEAR((D * D).trace(), 1.0 + third * third, 10.0 * kConeTolerance * (1.0 + third * third));
  }
}

TEST(Cone, ZeroMapsToZeroWithoutNan) {
  for (double mu : kMus) {
    EXPECT_EQ(ProjectCone(Vector3d::Zero(), mu), Vector3d::Zero());
    EXPECT_EQ(ClampCone(Vector3d::Zero(), mu), Vector3d::Zero());
    EXPECT_EQ(ProjectCone(Vector3d(0, 0, -1), mu), Vector3d::Zero());
    EXPECT_EQ(ClampCone(Vector3d(0, 0, -1), mu), Vector3d::Zero());
    EXPECT_EQ(ProjectCone(Vector3d(0, 0, 1), mu), Vector3d(0, 0, 1));
  }
}

}  // namespace
}  // namespace stiction
