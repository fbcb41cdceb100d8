// What a model can hold comes back from a file, or is named where the format has no word for it. Real models:
// tests/scenes/mjcf_round_trip_test.cpp.
#include "stiction/io/mjcf_writer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "geometry/sampled_field.h"
#include "stiction/geometry/field_text.h"
#include "stiction/io/load.h"
#include "stiction/math/rotation.h"
#include "stiction/model/model_builder.h"
#include "tests/io/model_text.h"
#include "tests/support/meshes.h"
#include "tests/support/same_model.h"

namespace stiction::testing {
namespace {

namespace fs = std::filesystem;

class MjcfWriter : public ::testing::Test {
 protected:
  MjcfWriter()
      : folder_(fs::path(::testing::TempDir()) /
                ("stiction_writer_" + std::to_string(getpid()) + "_" +
                 ::testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::create_directories(folder_);
  }
  ~MjcfWriter() override {
    std::error_code error;
    fs::remove_all(folder_, error);
  }

  std::string path(const std::string& name = "model.xml") const { return (folder_ / name).string(); }
  MjcfDocument Make(const Model& model) const { return MakeMjcf(model, path()); }
  // Written and read; writing it again changes nothing.
  Model Convert(const Model& model) const {
    const MjcfDocument document = Make(model);
    SaveMjcf(document, path());
    Model read = LoadModel(path(), {.visuals = true});
    EXPECT_EQ(Make(read).text, document.text);
    return read;
  }
  std::vector<std::string> List() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder_))
      names.push_back(fs::relative(entry.path(), folder_).string());
    std::sort(names.begin(), names.end());
    return names;
  }

  fs::path folder_;
};

// Numbers without a short text, rotations without an axis.
RigidTransform Pose(double seed) {
  return {QuaternionExp(Vector3d(seed, 1.0 / 3.0, -seed * 0.7)).normalized().toRotationMatrix(),
          Vector3d(0.1 * seed, 1.0 / 7.0, -2.0 / 3.0)};
}

MassProperties SomeMass() {
  MassProperties inertia{.mass = 1.0 / 3.0, .p_BBcm = {0.01, 0.02, 1.0 / 30.0}, .I_BBcm_B = {}};
  inertia.I_BBcm_B << 0.3, 0.01, 0.02, 0.01, 0.4, 1.0 / 300.0, 0.02, 1.0 / 300.0, 0.5;
  return inertia;
}

// A body with a mass below `parent`.
int AddLink(ModelBuilder& builder, int parent, const std::string& name, double seed) {
  const int body = builder.AddBody({.name = name, .parent = parent, .X_PB = Pose(seed)});
  builder.SetInertia(body, SomeMass());
  return body;
}

TEST_F(MjcfWriter, CamerasThatMoveAndBodiesThatStayAwakeComeBack) {
  const Model model = LoadText(R"(<mujoco><worldbody>
    <camera name="gate" pos="0 -5 2" mode="targetbody" target="ball"/>
    <body name="cart" sleep="never"><freejoint/><geom size=".1"/>
      <camera name="track" pos="0 -3 0" mode="track"/><camera name="com" pos="0 -3 0" mode="trackcom"/>
      <light name="lamp" pos="0 0 3" mode="targetbody" target="ball"/><light mode="trackcom" pos="1 2 3"/></body>
    <body name="ball" pos="0 4 1"><freejoint/><geom size=".1"/>
      <camera name="eye" mode="targetbodycom" target="cart"/></body></worldbody></mujoco>)");
  const Model read = Convert(model);
  ASSERT_EQ(read.cameras.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(read.cameras[i].mode, model.cameras[i].mode) << model.cameras[i].name;
    EXPECT_EQ(read.cameras[i].target, model.cameras[i].target) << model.cameras[i].name;
  }
  ExpectSameModel(model, read);
  EXPECT_EQ(read.lights.at(0).target, 2);
  EXPECT_FALSE(read.bodies.at(1).may_sleep);
  EXPECT_TRUE(read.bodies.at(2).may_sleep);
}

