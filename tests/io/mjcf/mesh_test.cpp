// Mesh assets: what becomes of them as shapes and as masses.
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/geometry/convex_hull.h"
#include "tests/io/model_text.h"

namespace stiction {
namespace {

// A box of 0.6 x 0.4 x 0.2 m as a mesh without faces: its hull.
const std::string kCorners =
    "vertex='-.3 -.2 -.1 .3 -.2 -.1 -.3 .2 -.1 .3 .2 -.1 -.3 -.2 .1 .3 -.2 .1 -.3 .2 .1 .3 .2 .1'";
constexpr double kVolume = 0.048;

std::string Asset(const std::string& attributes) {
  return "<asset><mesh name='m' " + attributes + "/></asset>";
}

const Geom& OnlyGeom(const Model& model) {
  EXPECT_EQ(model.num_geoms(), 1);
  return model.geoms[0];
}

Vector3d HalfExtents(const Model& model) {
  return CalcBoundingHalfExtents(OnlyGeom(model).shape, Matrix3d::Identity());
}

TEST(MjcfMesh, BecomesItsHullWhereTheGeomStands) {
  ImportReport report;
  const Model model =
      LoadBody("<freejoint/><geom type='mesh' mesh='m' pos='1 2 3'/>", Asset(kCorners), &report);
  EXPECT_EQ(ShapeName(OnlyGeom(model).shape), "hull");
  EXPECT_LT((HalfExtents(model) - Vector3d(0.3, 0.2, 0.1)).norm(), 1e-15);
  EXPECT_LT((OnlyGeom(model).X_BG.p - Vector3d(1, 2, 3)).norm(), 1e-15);
  const Body& body = model.bodies[1];
  EXPECT_NEAR(body.inertia.mass, 1000.0 * kVolume, 1e-12);
  EXPECT_LT((body.inertia.p_BBcm - Vector3d(1, 2, 3)).norm(), 1e-14);
  const Matrix3d box = CalcSolidMassProperties(Shape(Box{{0.3, 0.2, 0.1}}), 1000.0 * kVolume).I_BBcm_B;
  EXPECT_LT((body.inertia.I_BBcm_B - box).norm(), 1e-12);
  const ImportItem* item = FindItem(report, "geom");
  ASSERT_NE(item, nullptr);
  EXPECT_EQ(item->status, ImportStatus::kHonoured);
  EXPECT_NE(item->why.find("8 vertices"), std::string::npos) << item->why;
}

// Of meshes that do not say by which rule they weigh, as older files do.
TEST(MjcfMesh, CompilerMayAskForExactInertia) {
  // A box whose one face is drawn in to the centre: not convex, and its volume less than the hull's.
  const std::string dented =
      "vertex='-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 1 1 1 0 0 -0.5' "
      "face='0 2 1 1 2 3 0 1 4 1 5 4 2 6 3 3 6 7 0 4 2 2 4 6 1 3 5 3 7 5 4 5 8 5 7 8 7 6 8 6 4 8'";
  const auto mass = [&](const std::string& compiler, const std::string& rule) {
    return LoadBody("<freejoint/><geom type='mesh' mesh='m' density='1'/>", compiler + Asset(dented + rule))
        .bodies[1]
        .inertia.mass;
  };
  const std::string exact = "<compiler exactmeshinertia='true'/>";
  EXPECT_NEAR(mass(exact, ""), 8.0 - 4.0 * 1.5 / 3.0, 1e-12);
  EXPECT_NE(mass("", ""), mass(exact, ""));
  EXPECT_EQ(mass(exact, " inertia='legacy'"), mass("", ""));
}

// refpos is subtracted, refquat turned back, and the scale comes last, along the new axes.
TEST(MjcfMesh, ReferenceAndScaleMoveTheVertices) {
  const std::string quarter = " refquat='0.7071067811865476 0 0 0.7071067811865476'";
  const Model model = LoadBody("<freejoint/><geom type='mesh' mesh='m'/>",
                               Asset(kCorners + " refpos='1 0 0' scale='1 1 2'" + quarter));
  EXPECT_LT((HalfExtents(model) - Vector3d(0.2, 0.3, 0.2)).norm(), 1e-15);
  // (-1, 0, 0) as seen from axes that are turned by 90° about z.
  EXPECT_LT((OnlyGeom(model).X_BG.p - Vector3d(0, 1, 0)).norm(), 1e-15);
}

TEST(MjcfMesh, MirroringKeepsTheVolumePositive) {
  const Model model = LoadBody("<freejoint/><geom type='mesh' mesh='m'/>",
                               Asset(kCorners + " scale='-1 1 1' inertia='exact'"));
  EXPECT_NEAR(model.bodies[1].inertia.mass, 1000.0 * kVolume, 1e-12);
}

TEST(MjcfMesh, DefaultsGiveTheScale) {
  const Model model = LoadBody("<freejoint/><geom type='mesh' mesh='m' mass='2'/>",
                               "<default><mesh scale='.1 .1 .1'/></default>" + Asset(kCorners));
  EXPECT_LT((HalfExtents(model) - Vector3d(0.03, 0.02, 0.01)).norm(), 1e-15);
  EXPECT_NEAR(model.bodies[1].inertia.mass, 2.0, 1e-15);
}

// Two boxes apart in one mesh: the four rules differ.
TEST(MjcfMesh, InertiaRulesDiffer) {
  const std::string two =
      "vertex='0 0 0 1 0 0 0 1 0 0 0 1  3 0 0 4 0 0 3 1 0 3 0 1' "
      "face='0 2 1 0 1 3 0 3 2 1 2 3 4 6 5 4 5 7 4 7 6 5 6 7'";
  const auto mass = [&](const std::string& rule) {
    return LoadBody("<freejoint/><geom type='mesh' mesh='m' density='6'/>", Asset(two + rule))
        .bodies[1]
        .inertia.mass;
  };
  EXPECT_NEAR(mass(" inertia='exact'"), 2.0, 1e-14);
  EXPECT_NEAR(mass(" inertia='convex'"), 6.0 * (1.0 / 6.0 + 1.5),
              1e-12);  // a prism of length 3 between the tips
  EXPECT_NEAR(mass(" inertia='shell'"), 6.0 * (3.0 + std::sqrt(3.0)), 1e-12);
  EXPECT_GT(mass(""), 2.0 + 1e-3);
  EXPECT_EQ(mass(""), mass(" inertia='legacy'"));
}

TEST(MjcfMesh, GeomThatDoesNotCollideWeighsOnly) {
  const std::string geom = "<freejoint/><geom type='mesh' mesh='m' contype='0' conaffinity='0' mass='3'/>";
  const Model model = LoadBody(geom, Asset(kCorners));
  EXPECT_EQ(model.num_geoms(), 0);
  EXPECT_NEAR(model.bodies[1].inertia.mass, 3.0, 1e-15);
  const Model written =
      LoadBody(geom + "<inertial pos='0 0 0' mass='7' diaginertia='1 1 1'/>", Asset(kCorners));
  EXPECT_EQ(written.bodies[1].inertia.mass, 7.0);
}

TEST(MjcfMesh, GeomsShareOneHull) {
  const Model model = LoadBody(
      "<freejoint/><geom type='mesh' mesh='m'/><geom type='mesh' mesh='m' pos='1 0 0'/>", Asset(kCorners));
  ASSERT_EQ(model.num_geoms(), 2);
  EXPECT_EQ(std::get<Hull>(model.geoms[0].shape).polytope, std::get<Hull>(model.geoms[1].shape).polytope);
}

TEST(MjcfSite, IsAFrameOfItsBody) {
  const Model model =
      LoadBody("<freejoint/><geom size='.1'/><frame pos='0 0 1'><site name='tip' pos='1 0 0'/></frame>");
  ASSERT_EQ(model.frames.size(), 1u);
  EXPECT_EQ(model.frames[0].name, "tip");
  EXPECT_EQ(model.frames[0].body, 1);
  EXPECT_LT((model.frames[0].X_BF.p - Vector3d(1, 0, 1)).norm(), 1e-15);
}

}  // namespace
}  // namespace stiction
