// The search of one field's surface by samples, against all samples and without anything passed over.
#include "collision/narrowphase/sample_search.h"

#include "collision/narrowphase/point_spread.h"
#include "tests/collision/field_solids.h"
#include "tests/collision/narrowphase_checks.h"
#include "tests/support/poses.h"

namespace stiction::test {
namespace {

using narrowphase::PointSpread;
using narrowphase::SampleSearch;
using narrowphase::SearchWork;
using narrowphase::SurfaceLeast;

constexpr double kExact = 1e-8;                        // [m]
constexpr double kWorstMiss = 1e-5, kMeanMiss = 1e-6;  // [m]

struct Found {
  std::vector<SurfaceLeast> points;
  SearchWork work;
};
Found Search(const FieldSolid& a, const FieldSolid& b, const RigidTransform& X_AB, double reach) {
  SampleSearch search(a, b, X_AB, reach, CalcPatch(a, b), kExact);
  Found found;
  search.ForEach([&](const SurfaceLeast& least) { found.points.push_back(least); });
  found.work = search.work();
  return found;
}

// Convex solids, of which cuts are exact where they face one another: what is passed over, by the way from a
// sample or by the box, holds nothing. With an infinite reach nothing is passed over.
TEST(SampleSearch, PassesOverNothingThatIsWithinReach) {
  Random random(21);
  const FieldSolid* solids[] = {&EggSolid(), &CanSolid(), &BrickSolid()};
  int within = 0, missed = 0, passed_over = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const FieldSolid &a = *solids[trial % 3], &b = *solids[trial / 3 % 3];
    const RigidTransform X_AB = RandomPose(random, 0.12);
    const double reach = trial % 2 == 0 ? 1e-3 : 1e-2;
    const Found all = Search(a, b, X_AB, 1e3), near = Search(a, b, X_AB, reach);
    EXPECT_EQ(static_cast<int>(all.points.size()), all.work.patches);
    passed_over += all.work.patches - near.work.patches;
    std::size_t k = 0;
    for (const SurfaceLeast& least : all.points) {
      // Where some of a patch faces away, cuts may stop the search of it short of the reach.
      if (least.value >= 0.9 * reach || least.gradient.dot(least.normal) > -0.7) continue;
      ++within;
      while (k < near.points.size() && near.points[k].sample < least.sample) ++k;
      missed += k == near.points.size() || near.points[k].sample != least.sample ||
                near.points[k].value != least.value;
    }
  }
  EXPECT_EQ(missed, 0);
  EXPECT_GT(within, 10000);
  EXPECT_GT(passed_over, 30000);
}

// Every sample within reach that does not face away has a point of a patch about it, which is as low.
TEST(SampleSearch, FindsTheLeastOfEveryPatch) {
  Random random(22);
  int within = 0;
  double worst = 0.0;
  for (int trial = 0; trial < 1000; ++trial) {
    const auto [a, b, X_AB] = RandomSolids(random, trial);
    const double reach = trial % 3 == 0 ? 1e-3 : 2e-3, patch = CalcPatch(*a, *b);
    const Found found = Search(*a, *b, X_AB, reach);
    for (int s = 0; s < b->samples->size(); ++s) {
      const Vector3d p = b->samples->position(s);
      const FieldSample at = a->field.Evaluate(X_AB * p);
      // To 1 % of the reach a gap is as good as exact. Deep in A φ has kinks, where cuts do not hold.
      if (std::abs(at.value) >= 0.98 * reach) continue;
      if (at.gradient.dot(X_AB.R * b->samples->normal(s)) > 0.5) continue;
      ++within;
      double least = std::numeric_limits<double>::infinity();
      for (const SurfaceLeast& point : found.points)
        if ((point.p - p).norm() <= patch) least = std::min(least, point.value);
      worst = std::max(worst, least - at.value);
    }
  }
  EXPECT_GT(within, 10000);
  EXPECT_LT(worst, 1e-4);  // twice the largest of 3000 poses, all but one of which are below 2e-5
}

// Solids apart cost one look. Of a nut on its bolt, where everything is within reach, nothing but patches is
// looked at, at the middles of some parts and at a few samples by themselves; and that are few beside all.
TEST(SampleSearch, LooksAtLittle) {
  const Found apart = Search(BowlSolid(), PlateSolid(), testing::At(0.0, 0.3, 0.0), 1e-3);
  EXPECT_EQ(apart.work.looks, 1);
  EXPECT_EQ(apart.work.patches, 0);
  Random random(24);
  for (int trial = 0; trial < 20; ++trial) {
    const RigidTransform X = Displaced({}, UniformVector(random, 2e-3), UniformVector(random, 1e-4));
    const Found nut = Search(BoltSolid(), NutSolid(), X, 1e-3);
    EXPECT_GT(nut.points.size(), 100u);
    EXPECT_LT(nut.work.looks, 3 * nut.work.patches);
    EXPECT_LT(nut.work.parts, 12 * nut.work.patches);
    EXPECT_LT(nut.work.looks + nut.work.parts, NutSolid().samples->size() / 4);
  }
}

// A nut with 0.35 mm of play that is pressed against its bolt askew: threads touch at the edges of crests, a
// turn away from where the slope at a patch's middle leads. The truth is φ at samples three times as fine.
TEST(SampleSearch, FindsHowDeepThreadsAre) {
  const DistanceField thread = MakeThreadField(0.048, 0.005, 0.06);
  const DistanceField nut = MakeNutField(0.048, 0.005, 0.03, 0.075, 3.5e-4);
  const PlacedField a = MakeField(thread, 2e-3), b = MakeField(nut, 2e-3);
  const PlacedField fine_a = MakeField(thread, 7e-4), fine_b = MakeField(nut, 7e-4);
  Random random(25);
  int overlaps = 0;
  double worst = 0.0, mean = 0.0;
  for (int trial = 0; trial < 40; ++trial) {
    const RigidTransform X = Displaced({}, UniformVector(random, 4e-4), UniformVector(random, 6e-3));
    const auto find_fine = [](const FieldSolid& on, const FieldSolid& other, const RigidTransform& X_OS) {
      double least = 0.0;
      for (int s = 0; s < on.samples->size(); ++s)
        least = std::min(least, other.field.CalcValue(X_OS * on.samples->position(s)));
      return least;
    };
    const RigidTransform X_fine{X.R, X * fine_b.p_FG - fine_a.p_FG};
    const double truth = std::min(find_fine(*fine_b.shape.solid, *fine_a.shape.solid, X_fine),
                                  find_fine(*fine_a.shape.solid, *fine_b.shape.solid, X_fine.Inverse()));
    if (truth > -1e-6) continue;
    const RigidTransform X_WA{Matrix3d::Identity(), a.p_FG}, X_WB{X.R, X * b.p_FG};
    Manifold found;
    CalcManifold(Shape(a.shape), X_WA, Shape(b.shape), X_WB, 1e-3, found);
    double deepest = 0.0;
    for (int k = 0; k < found.num_points; ++k) deepest = std::min(deepest, found.points[k].gap);
    ++overlaps;
    mean += deepest - truth;
    worst = std::max(worst, deepest - truth);
  }
  EXPECT_GT(overlaps, 20);
  EXPECT_LT(worst, kWorstMiss);
  EXPECT_LT(mean / overlaps, kMeanMiss);
}

// By the rule's words: of those left, the one farthest from those chosen, near ones first, until none is
// farther than the resolution; or the deepest of those that it stands for. And the deepest of all.
std::vector<bool> ChooseByTheRule(const std::vector<Vector3d>& p, const std::vector<Vector3d>& n,
                                  const std::vector<double>& gap, int most, double resolution, double size) {
  const int count = static_cast<int>(p.size());
  const int deepest = static_cast<int>(std::min_element(gap.begin(), gap.end()) - gap.begin());
  const double near = std::max(gap[deepest], 0.0) + 1e-3 * size;
  std::vector<bool> chosen(count, false);
  std::vector<double> distance(count, std::numeric_limits<double>::infinity());
  int num_chosen = 0, last = -1;
  double least = std::numeric_limits<double>::infinity();
  for (const bool only_near : {true, false}) {
    while (num_chosen < most) {
      int best = -1;
      for (int k = 0; k < count; ++k) {
        if (chosen[k] || (only_near && gap[k] > near) || distance[k] <= resolution) continue;
        if (best < 0 || distance[k] > distance[best] + 1e-6 * size) best = k;
      }
      if (best < 0) break;
      last = best;
      double lowest = gap[best] - 1e-5 * size;
      for (int k = 0; k < count; ++k) {
        const double from_best = std::hypot((p[k] - p[best]).norm(), size * (n[k] - n[best]).norm());
        if (distance[k] > resolution && from_best <= resolution && gap[k] < lowest) last = k, lowest = gap[k];
        distance[k] = std::min(distance[k], from_best);
      }
      chosen[last] = true, ++num_chosen;
      least = std::min(least, gap[last]);
    }
  }
  if (gap[deepest] < least - 1e-6 * size) {
    if (num_chosen == most) chosen[last] = false;
    chosen[deepest] = true;
  }
  return chosen;
}

TEST(PointSpread, ChoosesByTheRule) {
  Random random(25);
  constexpr double kSize = 0.1;
  for (int trial = 0; trial < 400; ++trial) {
    const int count = 1 + static_cast<int>(Uniform(random, 0.0, 300.0));
    const double resolution = trial % 2 == 0 ? PointSpread::kNoResolution : Uniform(random, 0.0, 0.1);
    PointSpread spread;
    std::vector<Vector3d> p, n;
    std::vector<double> gap;
    for (int k = 0; k < count; ++k) {
      p.push_back(UniformVector(random, 0.1));
      n.push_back(RandomDirection(random));
      gap.push_back(Uniform(random, 0.0, 1.0) < 0.5 ? 0.0 : Uniform(random, -1e-4, 1e-2));
      spread.Add(p.back(), n.back(), gap.back());
    }
    PointSpread::Choice chosen;
    spread.Choose(40, resolution, kSize, chosen);
    const std::vector<bool> expected = resolution < 0.0 && count <= 40
                                           ? std::vector<bool>(count, true)
                                           : ChooseByTheRule(p, n, gap, 40, resolution, kSize);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), chosen.begin())) << trial;
  }
}

}  // namespace
}  // namespace stiction::test
