// Primitives fitted to meshes.
#include "io/mjcf/fit_mesh.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/io/model_text.h"

namespace stiction {
namespace {

// A box of 0.2 x 0.4 x 0.6 m about (1, 0, 0), as a mesh: whichever way it lies, its inertia box is itself.
std::string Corners(const Matrix3d& R = Matrix3d::Identity()) {
  std::string text = "vertex='";
  for (int i = 0; i < 8; ++i) {
    const Vector3d p =
        R * Vector3d(i & 1 ? 0.1 : -0.1, i & 2 ? 0.2 : -0.2, i & 4 ? 0.3 : -0.3) + Vector3d(1, 0, 0);
    for (const double x : p) text += std::to_string(x) + ' ';
  }
  return "<asset><mesh name='m' " + text + "'/></asset>";
}

Geom Fit(const std::string& attributes, const std::string& sections) {
  const Model model = LoadBody("<freejoint/><geom mesh='m' " + attributes + "/>", sections);
  EXPECT_EQ(model.num_geoms(), 1);
  return model.geoms[0];
}

const std::string kBounds = "<compiler fitaabb='true'/>";

TEST(MjcfFitMesh, TakesTheBoxOfTheMeshsInertia) {
  const Geom box = Fit("type='box' pos='0 0 2' fitscale='0.5'", Corners());
  EXPECT_LT((std::get<Box>(box.shape).half_extents - Vector3d(0.05, 0.1, 0.15)).norm(), 1e-12);
  EXPECT_LT((box.X_BG.p - Vector3d(1, 0, 2)).norm(), 1e-12);
  EXPECT_LT((box.X_BG.R.cwiseAbs() - Matrix3d::Identity()).norm(), 1e-12);
  const Geom ellipsoid = Fit("type='ellipsoid'", Corners());
  EXPECT_LT((std::get<Ellipsoid>(ellipsoid.shape).radii - Vector3d(0.1, 0.2, 0.3)).norm(), 1e-12);
  EXPECT_NEAR(std::get<Sphere>(Fit("type='sphere'", Corners()).shape).radius, 0.2, 1e-12);
  const Cylinder cylinder = std::get<Cylinder>(Fit("type='cylinder'", Corners()).shape);
  EXPECT_NEAR(cylinder.radius, 0.15, 1e-12);
  EXPECT_NEAR(cylinder.half_length, 0.3, 1e-12);
  const Capsule capsule = std::get<Capsule>(Fit("type='capsule'", Corners()).shape);
  EXPECT_NEAR(capsule.radius, 0.15, 1e-12);
  EXPECT_NEAR(capsule.half_length, 0.3 - 0.075, 1e-12);
}

TEST(MjcfFitMesh, TurnsWithTheMesh) {
  const Matrix3d R = (Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized())).toRotationMatrix();
  for (const std::string& sections : {Corners(R), kBounds + Corners(R)}) {
    const Geom box = Fit("type='box'", sections);
    // std::to_string leaves six digits of the vertices.
    EXPECT_LT((std::get<Box>(box.shape).half_extents - Vector3d(0.1, 0.2, 0.3)).norm(), 1e-5);
    EXPECT_TRUE((box.X_BG.R.transpose() * R).cwiseAbs().isIdentity(1e-4)) << box.X_BG.R;
  }
}

// As heavy as the primitive, not the mesh.
TEST(MjcfFitMesh, WeighsAsThePrimitive) {
  const Model model = LoadBody("<freejoint/><geom type='sphere' mesh='m' density='10'/>", Corners());
  EXPECT_NEAR(model.bodies[1].inertia.mass, 10.0 * CalcVolume(Sphere{0.2}), 1e-12);
  EXPECT_LT((model.bodies[1].inertia.p_BBcm - Vector3d(1, 0, 0)).norm(), 1e-12);
}

// A corner of a cube: the box around it is not about its mass centre.
TEST(MjcfFitMesh, HoldsAllVerticesWhereBoundsAreAskedFor) {
  const std::string corner =
      kBounds + "<asset><mesh name='m' vertex='0 0 0 0.3 0 0 0 0.2 0 0 0 0.9'/></asset>";
  const Vector3d vertices[] = {{0, 0, 0}, {0.3, 0, 0}, {0, 0.2, 0}, {0, 0, 0.9}};
  double closest_sphere = 1.0, closest_capsule = 1.0, closest_cylinder = 1.0, closest_box = 1.0;
  for (const Vector3d& vertex : vertices) {
    const auto in = [&](const Geom& geom) { return Vector3d(geom.X_BG.Inverse() * vertex); };
    const Geom sphere = Fit("type='sphere'", corner), capsule = Fit("type='capsule'", corner),
               cylinder = Fit("type='cylinder'", corner), box = Fit("type='box'", corner);
    closest_sphere = std::min(closest_sphere, std::get<Sphere>(sphere.shape).radius - in(sphere).norm());
    const auto [r, h] = std::get<Capsule>(capsule.shape);
    const Vector3d p = in(capsule);
    const double beyond = std::max(0.0, std::abs(p.z()) - h);
    closest_capsule = std::min(closest_capsule, r - std::hypot(p.head<2>().norm(), beyond));
    const Cylinder& round = std::get<Cylinder>(cylinder.shape);
    closest_cylinder = std::min(closest_cylinder, round.radius - in(cylinder).head<2>().norm());
    EXPECT_LE(std::abs(in(cylinder).z()), round.half_length + 1e-12);
    closest_box =
        std::min(closest_box, (std::get<Box>(box.shape).half_extents - in(box).cwiseAbs()).minCoeff());
  }
  // All are inside, and one touches.
  for (const double closest : {closest_sphere, closest_capsule, closest_cylinder, closest_box})
    EXPECT_NEAR(closest, 0.0, 1e-12);
}

TEST(MjcfFitMesh, SaysWhatIsLost) {
  ImportReport report;
  LoadBody("<freejoint/><geom type='box' mesh='m' size='9 9 9'/>", Corners(), &report);
  ASSERT_NE(FindItem(report, "geom[@size]"), nullptr);
  EXPECT_EQ(FindItem(report, "geom[@size]")->status, ImportStatus::kIgnored);
  EXPECT_EQ(FindItem(report, "geom[@mesh]")->status, ImportStatus::kHonoured);
  const std::string flat =
      "<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 1 1 0' "
      "face='0 1 2 1 3 2'/></asset><worldbody><body><freejoint/>"
      "<geom type='box' mesh='m'/></body></worldbody></mujoco>";
  EXPECT_NE(LoadFailure(flat).find("no primitive is like it"), std::string::npos) << LoadFailure(flat);
  EXPECT_NE(LoadFailure("<mujoco><default><geom fitscale='0'/></default></mujoco>").find("fitscale"),
            std::string::npos);
}

}  // namespace
}  // namespace stiction
