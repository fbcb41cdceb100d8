// References to what <replicate> copies; meshes that are made by a word; frames of free bodies.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/mesh_surface.h"
#include "tests/io/model_text.h"

namespace stiction {
namespace {

constexpr double kPi = std::numbers::pi;

TEST(MjcfReplicas, WhatRefersToCopiesIsCopied) {
  const Model model = LoadText(
      "<mujoco><worldbody><site name='w'/><replicate count='3' offset='1 0 0'><body name='b'><joint "
      "name='j'/>"
      "<geom size='0.1'/><site name='a'/></body></replicate></worldbody>"
      "<tendon><spatial name='t' stiffness='1'><site site='w'/><site site='a'/></spatial></tendon>"
      "<equality><joint joint1='j' polycoef='0.5 0 0 0 0'/></equality>"
      "<actuator><motor name='m' tendon='t'/></actuator>"
      "<sensor><framepos objtype='site' objname='a'/><tendonpos tendon='t'/></sensor></mujoco>");
  ASSERT_EQ(model.num_tendons(), 3);
  EXPECT_EQ(model.num_equalities(), 3);
  ASSERT_EQ(model.nu(), 3);
  EXPECT_EQ(model.sensors.size(), 6u);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(model.tendons[i].name, "t" + std::to_string(i));
    const auto& path = std::get<SpatialTendon>(model.tendons[i].path).path;
    EXPECT_EQ(std::get<SpatialTendon::Site>(path[0]).body, 0);
    EXPECT_EQ(std::get<SpatialTendon::Site>(path[1]).body, 1 + i);
    EXPECT_EQ(model.actuators[i].tendon, i);
    EXPECT_EQ(std::get<JointPolynomial>(model.equalities[i].kind).joint, i);
  }
}

TEST(MjcfReplicas, NamesAsWrittenAndUnknownOnesStay) {
  const std::string world =
      "<mujoco><worldbody><replicate count='2' offset='1 0 0'><body><joint name='j'/><geom "
      "size='0.1'/></body>"
      "</replicate></worldbody>";
  EXPECT_EQ(LoadText(world + "<actuator><motor joint='j1'/></actuator></mujoco>").nu(), 1);
  const std::string message = LoadFailure(world + "\n<actuator><motor joint='k'/></actuator></mujoco>");
  EXPECT_NE(message.find(":2: <motor"), std::string::npos) << message;
}

template <typename Elements>
std::string JoinNames(const Elements& elements) {
  std::string names;
  for (const auto& element : elements) names += (names.empty() ? "" : " ") + element.name;
  return names;
}

// As MuJoCo 3.14 numbers them: what is no copy first, then replicate by replicate, copy by copy.
TEST(MjcfReplicas, StandBehindTheOthersCopyByCopy) {
  const Model model = LoadText(R"(<mujoco><worldbody><body><joint name="o"/><geom size=".1"/></body>
    <replicate count="2" offset="1 0 0" sep="-"><body><joint name="j"/><geom size=".1"/>
      <replicate count="2" offset="0 1 0"><body><joint name="k"/><geom size=".1"/></body></replicate>
    </body></replicate>
    <replicate count="2" offset="0 3 0"><body><joint name="l"/><geom size=".1"/></body></replicate></worldbody>
    <actuator><motor name="mk" joint="k"/><motor name="ml" joint="l"/><motor name="mj" joint="j"/></actuator>
    <actuator><motor name="mo" joint="o"/></actuator>
    <sensor><jointpos name="sl" joint="l"/><jointpos name="sk" joint="k"/><jointvel name="vk" joint="k"/>
      <jointpos name="so" joint="o"/><actuatorfrc name="fm" actuator="mk"/></sensor></mujoco>)");
  EXPECT_EQ(JoinNames(model.actuators), "mo mj-0 mk0-0 mk1-0 mj-1 mk0-1 mk1-1 ml0 ml1");
  EXPECT_EQ(JoinNames(model.sensors),
            "so sk0-0 vk0-0 fm0-0 sk1-0 vk1-0 fm1-0 sk0-1 vk0-1 fm0-1 sk1-1 vk1-1 fm1-1 sl0 sl1");
  EXPECT_EQ(model.joints[model.actuators[4].joint].name, "j-1");
}

double VolumeOf(const std::string& mesh) {
  const Model model =
      LoadText("<mujoco><asset><mesh name='m' inertia='exact' " + mesh +
               "/></asset><worldbody><body><freejoint/><geom type='mesh' mesh='m' density='1'/>"
               "</body></worldbody></mujoco>");
  return model.bodies[1].inertia.mass;
}

TEST(MjcfBuiltinMesh, VolumesTendToThoseOfTheirSurfaces) {
  EXPECT_NEAR(VolumeOf("builtin='sphere' params='4'"), 4.0 / 3.0 * kPi, 0.01 * 4.0);
  EXPECT_NEAR(VolumeOf("builtin='hemisphere' params='10'"), 2.0 / 3.0 * kPi, 0.015 * 2.0);
  // A frustum of 200 sides: height 2, radii 1 and 1/2.
  const double sides = 100.0 * std::sin(2.0 * kPi / 200.0);
  EXPECT_NEAR(VolumeOf("builtin='cone' params='200 0.5'"), 2.0 / 3.0 * sides * (1.0 + 0.5 + 0.25), 1e-9);
  EXPECT_NEAR(VolumeOf("builtin='cone' params='200 0'"), 2.0 / 3.0 * sides, 1e-9);
  EXPECT_NEAR(VolumeOf("builtin='supersphere' params='100 1 1'"), 4.0 / 3.0 * kPi, 0.01 * 4.0);
  EXPECT_NEAR(VolumeOf("builtin='supertorus' params='100 0.3 1 1'"), 2.0 * kPi * kPi * 0.09, 0.01 * 2.0);
  EXPECT_NEAR(VolumeOf("builtin='sphere' params='4' scale='0.1 0.2 0.3'"), 0.006 * 4.0 / 3.0 * kPi,
              0.01 * 0.03);
}

// Masses of 1000 kg/m³ that MuJoCo 3.14 has of them.
TEST(MjcfBuiltinMesh, VerticesAreThoseOfMuJoCo) {
  const std::string scale = " scale='0.1 0.2 0.3'";
  EXPECT_NEAR(VolumeOf("builtin='hemisphere' params='1'" + scale), 8.828426774155538e-3, 1e-9);
  EXPECT_NEAR(VolumeOf("builtin='hemisphere' params='2'" + scale), 10.713843470540935e-3, 1e-9);
  EXPECT_NEAR(VolumeOf("builtin='hemisphere' params='4'" + scale), 11.838108253506244e-3, 1e-9);
  EXPECT_NEAR(VolumeOf("builtin='wedge' params='5 3 90 60 0.3'" + scale), 4.497404594728654e-3, 1e-9);
  EXPECT_NEAR(VolumeOf("builtin='wedge' params='5 5 60 30 0'" + scale), 1.6970299257075105e-3, 1e-9);
}

TEST(MjcfBuiltinMesh, NumbersOutOfRangeAreRefusedWithTheLine) {
  for (const char* mesh : {"builtin='sphere' params='9'", "builtin='cone' params='2 0.5'",
                           "builtin='cone' params='5'", "builtin='pyramid' params='1'"}) {
    const std::string message =
        LoadFailure("<mujoco><asset>\n<mesh name='m' " + std::string(mesh) + "/></asset></mujoco>");
    EXPECT_NE(message.find(":2: <mesh"), std::string::npos) << message;
  }
}

TEST(MjcfAlign, FreeBodiesStandInTheirInertialFrames) {
  // Two balls, 2 and 1 kg, with a site: the mass centre is a third of the way, the axes are theirs.
  const std::string body =
      "<body pos='1 2 3'>JOINT<geom size='0.1' mass='2'/><geom size='0.1' mass='1' pos='0 0 3'/>"
      "<site name='s' pos='0 0 2'/></body>";
  const auto load = [&](const std::string& joint, const std::string& compiler) {
    std::string text = body;
    text.replace(text.find("JOINT"), 5, joint);
    return LoadText("<mujoco>" + compiler + "<worldbody>" + text +
                    "</worldbody><sensor><framepos objtype='site' objname='s'/></sensor></mujoco>");
  };
  const Model plain = load("<freejoint/>", ""), aligned = load("<freejoint align='true'/>", "");
  EXPECT_EQ(plain.bodies[1].X_PB.p, Vector3d(1, 2, 3));
  EXPECT_LT((aligned.bodies[1].X_PB.p - Vector3d(1, 2, 4)).norm(), 1e-14);
  EXPECT_LT(aligned.bodies[1].inertia.p_BBcm.norm(), 1e-15);
  const Matrix3d& I = aligned.bodies[1].inertia.I_BBcm_B;
  EXPECT_LT((I - Matrix3d(I.diagonal().asDiagonal())).norm(), 1e-14);
  EXPECT_GE(I(0, 0), I(1, 1));
  EXPECT_GT(I(1, 1), I(2, 2));
  // Everything stands where it stood.
  for (const Model* model : {&plain, &aligned}) {
    const RigidTransform& X_WB = model->bodies[1].X_PB;
    EXPECT_LT((X_WB * model->frames[0].X_BF.p - Vector3d(1, 2, 5)).norm(), 1e-14);
    EXPECT_LT((X_WB * model->geoms[1].X_BG.p - Vector3d(1, 2, 6)).norm(), 1e-14);
    EXPECT_LT((X_WB * model->sensors[0].frame.X_BF.p - Vector3d(1, 2, 5)).norm(), 1e-14);
  }
  EXPECT_LT(
      (load("<freejoint/>", "<compiler alignfree='true'/>").bodies[1].X_PB.p - Vector3d(1, 2, 4)).norm(),
      1e-14);
  EXPECT_EQ(load("<freejoint align='false'/>", "<compiler alignfree='true'/>").bodies[1].X_PB.p,
            Vector3d(1, 2, 3));
}

TEST(MjcfRepairs, NegativeInertiaIsRefusedOrRepaired) {
  const std::string text =
      "<mujoco><worldbody>\n<body><joint/><inertial pos='0 0 0' mass='1' diaginertia='-1 1 1'/></body>"
      "</worldbody></mujoco>";
  const std::string message = LoadFailure(text);
  EXPECT_NE(message.find(":2: <body"), std::string::npos) << message;
  EXPECT_NE(message.find("--repair-inertia"), std::string::npos) << message;
  LoadOptions options;
  options.repairs.repair_inertia = true;
  ImportReport report;
  const Matrix3d I = LoadText(text, &report, options).bodies[1].inertia.I_BBcm_B;
  bool triangle = false;
  EXPECT_TRUE(IsPositiveDefinite(I, &triangle));
  EXPECT_TRUE(triangle);
  // The nearest has the moments 0, 1 and 1: a rod.
  EXPECT_LT((I - Matrix3d(Vector3d(0, 1, 1).asDiagonal())).norm(), 1e-5);
  EXPECT_NE(FindItem(report, "inertial"), nullptr);
}

TEST(MjcfRepairs, MissingMeshesAreLeftOut) {
  const std::string text =
      "<mujoco><asset>\n<mesh name='m' file='nothing.obj'/></asset><worldbody><body><freejoint/>"
      "<geom size='0.1'/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>";
  const std::string message = LoadFailure(text);
  EXPECT_NE(message.find("--missing-mesh skip"), std::string::npos) << message;
  LoadOptions options;
  options.repairs.skip_missing_meshes = true;
  ImportReport report;
  EXPECT_EQ(LoadText(text, &report, options).num_geoms(), 1);
  EXPECT_TRUE(report.HasIgnored());
}

TEST(MjcfMeshes, AFileThatManyNameIsReadOnce) {
  const TemporaryFile mesh("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n",
                           ".obj");
  const std::string file = std::filesystem::path(mesh.path()).filename().string();
  std::string assets, bodies;
  for (int i = 0; i < 5; ++i) {
    const std::string name = "m" + std::to_string(i);
    assets += "<mesh name='" + name + "' file='" + file + "'/>";
    bodies += "<body><freejoint/><geom type='mesh' mesh='" + name + "'/></body>";
  }
  ImportReport report;
  const Model model = LoadText(
      "<mujoco><asset>" + assets + "</asset><worldbody>" + bodies + "</worldbody></mujoco>", &report);
  EXPECT_EQ(model.num_geoms(), 5);
  EXPECT_GE(report.cache_hits, 8) << "a hull and a mesh each, but the first";
  const auto hull = [&](int g) { return std::get<Hull>(model.geoms[g].shape).polytope; };
  for (int g = 1; g < 5; ++g) EXPECT_EQ(hull(g), hull(0));
}

TEST(MjcfLimits, AnEqualRangeLimitsNothingUnlessSaid) {
  for (const char* range : {"0 0", "1 1"}) {
    const Model model = LoadBody("<joint range='" + std::string(range) + "'/><geom size='0.1'/>");
    EXPECT_TRUE(std::isinf(model.joints[0].upper)) << range;
  }
}

}  // namespace
}  // namespace stiction