TEST_F(MjcfWriter, JointsComeBack) {
  ModelBuilder builder("joints");
  const int free = AddLink(builder, 0, "free", 1.0);
  builder.AddJoint(free, {.name = "float", .kind = FreeJoint{}, .damping = 0.1, .armature = 0.2});
  const int hinge = AddLink(builder, free, "a \"quoted\" <name> & more", 2.0);
  Joint joint{.name = "hinge",
              .kind = HingeJoint{.axis_B = {1.0, 2.0, 3.0}, .p_BJ = {0.1, 0.2, 0.3}, .reference = 0.3}};
  joint.spring_reference = -0.2, joint.stiffness = 7.0, joint.damping = 0.1;
  joint.stiffness_polynomial = {0.0, 0.25}, joint.damping_polynomial = {1.0 / 3.0, 0.0};
  joint.armature = 0.01, joint.friction_loss = 0.02, joint.lower = -1.0 / 3.0, joint.upper = 2.0;
  joint.actuator_force_lower = -5.0, joint.actuator_force_upper = 6.0;
  joint.actuators_compensate_gravity = true;
  builder.AddJoint(hinge, joint);
  builder.AddJoint(hinge, {.name = "slide", .kind = SlideJoint{.axis_B = {-1.0, 0.5, 0.1}}});
  const int ball = AddLink(builder, hinge, "", 3.0);
  builder.AddJoint(ball, {.name = "ball", .kind = BallJoint{}, .lower = 0.0, .upper = 1.0});
  builder.AddBody({.name = "hand", .parent = 0, .X_PB = Pose(4.0), .is_mocap = true});
  AddLink(builder, ball, "fixed", 5.0);
  builder.AddKeyframe({.name = "start",
                       .time = 0.1,
                       .q = {},
                       .v = VectorXd::LinSpaced(11, 0.0, 1.0),
                       .mocap = (VectorXd(7) << 1, 2, 3, 0.1, 0.7, 0.1, 0.7).finished()});
  const Model model = builder.Build();
  EXPECT_TRUE(Make(model).report.items.empty());
  EXPECT_TRUE(Make(model).extensions.empty());
  ExpectSameModel(model, Convert(model));
}

TEST_F(MjcfWriter, UniversalsAndScrewsComeBack) {
  ModelBuilder builder("own joints");
  const int cross = AddLink(builder, 0, "cross", 1.0);
  const Vector3d axis1(1.0, 2.0, -0.5);
  Joint joint{
      .name = "cross",
      .kind = UniversalJoint{.axis1_B = axis1, .axis2_B = axis1.unitOrthogonal(), .p_BJ = {0.1, 0, 0}},
      .stiffness = 3.0,
      .spring_reference = 0.1,
      .damping = 0.2,
      .lower = -1.0 / 3.0,
      .upper = 0.7};
  builder.AddJoint(cross, joint);
  const int nut = AddLink(builder, cross, "nut", 2.0);
  builder.AddJoint(nut, {.name = "thread",
                         .kind = ScrewJoint{.axis_B = {1, 1, 3}, .reference = 0.4, .pitch = -1.0 / 700.0},
                         .armature = 0.1,
                         .lower = -50.0,
                         .upper = 60.0});
  const int plain = AddLink(builder, nut, "plain", 3.0);
  builder.AddJoint(plain, {.kind = UniversalJoint{}});
  builder.AddKeyframe({.name = "start", .q = VectorXd::LinSpaced(5, -0.2, 0.3)});
  const Model model = builder.Build();
  EXPECT_TRUE(Make(model).report.items.empty());
  const std::vector<std::string> words{"joint[@type=screw]", "joint[@type=universal]"};
  EXPECT_EQ(Make(model).extensions, words);
  ExpectSameModel(model, Convert(model));
}

