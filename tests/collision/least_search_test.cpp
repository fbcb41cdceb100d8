// Where a patch of one field is least.
#include "collision/narrowphase/least_search.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/collision/field_solids.h"
#include "tests/collision/narrowphase_checks.h"
#include "tests/support/poses.h"

namespace stiction::test {
namespace {

using narrowphase::LeastSearch;
using narrowphase::SampleLook;
using narrowphase::SurfaceSearch;

constexpr double kExactLeast = 1e-8;  // [m]

SampleLook LookAlone(const SurfaceSearch& in, int sample) {
  const FieldSample at = in.a.Evaluate(in.X_AB * in.samples.position(sample));
  return {sample, at.value, in.R_BA * at.gradient};
}

// By cuts alone, of branches that are as small and flat as patches are.
TEST(LeastSearch, FindsTheLeastSampleOfAPatchOfConvexSolids) {
  Random random(27);
  const FieldSolid* solids[] = {&EggSolid(), &CanSolid(), &BrickSolid()};
  LeastSearch search;
  int searched = 0, looks = 0, samples = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const FieldSolid &a = *solids[trial % 3], &b = *solids[trial / 3 % 3];
    const RigidTransform X_AB = RandomPose(random, 0.12);
    const SurfaceSearch in{a.field, *b.samples, X_AB, X_AB.R.transpose(), 1e3, CalcPatch(a, b), kExactLeast};
    const int patch = static_cast<int>(random() % in.samples.nodes.size());
    const SurfaceSamples::Node& node = in.samples.nodes[patch];
    if (2.0 * node.radius > in.patch || node.spread > 0.7) continue;
    for (int at = search.Begin(in, patch); at >= 0; at = search.Proceed(in, LookAlone(in, at))) ++looks;
    const SampleLook& best = search.best();
    ASSERT_GE(best.sample, node.first);
    ASSERT_LT(best.sample, node.first + node.count);
    EXPECT_NEAR(best.value, LookAlone(in, best.sample).value, 1e-13);  // as packs are
    // Deep in A, and where it faces away, cuts do not hold.
    if (best.value < 0.0 || best.gradient.dot(in.samples.normal(best.sample)) > 0.0) continue;
    double least = best.value;
    for (int s = node.first; s < node.first + node.count; ++s)
      least = std::min(least, LookAlone(in, s).value);
    EXPECT_GE(least, best.value - in.CalcTolerance(best.value) - 1e-13);
    ++searched, samples += node.count;
  }
  EXPECT_GT(searched, 4000);
  EXPECT_LT(looks, samples / 2);
}

}  // namespace
}  // namespace stiction::test
