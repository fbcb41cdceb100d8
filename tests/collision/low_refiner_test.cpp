// Lows of one field's surface, from samples on to between them.
#include "collision/narrowphase/low_refiner.h"

#include <gtest/gtest.h>

#include "tests/collision/field_solids.h"

namespace stiction::test {
namespace {

using narrowphase::LowRefiner;
using narrowphase::SampleSearch;
using narrowphase::SurfaceLeast;

constexpr double kExactLow = 1e-8, kLowReach = 2e-3;  // [m]

// The first that a refiner takes at once.
std::vector<SurfaceLeast> FindLows(const SolidPair& pair) {
  SampleSearch search(*pair.a, *pair.b, pair.X_AB, kLowReach, CalcPatch(*pair.a, *pair.b), kExactLow);
  std::vector<SurfaceLeast> lows;
  search.ForEach([&](const SurfaceLeast& low) {
    if (lows.size() < LowRefiner::kMaxLows) lows.push_back(low);
  });
  return lows;
}
LowRefiner MakeRefiner(const SolidPair& pair) {
  return {*pair.a, *pair.b, pair.X_AB, kLowReach, kExactLow};
}

// Never up.
TEST(LowRefiner, RefinesToTheLeastBetweenSamples) {
  Random random(23);
  int refined = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const SolidPair pair = RandomSolids(random, trial);
    LowRefiner refiner = MakeRefiner(pair);
    for (const SurfaceLeast& from : FindLows(pair)) {
      SurfaceLeast least = from;
      if (refiner.Refine({&least, 1}) == 0) continue;
      EXPECT_LE(least.value, from.value);
      EXPECT_LT(std::abs(pair.b->field.CalcValue(least.p)), 2.0 * kExactLow);
      EXPECT_NEAR(pair.a->field.CalcValue(pair.X_AB * least.p), least.value, 1e-13);  // as packs are
      refined += least.value < from.value;
    }
  }
  EXPECT_GT(refined, 300);
}

// Bit for bit: what shares a pack, and where the last pack is filled up, makes no difference.
TEST(LowRefiner, TakesEachTheSameWayInAnyCompany) {
  Random random(24);
  int together = 0, dropped = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const SolidPair pair = RandomSolids(random, trial);
    LowRefiner refiner = MakeRefiner(pair);
    std::vector<SurfaceLeast> lows = FindLows(pair), alone;
    for (SurfaceLeast low : lows)
      if (refiner.Refine({&low, 1}) == 1) alone.push_back(low);
    const auto count = static_cast<std::size_t>(refiner.Refine(lows));
    ASSERT_EQ(count, alone.size());
    for (std::size_t k = 0; k < count; ++k) {
      EXPECT_EQ(lows[k].sample, alone[k].sample);
      EXPECT_EQ(lows[k].p, alone[k].p);
      EXPECT_EQ(lows[k].gap, alone[k].gap);
      EXPECT_EQ(lows[k].gradient, alone[k].gradient);
    }
    together += count > 1, dropped += count < lows.size();
  }
  EXPECT_GT(together, 100);
  EXPECT_GT(dropped, 20);
}

}  // namespace
}  // namespace stiction::test