// Every shape, with contact laws that only this engine has words for; visuals, cameras, frames.
TEST_F(MjcfWriter, GeomsComeBack) {
  ModelBuilder builder("geoms");
  builder.AddGeom({.name = "floor", .shape = Plane{}, .X_BG = Pose(1.0)});
  const int body = AddLink(builder, 0, "body", 2.0);
  builder.AddJoint(body, {.kind = FreeJoint{}});
  const Shape field =
      MakeField(ParseDistanceField("difference(box(0.1, 0.2, 0.1), sphere(0.12))"), 0.05).shape;
  const Shape samples = MakeField(MakeSampledField(MakeBallMesh(0.1, 6), 0.03), 0.03).shape;
  const TriangleMesh ball = MakeBallMesh(0.1, 5);
  const Shape shapes[] = {Sphere{1.0 / 3.0},
                          Capsule{0.1, 0.2},
                          Cylinder{0.1, 0.2},
                          Ellipsoid{{0.1, 0.2, 0.3}},
                          Box{{0.1, 0.2, 0.3}},
                          MakeHull(ball.vertices).hull,
                          MakeMesh(ball).mesh,
                          field,
                          samples};
  double seed = 0.0;
  for (const Shape& shape : shapes) {
    seed += 0.1;
    Geom geom{.name = "", .body = body, .shape = shape, .X_BG = Pose(seed)};
    geom.friction = 0.3 + seed, geom.torsional_friction = 0.01, geom.rolling_friction = 0.002;
    geom.condim = 6, geom.priority = 3, geom.restitution = 0.5, geom.softness_weight = 0.7;
    geom.softness = {{0.01, 0.9}, {0.8, 0.9, 0.01, 0.4, 3.0}};
    geom.fluid = {.blunt = 0.5, .slender = 1.0 / 3.0};
    geom.stiffness = 1e4 / 3.0, geom.dissipation_time = 0.01, geom.margin = 0.01, geom.gap = 0.005;
    if (WhyNotCompliant(shape).empty())
      geom.hydroelastic = {.modulus = 1e5 / 3.0, .dissipation_time = 0.03, .max_polygons = 9};
    geom.contype = 0x80000001u, geom.conaffinity = 6;
    geom.color = Color{0.1f, 0.2f, 1.0f / 3.0f, 0.5f};
    builder.AddGeom(geom);
  }
  builder.AddVisual({.name = "shell", .body = body, .shape = std::make_shared<const TriangleMesh>(ball)});
  builder.AddCamera({.name = "eye", .body = body, .X_BC = Pose(0.3), .field_of_view = 1.0 / 1.7});
  builder.AddCamera({.body = body, .resolution = {640, 480}, .focal = {1.0 / 3.0, 1.0 / 1.7}});
  builder.AddFrame({.name = "tip", .body = body, .X_BF = Pose(0.7)});
  const Model model = builder.Build();
  const Model read = Convert(model);
  ExpectSameModel(model, read);
  EXPECT_EQ(read.visuals.size(), 4u);   // and the hull and the surface, which were seen, and the frame in a
  EXPECT_EQ(read.visuals[3].group, 3);  // group that is not
  const std::vector<std::string> words{"geom[@concave]",  "geom[@dissipation]",  "geom[@dissipation_time]",
                                       "geom[@field]",    "geom[@hydroelastic]", "geom[@modulus]",
                                       "geom[@polygons]", "geom[@resolution]",   "geom[@restitution]",
                                       "geom[@stiffness]"};
  EXPECT_EQ(Make(model).extensions, words);
  EXPECT_TRUE(Make(model).report.items.empty());
}

