// The order of an integrator is told from errors that are its own.
#include "apps/runner/truth/order.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stiction::runner {
namespace {

TEST(Order, IsTheSmallerOfTheFinestTwoSlopes) {
  EXPECT_DOUBLE_EQ(FindOrder({.steps = {8, 4, 2, 1}, .errors = {1000, 64, 16, 2}}, 0.0), 2.0);
  EXPECT_DOUBLE_EQ(FindOrder({.steps = {4, 1}, .errors = {16, 1}}, 0.0), 2.0);
  EXPECT_TRUE(std::isnan(FindOrder({.steps = {1}, .errors = {1}}, 0.0)));
}

TEST(Order, LeavesOutWhatTheDigitsOfTheAnswerDecide) {
  const ErrorsOfSteps fourth{.steps = {8, 4, 2, 1}, .errors = {4096, 256, 16, 15}};
  EXPECT_LT(FindOrder(fourth, 0.0), 0.1);
  EXPECT_DOUBLE_EQ(FindOrder(fourth, 15.5), 4.0);
}

// Errors of 2 loops of windows after 10 s by Runge-Kutta's rule, and by how much a start that is disturbed by
// 1e-12 changes them.
TEST(Order, LeavesOutWhatRoundingDecides) {
  ErrorsOfSteps windows{.steps = {0.016, 0.008, 0.004, 0.002, 0.001},
                        .errors = {5.1e-6, 1.8e-7, 2.7e-9, 9.8e-9, 2.1e-9}};
  EXPECT_LT(FindOrder(windows, 1e-9), 0.0);
  windows.spreads = {1.5e-8, 2.1e-8, 1.1e-8, 1.3e-8, 4.5e-9};
  EXPECT_NEAR(FindOrder(windows, 1e-9), 4.8, 0.05);
  windows.spreads[1] = 0.2 * windows.errors[1];  // more than the slack of an order
  EXPECT_TRUE(std::isnan(FindOrder(windows, 1e-9)));
}

TEST(Order, LeavesOutRunsThatDiverged) {
  const double nan = std::nan("");
  EXPECT_DOUBLE_EQ(FindOrder({.steps = {4, 2, 1}, .errors = {nan, 4, 1}}, 0.0), 2.0);
  EXPECT_TRUE(std::isnan(FindOrder({.steps = {2, 1}, .errors = {4, 1}, .spreads = {nan, 0.0}}, 0.0)));
}

}  // namespace
}  // namespace stiction::runner
