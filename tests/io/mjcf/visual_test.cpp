// What MJCF models look like: meshes as visuals, and which geoms are seen.
#include <gtest/gtest.h>

#include "stiction/geometry/convex_hull.h"
#include "tests/io/model_text.h"

namespace stiction {
namespace {

// Two triangles at a right angle, in front of the origin: neither a hull nor centred.
const std::string kAsset =
    "<asset><mesh name='m' vertex='1 0 0 2 0 0 1 1 0 1 0 1' face='0 2 1 0 1 3' scale='1 2 1'/>"
    "<material name='red' rgba='1 0 0 1'/></asset>";
const std::string kLooks = " contype='0' conaffinity='0' ";

Model LoadVisual(const std::string& elements, const std::string& sections = kAsset,
                 ImportReport* report = nullptr, bool visuals = true) {
  return LoadText("<mujoco>" + sections + "<worldbody><body name='b'><freejoint/>" +
                      "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>" + elements +
                      "</body></worldbody></mujoco>",
                  report, {.visuals = visuals});
}

std::string MeshGeom(const std::string& attributes) {
  return "<geom type='mesh' mesh='m' " + attributes + "/>";
}

TEST(MjcfVisual, IsReadOnlyWhenAskedFor) {
  ImportReport report;
  const std::string geoms = MeshGeom(kLooks + "rgba='1 0 0 1'") + MeshGeom("group='3'");
  const Model off = LoadVisual(geoms, kAsset, &report, false);
  EXPECT_TRUE(off.visuals.empty());
  ASSERT_EQ(off.num_geoms(), 1);
  EXPECT_TRUE(off.geoms[0].is_seen);
  EXPECT_EQ(FindItem(report, "geom")->why, "does not collide: counts for mass only");
  EXPECT_EQ(FindItem(report, "geom[@rgba]")->status, ImportStatus::kIgnored);
  const Model on = LoadVisual(geoms, kAsset, &report);
  EXPECT_EQ(on.visuals.size(), 1u);
  EXPECT_EQ(on.num_geoms(), 1);
  EXPECT_EQ(FindItem(report, "geom")->why, "does not collide: counts for appearance and mass only");
  EXPECT_EQ(FindItem(report, "geom[@rgba]")->status, ImportStatus::kHonoured);
}

TEST(MjcfVisual, SitesAreMarksOfTheirShapeAndColour) {
  ImportReport report;
  const std::string sites =
      "<frame pos='0 0 1'><site name='s' pos='1 2 3' type='capsule' size='0.1 0.2' material='red' group='4'/>"
      "<site type='box' size='1 2 3' rgba='0 1 0 0.5'/><site name='plain' size='0'/></frame>"
      "<site name='rod' type='cylinder' size='0.1' fromto='0 0 0 0 0 2'/>";
  const std::string defaults = "<default><site size='0.25' rgba='0 0 1 1'/></default>";
  const Model model = LoadVisual(sites, kAsset + defaults, &report);
  ASSERT_EQ(model.visuals.size(), 3u) << "what has no size is not drawn";
  const Visual &s = model.visuals[0], &unnamed = model.visuals[1], &rod = model.visuals[2];
  EXPECT_TRUE(s.is_site && unnamed.is_site && rod.is_site);
  EXPECT_EQ(s.name, "s");
  EXPECT_EQ(s.group, 4);
  EXPECT_EQ(s.color, (Color{0, 0, 1, 1})) << "a class's colour goes before the material";
  EXPECT_EQ(s.material->name, "red");
  EXPECT_EQ(s.X_BV.p, Vector3d(1, 2, 4));
  EXPECT_EQ(std::get<Capsule>(std::get<Shape>(s.shape)).half_length, 0.2);
  EXPECT_EQ(unnamed.color, (Color{0, 1, 0, 0.5}));
  EXPECT_EQ(std::get<Box>(std::get<Shape>(unnamed.shape)).half_extents, Vector3d(1, 2, 3));
  EXPECT_EQ(std::get<Cylinder>(std::get<Shape>(rod.shape)).half_length, 1.0);
  EXPECT_EQ(model.frames.size(), 3u) << "nobody can refer to what has no name";
  EXPECT_EQ(FindItem(report, "site[@rgba]")->status, ImportStatus::kHonoured);
  const Model off = LoadVisual(sites, kAsset + defaults, nullptr, false);
  ASSERT_EQ(off.visuals.size(), 3u) << "low detail has them as well";
  EXPECT_EQ(off.visuals[1].color, unnamed.color);
  const Model bare = LoadVisual("<site name='s'/><geom size='1' group='3'/>", "");
  EXPECT_EQ(bare.visuals.at(0).color, (Color{0.5, 0.5, 0.5, 1}));
  EXPECT_TRUE(bare.geoms.at(0).is_seen) << "a site does not show the body";
}

TEST(MjcfVisual, HasTheTrianglesOfTheAssetWhereTheGeomStands) {
  const Model model =
      LoadVisual("<frame pos='0 0 10'>" +
                 MeshGeom("name='v' pos='1 2 3' euler='0 0 90' material='red'" + kLooks) + "</frame>");
  ASSERT_EQ(model.visuals.size(), 1u);
  EXPECT_EQ(model.num_geoms(), 0);
  const Visual& visual = model.visuals[0];
  EXPECT_EQ(visual.name, "v");
  EXPECT_EQ(visual.body, 1);
  EXPECT_EQ(visual.color, (Color{1, 0, 0, 1}));
  const TriangleMesh& mesh = *std::get<SharedMesh>(visual.shape);
  EXPECT_EQ(mesh.triangles, (std::vector<std::array<int, 3>>{{0, 2, 1}, {0, 1, 3}}));
  // Scaled to (1, 2, 0), turned to (-2, 1, 0), moved.
  EXPECT_LT((visual.X_BV * mesh.vertices.at(2) - Vector3d(-1, 3, 13)).norm(), 1e-14);
}

TEST(MjcfVisual, OfAGeomThatCollidesStandsWhereItsHullDoes) {
  const std::string reference = "refpos='0.3 0.2 0.1' refquat='0.8 0 0.6 0' ";
  std::string asset = kAsset;
  asset.insert(asset.find("scale"), reference);
  const Model model = LoadVisual(MeshGeom("pos='1 2 3' euler='10 20 30' rgba='0 1 0 1'"), asset);
  ASSERT_EQ(model.visuals.size(), 1u);
  ASSERT_EQ(model.num_geoms(), 1);
  EXPECT_FALSE(model.geoms[0].is_seen);
  EXPECT_EQ(model.visuals[0].color, model.geoms[0].color);
  const TriangleMesh& mesh = *std::get<SharedMesh>(model.visuals[0].shape);
  const ConvexHull& hull = *std::get<Hull>(model.geoms[0].shape).polytope;
  EXPECT_NE(hull.vertices.front(), mesh.vertices.front());  // the frames differ
  for (const Vector3d& p_V : mesh.vertices) {
    double nearest = 1.0;
    for (const Vector3d& p_G : hull.vertices) {
      nearest = std::min(nearest, (model.visuals[0].X_BV * p_V - model.geoms[0].X_BG * p_G).norm());
    }
    EXPECT_LT(nearest, 1e-14);
  }
}

TEST(MjcfVisual, GeomsShareTheMeshOfTheirAsset) {
  const Model model = LoadVisual("<replicate count='3' offset='1 0 0'>" + MeshGeom(kLooks) + "</replicate>" +
                                 MeshGeom("pos='0 5 0'"));
  ASSERT_EQ(model.visuals.size(), 4u);
  const SharedMesh& mesh = std::get<SharedMesh>(model.visuals[0].shape);
  for (const Visual& visual : model.visuals) EXPECT_EQ(std::get<SharedMesh>(visual.shape), mesh);
  EXPECT_EQ(model.visuals[2].X_BV.p, Vector3d(2, 0, 0));
}

TEST(MjcfVisual, HiddenGroupsAndDiscardedVisualsAreNotShown) {
  const auto visuals = [](const std::string& attributes, const std::string& sections = "") {
    return LoadVisual(MeshGeom(attributes), sections + kAsset).visuals.size();
  };
  EXPECT_EQ(visuals("group='2'"), 1u);
  EXPECT_EQ(visuals("group='3'"), 0u);
  EXPECT_EQ(visuals(kLooks + "group='3'"), 0u);
  const std::string discard = "<compiler discardvisual='true'/>";
  EXPECT_EQ(visuals(kLooks, discard), 0u);
  EXPECT_EQ(visuals("", discard), 1u);
  EXPECT_EQ(visuals(kLooks, "<compiler discardvisual='false'/>"), 1u);
}

TEST(MjcfVisual, GeomsOfHiddenGroupsAreSeenOnlyWhereNothingElseIs) {
  const auto seen = [](const std::string& elements) {
    std::string flags;
    for (const Geom& geom : LoadVisual(elements).geoms) flags += geom.is_seen ? "1" : "0";
    return flags;
  };
  const std::string hidden = "<geom size='1' group='3'/>", shown = "<geom size='1'/>";
  EXPECT_EQ(seen(hidden + shown + "<geom size='1' group='2'" + kLooks + "/>"), "011");
  EXPECT_EQ(seen(hidden + MeshGeom(kLooks)), "0");
  EXPECT_EQ(seen(hidden), "1");
  EXPECT_EQ(seen(hidden + "<geom size='1' group='4'" + kLooks + "/>"), "10");
}

TEST(MjcfVisual, MeshesThatCannotBeReadDoNotStopTheLoad) {
  const TemporaryFile junk("v 1 2 zero\n", ".obj");
  const std::string name = junk.path().substr(junk.path().rfind('/') + 1);
  ImportReport report;
  const Model model = LoadVisual(MeshGeom(kLooks) + MeshGeom(kLooks),
                                 "<asset><mesh name='m' file='" + name + "'/></asset>", &report);
  EXPECT_TRUE(model.visuals.empty());
  const ImportItem* item = FindItem(report, "geom[@mesh]");
  ASSERT_NE(item, nullptr);
  EXPECT_EQ(item->status, ImportStatus::kIgnored);
  EXPECT_TRUE(item->why.starts_with("cannot be shown: ")) << item->why;
  EXPECT_NE(item->why.find("line 1"), std::string::npos) << item->why;
}

TEST(MjcfVisual, ComeWithAttachedModels) {
  const TemporaryFile part("<mujoco>" + kAsset + "<worldbody><body name='p'>" +
                               MeshGeom("name='v'" + kLooks) + "</body></worldbody></mujoco>",
                           ".xml");
  const std::string name = part.path().substr(part.path().rfind('/') + 1);
  const auto load = [&](bool visuals) {
    return LoadText("<mujoco><asset><model name='part' file='" + name +
                        "'/></asset><worldbody><attach model='part' prefix='x_'/></worldbody></mujoco>",
                    nullptr, {.visuals = visuals});
  };
  EXPECT_TRUE(load(false).visuals.empty());
  const Model model = load(true);
  ASSERT_EQ(model.visuals.size(), 1u);
  EXPECT_EQ(model.visuals[0].name, "x_v");
  EXPECT_EQ(model.visuals[0].body, model.FindBody("x_p"));
}

}  // namespace
}  // namespace stiction
