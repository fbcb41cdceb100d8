#include <gtest/gtest.h>

#include "stiction/model/geom.h"

namespace stiction {
namespace {

TEST(Geom, PairTakesTheLargerFriction) {
  EXPECT_EQ(CalcPairFriction({.friction = 0.3}, {.friction = 0.8}).sliding, 0.8);
}

TEST(Geom, HigherPriorityDecidesAlone) {
  EXPECT_EQ(CalcPairFriction({.friction = 0.3, .priority = 1}, {.friction = 0.8}).sliding, 0.3);
  EXPECT_EQ(CalcPairFriction({.friction = 0.3, .condim = 1, .priority = 1}, {.friction = 0.8}).sliding, 0.0);
  EXPECT_EQ(CalcPairFriction({.friction = 0.3, .condim = 1}, {.friction = 0.8, .priority = 1}).sliding, 0.8);
}

TEST(Geom, OnlyTwoFrictionlessGeomsOfEqualPrioritySlideFreely) {
  EXPECT_EQ(CalcPairFriction({.friction = 0.3, .condim = 1}, {.friction = 0.8, .condim = 1}).sliding, 0.0);
  EXPECT_EQ(CalcPairFriction({.friction = 0.3, .condim = 1}, {.friction = 0.8, .condim = 3}).sliding, 0.8);
}

}  // namespace
}  // namespace stiction
