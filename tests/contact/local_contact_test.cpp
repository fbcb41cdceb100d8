#include "contact/local_contact.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "stiction/math/rotation.h"
#include "tests/support/dense_certificate.h"
#include "tests/support/random_numbers.h"

namespace stiction {
namespace {

using stiction::testing::ProjectByGeometry;
using stiction::testing::RandomNumbers;

// Natural-map residual of De Saxcé's form, relative to the free velocity.
double CalcResidual(const Matrix3d& D, const Vector3d& v, double mu, const Vector3d& lambda) {
  const double w = D.trace() / 3.0;
  const Vector3d u = D * lambda + v, s = u + Vector3d(0, 0, mu * u.head<2>().norm());
  return w * (lambda - ProjectByGeometry(lambda - s / w, mu)).norm() / v.norm();
}

Vector3d Solve(const Matrix3d& D, const Vector3d& v, double mu, const Vector3d& previous = Vector3d::Zero()) {
  return SolveSingleContact(D, D.inverse(), v, mu, previous);
}

// The Delassus block of a rigid body touched at p: strongly coupled when p is long against the radius of
// gyration.
Matrix3d DrawRigidBodyBlock(RandomNumbers& random, double lever) {
  const Vector3d p = lever * random.Vector3();
  Matrix3d inverse_inertia = Matrix3d::Zero();
  for (int i = 0; i < 3; ++i) inverse_inertia(i, i) = random.LogUniform(0.3, 30.0);
  const Matrix3d R = QuaternionExp(random.Vector3(3.0)).toRotationMatrix();
  const Matrix3d D = Matrix3d::Identity() - Skew(p) * R * inverse_inertia * R.transpose() * Skew(p);
  return random.LogUniform(1e-3, 1e3) * D;
}

struct Count {
  int open = 0, stick = 0, slide = 0;
};

Count ExpectSolvesRandomBlocks(unsigned seed, double lever, double tolerance) {
  RandomNumbers random(seed);
  Count count;
  for (int i = 0; i < 50000; ++i) {
    const Matrix3d D = DrawRigidBodyBlock(random, lever);
    const Vector3d v = random.LogUniform(1e-3, 1e3) * random.Vector3(), guess = random.Vector3();
    const double mu = random.LogUniform(0.01, 3.0);
    const Vector3d lambda = Solve(D, v, mu, i % 2 ? guess : Vector3d(Vector3d::Zero()));
    EXPECT_LT(CalcResidual(D, v, mu, lambda), tolerance) << "block " << i;
    if (lambda[2] == 0.0) {
      ++count.open;
    } else {
      ++((D * lambda + v).head<2>().norm() < 1e-9 * v.norm() ? count.stick : count.slide);
    }
  }
  return count;
}

TEST(LocalContact, SolvesWeaklyCoupledBlocks) {
  const Count count = ExpectSolvesRandomBlocks(1, 0.3, 1e-13);
  EXPECT_GT(count.open, 10000);
  EXPECT_GT(count.stick, 2000);
  EXPECT_GT(count.slide, 2000);
}

TEST(LocalContact, SolvesStronglyCoupledBlocks) {
  const Count count = ExpectSolvesRandomBlocks(2, 3.0, 1e-12);
  EXPECT_GT(count.open, 10000);
  EXPECT_GT(count.stick, 2000);
  EXPECT_GT(count.slide, 2000);
}

// As a contact's block is where others that slide have been eliminated.
TEST(LocalContact, SolvesBlocksThatAreNotSymmetric) {
  RandomNumbers random(8);
  int slide = 0;
  for (int i = 0; i < 20000; ++i) {
    Matrix3d D = DrawRigidBodyBlock(random, 0.3);
    D += 0.1 * D.trace() * Skew(random.Vector3());
    const Vector3d v = random.Vector3();
    const double mu = random.LogUniform(0.01, 1.0);
    const Vector3d lambda = Solve(D, v, mu, random.Vector3());
    EXPECT_LT(CalcResidual(D, v, mu, lambda), 1e-12) << "block " << i;
    slide += lambda[2] > 0.0 && (D * lambda + v).head<2>().norm() > 1e-9;
  }
  EXPECT_GT(slide, 2000);
}

TEST(LocalContact, WithoutFrictionOnlyTheNormalActs) {
  RandomNumbers random(3);
  for (int i = 0; i < 1000; ++i) {
    const Matrix3d D = DrawRigidBodyBlock(random, 1.0);
    const Vector3d v = random.Vector3(), lambda = Solve(D, v, 0.0);
    EXPECT_EQ(lambda, Vector3d(0, 0, v[2] > 0.0 ? 0.0 : -v[2] / D(2, 2)));
    EXPECT_LT(CalcResidual(D, v, 0.0, lambda), 1e-14);  // one quotient and one product
  }
}

TEST(LocalContact, SeparatingContactIsExactlyOpen) {
  RandomNumbers random(4);
  for (int i = 0; i < 1000; ++i) {
    Vector3d v = random.Vector3();
    v[2] = std::abs(v[2]) + 1e-9;
    EXPECT_EQ(Solve(DrawRigidBodyBlock(random, 1.0), v, 0.8, random.Vector3()), Vector3d::Zero());
  }
}

// v_n = 0: the plane of sliding passes through the cone's tip.
TEST(LocalContact, GrazingContactIsSolved) {
  RandomNumbers random(5);
  for (int i = 0; i < 20000; ++i) {
    const Matrix3d D = DrawRigidBodyBlock(random, i % 2 ? 0.3 : 3.0);
    Vector3d v = random.Vector3();
    v[2] = 0.0;
    const double mu = random.LogUniform(0.01, 3.0);
    EXPECT_LT(CalcResidual(D, v, mu, Solve(D, v, mu)), 1e-12) << "block " << i;
  }
}

TEST(LocalContact, RestingContactNeedsNoImpulse) {
  const Matrix3d D = Matrix3d::Identity();
  EXPECT_EQ(Solve(D, Vector3d::Zero(), 0.5), Vector3d::Zero());
  EXPECT_EQ(Solve(D, Vector3d::Zero(), 0.0), Vector3d::Zero());
}

TEST(LocalContact, DiagonalBlockSlidesAgainstTheVelocity) {
  const Matrix3d D = Vector3d(2, 2, 0.5).asDiagonal();
  const Vector3d v(3, 4, -1);
  // λ_n = 1/0.5; friction μ λ_n against (3, 4)/5.
  EXPECT_LT((Solve(D, v, 0.25) - Vector3d(-0.3, -0.4, 2)).norm(), 1e-15);
  // The limit of sticking is λ_t = 2.5 = μ λ_n at μ = 1.25.
  EXPECT_LT((Solve(D, v, 1.26) - Vector3d(-1.5, -2, 2)).norm(), 1e-15);
}

// Turning the tangents turns the impulse: no angle is special, not even those of the search grid.
TEST(LocalContact, TurnsWithItsFrame) {
  RandomNumbers random(6);
  for (int i = 0; i < 64; ++i) {
    const Matrix3d R = QuaternionExp(Vector3d(0, 0, i * M_PI / 32)).toRotationMatrix();
    const Matrix3d D = Vector3d(2, 2, 0.5).asDiagonal();
    const Vector3d v(1, 0, -1), turned = Solve(R * D * R.transpose(), R * v, 0.1);
    EXPECT_LT((turned - R * Solve(D, v, 0.1)).norm(), 1e-14);
  }
}

// A guess only chooses where the search starts.
TEST(LocalContact, UniqueSolutionsDoNotDependOnTheGuess) {
  RandomNumbers random(7);
  for (int i = 0; i < 2000; ++i) {
    const Matrix3d D = DrawRigidBodyBlock(random, 0.3);
    const Vector3d v = random.Vector3();
    const Vector3d cold = Solve(D, v, 0.3), warm = Solve(D, v, 0.3, cold),
                   other = Solve(D, v, 0.3, random.Vector3());
    EXPECT_LT((warm - cold).norm(), 1e-13 * cold.norm() + 1e-300);
    EXPECT_LT((other - cold).norm(), 1e-13 * cold.norm() + 1e-300);
  }
}

}  // namespace
}  // namespace stiction
