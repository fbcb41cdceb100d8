// Least values in a box: by the conditions of Karush, Kuhn and Tucker.
#include "math/box_minimum.h"

#include <gtest/gtest.h>

#include "tests/support/random_model.h"

namespace stiction::testing {
namespace {

TEST(BoxMinimum, MeetsTheConditionsOfItsBounds) {
  Random random(3);
  BoxMinimum minimum;
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + trial % 12;
    MatrixXd root(n, n);
    for (int i = 0; i < n; ++i) root.col(i) = random.Vector(n, 1.0);
    // From well to badly conditioned.
    const MatrixXd H = root * root.transpose() + std::pow(10.0, -trial % 7) * MatrixXd::Identity(n, n);
    const VectorXd g = random.Vector(n, 1.0);
    const VectorXd lower = random.Vector(n, 0.2).array() - 0.2;
    const VectorXd upper = lower + random.Vector(n, 0.3).cwiseAbs();
    VectorXd x = random.Vector(n, 1.0);
    minimum.Find(H, g, lower, upper, x);
    const VectorXd gradient = H * x + g;
    for (int i = 0; i < n; ++i) {
      ASSERT_GE(x[i], lower[i]);
      ASSERT_LE(x[i], upper[i]);
      if (x[i] == lower[i]) {
        EXPECT_GE(gradient[i], -1e-9) << trial;
      } else if (x[i] == upper[i]) {
        EXPECT_LE(gradient[i], 1e-9) << trial;
      } else {
        EXPECT_NEAR(gradient[i], 0.0, 1e-9 * (1.0 + H.norm())) << trial;
      }
    }
  }
}

}  // namespace
}  // namespace stiction::testing
