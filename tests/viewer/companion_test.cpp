// What stands beside a run.
#include "live/companion.h"

#include <gtest/gtest.h>

#include <cmath>

#include "live/player.h"
#include "tests/support/scenes.h"

namespace stiction::viewer {
namespace {

CompanionView ViewOf(Player& player) {
  Snapshot snapshot;
  player.Fill(snapshot);
  return *snapshot.companion;
}

TEST(Companion, SaysHowFastItIsOnceItHasStepped) {
  Player player({testing::MakeBoxStack(1), {}, "", 1});
  player.Compare({.solver = "pgs_ncp"});
  EXPECT_EQ(ViewOf(player).rate, 0.0) << "not known yet";
  const int steps = static_cast<int>(std::ceil(0.3 / player.world().timestep()));
  for (int i = 0; i < steps; ++i) player.StepOnce();
  EXPECT_GT(ViewOf(player).rate, 0.0);
  player.Compare({.solver = "pgs_ncp"});
  EXPECT_EQ(ViewOf(player).rate, 0.0) << "another comparison";
}

TEST(Companion, IsCalledSlowOnlyWhereTimePassesItBy) {
  CompanionView companion;
  EXPECT_EQ(DescribeSlowness(companion), "") << "not known";
  companion.rate = 1.7;
  EXPECT_EQ(DescribeSlowness(companion), "");
  companion.rate = 0.312;
  EXPECT_EQ(DescribeSlowness(companion), "B runs at 0.31x real time");
  companion.is_log = true;
  EXPECT_EQ(DescribeSlowness(companion), "") << "a log takes no time";
}

}  // namespace
}  // namespace stiction::viewer
