// Which feature wins, and which points stay: what the pair families share.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "collision/narrowphase/gatherer.h"
#include "tests/support/poses.h"

namespace stiction::test {
namespace {

using narrowphase::FaceAxis;
using narrowphase::Gatherer;
using narrowphase::Reference;

TEST(ManifoldPolicy, TheFirstShapesFaceStaysUntilTheOtherLeadsClearly) {
  const double size = 0.1;
  const auto is_second = [&](double first, double second) {
    return ChooseReference(FaceAxis{0, first}, FaceAxis{0, second}, size).is_second;
  };
  EXPECT_FALSE(is_second(-1e-3, -1e-3));
  EXPECT_FALSE(is_second(-1e-3, -1e-3 + 0.9 * (0.02 * 1e-3 + 1e-4 * size)));
  EXPECT_TRUE(is_second(-1e-3, -1e-3 + 1.1 * (0.02 * 1e-3 + 1e-4 * size)));
  EXPECT_TRUE(ChooseReference(FaceAxis{}, FaceAxis{3, -1.0}, size).is_second);  // a shape without faces
}

TEST(ManifoldPolicy, AFaceYieldsToEdgesThatSeparateClearlyBetter) {
  const double size = 0.1;
  const Reference face{0, -2e-3, false};
  EXPECT_FALSE(face.YieldsTo(-2e-3 + 0.9 * (0.05 * 2e-3 + 1e-3 * size), size));
  EXPECT_TRUE(face.YieldsTo(-2e-3 + 1.1 * (0.05 * 2e-3 + 1e-3 * size), size));
}

TEST(Gatherer, OfDoublesTheFirstStaysUnlessTheOtherIsClearlyDeeper) {
  const double size = 0.1;
  const Vector3d p(0.01, 0.02, 0.0), n = Vector3d::UnitZ();
  Gatherer gatherer(1.0, size);
  gatherer.AddMidway(p, n, -1e-5, 1);
  gatherer.AddMidway(p + Vector3d(0.5e-3 * size, 0.0, 0.0), n, -1e-5 - 1e-9, 2);
  EXPECT_EQ(gatherer.count(), 1);
  gatherer.AddMidway(p + Vector3d(0.5e-3 * size, 0.0, 0.0), n, -2e-5, 3);
  gatherer.AddMidway(p, Vector3d::UnitX(), -1e-5, 4);  // another wall
  gatherer.AddMidway(p + Vector3d(2e-3 * size, 0.0, 0.0), n, -1e-5, 5);
  Manifold manifold;
  gatherer.Finish(manifold);
  ASSERT_EQ(manifold.num_points, 3);
  EXPECT_EQ(manifold.points[0].feature, 3u);
  EXPECT_EQ(manifold.points[1].feature, 4u);
  EXPECT_EQ(manifold.points[2].feature, 5u);
}

// A round foot at rest: all distances between its points tie with others, and round-off must not choose anew.
TEST(Gatherer, ABodyAtRestKeepsItsPoints) {
  const double size = 0.1;
  const int num_points = 96, kept = 40;
  Random random(1);
  std::vector<std::uint32_t> first;
  for (int trial = 0; trial < 200; ++trial) {
    Gatherer gatherer(1.0, size);
    for (int k = 0; k < num_points; ++k) {
      const double angle = 2.0 * M_PI * k / num_points, lean = k % 2 ? 0.3 : -0.3;
      const Vector3d p = size * Vector3d(std::cos(angle), std::sin(angle), 0.0) + UniformVector(random, 1e-9);
      gatherer.AddMidway(p, Vector3d(0.0, std::sin(lean), std::cos(lean)), Uniform(random, -1e-9, 1e-9), k);
    }
    Manifold manifold;
    gatherer.Finish({}, kept, manifold);
    std::vector<std::uint32_t> features;
    for (int k = 0; k < manifold.num_points; ++k) features.push_back(manifold.points[k].feature);
    ASSERT_EQ(features.size(), kept);
    if (trial == 0) first = features;
    EXPECT_EQ(features, first) << "trial " << trial;
  }
}

TEST(Gatherer, TheDeepestPointStays) {
  Gatherer gatherer(1.0, 0.1);
  for (int k = 0; k < 20; ++k)
    gatherer.AddMidway({0.01 * k, 0.0, 0.0}, Vector3d::UnitZ(), k == 9 ? -1e-3 : -1e-4, k);
  Manifold manifold;
  gatherer.Finish(manifold);
  ASSERT_EQ(manifold.num_points, Manifold::kMaxConvexPoints);
  double least = 0.0;
  for (int k = 0; k < manifold.num_points; ++k) least = std::min(least, manifold.points[k].gap);
  EXPECT_EQ(least, -1e-3);
}

}  // namespace
}  // namespace stiction::test