// What refers to others: what has no name gets one, what is no site becomes one.
TEST_F(MjcfWriter, WhatRefersToOthersComesBack) {
  ModelBuilder builder("references");
  const int a = AddLink(builder, 0, "", 1.0), b = AddLink(builder, a, "body1", 2.0);
  const int x = builder.AddJoint(a, {.kind = SlideJoint{.reference = 0.1}}),
            y = builder.AddJoint(b, {.kind = HingeJoint{.reference = 0.2}});
  const int g = builder.AddGeom({.body = a, .shape = Sphere{0.1}}),
            h = builder.AddGeom({.body = b, .shape = Box{{0.1, 0.1, 0.1}}}),
            other = builder.AddGeom({.body = 0, .shape = Box{{0.1, 0.1, 0.1}}});
  builder.AddGeom({.body = 0, .shape = Sphere{0.1}});
  builder.AddContactPair({.geom_a = g, .geom_b = h, .friction = {0.1, 0.2, 0.0}, .restitution = 0.3});
  builder.ExcludeGeoms(other, h);
  const int fixed =
      builder.AddTendon({.path = FixedTendon{{{x, 2.0}, {y, -1.0 / 3.0}}}, .damping = 0.1, .armature = 0.3});
  SpatialTendon path;
  path.path.emplace_back(SpatialTendon::Site{0, {0, 0, 1.0 / 3.0}});
  path.path.emplace_back(SpatialTendon::Wrap{{.body = a, .X_BF = Pose(0.2)}, 0.05, true, {{a, {1, 2, 3}}}});
  path.path.emplace_back(SpatialTendon::Site{b, {0.1, 0, 0}});
  const int spatial = builder.AddTendon({.path = path,
                                         .stiffness = 3.0,
                                         .rest_range = std::pair(0.1, 0.2),
                                         .actuator_force_lower = -1.0,
                                         .actuator_force_upper = 7.0,
                                         .lower = 0.0,
                                         .upper = 2.0});
  builder.AddActuator({.joint = x, .gear = {2.0, 0, 0, 0, 0, 0}, .gain = {5, 1, 0}, .bias = {1, 2, 3}});
  builder.AddActuator({.tendon = spatial, .dynamics = ActuatorDynamics::kFilter, .time_constant = 0.1});
  Actuator crank{.name = "crank", .frame = Frame{.body = b, .X_BF = Pose(0.3)}};
  crank.reference = Frame{.body = 0, .X_BF = Pose(0.4)}, crank.crank_length = 3.0;
  builder.AddActuator(crank);
  Actuator servo{.joint = y, .gain = {50, 0, 0}, .bias = {0, -50, 0}, .damping_ratio = 0.7};
  servo.ctrl_lower = -1.0, servo.ctrl_upper = 1.0;
  builder.AddActuator(servo);
  builder.AddActuator({.joint = y, .gain = {50, 1, 0}, .bias = {2, -50, 0}, .damping_ratio = 0.7});
  builder.AddActuator({.body = b, .gain = {3, 0, 0}, .ctrl_lower = 0.0, .ctrl_upper = 1.0});
  const Frame on_a{.body = a, .X_BF = Pose(0.5)}, on_b{.body = b, .X_BF = Pose(0.6)};
  for (const std::array<bool, 6> locked :
       {std::array{true, true, true, true, true, true}, std::array{false, false, false, true, true, true},
        std::array{true, true, false, true, true, true}, std::array{true, false, false, false, true, false}})
    builder.AddEquality({.kind = FrameLock{on_a, on_b, locked}, .is_active = false});
  builder.AddEquality({.name = "couple", .kind = JointPolynomial{y, x, {0.1, 1, 2, 3, 4}, 0.2, 0.1}});
  builder.AddEquality({.kind = TendonPolynomial{spatial, fixed, {0, 0.5, 0, 0, 0}}});
  builder.AddEquality({.kind = PointDistance{on_a, {.body = 0}, 0.5}});
  builder.AddSensor({.name = "q", .type = SensorType::kJointPosition, .index = y});
  builder.AddSensor({.type = SensorType::kActuatorForce, .index = 1, .cutoff = 2.0, .noise = 0.1});
  builder.AddSensor({.type = SensorType::kFramePosition, .frame = on_a, .reference = on_b});
  builder.AddSensor({.type = SensorType::kFrameQuaternion, .frame = {.body = a}});
  for (const RegionShape shape :
       {RegionShape::kBox, RegionShape::kEllipsoid, RegionShape::kCapsule, RegionShape::kCylinder}) {
    builder.AddSensor(
        {.type = SensorType::kTouch, .frame = on_b, .region = {0.1, 0.1, 1.0 / 3.0}, .region_shape = shape});
  }
  builder.AddSensor(
      {.type = SensorType::kContactForce, .side_a = {.geom = h}, .side_b = {.body = a, .is_subtree = true}});
  builder.AddSensor({.type = SensorType::kContactSlots,
                     .side_a = {.geom = h},
                     .slots = {.order = ContactSlots::Order::kStrongest,
                               .count = 3,
                               .fields = {true, false, true, false, false, true, false}}});
  builder.AddSensor({.type = SensorType::kSubtreeCenterOfMass, .index = a});
  builder.AddSensor({.type = SensorType::kInsideRegion,
                     .frame = on_a,
                     .reference = on_b,
                     .region = {0.2, 0.1, 0.3},
                     .region_shape = RegionShape::kBox});
  for (const SensorType type :
       {SensorType::kNearestDistance, SensorType::kNearestNormal, SensorType::kNearestPoints})
    builder.AddSensor({.type = type, .side_a = {.geom = h}, .side_b = {.body = a}, .cutoff = 3.0});
  const int low = builder.AddCamera({.body = b});
  builder.AddCamera({.name = "gate"});
  builder.AddSensor({.type = SensorType::kCameraProjection, .index = low, .frame = on_a, .cutoff = 100.0});
  builder.AddSensor({.name = "mine", .type = SensorType::kUser, .count = 3});
  const Model model = builder.Build(), read = Convert(model);
  ExpectSameModel(model, read);
  EXPECT_NE(Make(model).text.find("joint=\"joint0\""), std::string::npos);
  EXPECT_NE(Make(model).text.find("name=\"body1_1\""), std::string::npos);  // "body1" is another
  EXPECT_EQ(read.sensors[8].side_a.geom, MatchGeoms(model, read)[model.sensors[8].side_a.geom]);
  const std::vector<std::string> words{"distance", "exclude[@geom1]", "lock", "pair[@restitution]"};
  EXPECT_EQ(Make(model).extensions, words);
}

