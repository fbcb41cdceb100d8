#include "live/stillness.h"

#include <gtest/gtest.h>

#include "tests/support/scenes.h"

namespace stiction::viewer {
namespace {

using testing::Shift;
using testing::Turn;

constexpr double kFrame = 1.0 / 60.0, kReach = 2.0, kTolerance = 1e-3;

// Looks at frames of a motion from `start` for a second; how many of the last half second were still.
template <typename Motion>
int CountStill(Stillness& stillness, double start, const Motion& X_WB) {
  int count = 0;
  for (int frame = 0; frame < 60; ++frame) {
    const double time = start + frame * kFrame;
    count += stillness.Look(time, {RigidTransform{}, X_WB(time)}, kReach, kTolerance) && frame >= 30;
  }
  return count;
}

TEST(Stillness, WhatRestsIsStillAfterAWhile) {
  Stillness stillness;
  EXPECT_FALSE(stillness.Look(0.0, {Shift(1, 0, 0)}, kReach, kTolerance));
  EXPECT_FALSE(stillness.Look(0.2, {Shift(1, 0, 0)}, kReach, kTolerance));
  EXPECT_TRUE(stillness.Look(0.4, {Shift(1, 0, 0)}, kReach, kTolerance));
  EXPECT_TRUE(stillness.Look(0.5, {Shift(1, 0, 0.5 * kTolerance)}, kReach, kTolerance));
  EXPECT_EQ(stillness.poses().at(0).p, Vector3d(1, 0, 0)) << "what is seen is the same to the bit";
}

TEST(Stillness, MotionIsSeenRestTrembleAndCreepAreNot) {
  Stillness stillness;
  const auto flies = [](double t) { return Shift(t, 0, 0); };
  const auto turns = [](double t) { return Turn(t, Vector3d::UnitZ()); };
  const auto creeps = [](double t) { return Shift(2.0 * kTolerance * t, 0, 0); };
  const auto trembles = [](double t) { return Shift(0, 0.45 * kTolerance * std::sin(500.0 * t), 0); };
  EXPECT_EQ(CountStill(stillness, 0.0, flies), 0);
  EXPECT_EQ(CountStill(stillness, 1.0, trembles), 30);
  EXPECT_EQ(CountStill(stillness, 2.0, turns), 0);
  EXPECT_EQ(CountStill(stillness, 3.0, creeps), 30);
  EXPECT_EQ(CountStill(stillness, 4.0, flies), 0);
}

TEST(Stillness, AnotherSceneIsNotStill) {
  Stillness stillness;
  stillness.Look(0.0, {RigidTransform{}}, kReach, kTolerance);
  EXPECT_TRUE(stillness.Look(1.0, {RigidTransform{}}, kReach, kTolerance));
  EXPECT_FALSE(stillness.Look(1.1, {RigidTransform{}, RigidTransform{}}, kReach, kTolerance));
}

}  // namespace
}  // namespace stiction::viewer
