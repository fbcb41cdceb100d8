// Poses as MJCF writes them, against values worked out by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "stiction/math/rotation.h"
#include "tests/io/model_text.h"

namespace stiction {
namespace {

constexpr double kTight = 1e-14;  // a few roundings of numbers of size one

// Rotation of the only body's frame for these attributes.
Matrix3d RotationOf(const std::string& attributes, const std::string& compiler = "") {
  const Model model = LoadText("<mujoco>" + compiler + "<worldbody><body " + attributes +
                               "><geom size='1'/></body></worldbody></mujoco>");
  return model.bodies[1].X_PB.R;
}

Matrix3d Columns(const Vector3d& x, const Vector3d& y, const Vector3d& z) {
  Matrix3d R;
  R << x, y, z;
  return R;
}

const Vector3d kXAxis = Vector3d::UnitX(), kYAxis = Vector3d::UnitY(), kZAxis = Vector3d::UnitZ();

TEST(MjcfPose, EveryOrientationFormGivesTheSameQuarterTurnAboutZ) {
  const Matrix3d expected = Columns(kYAxis, -kXAxis, kZAxis);
  for (const char* form : {"quat='1 0 0 1'", "quat='0.5 0 0 0.5'", "axisangle='0 0 3 90'",
                           "xyaxes='0 2 0 -1 5 0'", "euler='0 0 90'"}) {
    EXPECT_LT((RotationOf(form) - expected).norm(), kTight) << form;
  }
  EXPECT_LT(
      (RotationOf("axisangle='0 0 1 1.5707963267948966'", "<compiler angle='radian'/>") - expected).norm(),
      kTight);
}

TEST(MjcfPose, ZAxisIsReachedByTheSmallestRotation) {
  // About y by 90 degrees: x goes to -z, z to x.
  EXPECT_LT((RotationOf("zaxis='2 0 0'") - Columns(-kZAxis, kYAxis, kXAxis)).norm(), kTight);
  EXPECT_LT((RotationOf("zaxis='0 0 5'") - Matrix3d::Identity()).norm(), kTight);
  // Straight down: half a turn about x.
  EXPECT_LT((RotationOf("zaxis='0 0 -1'") - Columns(kXAxis, -kYAxis, -kZAxis)).norm(), kTight);
}

TEST(MjcfPose, LowerCaseEulerSequenceTurnsTheAxesAlong) {
  // First about x by 90: y becomes z, z becomes -y. Then about the new y, which is the old z.
  const Matrix3d moving = RotationOf("euler='90 90 0'");
  EXPECT_LT((moving - Columns(kYAxis, kZAxis, kXAxis)).norm(), kTight);
  const Matrix3d fixed = RotationOf("euler='90 90 0'", "<compiler eulerseq='XYZ'/>");
  // About x, then about the old y: x goes to -z, and the image of y, z, to x.
  EXPECT_LT((fixed - Columns(-kZAxis, kXAxis, -kYAxis)).norm(), kTight);
}

TEST(MjcfPose, EulerSequenceNamesTheOrderOfTheAxes) {
  const Matrix3d zyx = RotationOf("euler='90 90 0'", "<compiler eulerseq='zyx'/>");
  const Matrix3d expected =
      (QuaternionExp(M_PI_2 * kZAxis) * QuaternionExp(M_PI_2 * kYAxis)).toRotationMatrix();
  EXPECT_LT((zyx - expected).norm(), kTight);
}

TEST(MjcfPose, FromToGivesCentreLengthAndDirection) {
  const Model model = LoadBody(
      "<geom type='capsule' fromto='0 0 1 0 0 3' size='0.1'/>"
      "<geom type='box' fromto='0 0 0 4 0 0' size='0.2'/>");
  const Capsule& capsule = std::get<Capsule>(model.geoms[0].shape);
  EXPECT_DOUBLE_EQ(capsule.radius, 0.1);
  EXPECT_DOUBLE_EQ(capsule.half_length, 1.0);
  EXPECT_LT((model.geoms[0].X_BG.p - Vector3d(0, 0, 2)).norm(), kTight);
  const Box& box = std::get<Box>(model.geoms[1].shape);
  EXPECT_LT((box.half_extents - Vector3d(0.2, 0.2, 2.0)).norm(), kTight);
  // z points from the end to the start.
  EXPECT_LT((model.geoms[1].X_BG.R.col(2) + kXAxis).norm(), kTight);
}

TEST(MjcfPose, FramesMoveWhatTheyContain) {
  const Model model = LoadBody(
      "<frame pos='1 0 0' euler='0 0 90'><frame pos='0 2 0'>"
      "<joint axis='1 0 0' pos='0 0 3'/><geom size='1'/><body pos='1 0 0'><geom "
      "size='1'/></body></frame></frame>");
  // The inner frame stands at (1,0,0) + Rz (0,2,0) = (-1,0,0).
  EXPECT_LT((model.geoms[0].X_BG.p - Vector3d(-1, 0, 0)).norm(), kTight);
  const HingeJoint& hinge = std::get<HingeJoint>(model.joints[0].kind);
  EXPECT_LT((hinge.p_BJ - Vector3d(-1, 0, 3)).norm(), kTight);
  EXPECT_LT((hinge.axis_B - kYAxis).norm(), kTight);
  EXPECT_LT((model.bodies[2].X_PB.p - Vector3d(-1, 1, 0)).norm(), kTight);
}

TEST(MjcfPose, ReplicasTurnAsSeenFromTheOneBefore) {
  const Model model = LoadText(
      "<mujoco><worldbody><replicate count='12' offset='1 0 0' euler='0 0 90' sep='-'>"
      "<body name='leg'><freejoint/><geom size='1'/></body></replicate></worldbody></mujoco>");
  ASSERT_EQ(model.num_bodies(), 13);
  EXPECT_EQ(model.bodies[1].name, "leg-00");
  EXPECT_EQ(model.bodies[12].name, "leg-11");
  EXPECT_LT(model.bodies[1].X_PB.p.norm(), kTight);
  EXPECT_LT((model.bodies[3].X_PB.p - Vector3d(1, 1, 0)).norm(), kTight);
  EXPECT_LT((model.bodies[4].X_PB.p - Vector3d(0, 1, 0)).norm(), kTight);
}

TEST(MjcfPose, IncludesStandInTheirPlaceOnce) {
  const TemporaryFile part("<mujocoinclude><geom size='2'/><geom size='3'/></mujocoinclude>", ".xml");
  const std::string name = std::filesystem::path(part.path()).filename().string();
  const Model model = LoadBody("<geom size='1'/><include file='" + name + "'/><geom size='4'/>");
  ASSERT_EQ(model.num_geoms(), 4);
  for (int g = 0; g < 4; ++g) EXPECT_EQ(std::get<Sphere>(model.geoms[g].shape).radius, g + 1.0);
  const std::string twice = "<include file='" + name + "'/>";
  EXPECT_NE(LoadFailure("<mujoco><worldbody>" + twice + twice + "</worldbody></mujoco>").find("second time"),
            std::string::npos);
}

TEST(MjcfPose, IncludesBeginAtTheMainFileOrElseAtTheirOwn) {
  namespace fs = std::filesystem;
  const TemporaryFile unique("", ".txt");
  const fs::path folder = unique.path() + "_parts";
  fs::create_directories(folder / "inner");
  const auto write = [&](const fs::path& path, const std::string& inside) {
    std::ofstream(path) << "<mujocoinclude>" << inside << "</mujocoinclude>";
  };
  const std::string from_main = folder.filename().string() + "/inner/b.xml";
  write(folder / "outer.xml", "<include file='inner/a.xml'/><include file='" + from_main + "'/>");
  write(folder / "inner" / "a.xml", "<geom size='1'/>");
  write(folder / "inner" / "b.xml", "<geom size='2'/>");
  const Model model = LoadBody("<include file='" + folder.filename().string() + "/outer.xml'/>");
  fs::remove_all(folder);
  ASSERT_EQ(model.num_geoms(), 2);
  EXPECT_EQ(std::get<Sphere>(model.geoms[1].shape).radius, 2.0);
}

}  // namespace
}  // namespace stiction
