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

TEST(Geom, FrictionBeyondAllUseCountsAsTheMost) {
  Model model;
  model.geoms = {{.friction = 1e12}, {.friction = 0.5}, {.friction = 0.5}};
  EXPECT_EQ(CalcFriction(model, 0, 1).sliding, kMaxFriction);
  EXPECT_EQ(CalcFriction(model, 1, 2).sliding, 0.5);
  model.contact_pairs.push_back({.geom_a = 1, .geom_b = 2, .friction = {.sliding = 1e9, .torsional = 1e9}});
  EXPECT_EQ(CalcFriction(model, 1, 2).sliding, kMaxFriction);
  EXPECT_EQ(CalcFriction(model, 1, 2).torsional, 1e9);
}

}  // namespace
}  // namespace stiction
