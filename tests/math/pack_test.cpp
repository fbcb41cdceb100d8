#include "math/pack.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "tests/support/random_numbers.h"

namespace stiction {
namespace {

using Random = stiction::testing::RandomNumbers;

TEST(Pack, LoadsStoresAndSelects) {
  double numbers[kPackSize], out[kPackSize];
  for (int k = 0; k < kPackSize; ++k) numbers[k] = k % 2 == 0 ? -1.5 - k : 2.0 + k;
  const Pack x = LoadPack(numbers);
  StorePack(Select(x < 0.0, FillPack(7.0), x), out);
  for (int k = 0; k < kPackSize; ++k) {
    EXPECT_EQ(out[k], k % 2 == 0 ? 7.0 : numbers[k]);
    EXPECT_EQ(Abs(x)[k], std::abs(numbers[k]));
    EXPECT_EQ(Max(x, FillPack(0.5))[k], std::fmax(numbers[k], 0.5));
    EXPECT_EQ(Sqrt(Abs(x))[k], std::sqrt(std::abs(numbers[k])));
  }
}

// In all eight eighths, near their ends too, and on the axes.
TEST(Pack, AngleIsThatOfTheLibrary) {
  Random random(3);
  for (int trial = 0; trial < 20000; ++trial) {
    const double angle = random.Uniform(-3.2, 3.2), length = std::exp(random.Uniform(-20.0, 20.0));
    const double x = length * std::cos(angle), y = length * std::sin(angle);
    EXPECT_NEAR(Atan2(FillPack(y), FillPack(x))[0], std::atan2(y, x), 1e-15);
  }
  for (const auto& [y, x] :
       {std::pair(0.0, 1.0), {1.0, 0.0}, {-1.0, 0.0}, {1.0, 1.0}, {-1.0, -1.0}, {0.0, -1.0}})
    EXPECT_NEAR(Atan2(FillPack(y), FillPack(x))[0], std::atan2(y, x), 1e-15) << y << ", " << x;
  EXPECT_EQ(Atan2(FillPack(0.0), FillPack(0.0))[0], 0.0);
}

}  // namespace
}  // namespace stiction
