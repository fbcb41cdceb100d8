#include "src/geometry/winding_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tests/support/meshes.h"
#include "tests/support/random_numbers.h"

namespace stiction {
namespace {

using Random = stiction::testing::RandomNumbers;

double CalcSegmentDistance(const Vector3d& p, const Vector3d& a, const Vector3d& b) {
  const double s = std::clamp((p - a).dot(b - a) / std::max((b - a).squaredNorm(), 1e-300), 0.0, 1.0);
  return (p - a - s * (b - a)).norm();
}

// The distance from p to the segment from a + s (b - a) to a + s (c - a) is convex in s: ternary search.
double CalcTriangleDistance(const Vector3d& p, const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  const auto at = [&](double s) { return CalcSegmentDistance(p, a + s * (b - a), a + s * (c - a)); };
  double low = 0.0, high = 1.0;
  for (int i = 0; i < 100; ++i) {
    const double left = low + (high - low) / 3.0, right = high - (high - low) / 3.0;
    (at(left) < at(right) ? high : low) = at(left) < at(right) ? right : left;
  }
  return at(0.5 * (low + high));
}

TEST(WindingTree, DistanceMatchesEveryTriangle) {
  Random random(1);
  TriangleMesh mesh;
  for (int i = 0; i < 50; ++i) {
    const Vector3d corner = random.Vector3(1.0);
    for (int k = 0; k < 3; ++k) mesh.vertices.push_back(corner + random.Vector3(0.3));
    mesh.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  mesh.triangles.push_back({0, 0, 4});  // a segment
  mesh.triangles.push_back({7, 7, 7});  // a point
  const WindingTree tree(mesh);
  for (int i = 0; i < 100; ++i) {
    const Vector3d p = random.Vector3(2.0);
    double nearest = std::numeric_limits<double>::infinity();
    for (const auto& t : mesh.triangles) {
      nearest = std::min(
          nearest, CalcTriangleDistance(p, mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]));
    }
    // The search's minimum is flat to the root of round-off in s, and exact to round-off in the distance.
    EXPECT_NEAR(tree.CalcDistance(p, 100.0), nearest, 1e-12);
    EXPECT_EQ(tree.CalcDistance(p, 0.5 * nearest), 0.5 * nearest);
  }
}

// 1 inside and 0 outside of a closed mesh, but for the error of the dipoles.
TEST(WindingTree, WindingCountsTurnsOfAClosedMesh) {
  const TriangleMesh ball = stiction::testing::MakeBallMesh(1.0, 60);
  const WindingTree tree(ball);
  Random random(2);
  double worst = 0.0;
  for (int i = 0; i < 20000; ++i) {
    const Vector3d p = random.Vector3(1.3);
    if (std::abs(p.norm() - 1.0) < 0.002) continue;  // between mesh and ball
    worst = std::max(worst, std::abs(tree.CalcWinding(p) - (p.norm() < 1.0 ? 1.0 : 0.0)));
  }
  RecordProperty("winding error", std::to_string(worst));
  EXPECT_LT(worst, 0.02);
}

}  // namespace
}  // namespace stiction
