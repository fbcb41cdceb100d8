#include "stiction/model/geom.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

TEST(Geom, PairTakesTheLargerFriction) {
  EXPECT_EQ(CalcPairFriction({.friction = 0.3}, {.friction = 0.8}), 0.8);
}

TEST(Geom, HigherPriorityDecidesAlone) {
  EXPECT_EQ(CalcPairFriction({.friction = 0.3, .priority = 1}, {.friction = 0.8}), 0.3);
  EXPECT_EQ(CalcPairFriction({.friction = 0.3, .condim = 1, .priority = 1}, {.friction = 0.8}), 0.0);
  EXPECT_EQ(CalcPairFriction({.friction = 0.3, .condim = 1}, {.friction = 0.8, .priority = 1}), 0.8);
}

TEST(Geom, OnlyTwoFrictionlessGeomsOfEqualPrioritySlideFreely) {
  EXPECT_EQ(CalcPairFriction({.friction = 0.3, .condim = 1}, {.friction = 0.8, .condim = 1}), 0.0);
  EXPECT_EQ(CalcPairFriction({.friction = 0.3, .condim = 1}, {.friction = 0.8, .condim = 3}), 0.8);
}

}  // namespace
}  // namespace stiction