TEST_F(MjcfWriter, MusclesComeBack) {
  ModelBuilder builder("muscle");
  const int body = AddLink(builder, 0, "arm", 1.0);
  const int joint = builder.AddJoint(body, {.name = "elbow", .lower = 0.0, .upper = 1.0});
  Actuator muscle{.name = "biceps", .joint = joint};
  muscle.muscle_gain = Muscle{.range = {0.7, 1.1}, .force = 100.0, .lmin = 0.4, .fpmax = 1.5};
  muscle.muscle_bias = Muscle{.scale = 300.0, .vmax = 2.0};
  muscle.dynamics = ActuatorDynamics::kMuscle;
  muscle.time_constant = 0.02, muscle.deactivation_time = 0.05, muscle.activation_smoothing = 0.1;
  muscle.activation_lower = 0.0, muscle.activation_upper = 1.0, muscle.length_range = {0.1, 0.2};
  builder.AddActuator(muscle);
  const Model model = builder.Build();
  ExpectSameModel(model, Convert(model));
}

// A range without width would be refused elsewhere.
TEST_F(MjcfWriter, DisabledActuatorsAreOfADisabledGroup) {
  const Model model = LoadText(
      "<mujoco><option actuatorgroupdisable='3'/><worldbody><body><joint name='h'/><geom size='.1'/></body>"
      "</worldbody><actuator><motor joint='h' group='3' ctrlrange='-1 2'/>"
      "<general joint='h' group='3' dyntype='filter' forcerange='-3 4' ctrlrange='-1 2'/>"
      "<motor joint='h' forcerange='-1 1'/></actuator></mujoco>");
  ExpectSameModel(model, Convert(model));
  const std::string text = Make(model).text;
  EXPECT_NE(text.find("actuatorgroupdisable=\"30\""), std::string::npos) << text;
  EXPECT_EQ(text.find("range=\"0 0\""), std::string::npos) << text;
}

TEST_F(MjcfWriter, OptionsComeBack) {
  for (const Integrator integrator :
       {Integrator::kSymplecticEuler, Integrator::kExplicitEuler, Integrator::kImplicitEuler,
        Integrator::kMidpoint, Integrator::kRungeKutta4}) {
    ModelBuilder builder("options");
    Options& o = builder.options();
    o.timestep = 0.001, o.gravity = {0.0, 1.0, -1.0 / 3.0}, o.integrator = integrator, o.density = 1.2;
    o.viscosity = 0.1, o.wind = {1.0, 2.0, 3.0}, o.magnetic_field = {0.1, 0.0, 0.0};
    o.sleep = true, o.sleep_tolerance = 1e-3, o.sleep_time = 0.25, o.filter_parent = false;
    const Model model = builder.Build();
    ExpectSameModel(model, Convert(model));
  }
}

