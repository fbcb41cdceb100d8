// What URDF robots look like: shapes, poses and colours of <visual>, and what cannot be shown.
#include <gtest/gtest.h>

#include "tests/io/model_text.h"

namespace stiction {
namespace {

// A tetrahedron with a face turned inwards and one written twice: no hull would have these triangles.
constexpr const char* kTetrahedronObj =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 4 3\nf 2 3 4\nf 4 3 2\n";

std::string Mesh(const TemporaryFile& file, const std::string& more = "") {
  return "<mesh filename='" + file.path() + "' " + more + "/>";
}

std::string Look(const std::string& geometry, const std::string& more = "") {
  return "<visual>" + more + "<geometry>" + geometry + "</geometry></visual>";
}

std::string VisualLink(const std::string& name, const std::string& inside) {
  return "<link name='" + name +
         "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
         "iyz='0'/></inertial>" +
         inside + "</link>";
}

Model LoadVisualRobot(const std::string& inside, ImportReport* report = nullptr, bool visuals = true) {
  return LoadText("<robot name='r'>" + inside + "</robot>", report, {.visuals = visuals});
}

// Of a robot that is one link with one visual.
std::optional<Color> RobotColorOf(const std::string& material, const std::string& top = "",
                                  ImportReport* report = nullptr) {
  const Model model = LoadVisualRobot(top + VisualLink("a", Look("<sphere radius='1'/>", material)), report);
  EXPECT_EQ(model.visuals.size(), 1u);
  return model.visuals.empty() ? std::nullopt : model.visuals[0].color;
}

TEST(UrdfVisual, IsReadOnlyWhenAskedFor) {
  const TemporaryFile file(kTetrahedronObj, ".obj");
  const std::string robot =
      "<material name='m'><color rgba='1 0 0 1'/></material>" +
      VisualLink("a", Look(Mesh(file), "<material name='m'/>") +
                          "<collision><geometry><sphere radius='1'/></geometry></collision>");
  ImportReport report;
  const Model off = LoadVisualRobot(robot, &report, false);
  EXPECT_TRUE(off.visuals.empty());
  EXPECT_TRUE(off.geoms.at(0).is_seen);
  for (const char* item : {"visual", "material"}) {
    EXPECT_EQ(FindItem(report, item)->status, ImportStatus::kIgnored);
    EXPECT_EQ(FindItem(report, item)->why, "appearance only");
  }
  const Model on = LoadVisualRobot(robot, &report);
  EXPECT_EQ(on.visuals.size(), 1u);
  EXPECT_FALSE(on.geoms.at(0).is_seen);
  EXPECT_FALSE(report.HasIgnored());
}

TEST(UrdfVisual, IsNotTakenForReadWhereALinkHasNoMass) {
  ImportReport report;
  LoadVisualRobot("<link name='a'>" + Look("<sphere radius='1'/>") + "</link>" + VisualLink("b", "") +
                      "<joint name='j' type='continuous'><parent link='b'/><child link='a'/></joint>" +
                      VisualLink("c", "") +
                      "<joint name='k' type='fixed'><parent link='a'/><child link='c'/></joint>",
                  &report, false);
  ASSERT_NE(FindItem(report, "visual"), nullptr);
  EXPECT_EQ(FindItem(report, "visual")->status, ImportStatus::kIgnored);
}

TEST(UrdfVisual, PrimitivesAreThoseOfCollisions) {
  for (const char* geometry : {"<box size='2 4 6'/>", "<sphere radius='3'/>",
                               "<cylinder radius='1' length='4'/>", "<capsule radius='1' length='4'/>"}) {
    const std::string origin = "<origin xyz='1 2 3' rpy='0.1 0.2 0.3'/>";
    const Model model =
        LoadVisualRobot(VisualLink("a", "<collision>" + origin + "<geometry>" + geometry +
                                            "</geometry></collision>" + Look(geometry, origin)));
    ASSERT_EQ(model.visuals.size(), 1u);
    const Visual& visual = model.visuals[0];
    const Shape& shape = std::get<Shape>(visual.shape);
    EXPECT_EQ(shape.index(), model.geoms[0].shape.index()) << geometry;
    EXPECT_EQ(CalcBoundingHalfExtents(shape, Matrix3d::Identity()),
              CalcBoundingHalfExtents(model.geoms[0].shape, Matrix3d::Identity()));
    EXPECT_EQ(visual.X_BV.p, Vector3d(1, 2, 3));
    EXPECT_EQ(visual.X_BV.R, model.geoms[0].X_BG.R);
    EXPECT_EQ(visual.color, std::nullopt);
  }
}

TEST(UrdfVisual, MeshesKeepTheirTrianglesAndShareThem) {
  const TemporaryFile file(kTetrahedronObj, ".obj");
  const std::string twice = Mesh(file, "scale='2 2 -2'");
  const Model model =
      LoadVisualRobot(VisualLink("a", Look(twice) + Look(twice, "<origin xyz='0 0 1'/>") + Look(Mesh(file))));
  ASSERT_EQ(model.visuals.size(), 3u);
  const SharedMesh& mesh = std::get<SharedMesh>(model.visuals[0].shape);
  EXPECT_EQ(mesh->triangles.size(), 5u);
  EXPECT_EQ(mesh->vertices.at(3), Vector3d(0, 0, -2));
  // Mirrored: the triangles turn over.
  EXPECT_EQ(mesh->triangles.at(0), (std::array<int, 3>{0, 2, 1}));
  EXPECT_EQ(std::get<SharedMesh>(model.visuals[1].shape), mesh);
  EXPECT_EQ(model.visuals[1].X_BV.p, Vector3d(0, 0, 1));
  EXPECT_EQ(std::get<SharedMesh>(model.visuals[2].shape)->vertices.at(3), Vector3d(0, 0, 1));
}

TEST(UrdfVisual, OfFusedLinksStandWhereTheirLinksDo) {
  const auto joint = [&](const char* type, const char* parent, const char* child, const char* origin) {
    return std::string("<joint name='") + child + "' type='" + type + "'><parent link='" + parent +
           "'/><child link='" + child + "'/><origin " + origin + "/></joint>";
  };
  const std::string sphere =
      "<visual name='v'><origin xyz='1 0 0'/><geometry><sphere radius='1'/></geometry></visual>";
  const Model model =
      LoadVisualRobot(VisualLink("base", "") + VisualLink("foot", sphere) + VisualLink("arm", "") +
                      VisualLink("tool", sphere) + joint("fixed", "base", "foot", "xyz='0 0 5'") +
                      joint("continuous", "base", "arm", "xyz='0 7 0'") +
                      joint("fixed", "arm", "tool", "xyz='0 0 4' rpy='0 0 1.5707963267948966'"));
  ASSERT_EQ(model.visuals.size(), 2u);
  EXPECT_EQ(model.visuals[0].body, 0);
  EXPECT_EQ(model.visuals[0].X_BV.p, Vector3d(1, 0, 5));
  EXPECT_EQ(model.visuals[1].name, "v");
  EXPECT_EQ(model.visuals[1].body, model.FindBody("arm"));
  EXPECT_LT((model.visuals[1].X_BV.p - Vector3d(0, 1, 4)).norm(), 1e-15);
  EXPECT_LT((model.visuals[1].X_BV.R * Vector3d::UnitX() - Vector3d::UnitY()).norm(), 1e-15);
}

TEST(UrdfVisual, GeomsAreSeenWhereALinkHasNoVisual) {
  const std::string shape = "<collision><geometry><sphere radius='1'/></geometry></collision>";
  const auto is_seen = [&](const std::string& visual) {
    return LoadVisualRobot(VisualLink("a", visual + shape)).geoms.at(0).is_seen;
  };
  EXPECT_TRUE(is_seen(""));
  EXPECT_FALSE(is_seen(Look("<sphere radius='1'/>")));
  EXPECT_TRUE(is_seen(Look("<mesh filename='missing.stl'/>")));
}

TEST(UrdfVisual, ColorsComeFromMaterials) {
  constexpr Color kRed{1, 0, 0, 1}, kBlue{0, 0, 1, 0.5};
  const std::string red = "<material name='m'><color rgba='1 0 0 1'/></material>";
  const std::string blue = "<material name='m'><color rgba='0 0 1 0.5'/></material>";
  const std::string by_name = "<material name='m'/>";
  EXPECT_EQ(RobotColorOf(red), kRed);
  EXPECT_EQ(RobotColorOf("<material><color rgba='1 0 0 1'/></material>"), kRed);
  EXPECT_EQ(RobotColorOf(by_name, blue), kBlue);
  EXPECT_EQ(RobotColorOf(red, blue), kRed);
  // Exporters leave names empty: these do not refer to one another.
  EXPECT_EQ(RobotColorOf("<material name=''/>", "<material name=''><color rgba='1 0 0 1'/></material>"),
            std::nullopt);
  // Robots define a material where it first occurs and mean all of the file, whatever the order.
  const std::string sphere = "<sphere radius='1'/>";
  const Model model =
      LoadVisualRobot(VisualLink("a", Look(sphere, by_name) + Look(sphere, red) + Look(sphere, blue)));
  EXPECT_EQ(model.visuals.at(0).color, kRed);
  EXPECT_EQ(model.visuals.at(2).color, kBlue);
}

TEST(UrdfVisual, ColorsThatCannotBeShownAreReported) {
  ImportReport report;
  const std::string textured = "<material name='m'><texture filename='t.png'/></material>";
  EXPECT_EQ(RobotColorOf("<material name='m'/>", textured, &report), std::nullopt);
  const ImportItem* texture = FindItem(report, "texture[@filename]");
  ASSERT_NE(texture, nullptr);
  EXPECT_EQ(texture->status, ImportStatus::kIgnored);
  EXPECT_TRUE(texture->why.starts_with("cannot be shown: ")) << texture->why;
  EXPECT_EQ(RobotColorOf("<material name='ghost'/>", textured, &report), std::nullopt);
  const auto ghost = std::find_if(report.items.begin(), report.items.end(), [](const ImportItem& item) {
    return item.why == "there is no material of this name";
  });
  ASSERT_NE(ghost, report.items.end());
  EXPECT_EQ(ghost->item, "material[@name]");
  EXPECT_EQ(RobotColorOf("<material name='m'><color rgba='red'/></material>", "", &report), std::nullopt);
  EXPECT_EQ(FindItem(report, "color[@rgba]")->status, ImportStatus::kIgnored);
}

TEST(UrdfVisual, WhatCannotBeReadDoesNotStopTheLoad) {
  const TemporaryFile empty("", ".stl"), good(kTetrahedronObj, ".obj"), junk("junk", ".dae");
  const TemporaryFile large("v 9 0 0\nv 0 9 0\nv 0 0 9\nf 1 2 3\n", ".obj");
  const std::pair<std::string, std::string> visuals[] = {
      {Look("<mesh filename='missing.dae'/>"), "no such file"},
      {Look(Mesh(empty)), empty.path() + ": the file is empty"},
      {Look(Mesh(junk)), junk.path()},
      {Look(Mesh(good, "scale='1 0 1'")), "a scale of 0"},
      {Look(Mesh(large, "scale='1e308 1 1'")), "beyond the range"},
      {Look("<mesh/>"), "needs the attribute \"filename\""},
      {Look("<box size='1 -1 1'/>"), "every size of a box must be positive"},
      {Look("<torus/>"), "a shape that this engine does not have"},
      {Look("<box size='1 1 1'/>", "<origin xyz='1 2'/>"), "needs 3 numbers"},
      {"<visual/>", "has no <geometry>"},
  };
  for (const auto& [visual, why] : visuals) {
    ImportReport report;
    const Model model = LoadVisualRobot(VisualLink("a", visual + Look("<sphere radius='1'/>")), &report);
    EXPECT_EQ(model.visuals.size(), 1u) << visual;
    const ImportItem* item = FindItem(report, "visual");
    ASSERT_NE(item, nullptr) << visual;
    EXPECT_EQ(item->status, ImportStatus::kIgnored);
    EXPECT_TRUE(item->why.starts_with("appearance only, and ")) << item->why;
    EXPECT_NE(item->why.find(why), std::string::npos) << item->why;
  }
}

TEST(UrdfVisual, UnexpandedXacroStaysIgnored) {
  ImportReport report;
  const Model model =
      LoadVisualRobot("<material name='m'><color rgba='${red}'/></material>" +
                          VisualLink("a", Look("<sphere radius='${r}'/>") +
                                              Look("<sphere radius='1'/>", "<material name='m'/>")),
                      &report);
  ASSERT_EQ(model.visuals.size(), 1u);
  EXPECT_EQ(model.visuals[0].color, std::nullopt);
  EXPECT_NE(FindItem(report, "visual")->why.find("holds unexpanded xacro"), std::string::npos);
}

}  // namespace
}  // namespace stiction
