// Signed distances against FCL, whose distance of polytopes that are apart is exact.
#include <fcl/narrowphase/distance.h>
#include <gtest/gtest.h>

#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/distance.h"
#include "tests/collision/fcl_shapes.h"
#include "tests/collision/narrowphase_checks.h"

namespace stiction::test {
namespace {

double CalcFclDistance(const std::shared_ptr<fcl::CollisionGeometryd>& a, const RigidTransform& X_WA,
                       const std::shared_ptr<fcl::CollisionGeometryd>& b, const RigidTransform& X_WB) {
  fcl::CollisionObjectd object_a(a, X_WA.R, X_WA.p), object_b(b, X_WB.R, X_WB.p);
  fcl::DistanceRequestd request;
  request.enable_signed_distance = true;
  fcl::DistanceResultd result;
  return fcl::distance(&object_a, &object_b, request, result);
}

TEST(DistanceFcl, PolytopesApartAgree) {
  Random random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<Vector3d> points;
    for (int k = 0; k < 4 + trial % 40; ++k) points.push_back(0.3 * RandomDirection(random));
    const Hull hull = MakeHull(points).hull;
    const Box box{{0.1, 0.2, 0.3}};
    const auto fcl_hull = MakeFclConvex(*hull.polytope);
    const auto fcl_box = std::make_shared<fcl::Boxd>(2.0 * box.half_extents);
    const RigidTransform X_WA = RandomPose(random, 0.5);
    RigidTransform X_WB = RandomPose(random, 0.5);
    X_WB.p += RandomDirection(random);
    const double box_hull = CalcDistance(box, X_WA, hull, X_WB).distance;
    const double box_box = CalcDistance(box, X_WA, box, X_WB).distance;
    const double hull_hull = CalcDistance(hull, X_WA, hull, X_WB).distance;
    if (box_hull > 1e-3) {
      EXPECT_NEAR(box_hull, CalcFclDistance(fcl_box, X_WA, fcl_hull, X_WB), 1e-9);
    }
    if (box_box > 1e-3) {
      EXPECT_NEAR(box_box, CalcFclDistance(fcl_box, X_WA, fcl_box, X_WB), 1e-9);
    }
    if (hull_hull > 1e-3) {
      EXPECT_NEAR(hull_hull, CalcFclDistance(fcl_hull, X_WA, fcl_hull, X_WB), 1e-9);
    }
  }
}

}  // namespace
}  // namespace stiction::test
