#include "live/camera.h"

#include <gtest/gtest.h>

#include "stiction/math/rotation.h"
#include "tests/support/scenes.h"

namespace stiction::viewer {
namespace {

using testing::Shift;
using testing::Turn;

// Where a point is in the picture, both coordinates in [-1, 1].
Eigen::Vector2d Project(const Camera& camera, const Vector3d& p, double aspect) {
  const Eigen::Vector4f clip = camera.Projection(aspect) * camera.View() * p.cast<float>().homogeneous();
  return {clip.x() / clip.w(), clip.y() / clip.w()};
}

Camera MakeCamera() {
  Camera camera;
  camera.target = {1, 2, 3};
  camera.distance = 5.0;
  camera.azimuth = 0.4;
  camera.elevation = 0.6;
  return camera;
}

TEST(Camera, RaysGoThroughWhatIsSeen) {
  const Camera camera = MakeCamera();
  for (const Vector3d& p : {Vector3d(1, 2, 3), Vector3d(1.5, 2.5, 2.0), Vector3d(0.2, 1.0, 3.5)}) {
    const Eigen::Vector2d at = Project(camera, p, 1.6);
    const Vector3d ray = camera.Ray(at.x(), at.y(), 1.6);
    EXPECT_LT(ray.cross((p - camera.eye()).normalized()).norm(), 1e-5);
    EXPECT_GT(ray.dot(p - camera.eye()), 0.0);
  }
}

TEST(Camera, TheTargetIsInTheMiddleAndUpIsUp) {
  const Camera camera = MakeCamera();
  EXPECT_LT(Project(camera, camera.target, 1.6).norm(), 1e-6);
  EXPECT_GT(Project(camera, camera.target + Vector3d(0, 0, 0.3), 1.6).y(), 0.0);
  EXPECT_NEAR((camera.eye() - camera.target).norm(), 5.0, 1e-12);
}

TEST(Camera, AFramedBoxFillsThePictureAndNoMore) {
  Camera camera = MakeCamera();
  const Vector3d lower(-1, -2, 0), upper(3, 1, 2);
  camera.Frame(lower, upper);
  double largest = 0.0;
  for (int i = 0; i < 8; ++i) {
    const Vector3d corner(i & 1 ? upper.x() : lower.x(), i & 2 ? upper.y() : lower.y(),
                          i & 4 ? upper.z() : lower.z());
    largest = std::max(largest, Project(camera, corner, 1.6).cwiseAbs().maxCoeff());
  }
  EXPECT_LT(largest, 1.0);
  EXPECT_GT(largest, 0.5);
}

TEST(Camera, ABoxThatIsFitReachesTheEdge) {
  const Vector3d boxes[] = {{4, 3, 2}, {10, 0.4, 0.1}, {0.1, 0.1, 5}, {2, 2, 0.01}};
  for (const Vector3d& size : boxes) {
    for (const double azimuth : {0.9, -2.0}) {
      Camera camera = MakeCamera(), framed = MakeCamera();
      camera.azimuth = framed.azimuth = azimuth;
      camera.Fit(-0.5 * size, 0.5 * size, 1.6);
      framed.Frame(-0.5 * size, 0.5 * size);
      EXPECT_LE(camera.distance, framed.distance);
      double largest = 0.0;
      for (int i = 0; i < 8; ++i) {
        const Vector3d corner(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5);
        largest = std::max(largest, Project(camera, size.cwiseProduct(corner), 1.6).cwiseAbs().maxCoeff());
      }
      EXPECT_LT(largest, 1.0) << size.transpose();
      EXPECT_GT(largest, 0.85) << size.transpose();
    }
  }
}

// A drag by the whole height of the picture moves what is at the target's distance by that height.
TEST(Camera, PanningMovesThePointUnderThePointer) {
  Camera camera = MakeCamera();
  const Vector3d p = camera.target;
  camera.Pan(0.25, 0.0);
  EXPECT_NEAR(Project(camera, p, 1.0).x(), 0.5, 1e-5);
  camera.Pan(0.0, -0.125);
  EXPECT_NEAR(Project(camera, p, 1.0).y(), -0.25, 1e-5);
}

TEST(Camera, ElevationStopsBeforeThePole) {
  Camera camera = MakeCamera();
  camera.Orbit(0.0, 10.0);
  EXPECT_LT(camera.elevation, testing::kPi / 2.0);
  EXPECT_TRUE(camera.View().allFinite());
}

TEST(Camera, APlaceIsLookedThroughAndLeftWithoutAJump) {
  Camera camera = MakeCamera();
  // Upright: looks along the world's x, y up is the world's z.
  RigidTransform X_WC = Shift(0, 0, 1);
  X_WC.R << 0, 0, -1, -1, 0, 0, 0, 1, 0;
  camera.Place(X_WC, 0.9, 4.0);
  EXPECT_LT(Project(camera, {4, 0, 1}, 1.6).norm(), 1e-6);
  EXPECT_GT(Project(camera, {4, 0, 2}, 1.6).y(), 0.0);
  EXPECT_LT(Project(camera, {4, 1, 1}, 1.6).x(), 0.0) << "y is to the left";
  const Eigen::Matrix4f before = camera.View();
  camera.Zoom(1.0);
  EXPECT_FALSE(camera.X_WC.has_value());
  EXPECT_LT((camera.View() - before).norm(), 1e-5f);
}

TEST(Camera, ItGoesAlongWithWhatLeavesTheMiddle) {
  Camera camera = MakeCamera();
  const Camera before = camera;
  camera.Accompany(before.target + Vector3d(0.02, -0.01, 0.1) * before.distance);
  EXPECT_TRUE(camera.IsAs(before)) << "it may hop";
  Vector3d place = before.target;
  for (int i = 0; i < 100; ++i) {
    place += Vector3d(0.03, 0.04, 0.01) * before.distance;
    camera.Accompany(place);
  }
  EXPECT_NEAR((place - camera.target).head<2>().norm(), 0.1 * before.distance, 1e-9 * before.distance);
  EXPECT_NEAR(place.z() - camera.target.z(), 0.15 * before.distance, 1e-9 * before.distance);
  EXPECT_FALSE(camera.IsAs(before));
  place.z() = 0.0;
  camera.Accompany(place);
  EXPECT_NEAR(camera.target.z() - place.z(), 0.15 * before.distance, 1e-9 * before.distance) << "it fell";
}

}  // namespace
}  // namespace stiction::viewer
