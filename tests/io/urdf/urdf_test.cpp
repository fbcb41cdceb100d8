// The tree, inertias, shapes and collision rules of URDF files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/mesh_surface.h"
#include "tests/io/model_text.h"

namespace stiction {
namespace {

constexpr double kUrdfTolerance = 1e-14;

std::string Link(const std::string& name, const std::string& inside = "") {
  return "<link name='" + name +
         "'><inertial><origin xyz='0 0 1'/><mass value='2'/>"
         "<inertia ixx='1' iyy='2' izz='2.5' ixy='0' ixz='0' iyz='0'/></inertial>" +
         inside + "</link>";
}

std::string Joint(const std::string& name, const std::string& type, const std::string& parent,
                  const std::string& child, const std::string& inside = "") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent + "'/><child link='" +
         child + "'/>" + inside + "</joint>";
}

std::string ShapeElement(const std::string& geometry, const std::string& origin = "0 0 0") {
  return "<collision><origin xyz='" + origin + "'/><geometry>" + geometry + "</geometry></collision>";
}

Model LoadUrdf(const std::string& inside, const LoadOptions& options = {}, ImportReport* report = nullptr) {
  return LoadText("<robot name='r'>" + inside + "</robot>", report, options);
}

TEST(Urdf, FixedLinksFuseAndKeepTheirNamesAsFrames) {
  const Model model =
      LoadUrdf(Link("base") + Link("arm") + Link("tool") +
               Joint("j", "revolute", "base", "arm", "<limit lower='-1' upper='2'/><axis xyz='0 1 0'/>") +
               Joint("f", "fixed", "arm", "tool", "<origin xyz='0 0 4' rpy='0 0 1.5707963267948966'/>"));
  ASSERT_EQ(model.num_bodies(), 2);
  const MassProperties& inertia = model.bodies[1].inertia;
  EXPECT_EQ(inertia.mass, 4.0);
  // Masses of 2 kg at z = 1 and 5: each is 2 m from the common centre at 3. The tool's x and y are exchanged.
  EXPECT_LT((inertia.p_BBcm - Vector3d(0, 0, 3)).norm(), kUrdfTolerance);
  EXPECT_LT((inertia.I_BBcm_B - Matrix3d(Vector3d(1 + 2 + 16, 2 + 1 + 16, 5).asDiagonal())).norm(), 1e-13);
  ASSERT_EQ(model.frames.size(), 2u);
  EXPECT_EQ(model.frames[0].name, "base");
  EXPECT_EQ(model.frames[0].body, 0);
  EXPECT_EQ(model.frames[1].name, "tool");
  EXPECT_LT((model.frames[1].X_BF.p - Vector3d(0, 0, 4)).norm(), kUrdfTolerance);
  EXPECT_EQ(model.joints[0].lower, -1.0);
  EXPECT_EQ(model.joints[0].upper, 2.0);
}

TEST(Urdf, RollPitchYawTurnAboutFixedAxes) {
  const Model model =
      LoadUrdf(Link("a") + Link("b") +
               Joint("j", "continuous", "a", "b", "<origin rpy='1.5707963267948966 0 1.5707963267948966'/>"));
  // Roll takes y to z and z to -y; yaw then takes x to y and -y to x.
  Matrix3d expected;
  expected << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  EXPECT_LT((model.bodies[1].X_PB.R - expected).norm(), kUrdfTolerance);
  EXPECT_EQ(std::get<HingeJoint>(model.joints[0].kind).axis_B, Vector3d::UnitX());
  EXPECT_FALSE(std::isfinite(model.joints[0].upper));
}

TEST(Urdf, JointsAreOrderedDepthFirstInTheOrderOfTheFile) {
  const Model model =
      LoadUrdf(Link("d") + Link("c") + Link("b") + Link("a") + Joint("j2", "continuous", "b", "c") +
               Joint("j1", "continuous", "a", "b") + Joint("j3", "continuous", "a", "d"));
  ASSERT_EQ(model.num_joints(), 3);
  EXPECT_EQ(model.joints[0].name, "j1");
  EXPECT_EQ(model.joints[1].name, "j2");
  EXPECT_EQ(model.joints[2].name, "j3");
}

TEST(Urdf, PlanarJointIsTwoSlidesAndAHinge) {
  const Model model = LoadUrdf(Link("a") + Link("b") + Joint("p", "planar", "a", "b", "<axis xyz='0 0 2'/>"));
  ASSERT_EQ(model.num_joints(), 3);
  EXPECT_EQ(std::get<SlideJoint>(model.joints[0].kind).axis_B, Vector3d::UnitX());
  EXPECT_EQ(std::get<SlideJoint>(model.joints[1].kind).axis_B, Vector3d::UnitY());
  EXPECT_EQ(std::get<HingeJoint>(model.joints[2].kind).axis_B, Vector3d::UnitZ());
}

TEST(Urdf, SphericalJointOfBulletIsABall) {
  const Model model =
      LoadUrdf(Link("a") + Link("b") +
               Joint("s", "spherical", "a", "b", "<origin xyz='1 2 3'/><dynamics damping='.5'/>"));
  ASSERT_EQ(model.num_joints(), 1);
  EXPECT_TRUE(std::holds_alternative<BallJoint>(model.joints[0].kind));
  EXPECT_EQ(model.bodies[1].X_PB.p, Vector3d(1, 2, 3));
  EXPECT_EQ(model.joints[0].damping, 0.5);
}

std::string DrakeJoint(const std::string& type, const std::string& children) {
  return "<drake:joint name='d' type='" + type + "'><parent link='a'/><child link='b'/>" + children +
         "</drake:joint>";
}

TEST(Urdf, JointsOfDrakeAreOfTheirKind) {
  const auto load = [](const std::string& type, const std::string& children) {
    return LoadUrdf(Link("a") + Link("b") + DrakeJoint(type, children));
  };
  const Model ball = load("ball", "<origin xyz='1 2 3'/><dynamics damping='.5'/>");
  ASSERT_EQ(ball.num_joints(), 1);
  EXPECT_TRUE(std::holds_alternative<BallJoint>(ball.joints[0].kind));
  EXPECT_EQ(ball.bodies[1].X_PB.p, Vector3d(1, 2, 3));
  EXPECT_EQ(ball.joints[0].damping, 0.5);

  const Model screw = load("screw", "<axis xyz='0 0 2'/><drake:screw_thread_pitch value='-.02'/>");
  ASSERT_EQ(screw.num_joints(), 1);
  EXPECT_EQ(screw.joints[0].name, "d");
  EXPECT_EQ(std::get<ScrewJoint>(screw.joints[0].kind).axis_B, Vector3d::UnitZ());
  EXPECT_EQ(std::get<ScrewJoint>(screw.joints[0].kind).pitch, -0.02);

  const Model universal = load("universal", "<dynamics damping='.25'/>");
  ASSERT_EQ(universal.num_joints(), 1);
  EXPECT_EQ(std::get<UniversalJoint>(universal.joints[0].kind).axis1_B, Vector3d::UnitX());
  EXPECT_EQ(std::get<UniversalJoint>(universal.joints[0].kind).axis2_B, Vector3d::UnitY());
  EXPECT_EQ(universal.joints[0].damping, 0.25);

  // In the joint's x and y, whatever a stray <axis> says.
  const Model planar = load("planar", "<axis xyz='1 0 0'/><dynamics damping='1 2 3'/>");
  ASSERT_EQ(planar.num_joints(), 3);
  EXPECT_EQ(std::get<SlideJoint>(planar.joints[0].kind).axis_B, Vector3d::UnitX());
  EXPECT_EQ(std::get<SlideJoint>(planar.joints[1].kind).axis_B, Vector3d::UnitY());
  EXPECT_EQ(std::get<HingeJoint>(planar.joints[2].kind).axis_B, Vector3d::UnitZ());
  for (int j = 0; j < 3; ++j) EXPECT_EQ(planar.joints[j].damping, j + 1.0);
}

TEST(Urdf, JointsOfDrakeSayWhatTheyLack) {
  const std::pair<std::string, std::string> refused[] = {
      {DrakeJoint("screw", ""), "drake:screw_thread_pitch"},
      {DrakeJoint("screw", "<drake:screw_thread_pitch value='0'/>"), "pitch"},
      {DrakeJoint("revolute", ""), "universal"},
      {DrakeJoint("planar", "<dynamics damping='1 -2 3'/>"), "negative"}};
  for (const auto& [joint, said] : refused) {
    try {
      LoadUrdf(Link("a") + Link("b") + joint);
      ADD_FAILURE() << joint << " was accepted";
    } catch (const LoadError& error) {
      EXPECT_NE(std::string(error.what()).find(said), std::string::npos) << error.what();
    }
  }
}

TEST(Urdf, OriginsMayBeTurnedByQuaternions) {
  const auto joint = [](const std::string& origin) {
    return Link("a") + Link("b") + Joint("j", "continuous", "a", "b", "<origin " + origin + "/>");
  };
  ImportReport report;
  const Model model = LoadUrdf(joint("xyz='1 2 3' quat_xyzw='0 0 3 3'"), {}, &report);
  EXPECT_EQ(model.bodies.at(1).X_PB.p, Vector3d(1, 2, 3));
  EXPECT_LT((model.bodies[1].X_PB.R * Vector3d::UnitX() - Vector3d::UnitY()).norm(), 1e-15);
  EXPECT_TRUE(DescribeLosses(report).empty());
  EXPECT_THROW(LoadUrdf(joint("rpy='0 0 1' quat_xyzw='0 0 0 1'")), LoadError);
  EXPECT_THROW(LoadUrdf(joint("quat_xyzw='0 0 0 0'")), LoadError);
}

TEST(Urdf, FloatingJointNeedsAParentThatStandsStill) {
  const Model model = LoadUrdf(Link("a") + Link("b") + Link("c") + Joint("f", "fixed", "a", "b") +
                               Joint("j", "floating", "b", "c", "<origin xyz='1 2 3'/>"));
  ASSERT_EQ(model.num_joints(), 1);
  EXPECT_TRUE(model.joints[0].is_free());
  EXPECT_EQ(model.q0.head<3>(), Vector3d(1, 2, 3));
  try {
    LoadUrdf(Link("a") + Link("b") + Link("c") + Joint("j", "continuous", "a", "b") +
             Joint("k", "floating", "b", "c"));
    FAIL() << "a floating joint on a moving link was accepted";
  } catch (const LoadError& error) {
    EXPECT_NE(std::string(error.what()).find("child of the world"), std::string::npos) << error.what();
  }
}

TEST(Urdf, MimicIsAnEquality) {
  ImportReport report;
  const Model model = LoadUrdf(
      Link("a") + Link("b") + Link("c") +
          Joint("follower", "continuous", "a", "c", "<mimic joint='leader' multiplier='-2' offset='0.5'/>") +
          Joint("leader", "prismatic", "a", "b", "<limit lower='0' upper='1'/>"),
      {}, &report);
  ASSERT_EQ(model.num_equalities(), 1);
  const JointPolynomial& mimic = std::get<JointPolynomial>(model.equalities[0].kind);
  EXPECT_EQ(model.joints[mimic.joint].name, "follower");
  EXPECT_EQ(model.joints[mimic.of_joint].name, "leader");
  EXPECT_EQ(mimic.coefficients, (std::array<double, 5>{0.5, -2.0, 0.0, 0.0, 0.0}));
  ASSERT_NE(FindItem(report, "mimic[@joint]"), nullptr);
  EXPECT_EQ(FindItem(report, "mimic[@joint]")->status, ImportStatus::kHonoured);
  EXPECT_THROW(LoadUrdf(Link("a") + Link("b") + Joint("j", "continuous", "a", "b", "<mimic joint='j'/>")),
               LoadError);
}

std::string Transmission(const std::string& joint, const std::string& inside = "",
                         const std::string& type = "transmission_interface/SimpleTransmission") {
  return "<transmission name='t'><type>" + type + "</type>" + joint + "<actuator name='motor'>" + inside +
         "</actuator></transmission>";
}

TEST(Urdf, SimpleTransmissionsBecomeMotors) {
  const std::string robot =
      Link("a") + Link("b") + Joint("j", "continuous", "a", "b", "<limit effort='30' velocity='1'/>");
  const std::string joint =
      "<joint "
      "name='j'><hardwareInterface>hardware_interface/EffortJointInterface</hardwareInterface></joint>";
  ImportReport report;
  const Model model = LoadUrdf(
      robot + Transmission(joint, "<mechanicalReduction>\n -60 </mechanicalReduction>"), {}, &report);
  ASSERT_EQ(model.nu(), 1);
  const Actuator& motor = model.actuators[0];
  EXPECT_EQ(motor.name, "motor");
  EXPECT_EQ(model.joints[motor.joint].name, "j");
  EXPECT_EQ(motor.gear[0], -60.0);
  EXPECT_EQ(motor.force_upper, 0.5);  // 30 N·m behind a reduction of 60
  EXPECT_EQ(motor.force_lower, -0.5);
  EXPECT_EQ(motor.gain[0], 1.0);
  EXPECT_EQ(FindItem(report, "limit[@effort]")->status, ImportStatus::kHonoured);
  EXPECT_EQ(LoadUrdf(robot + Transmission(joint)).actuators[0].gear[0], 1.0);
  EXPECT_THROW(LoadUrdf(robot + Transmission(joint, "<mechanicalReduction>0</mechanicalReduction>")),
               LoadError);
}

// A rotor of 2e-5 kg·m² behind a gear of 50 moves as 0.05 kg·m² at the joint.
TEST(Urdf, RotorsOfDrakeAreArmature) {
  const std::string robot = Link("a") + Link("b") + Joint("j", "continuous", "a", "b");
  const auto load = [&](const std::string& words) {
    return LoadUrdf(robot + Transmission("<joint name='j'/>", words)).joints[0].armature;
  };
  EXPECT_DOUBLE_EQ(load("<drake:rotor_inertia value='2e-5'/><drake:gear_ratio value='50'/>"), 0.05);
  EXPECT_DOUBLE_EQ(load("<drake:rotor_inertia value='2e-5'/>"), 2e-5);
  EXPECT_EQ(load("<drake:gear_ratio value='50'/>"), 0.0);
  EXPECT_THROW(load("<drake:rotor_inertia value='-1'/>"), LoadError);
}

TEST(Urdf, FrictionOfDrakeIsThatOfEachCollision) {
  const auto collision = [](const std::string& words) {
    return "<collision><geometry><box size='1 1 1'/></geometry><drake:proximity_properties>" + words +
           "</drake:proximity_properties></collision>";
  };
  ImportReport report;
  const Model model =
      LoadUrdf(Link("a", collision("<drake:mu_static value='0.9'/><drake:mu_dynamic value='0.4'/>") +
                             collision("<drake:mu_static value='0.3'/>") +
                             collision("<drake:point_stiffness value='9'/>")),
               {}, &report);
  ASSERT_EQ(model.num_geoms(), 3);
  EXPECT_EQ(model.geoms[0].friction, 0.4);
  EXPECT_EQ(model.geoms[1].friction, 0.3);
  EXPECT_EQ(model.geoms[2].friction, 1.0);
  EXPECT_EQ(FindItem(report, "drake:mu_static")->status, ImportStatus::kApproximated);
  EXPECT_EQ(FindItem(report, "drake:point_stiffness")->status, ImportStatus::kIgnored);
}

TEST(Urdf, OtherTransmissionsAreReported) {
  const std::string robot = Link("a") + Link("b") + Joint("j", "continuous", "a", "b");
  const std::string joint = "<joint name='j'/>";
  const auto expect = [&](const std::string& transmission, int actuators, const std::string& why) {
    ImportReport report;
    EXPECT_EQ(LoadUrdf(robot + transmission, {}, &report).nu(), actuators);
    ASSERT_NE(FindItem(report, "transmission"), nullptr) << transmission;
    EXPECT_NE(FindItem(report, "transmission")->why.find(why), std::string::npos)
        << FindItem(report, "transmission")->why;
  };
  expect(Transmission(joint, "", "transmission_interface/DifferentialTransmission"), 0,
         "not a SimpleTransmission");
  expect(Transmission(joint + "<joint name='k'/>"), 0, "several <joint>");
  expect(Transmission(""), 0, "no <joint>");
  expect(Transmission("<joint name='ghost'/>"), 0, "no joint \"ghost\"");
  expect(
      Transmission("<joint name='j'><hardwareInterface>PositionJointInterface</hardwareInterface></joint>"),
      1, "takes no force");
}

TEST(Urdf, LinksWithoutInertialAreReported) {
  ImportReport report;
  LoadUrdf(Link("a") + Link("b") + "<link name='camera'>" + ShapeElement("<sphere radius='0.1'/>") +
               "</link><link name='tip'/>" + Joint("j", "continuous", "a", "b") +
               Joint("f", "fixed", "b", "camera") + Joint("g", "fixed", "b", "tip"),
           {}, &report);
  const auto find = [&](const std::string& why) {
    for (const ImportItem& item : report.items) {
      if (item.why == why) return item.status;
    }
    ADD_FAILURE() << "nothing says: " << why;
    return ImportStatus::kIgnored;
  };
  EXPECT_EQ(find("\"camera\" has no <inertial>: it is without mass"), ImportStatus::kApproximated);
  EXPECT_EQ(find("\"tip\" has no <inertial>: it is without mass"), ImportStatus::kHonoured);
}

TEST(Urdf, XacroMattersOnlyWhereSomethingIsMadeOfIt) {
  ImportReport report;
  const Model model =
      LoadUrdf(Link("a", "<visual><geometry><mesh filename='${file}'/></geometry></visual>") + Link("b") +
                   "<gazebo><plugin name='$(arg p)'/></gazebo>" +
                   Joint("j", "continuous", "a", "b", "<origin xyz='$(optenv HUSKY_XYZ 0.19 0 0.149)'/>"),
               {}, &report);
  EXPECT_EQ(model.bodies[1].X_PB.p, Vector3d(0.19, 0, 0.149));
  EXPECT_EQ(FindItem(report, "origin")->status, ImportStatus::kApproximated);
  EXPECT_NE(FindItem(report, "gazebo")->why.find("holds unexpanded xacro"), std::string::npos);
  EXPECT_NE(FindItem(report, "visual")->why.find("holds unexpanded xacro"), std::string::npos);
  for (const char* inside :
       {"<xacro:wheel name='w'/>", "<joint name='$(arg n)'/>", "<transmission name='${n}'/>",
        "<link name='a'><collision><origin xyz='$(optenv XYZ ${x} 0 0)'/></collision></link>"}) {
    EXPECT_THROW(LoadUrdf(inside), LoadError) << inside;
  }
}

// Vertices and faces of a box about the origin, wound outwards; only the first `faces` of its six.
std::string BoxObj(double x, double y, double z, int faces = 6) {
  std::string text;
  for (const int i : {0, 1, 2, 3, 4, 5, 6, 7}) {
    text += "v " + std::to_string(i & 1 ? x : -x) + " " + std::to_string(i & 2 ? y : -y) + " " +
            std::to_string(i & 4 ? z : -z) + "\n";
  }
  const std::vector<std::string> lines{"f 1 3 4 2\n", "f 5 6 8 7\n", "f 1 2 6 5\n",
                                       "f 3 7 8 4\n", "f 1 5 7 3\n", "f 2 4 8 6\n"};
  for (int f = 0; f < faces; ++f) text += lines[f];
  return text;
}

std::string MeshShape(const std::string& file, const std::string& attributes = "",
                      const std::string& inside = "") {
  const std::string name = std::filesystem::path(file).filename().string();
  return "<collision><origin xyz='0 0 1'/><geometry><mesh filename='" + name + "' " + attributes + ">" +
         inside + "</mesh></geometry></collision>";
}

TEST(Urdf, CollisionMeshesBecomeConvexHulls) {
  const TemporaryFile box(BoxObj(0.1, 0.2, 0.3), ".obj"), open(BoxObj(1, 1, 1, 5), ".obj");
  ImportReport report;
  const Model model =
      LoadUrdf(Link("a", MeshShape(box.path()) + MeshShape(box.path(), "scale='10 10 -10'")), {}, &report);
  ASSERT_EQ(model.num_geoms(), 2);
  const auto* hull = std::get_if<Hull>(&model.geoms[0].shape);
  ASSERT_NE(hull, nullptr);
  EXPECT_EQ(hull->polytope->vertices.size(), 8u);
  EXPECT_EQ(hull->polytope->faces.size(), 6u);
  EXPECT_LT((model.geoms[0].X_BG.p - Vector3d(0, 0, 1)).norm(), 1e-15);
  EXPECT_NEAR(CalcVolume(model.geoms[1].shape), 48.0, 1e-12);
  ASSERT_NE(FindItem(report, "mesh"), nullptr);
  EXPECT_EQ(FindItem(report, "mesh")->why, "convex hull of 8 vertices, hull/mesh volume ratio 1");
  EXPECT_EQ(FindItem(report, "mesh")->status, ImportStatus::kHonoured);
  LoadUrdf(Link("a", MeshShape(open.path())), {}, &report);
  EXPECT_EQ(FindItem(report, "mesh")->why,
            "convex hull of 8 vertices; the mesh is open: its volume is unknown");
  EXPECT_EQ(FindItem(report, "mesh")->status, ImportStatus::kApproximated);
  LoadUrdf(Link("a", MeshShape(open.path(), "", "<drake:declare_convex/>")), {}, &report);
  EXPECT_EQ(FindItem(report, "mesh")->status, ImportStatus::kHonoured);
}

TEST(Urdf, HollowMeshesAreWarnedOf) {
  // A box of half size 1 with a pyramid-shaped pit from its top face to the centre: 8 - 4/3 of 8.
  const TemporaryFile pit(BoxObj(1, 1, 1, 1) +
                              "v 0 0 0\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"
                              "f 5 6 9\nf 6 8 9\nf 8 7 9\nf 7 5 9\n",
                          ".obj");
  ImportReport report;
  LoadUrdf(Link("a", MeshShape(pit.path())), {}, &report);
  EXPECT_EQ(FindItem(report, "mesh")->why, "convex hull of 8 vertices, hull/mesh volume ratio 1.2");
  const TemporaryFile cross(BoxObj(1, 0.1, 0.1) +
                                "v -0.05 -1 -0.05\nv 0.05 -1 -0.05\nv 0 1 -0.05\nv 0 0 1\nf 9 11 10\nf 9 10 "
                                "12\nf 10 11 12\nf 11 9 12\n",
                            ".obj");
  LoadUrdf(Link("a", MeshShape(cross.path())), {}, &report);
  EXPECT_NE(FindItem(report, "mesh")->why.find("write concave=\"true\" on the <collision>"),
            std::string::npos)
      << FindItem(report, "mesh")->why;
}

// The word may stand on the link, the collision or the mesh; the innermost one counts.
TEST(Urdf, ConcaveMeshesCollideAsTheirSurfaces) {
  const TemporaryFile box(BoxObj(0.1, 0.2, 0.3), ".obj");
  const std::string shape = MeshShape(box.path()), marked = MeshShape(box.path(), "concave='true'");
  const auto on = [](std::string text, const std::string& tag, const std::string& word) {
    return text.replace(text.find("<" + tag), tag.size() + 1, "<" + tag + " concave='" + word + "'");
  };
  ImportReport report;
  const Model model = LoadUrdf(Link("a", on(shape, "collision", "yes") + marked + shape), {}, &report);
  ASSERT_EQ(model.num_geoms(), 3);
  EXPECT_EQ(std::get<Mesh>(model.geoms[0].shape).surface, std::get<Mesh>(model.geoms[1].shape).surface);
  EXPECT_LT((model.geoms[0].X_BG.p - Vector3d(0, 0, 1)).norm(), 1e-15);
  EXPECT_EQ(ShapeName(model.geoms[2].shape), "hull");
  EXPECT_EQ(FindItem(report, "mesh")->status, ImportStatus::kHonoured);
  EXPECT_EQ(FindItem(report, "mesh")->why, "surface of 12 triangles, closed");
  const Model link = LoadUrdf(on(Link("a", shape + on(shape, "collision", "no")), "link", "yes"));
  EXPECT_EQ(ShapeName(link.geoms[0].shape), "mesh");
  EXPECT_EQ(ShapeName(link.geoms[1].shape), "hull");
  LoadUrdf(Link("a", on(ShapeElement("<sphere radius='1'/>"), "collision", "yes")), {}, &report);
  EXPECT_EQ(FindItem(report, "collision[@concave]")->status, ImportStatus::kIgnored);
}

TEST(Urdf, ConcaveMeshesThatCannotBeAreNamed) {
  const auto failure = [](const std::string& path, const std::string& inside = "") {
    return LoadFailure("<robot name='r'>" + Link("a", MeshShape(path, "concave='yes'", inside)) + "</robot>");
  };
  const TemporaryFile line("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", ".obj"), box(BoxObj(1, 1, 1), ".obj");
  EXPECT_NE(failure(line.path()).find(line.path() + ": the mesh has no triangle with an area"),
            std::string::npos)
      << failure(line.path());
  EXPECT_NE(failure(box.path(), "<drake:declare_convex/>").find("remove one of the two"), std::string::npos);
}

TEST(Urdf, MissingVisualsAreNamed) {
  ImportReport report;
  LoadUrdf(Link("a", "<visual><geometry><mesh filename='missing.dae'/></geometry></visual>"), {}, &report);
  ASSERT_NE(FindItem(report, "visual"), nullptr);
  EXPECT_NE(FindItem(report, "visual")->why.find("appearance only, and it is missing: no such file"),
            std::string::npos);
}

TEST(Urdf, FloatingBaseStandsOneMillimetreAboveTheGround) {
  const LoadOptions options{.floating_base = true, .ground = -0.5};
  const Model model = LoadUrdf(Link("base", ShapeElement("<box size='2 2 2'/>")) +
                                   Link("leg", ShapeElement("<sphere radius='0.25'/>")) +
                                   Joint("j", "continuous", "base", "leg", "<origin xyz='0 0 -3'/>"),
                               options);
  ASSERT_TRUE(model.joints[0].is_free());
  EXPECT_EQ(model.bodies[1].name, "base");
  // The sphere's lowest point, at -3.25, comes to -0.499.
  EXPECT_NEAR(model.q0[2], 2.751, kUrdfTolerance);
  const Geom& ground = model.geoms[0];
  EXPECT_EQ(ground.name, "ground");
  EXPECT_EQ(ground.body, 0);
  EXPECT_EQ(ground.X_BG.p.z(), -0.5);
  EXPECT_TRUE(model.PairCollides(0, 1));
  EXPECT_TRUE(model.PairCollides(0, 2));
}

TEST(Urdf, FloatingBaseFreesWhatHangsOnTheWorld) {
  const LoadOptions floating{.floating_base = true, .ground = {}};
  const std::string fixed = Joint("w", "fixed", "world", "a", "<origin xyz='1 2 3'/>");
  const Model model = LoadUrdf(Link("a") + fixed, floating);
  ASSERT_EQ(model.num_joints(), 1);
  EXPECT_EQ(model.q0.head<3>(), Vector3d(1, 2, 3));
  EXPECT_THROW(LoadUrdf(Link("a") + Link("b") + fixed + Joint("v", "fixed", "world", "b"), floating),
               LoadError);
  EXPECT_THROW(LoadUrdf(Link("a") + Joint("w", "continuous", "world", "a"), floating), LoadError);
}

TEST(Urdf, AdjacentAndOverlappingLinksDoNotCollide) {
  ImportReport report;
  const std::string ball = ShapeElement("<sphere radius='0.6'/>");
  const auto at = [](const char* x) { return std::string("<origin xyz='") + x + " 0 0'/>"; };
  const Model model = LoadUrdf(Link("base", ball) + Link("l1", ball) + Link("l2", ball) + Link("l3", ball) +
                                   Joint("j1", "continuous", "base", "l1", at("2")) +
                                   Joint("j2", "continuous", "l1", "l2", at("2")) +
                                   Joint("j3", "continuous", "l2", "l3", at("-1")),
                               {.floating_base = false, .ground = 0.0}, &report);
  // In the model's order: base and ground in the world, then l1, l2, l3 at x = 2, 4, 3.
  const auto collide = [&](int a, int b) { return model.PairCollides(a, b); };
  EXPECT_FALSE(collide(0, 2));  // base and l1: adjacent
  EXPECT_TRUE(collide(1, 2));   // the ground is nobody's neighbour
  EXPECT_TRUE(collide(0, 3));
  EXPECT_FALSE(collide(2, 3));  // adjacent
  EXPECT_FALSE(collide(2, 4));  // 1 m apart with radii of 0.6 m
  EXPECT_FALSE(collide(3, 4));  // adjacent
  const ImportItem* overlap = FindItem(report, "link");
  ASSERT_NE(overlap, nullptr);
  EXPECT_NE(overlap->why.find("\"l3\" and \"l1\" overlap"), std::string::npos);
}

// Their joint could turn, and the base with it, without moving any mass.
TEST(Urdf, AMasslessBaseThatCarriesOneLinkCannotFloat) {
  const std::string robot = "<link name='base'/>" + Link("arm") + Joint("j", "continuous", "base", "arm");
  EXPECT_NO_THROW(LoadUrdf(robot));
  EXPECT_NE(LoadFailure("<robot name='r'>" + robot + "</robot>", {.floating_base = true})
                .find("\"base\" floats without mass"),
            std::string::npos);
  EXPECT_NO_THROW(
      LoadUrdf(robot + Link("plate") + Joint("f", "fixed", "base", "plate"), {.floating_base = true}));
}

// A floor and a rail that hang on the world are no neighbours of what slides on it, but a base is of its
// first link, with what is fixed to it.
TEST(Urdf, FixturesOfTheWorldAreSeveral) {
  const std::string ball = ShapeElement("<sphere radius='0.1'/>");
  const auto at = [](const char* x) { return std::string("<origin xyz='") + x + " 0 0'/>"; };
  const Model model =
      LoadUrdf(Link("floor", ball) + Link("base", ball) + Link("plate", ball) + Link("slider", ball) +
               Link("arm", ball) + Joint("f", "fixed", "world", "floor") +
               Joint("b", "fixed", "world", "base", at("5")) + Joint("p", "fixed", "base", "plate", at("1")) +
               Joint("s", "continuous", "world", "slider", at("-3")) +
               Joint("a", "continuous", "base", "arm", at("8")));
  // Floor, base and plate are geoms of the world in this order.
  ASSERT_EQ(model.num_geoms(), 5);
  const int slider = model.bodies[model.geoms[3].body].name == "slider" ? 3 : 4, arm = 7 - slider;
  EXPECT_TRUE(model.PairCollides(0, slider));
  EXPECT_TRUE(model.PairCollides(1, slider));
  EXPECT_TRUE(model.PairCollides(0, arm));
  EXPECT_FALSE(model.PairCollides(1, arm));
  EXPECT_FALSE(model.PairCollides(2, arm));
}

// What overlaps in the drawing of a mechanism is drawn so; what lies on a table, 0.1 mm too deep, is not.
TEST(Urdf, OverlappingLinksCollideWhereNoJointHoldsThemTogether) {
  const std::string ball = ShapeElement("<sphere radius='0.1'/>");
  const std::string links = Link("table", ball) + Link("part", ball) + Joint("t", "fixed", "world", "table");
  const std::string origin = "<origin xyz='0.1999 0 0'/>";
  for (const char* type : {"floating", "prismatic"}) {
    const std::string limit = "<limit lower='-1' upper='1'/>";
    const Model model = LoadUrdf(links + Joint("rail", type, "world", "part", origin + limit));
    EXPECT_EQ(model.PairCollides(0, 1), std::string(type) == "floating") << type;
  }
}

TEST(Urdf, LimitsThatAreInfiniteAreNone) {
  ImportReport report;
  const Model model =
      LoadUrdf(Link("a") + Link("b") +
                   Joint("j", "revolute", "a", "b",
                         "<limit lower='-inf' upper=' Infinity' effort='+INF' velocity='inf'/>"),
               {}, &report);
  EXPECT_EQ(model.joints[0].lower, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(model.joints[0].upper, std::numeric_limits<double>::infinity());
  EXPECT_EQ(FindItem(report, "limit[@lower]")->status, ImportStatus::kHonoured);
  for (const char* limit : {"<limit lower='inf' upper='inf'/>", "<limit lower='-inf' upper='-inf'/>",
                            "<limit lower='nan' upper='1'/>", "<limit lower='-1' upper='1e400'/>"})
    EXPECT_THROW(LoadUrdf(Link("a") + Link("b") + Joint("j", "revolute", "a", "b", limit)), LoadError)
        << limit;
}

TEST(Urdf, ShapesOfDrakeAreShapes) {
  const Model model = LoadText("<robot name='r' xmlns:drake='http://drake.mit.edu'>" +
                               Link("a", ShapeElement("<drake:capsule radius='0.1' length='0.4'/>") +
                                             ShapeElement("<drake:ellipsoid a='0.1' b='0.2' c='0.3'/>")) +
                               "</robot>");
  ASSERT_EQ(model.num_geoms(), 2);
  EXPECT_EQ(std::get<Capsule>(model.geoms[0].shape).half_length, 0.2);
  EXPECT_EQ(std::get<Ellipsoid>(model.geoms[1].shape).radii, Vector3d(0.1, 0.2, 0.3));
}

TEST(Urdf, OverlapIsOfShapesNotOfTheirBounds) {
  // A rod of 2 m turned by 45 degrees passes a cube that its axis-aligned bounding box would hit.
  const std::string rod =
      "<collision><origin rpy='0 0 0.7853981633974483'/><geometry><box size='2 0.1 0.1'/>"
      "</geometry></collision>";
  const std::string tail = Link("mid") + Joint("j1", "continuous", "rod", "mid") +
                           Joint("j2", "continuous", "mid", "cube", "<origin xyz='0.5 -0.5 0'/>");
  const Model apart = LoadUrdf(Link("root") + Joint("j0", "continuous", "root", "rod") + Link("rod", rod) +
                               Link("cube", ShapeElement("<box size='0.4 0.4 0.4'/>")) + tail);
  EXPECT_TRUE(apart.PairCollides(0, 1));
  const Model overlapping =
      LoadUrdf(Link("root") + Joint("j0", "continuous", "root", "rod") + Link("rod", rod) +
               Link("cube", ShapeElement("<box size='1 1 0.4'/>")) + tail);
  EXPECT_FALSE(overlapping.PairCollides(0, 1));
}

// What files have for Bullet and Gazebo, of each link its own.
TEST(Urdf, TakesFrictionAsExtensionsSay) {
  const std::string box = ShapeElement("<box size='1 1 1'/>");
  const std::string contact =
      "<contact><lateral_friction value='0.4'/><restitution value='0.3'/><spinning_friction "
      "value='0.1'/></contact>";
  const std::string body = Link("a", contact + box) + Link("b", box) + Link("c", box) +
                           Joint("j", "continuous", "a", "b") + Joint("k", "continuous", "b", "c") +
                           "<gazebo reference='b'><mu1>0.7</mu1><mu2>0.7</mu2></gazebo><gazebo "
                           "reference='c'><mu2>rough</mu2><mu1>0.2</mu1></gazebo>"
                           "<gazebo reference='nobody'><mu1>0.1</mu1></gazebo>";
  ImportReport report;
  const Model model = LoadText("<robot name='r'>" + body + "</robot>", &report);
  ASSERT_EQ(model.num_geoms(), 3);
  EXPECT_EQ(model.geoms[0].friction, 0.4);
  EXPECT_EQ(model.geoms[0].restitution, 0.3);
  EXPECT_EQ(model.geoms[1].friction, 0.7);
  EXPECT_EQ(model.geoms[2].friction, 0.2);
  EXPECT_EQ(FindItem(report, "lateral_friction")->status, ImportStatus::kApproximated);
  EXPECT_EQ(FindItem(report, "spinning_friction")->status, ImportStatus::kIgnored);
  EXPECT_EQ(FindItem(report, "mu1")->status, ImportStatus::kApproximated);
  EXPECT_EQ(FindItem(report, "mu2")->status, ImportStatus::kHonoured) << "as large as mu1";
}

TEST(Urdf, SaysOnceThatFrictionCountsAsLess) {
  const std::string box = ShapeElement("<box size='1 1 1'/>");
  const std::string body = Link("a", box + box) + Link("b", box) + Joint("j", "continuous", "a", "b") +
                           "<gazebo reference='a'><mu1>1e5</mu1></gazebo><gazebo "
                           "reference='b'><mu1>1e10</mu1></gazebo>";
  ImportReport report;
  LoadText("<robot name='r'>" + body + "</robot>", &report);
  int count = 0;
  for (const ImportItem& item : report.items) {
    if (!item.why.starts_with("friction above")) continue;
    ++count;
    EXPECT_EQ(item.item, "collision");
    EXPECT_NE(item.why.find("of 3 geoms and pairs, the first here; the largest is 1e+10"), std::string::npos);
  }
  EXPECT_EQ(count, 1);
}

// What the file has for MuJoCo: rules for masses, and where meshes lie by their names.
TEST(Urdf, TakesMassesAndMeshesAsTheMujocoExtensionSays) {
  const std::string body =
      "<link name='a'/><link name='b'><inertial><mass value='2'/><inertia ixx='1' iyy='1' "
      "izz='4'/></inertial>"
      "</link>" +
      Joint("j", "continuous", "a", "b");
  const auto inertia = [&](const std::string& compiler) {
    return LoadUrdf("<mujoco><compiler " + compiler + "/></mujoco>" + body).bodies[1].inertia;
  };
  EXPECT_LT((inertia("balanceinertia='true'").I_BBcm_B - 2.0 * Matrix3d::Identity()).norm(), 1e-13);
  EXPECT_EQ(inertia("settotalmass='5'").mass, 5.0);
  EXPECT_EQ(inertia("boundmass='3'").mass, 3.0);
  EXPECT_EQ(inertia("discardvisual='true'").mass, 2.0);
  // Each link by itself, as in MuJoCo: a frame of the tool has its bound, too.
  const MassProperties sum = LoadUrdf("<mujoco><compiler boundmass='3' boundinertia='2'/></mujoco>" + body +
                                      "<link name='tool'/>" + Joint("t", "fixed", "b", "tool"))
                                 .bodies[1]
                                 .inertia;
  EXPECT_EQ(sum.mass, 6.0);
  EXPECT_LT((sum.I_BBcm_B - Matrix3d(Vector3d(4.0, 4.0, 6.0).asDiagonal())).norm(), 1e-13);

  ImportReport report;
  const Model on_moon = LoadText(
      "<robot name='r'><mujoco><option timestep='0.004' gravity='0 0 -1.6' "
      "integrator='RK4' solver='CG'/><size njmax='9'/></mujoco>" +
          body + "</robot>",
      &report);
  EXPECT_EQ(on_moon.options.timestep, 0.004);
  EXPECT_EQ(on_moon.options.gravity, Vector3d(0, 0, -1.6));
  EXPECT_EQ(on_moon.options.integrator, Integrator::kRungeKutta4);
  EXPECT_TRUE(DescribeLosses(report).empty());

  const TemporaryFile mesh("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
                           ".obj");
  const std::filesystem::path path(mesh.path());
  const std::string shape =
      Link("base", ShapeElement("<mesh filename='package://nowhere/" + path.filename().string() + "'/>"));
  EXPECT_NE(LoadFailure("<robot name='r'>" + shape + "</robot>").find("no package"), std::string::npos);
  const std::string folder =
      "<mujoco><compiler meshdir='../" + path.parent_path().filename().string() + "'/></mujoco>";
  EXPECT_EQ(LoadUrdf(folder + shape).num_geoms(), 1);
  EXPECT_NE(LoadFailure("<robot name='r'><mujoco><compiler meshdir='no_such_folder'/></mujoco>" + shape +
                        "</robot>")
                .find("no package"),
            std::string::npos)
      << "where the file says that the mesh is, not where it was looked for last";
}

// The words say which of two counts.
TEST(Urdf, SaysWhatIsGivenTwice) {
  ImportReport report;
  const std::string two = "<box size='1 1 1'/><sphere radius='1'/>";
  LoadUrdf(Link("a") + Link("b", ShapeElement(two)) +
               Joint("j", "continuous", "a", "b", "<axis xyz='0 0 1'/><axis xyz='1 0 0'/>"),
           {}, &report);
  EXPECT_NE(FindItem(report, "sphere")->why.find("one shape"), std::string::npos);
  const auto second = std::find_if(report.items.begin(), report.items.end(), [](const ImportItem& item) {
    return item.item == "axis" && item.status == ImportStatus::kIgnored;
  });
  ASSERT_NE(second, report.items.end());
  EXPECT_EQ(second->why, "given twice: the first one counts");
}

}  // namespace
}  // namespace stiction
