#include "math/settle.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "stiction/math/rotation.h"
#include "tests/support/random_numbers.h"

namespace stiction {
namespace {

TEST(Settle, StaysWhereNothingChanges) {
  EXPECT_EQ(Settle(7, [](int x) { return x; }), 7);
}

TEST(Settle, FollowsToTheFixedPoint) {
  EXPECT_EQ(Settle(100, [](int x) { return x / 2; }), 0);
}

// 9 → 8 → 5 → 3 → 4 → 5: wherever one enters, the circle's smallest.
TEST(Settle, TakesTheSmallestOfACircle) {
  const auto round = [](int x) { return x == 5 ? 3 : x == 3 ? 4 : x == 4 ? 5 : x == 8 ? 5 : 8; };
  for (const int start : {9, 8, 5, 3, 4}) EXPECT_EQ(Settle(start, round), 3) << start;
}

// What it is for: a rotation matrix that becomes a quaternion and a matrix again, for ever.
TEST(Settle, EndsForRotations) {
  using Wxyz = std::array<double, 4>;
  const auto to_wxyz = [](const Matrix3d& R) {
    Wxyz wxyz;
    QuaternionToWxyz(Quaterniond(R), wxyz.data());
    for (double& x : wxyz) x = RoundTo15Places(x);
    return wxyz;
  };
  const auto to_matrix = [](const Wxyz& wxyz) {
    return Matrix3d(QuaternionFromWxyz(wxyz.data()).normalized().toRotationMatrix());
  };
  const auto settle = [&](const Matrix3d& R) {
    return Settle(to_wxyz(R), [&](const Wxyz& wxyz) { return to_wxyz(to_matrix(wxyz)); });
  };
  testing::RandomNumbers random(1);
  int changed = 0;
  for (int i = 0; i < 10'000; ++i) {
    const double angle = random.LogUniform(1e-9, 3.0);
    const Matrix3d R = QuaternionExp(random.Vector3(angle)).toRotationMatrix();
    const Wxyz settled = settle(R);
    EXPECT_EQ(settle(to_matrix(settled)), settled);
    EXPECT_LT((to_matrix(settled) - R).norm(), 1e-14);  // twice the largest of these
    changed += settled != to_wxyz(R);
  }
  EXPECT_GT(changed, 10);  // or there is nothing to settle
}

}  // namespace
}  // namespace stiction
