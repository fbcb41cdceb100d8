// Masses and inertias of MJCF bodies.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/io/model_text.h"

namespace stiction {
namespace {

constexpr double kInertiaTolerance = 1e-14;

MassProperties InertiaOf(const std::string& elements, const std::string& sections = "") {
  return LoadBody(elements + "<joint armature='1'/>", sections).bodies[1].inertia;
}

TEST(MjcfInertia, GeomsWeighByDensityAndMassBeatsDensity) {
  EXPECT_NEAR(InertiaOf("<geom type='box' size='0.1 0.2 0.3'/>").mass, 1000 * 8 * 0.006, 1e-12);
  EXPECT_EQ(InertiaOf("<geom size='0.1' mass='3' density='5'/>").mass, 3.0);
  EXPECT_EQ(InertiaOf("<geom size='0.1' density='5'/>", "<default><geom mass='2'/></default>").mass, 2.0);
}

TEST(MjcfInertia, FullInertiaIsOrderedDiagonalFirst) {
  const MassProperties inertia =
      InertiaOf("<inertial pos='1 2 3' mass='4' fullinertia='5 6 7 0.1 0.2 0.3'/><geom size='1'/>");
  Matrix3d expected;
  expected << 5, 0.1, 0.2, 0.1, 6, 0.3, 0.2, 0.3, 7;
  EXPECT_EQ(inertia.mass, 4.0);
  EXPECT_EQ(inertia.p_BBcm, Vector3d(1, 2, 3));
  EXPECT_LT((inertia.I_BBcm_B - expected).norm(), kInertiaTolerance);
}

TEST(MjcfInertia, DiagonalInertiaTurnsWithTheInertialFrame) {
  // A quarter turn about z exchanges x and y.
  const MassProperties inertia =
      InertiaOf("<inertial pos='0 0 0' quat='1 0 0 1' mass='1' diaginertia='1 2 2.5'/>");
  EXPECT_LT((inertia.I_BBcm_B - Matrix3d(Vector3d(2, 1, 2.5).asDiagonal())).norm(), kInertiaTolerance);
}

TEST(MjcfInertia, InertiaFromGeomDecidesWhoCounts) {
  const std::string both = "<inertial pos='0 0 0' mass='9' diaginertia='1 1 1'/><geom size='0.1' mass='2'/>";
  EXPECT_EQ(InertiaOf(both).mass, 9.0);
  EXPECT_EQ(InertiaOf(both, "<compiler inertiafromgeom='true'/>").mass, 2.0);
  EXPECT_EQ(InertiaOf("<geom size='0.1' mass='2'/>", "<compiler inertiafromgeom='false'/>").mass, 0.0);
  const std::string groups = "<geom size='0.1' mass='2' group='1'/><geom size='0.1' mass='4' group='3'/>";
  EXPECT_EQ(InertiaOf(groups, "<compiler inertiagrouprange='3 5'/>").mass, 4.0);
}

TEST(MjcfInertia, BoundsBalanceAndTotalMass) {
  const std::string thin = "<inertial pos='0 0 0' mass='1' diaginertia='1 1 4'/>";
  EXPECT_LT((InertiaOf(thin, "<compiler balanceinertia='true'/>").I_BBcm_B - 2 * Matrix3d::Identity()).norm(),
            1e-13);
  EXPECT_EQ(InertiaOf(thin, "<compiler boundmass='5'/>").mass, 5.0);
  EXPECT_NEAR(InertiaOf(thin, "<compiler boundinertia='3'/>").I_BBcm_B(0, 0), 3.0, kInertiaTolerance);
  const Model model = LoadText(
      "<mujoco><compiler settotalmass='10'/><worldbody><body><joint/><geom size='1' mass='1'/>"
      "<body><joint/><geom size='1' mass='4'/></body></body></worldbody></mujoco>");
  EXPECT_NEAR(model.bodies[1].inertia.mass, 2.0, kInertiaTolerance);
  EXPECT_NEAR(model.bodies[2].inertia.mass, 8.0, kInertiaTolerance);
  // A solid sphere of 8 kg and 1 m.
  EXPECT_NEAR(model.bodies[2].inertia.I_BBcm_B(0, 0), 0.4 * 8.0, 1e-13);
}

// Moments that are equal leave open along which axes the box stands that a fluid drags at: those of the only
// geom, or of the <inertial>, whatever rule changes the moments.
TEST(MjcfInertia, OfEqualMomentsTheAxesAreThoseOfTheFile) {
  const std::string turn = "euler='20 -30 40'", body = "<joint type='ball'/>";
  const auto find_axes = [&](const std::string& elements, const std::string& rule) {
    return LoadBody(body + elements, "<compiler " + rule + "/>").bodies[1].R_BI;
  };
  const Matrix3d R = LoadBody("<joint/><geom size='1' " + turn + "/>").geoms[0].X_BG.R;
  const std::string inertial = "<inertial pos='0 0 0' mass='1' diaginertia='2 2 1' " + turn + "/>";
  for (const char* rule : {"", "settotalmass='3'", "boundmass='0.5'", "balanceinertia='true'"}) {
    for (const auto& elements : {"<geom type='capsule' size='0.1 0.2' " + turn + "/>", inertial})
      EXPECT_LT((find_axes(elements, rule) - R).norm(), 1e-12) << rule << elements;
  }
}

// The density is one of area then. A hollow box of 0.2 x 0.4 x 0.6 m, face by face.
TEST(MjcfInertia, ShellsWeighByTheirSurface) {
  ImportReport report;
  const Model model = LoadBody(
      "<freejoint/><geom type='box' size='0.1 0.2 0.3' pos='0 0 1' density='2' "
      "shellinertia='true'/>",
      "", &report);
  const MassProperties& inertia = model.bodies[1].inertia;
  MassProperties faces;
  const Vector3d half(0.1, 0.2, 0.3);
  for (int i = 0; i < 6; ++i) {
    Vector3d size = half, center = Vector3d::Zero();
    size[i % 3] = 1e-9;  // a sheet
    center[i % 3] = i < 3 ? half[i % 3] : -half[i % 3];
    const double area = 4.0 * half.prod() / half[i % 3];
    faces = Add(faces, Transform({Matrix3d::Identity(), center + Vector3d(0, 0, 1)},
                                 CalcSolidMassProperties(Box{size}, 2.0 * area)));
  }
  EXPECT_NEAR(inertia.mass, faces.mass, 1e-12);
  EXPECT_LT((inertia.p_BBcm - faces.p_BBcm).norm(), 1e-12);
  EXPECT_LT((inertia.I_BBcm_B - faces.I_BBcm_B).norm(), 1e-12);
  EXPECT_EQ(FindItem(report, "geom[@shellinertia]")->status, ImportStatus::kHonoured);
  EXPECT_EQ(InertiaOf("<geom size='1' mass='3' shellinertia='true'/>").mass, 3.0);
  EXPECT_NEAR(InertiaOf("<geom size='1' mass='3' shellinertia='true'/>").I_BBcm_B(0, 0), 2.0, 1e-14);
}

}  // namespace
}  // namespace stiction
