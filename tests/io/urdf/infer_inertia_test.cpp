// URDF files that say too little, or what cannot be, and what is made of them (ModelRepairs).
#include <gtest/gtest.h>

#include <numbers>

#include "tests/io/model_text.h"

namespace stiction {
namespace {

constexpr double kPi = std::numbers::pi;

std::string Drawing(const std::string& arm, const std::string& tool = "") {
  return "<robot name='r'><link name='base'/><link name='arm'>" + arm +
         "</link><joint name='j' type='continuous'><parent link='base'/><child link='arm'/></joint>" + tool +
         "</robot>";
}
const char kBox[] = "<origin xyz='0 0 1'/><geometry><box size='1 2 3'/></geometry>";
const char kBall[] = "<geometry><sphere radius='0.5'/></geometry>";

LoadOptions With(const ModelRepairs& repairs) {
  LoadOptions options;
  options.repairs = repairs;
  return options;
}

TEST(UrdfRepairs, MassIsThatOfCollisionsElseOfVisuals) {
  const LoadOptions infer = With({.infer_inertia = 10.0});
  const std::string both = "<visual>" + std::string(kBall) + "</visual><collision>" + kBox + "</collision>";
  ImportReport report;
  const MassProperties box = LoadText(Drawing(both), &report, infer).bodies[1].inertia;
  EXPECT_NEAR(box.mass, 60.0, 1e-12);
  EXPECT_LT((box.p_BBcm - Vector3d(0, 0, 1)).norm(), 1e-14);
  EXPECT_LT((box.I_BBcm_B - Matrix3d(Vector3d(65, 50, 25).asDiagonal())).norm(), 1e-11);
  const ImportItem* item = nullptr;
  for (const ImportItem& candidate : report.items) {
    if (candidate.why.find("\"arm\" has no mass in the file: 60 kg") != std::string::npos) item = &candidate;
  }
  ASSERT_NE(item, nullptr);
  EXPECT_EQ(item->status, ImportStatus::kApproximated);

  const std::string seen = "<visual>" + std::string(kBall) + "</visual>";
  for (const bool visuals : {false, true}) {
    LoadOptions options = infer;
    options.visuals = visuals;
    EXPECT_NEAR(LoadText(Drawing(seen), nullptr, options).bodies[1].inertia.mass, 10.0 * kPi / 6.0, 1e-12);
  }
}

TEST(UrdfRepairs, WrittenMassesAndFramesStay) {
  const LoadOptions infer = With({.infer_inertia = 10.0});
  const std::string written =
      "<inertial><mass value='2'/><inertia ixx='1' iyy='1' izz='1'/></inertial><collision>" +
      std::string(kBox) + "</collision>";
  EXPECT_EQ(LoadText(Drawing(written), nullptr, infer).bodies[1].inertia.mass, 2.0);
  // A tool frame on a fixed joint adds nothing; a link that turns by itself is a ball of 1 cm.
  const std::string tool =
      "<link name='tool'/><joint name='t' type='TYPE'><parent link='arm'/><child link='tool'/></joint>";
  for (const std::string type : {"fixed", "continuous"}) {
    std::string text = tool;
    text.replace(text.find("TYPE"), 4, type);
    const Model model = LoadText(Drawing(written, text), nullptr, infer);
    EXPECT_EQ(model.bodies[1].inertia.mass, 2.0);
    if (type == "fixed") continue;
    EXPECT_NEAR(model.bodies[2].inertia.mass, 10.0 * 4.0 / 3.0 * kPi * 1e-6, 1e-18);
  }
}

TEST(UrdfRepairs, MomentsOfAMassAreThoseOfItsShapes) {
  const std::string shape = "<collision>" + std::string(kBox) + "</collision>";
  const std::string mass = "<origin xyz='0 0 .5'/><mass value='12'/>";
  for (const std::string moments : {"", "<inertia ixx='0' iyy='0' izz='0'/>"}) {
    const std::string text = Drawing("<inertial>" + mass + moments + "</inertial>" + shape);
    ImportReport report;
    const Model model = LoadText(text, &report, With({.infer_inertia = 10.0}));
    const MassProperties& arm = model.bodies[1].inertia;
    EXPECT_EQ(arm.mass, 12.0);
    EXPECT_EQ(arm.p_BBcm, Vector3d(0, 0, 0.5)) << "where the file says";
    EXPECT_LT((arm.I_BBcm_B - Matrix3d(Vector3d(13, 10, 5).asDiagonal())).norm(), 1e-12);
    const ImportItem* item = FindItem(report, "link");
    ASSERT_NE(item, nullptr);
    EXPECT_NE(item->why.find("\"arm\" has a mass without moments"), std::string::npos) << item->why;
  }
  const std::string missing = LoadFailure(Drawing("<inertial>" + mass + "</inertial>" + shape));
  EXPECT_NE(missing.find("has no <inertia>"), std::string::npos) << missing;
  EXPECT_NE(missing.find("--infer-inertia"), std::string::npos) << missing;
}

TEST(UrdfRepairs, ErrorsOfferTheFlags) {
  const std::string bare = LoadFailure(Drawing("<visual>" + std::string(kBall) + "</visual>"));
  EXPECT_NE(bare.find("--infer-inertia"), std::string::npos) << bare;
  const std::string mesh =
      "<collision><geometry><mesh filename='package://nowhere/a.stl'/></geometry></collision>";
  const std::string missing = LoadFailure(Drawing(mesh));
  EXPECT_NE(missing.find("--missing-mesh skip"), std::string::npos) << missing;
  const std::string roots = LoadFailure("<robot name='r'><link name='a'/>\n<link name='b'/></robot>");
  EXPECT_NE(roots.find(":2: <link name=\"b\""), std::string::npos) << roots;
  EXPECT_NE(roots.find("--several-roots"), std::string::npos) << roots;
  const std::string inertia =
      LoadFailure(Drawing("<inertial><mass value='1'/>\n<inertia ixx='-1' iyy='1' izz='1'/></inertial>"));
  EXPECT_NE(inertia.find(":2: <inertia"), std::string::npos) << inertia;
  EXPECT_NE(inertia.find("--repair-inertia"), std::string::npos) << inertia;
}

TEST(UrdfRepairs, MissingMeshesAreLeftOut) {
  const std::string mesh =
      "<collision><geometry><mesh filename='package://nowhere/a.stl'/></geometry></collision>"
      "<collision><geometry><mesh filename='nothing.obj'/></geometry></collision><collision>" +
      std::string(kBall) + "</collision>";
  ImportReport report;
  const Model model =
      LoadText(Drawing(mesh), &report, With({.infer_inertia = 1000.0, .skip_missing_meshes = true}));
  EXPECT_EQ(model.num_geoms(), 1);
  EXPECT_NEAR(model.bodies[1].inertia.mass, 1000.0 * kPi / 6.0, 1e-9);
  int num_ignored = 0;
  for (const ImportItem& item : report.items)
    num_ignored += item.item == "mesh" && item.is_physical_loss() ? 1 : 0;
  EXPECT_EQ(num_ignored, 2);
}

TEST(UrdfRepairs, NearestInertiaTakesThePlaceOfOneThatCannotBe) {
  // Moments 1, 1, 5 break the triangle inequality by 3: each gives a third of it.
  const std::string flat = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='5'/></inertial>";
  ImportReport report;
  const Matrix3d I =
      LoadText(Drawing(flat), &report, With({.repair_inertia = true})).bodies[1].inertia.I_BBcm_B;
  EXPECT_LT((I - Matrix3d(Vector3d(2, 2, 4).asDiagonal())).norm(), 5e-5);
  const ImportItem* item = FindItem(report, "inertia");
  ASSERT_NE(item, nullptr);
  EXPECT_EQ(item->status, ImportStatus::kApproximated);
  // Unasked it is used as written.
  EXPECT_EQ(LoadText(Drawing(flat)).bodies[1].inertia.I_BBcm_B(2, 2), 5.0);
}

TEST(UrdfRepairs, EachRootCarriesItsTree) {
  const std::string ball = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>";
  const std::string text =
      "<robot name='r'><link name='a'>" + ball + "</link><link name='b'>" + ball + "</link><link name='c'>" +
      ball +
      "</link><joint name='j' type='continuous'><parent link='b'/><child link='c'/></joint>"
      "</robot>";
  LoadOptions options = With({.several_roots = true});
  const Model fixed = LoadText(text, nullptr, options);
  EXPECT_EQ(fixed.num_trees(), 1);
  EXPECT_EQ(fixed.frames.size(), 2u);
  options.floating_base = true;
  const Model floating = LoadText(text, nullptr, options);
  EXPECT_EQ(floating.num_trees(), 2);
  EXPECT_EQ(floating.nv(), 13);
  EXPECT_GE(floating.FindJoint("a_floating_base"), 0);
}

}  // namespace
}  // namespace stiction
