#include "live/touch_counter.h"

#include <gtest/gtest.h>

namespace stiction::viewer {
namespace {

std::vector<Contact> MakeTouch(double impulse) {
  const Vector3d n = Vector3d::UnitZ();
  return {{.geom_a = 0, .geom_b = 1, .p_W = n, .n_W = n, .impulse_W = impulse * n}};
}

// Steps that only repeat the one before carry what it carried: a short gap after them is none after long
// ones.
TEST(TouchCounter, RepeatedStepsCarryWhatTheyRepeat) {
  TouchCounter counter;
  EXPECT_EQ(counter.Count(0.00, MakeTouch(0.0)), 0);
  EXPECT_EQ(counter.Count(0.01, MakeTouch(1.0)), 1);
  for (int i = 2; i <= 100; ++i) counter.Repeat(0.01 * i);
  EXPECT_EQ(counter.Count(1.01, MakeTouch(1.0)), 0);
  counter.Repeat(2.00);
  EXPECT_EQ(counter.Count(2.01, MakeTouch(0.0)), 0);
  EXPECT_EQ(counter.Count(2.03, MakeTouch(1.0)), 0);
  EXPECT_EQ(counter.Count(2.04, MakeTouch(0.0)), 0);
  EXPECT_EQ(counter.Count(2.20, MakeTouch(1.0)), 1);
}

}  // namespace
}  // namespace stiction::viewer
