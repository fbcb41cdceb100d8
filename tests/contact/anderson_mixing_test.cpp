#include "contact/anderson_mixing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace stiction {
namespace {

// u ← Q u + c, where Q is a symmetric matrix whose eigenvalues lie between -0.5 and 0.999.
std::vector<double> Contract(const std::vector<double>& u) {
  const int n = static_cast<int>(u.size());
  std::vector<double> axis(n), mirrored(u);
  double length = 0.0, along = 0.0;
  for (int i = 0; i < n; ++i) axis[i] = 1.0 + 0.3 * i, length += axis[i] * axis[i];
  const auto mirror = [&](std::vector<double>& x) {
    along = 0.0;
    for (int i = 0; i < n; ++i) along += axis[i] * x[i];
    for (int i = 0; i < n; ++i) x[i] -= 2.0 * along / length * axis[i];
  };
  mirror(mirrored);
  for (int i = 0; i < n; ++i) mirrored[i] *= -0.5 + 1.499 * i / (n - 1);
  mirror(mirrored);
  for (int i = 0; i < n; ++i) mirrored[i] += std::sin(1.0 + i);
  return mirrored;
}

double Distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

// Iterations until an image is that close to its state.
int CountIterations(int size, int columns, double accuracy) {
  AndersonMixing mixing;
  mixing.Assign(size, columns);
  std::vector<double> state(size, 0.0);
  for (int k = 1; k <= 100000; ++k) {
    std::vector<double> image = Contract(state);
    if (Distance(image, state) < accuracy) return k;
    mixing.Mix(state, image);
    state = image;
  }
  return 100001;
}

// In exact arithmetic the state after n + 1 images of n unknowns is the solution.
TEST(AndersonMixing, SolvesLinearIterationsInAsManyStepsAsUnknowns) {
  for (int size : {2, 5, 9}) {
    EXPECT_GT(CountIterations(size, 0, 1e-8), 1000) << size;
    EXPECT_LE(CountIterations(size, size, 1e-8), size + 3) << size;
  }
}

TEST(AndersonMixing, FewerColumnsThanUnknownsHelpToo) {
  EXPECT_LT(CountIterations(30, 5, 1e-8), CountIterations(30, 0, 1e-8) / 10);
}

TEST(AndersonMixing, TakesBackAStepAfterWhichTheResidualGrows) {
  AndersonMixing mixing;
  mixing.Assign(2, 3);
  std::vector<double> image{1.0, 0.0};
  mixing.Mix({0.0, 0.0}, image);
  EXPECT_EQ(image, (std::vector{1.0, 0.0}));
  image = {1.5, 0.1};
  mixing.Mix({1.0, 0.0}, image);
  EXPECT_GT(Distance(image, {1.5, 0.1}), 0.1);  // another state is tried
  image = {40.0, -30.0};
  mixing.Mix({2.0, 0.0}, image);
  EXPECT_EQ(image, (std::vector{1.5, 0.1}));
  image = {1.6, 0.2};  // and nothing is left of what was known
  mixing.Mix({1.5, 0.1}, image);
  EXPECT_EQ(image, (std::vector{1.6, 0.2}));
}

TEST(AndersonMixing, IsTheSameAfterItHasBeenUsed) {
  AndersonMixing used;
  std::vector<double> once{1.0, 2.0, 3.0}, twice = once;
  used.Assign(3, 4);
  for (int k = 0; k < 7; ++k) {
    const std::vector<double> state = once;
    once = Contract(once);
    used.Mix(state, once);
  }
  used.Assign(3, 4);
  for (int k = 0; k < 7; ++k) {
    const std::vector<double> state = twice;
    twice = Contract(twice);
    used.Mix(state, twice);
  }
  EXPECT_EQ(once, twice);
}

}  // namespace
}  // namespace stiction
