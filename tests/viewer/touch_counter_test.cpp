#include "live/touch_counter.h"

#include <gtest/gtest.h>

namespace stiction::viewer {
namespace {

std::vector<Contact> MakeTouch(double impulse) {
  const Vector3d n = Vector3d::UnitZ();
  return {{.geom_a = 0, .geom_b = 1, .p_W = n, .n_W = n, .impulse_W = impulse * n}};
}

TEST(TouchCounter, PairsComeAndGoInAnyOrder) {
  const auto touches = [](std::initializer_list<int> geoms) {
    std::vector<Contact> contacts;
    for (const int geom : geoms) {
      contacts.push_back(MakeTouch(1.0).front());
      contacts.back().geom_b = geom;
    }
    return contacts;
  };
  TouchCounter counter;
  EXPECT_EQ(counter.Count(0.00, touches({})), 0);
  EXPECT_EQ(counter.Count(0.01, touches({1, 2, 2, 3})), 3);
  EXPECT_EQ(counter.Count(0.02, touches({3, 1, 2, 3})), 0);
  EXPECT_EQ(counter.Count(0.03, touches({1, 4, 3})), 1);
  EXPECT_EQ(counter.Count(0.04, touches({1})), 0);
  EXPECT_EQ(counter.Count(0.05, touches({2})), 0) << "for 0.03 s alone it was not there";
  EXPECT_EQ(counter.Count(0.085, touches({4, 3, 2, 1})), 2) << "3 and 4 were away longer";
  counter.Clear();
  EXPECT_EQ(counter.Count(0.09, touches({5, 4})), 0) << "touched from the start";
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