// Of equal moments they say how the box stands that a fluid drags at.
TEST_F(MjcfWriter, AxesOfInertiaComeBackWhereThereIsAFluid) {
  for (const char* shape : {"type='capsule' size='.1 .2'", "size='.1'", "type='box' size='.1 .2 .3'"}) {
    const Model model = LoadText("<mujoco><option density='700'/><worldbody><body><freejoint/><geom " +
                                 std::string(shape) + " euler='20 -30 40'/></body></worldbody></mujoco>");
    const Model read = Convert(model);
    EXPECT_LT((read.bodies[1].R_BI - model.bodies[1].R_BI).norm(), 1e-12) << shape;
    const Matrix3d change = read.bodies[1].inertia.I_BBcm_B - model.bodies[1].inertia.I_BBcm_B;
    EXPECT_LT(change.norm(), 1e-13 * model.bodies[1].inertia.I_BBcm_B.norm()) << shape;
  }
  // A point has none.
  const Model point = LoadText(R"(<mujoco><option density="700"/><worldbody><body><joint type="slide"/>
    <inertial pos="0 0 1" mass="2" euler="20 -30 40" diaginertia="0 0 0"/></body></worldbody></mujoco>)");
  EXPECT_TRUE(Convert(point).bodies[1].inertia.I_BBcm_B.isZero(0.0));
}

TEST_F(MjcfWriter, SoftModelsStaySoft) {
  const std::string text =
      R"(<mujoco><worldbody><body name='b'><joint name='j' range='-1 1' solreflimit='0.1 1'/>
    <geom name='g' size='0.1' solref='0.03 1'/></body></worldbody>
    <equality><joint joint1='j' solimp='0.8 0.9 0.01 0.5 2' active='false'/></equality></mujoco>)";
  const Model model = LoadText(text, nullptr, {.contact_model = ContactModel::kSoft});
  EXPECT_TRUE(Make(model).report.items.empty());
  ExpectSameModel(model, Convert(model));
  EXPECT_EQ(Make(model).extensions, std::vector<std::string>{"option[@contact]"});
  // Who asks for rigid contacts gets them.
  SaveMjcf(Make(model), path());
  EXPECT_EQ(LoadModel(path(), {.contact_model = ContactModel::kRigid}).options.contact_model,
            ContactModel::kRigid);
}

// A base that is part of the world, beside something else: a word of MJCF for all pairs, ours for some.
TEST_F(MjcfWriter, ExclusionsOfAllPairsAreOfBodies) {
  for (const bool has_floor : {false, true}) {
    ModelBuilder builder("base");
    const int base = builder.AddGeom({.name = "base", .shape = Box{{0.1, 0.1, 0.1}}});
    if (has_floor) builder.AddGeom({.name = "floor", .shape = Plane{}});
    const int link = AddLink(builder, 0, "link", 1.0);
    builder.AddJoint(link, {.name = "j"});
    builder.ExcludeGeoms(base, builder.AddGeom({.name = "one", .body = link, .shape = Sphere{0.1}}));
    builder.ExcludeGeoms(base, builder.AddGeom({.name = "two", .body = link, .shape = Sphere{0.1}}));
    const Model model = builder.Build(), read = Convert(model);
    ExpectSameModel(model, read);
    EXPECT_EQ(read.excluded_bodies.size(), has_floor ? 0u : 1u);
    EXPECT_EQ(read.excluded_geoms.size(), has_floor ? 2u : 0u);
  }
}

// A polynomial that counts from elsewhere than the joints' references.
TEST_F(MjcfWriter, CouplesAreShiftedToTheReferences) {
  ModelBuilder builder("couple");
  const int body = AddLink(builder, 0, "b", 1.0);
  const int x = builder.AddJoint(body, {.name = "x", .kind = SlideJoint{.reference = 0.3}}),
            y = builder.AddJoint(body, {.name = "y", .kind = HingeJoint{.reference = -0.2}});
  const JointPolynomial couple{y, x, {1, 2, 3, 4, 5}, 0.7, -0.1};
  builder.AddEquality({.name = "c", .kind = couple});
  const Model read = Convert(builder.Build());
  const auto& same = std::get<JointPolynomial>(read.equalities[0].kind);
  const auto target = [](const JointPolynomial& p, double at) {
    double sum = 0.0;
    for (int i = 4; i >= 0; --i) sum = sum * (at - p.of_reference) + p.coefficients[i];
    return p.reference + sum;
  };
  for (const double at : {-1.0, 0.0, 0.5, 2.0})
    EXPECT_NEAR(target(same, at), target(couple, at), 1e-13) << at;
}

TEST_F(MjcfWriter, NamesWhatItCannotSay) {
  ModelBuilder builder("lost");
  const int body = AddLink(builder, 0, "b", 1.0);
  Joint joint{.name = "half", .lower = -1.0};
  joint.limit_softness = Softness{};
  builder.AddJoint(body, joint);
  builder.AddJoint(body, {.name = "point", .lower = 0.5, .upper = 0.5});
  const Hull hull = MakeHull(MakeBallMesh(0.1, 5).vertices).hull;
  builder.AddGeom(
      {.name = "idle", .body = body, .shape = hull, .contype = 0, .conaffinity = 0, .is_seen = false});
  const int idle = 0, ball = builder.AddGeom({.name = "ball", .shape = Sphere{0.1}});
  builder.AddContactPair({.geom_a = idle, .geom_b = ball});
  builder.AddActuator({.name = "a", .joint = 0, .bias = {0, -3, 0}, .damping_ratio = 1.0});
  builder.AddActuator({.name = "c", .joint = 0, .gain = {3, 0, 0}, .bias = {0, -3, 2}});
  const Model model = builder.Build();
  std::string all;
  for (const ImportItem& item : Make(model).report.items) all += Describe(item) + "\n";
  for (const char* line :
       {"joint[@range] approximated: joint \"half\": the end that is infinite is written as 1e10",
        "joint[@range] approximated: joint \"point\": its two ends are one",
        "joint approximated: joint \"half\" gives way, and is exact when it is read without --contact soft",
        "pair ignored: of \"ball\" and \"idle\"",
        "geom ignored: \"idle\" on body \"b\": a mesh that touches nothing",
        "general ignored: \"a\": only servos have a damping ratio",
        "general approximated: \"c\": its bias is off by a rounding"})
    EXPECT_NE(all.find(line), std::string::npos) << line << "\n" << all;
  EXPECT_TRUE(Make(model).report.HasIgnored());
  const Model read = Convert(model);
  EXPECT_EQ(read.actuators[1].bias[2], 2.0);
  EXPECT_EQ(read.actuators[1].damping_ratio, 0.0);
  EXPECT_EQ(read.joints[1].lower, 0.5);
  EXPECT_NEAR(read.joints[1].upper, 0.5, 2e-15);
}

TEST_F(MjcfWriter, RefusesTreesThatNoReaderTakes) {
  ModelBuilder builder("deep");
  int body = 0;
  for (int i = 0; i < 250; ++i) body = AddLink(builder, body, "", 0.1);
  const Model model = builder.Build();
  EXPECT_THROW(Make(model), std::invalid_argument);
}

TEST_F(MjcfWriter, MeshesAreSharedAndStandBeside) {
  ModelBuilder builder("meshes");
  const Hull hull = MakeHull(MakeBallMesh(0.1, 5).vertices).hull;
  for (int i = 0; i < 3; ++i)
    builder.AddGeom({.body = AddLink(builder, 0, "link/" + std::to_string(i), 1.0), .shape = hull});
  SaveMjcf(Make(builder.Build()), path("arm.v2.xml"));
  EXPECT_EQ(List(), (std::vector<std::string>{"arm.v2.xml", "model_assets", "model_assets/link_0_hull.obj"}));
}

TEST_F(MjcfWriter, LeavesNothingHalfWritten) {
  ModelBuilder builder("meshes");
  builder.AddGeom({.shape = MakeHull(MakeBallMesh(0.1, 5).vertices).hull});
  const MjcfDocument document = Make(builder.Build());
  EXPECT_THROW(SaveMjcf(document, path("no/such/folder.xml")), std::runtime_error);
  std::ofstream(path("model_assets")) << "a file where the folder should be";
  EXPECT_THROW(SaveMjcf(document, path()), std::runtime_error);
  EXPECT_EQ(List(), std::vector<std::string>{"model_assets"});
  fs::remove(path("model_assets"));
  // The second of two files cannot be put in its place: what stood there stays.
  fs::create_directories(path("model_assets/world_hull.obj/in_the_way"));
  std::ofstream(path()) << "before";
  EXPECT_THROW(SaveMjcf(document, path()), std::runtime_error);
  std::string text;
  std::getline(std::ifstream(path()), text);
  EXPECT_EQ(text, "before");
  EXPECT_EQ(List().size(), 4u);
}

}  // namespace
}  // namespace stiction::testing
