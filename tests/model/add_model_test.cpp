#include <gtest/gtest.h>

#include "stiction/model/input.h"
#include "stiction/model/model_builder.h"
#include "tests/support/random_model.h"
#include "tests/support/same_model.h"

namespace stiction::testing {
namespace {

const MassProperties kBall = CalcSolidMassProperties(Sphere{0.1}, 1.0);
const RigidTransform kPlace{QuaternionExp({0.3, -0.5, 0.9}).toRotationMatrix(), Vector3d(1, 2, 3)};
const SharedMesh kSheet =
    std::make_shared<const TriangleMesh>(TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
// A few roundings of numbers of size 5.
constexpr double kRounding = 1e-14;

// A floor, a cart that floats with an arm on a hinge, a mocap target; an actuator, a keyframe, exclusions.
Model MakeCart() {
  ModelBuilder builder("cart");
  const int cart =
      builder.AddBody({.name = "cart", .X_PB = {Matrix3d::Identity(), {0, 0, 0.5}}, .inertia = kBall});
  builder.AddJoint(cart, {.name = "drive", .kind = FreeJoint{}});
  const int arm = builder.AddBody({.name = "arm", .parent = cart, .inertia = kBall});
  const int hinge = builder.AddJoint(arm, {.name = "hinge", .kind = HingeJoint{.axis_B = {1, 2, 2}}});
  const int target = builder.AddBody({.name = "target", .is_mocap = true});
  builder.AddGeom({.name = "floor", .body = 0, .shape = Plane{}});
  builder.AddGeom({.name = "hull", .body = cart, .shape = Sphere{0.2}});
  builder.AddGeom({.name = "rod", .body = arm, .shape = Sphere{0.1}, .color = Color{1, 0, 0, 0.5}});
  builder.AddVisual({.name = "cover", .body = arm, .shape = kSheet, .color = Color{0, 1, 0, 1}});
  builder.AddVisual({.name = "carpet", .body = 0, .shape = kSheet, .X_BV = {.p = {0, 0, 1}}});
  builder.AddCamera({.name = "driver",
                     .body = arm,
                     .X_BC = {.p = {0, 0, 0.2}},
                     .field_of_view = 1.5,
                     .resolution = {64, 48}});
  builder.AddCamera({.name = "gate", .body = 0, .X_BC = {.p = {5, 0, 1}}});
  builder.AddCamera({.body = target});
  builder.AddFrame({.name = "origin", .body = 0});
  builder.AddFrame({.name = "tip", .body = arm, .X_BF = {Matrix3d::Identity(), {0, 0, 0.3}}});
  builder.AddActuator({.name = "motor", .joint = hinge, .ctrl_lower = -2});
  builder.ExcludeBodies(0, arm);
  Keyframe up{.name = "up", .time = 3.0, .q = VectorXd(8), .v = VectorXd(7), .ctrl = VectorXd(1)};
  up.q << 1, 0, 2, 0.6, 0, 0.8, 0, 0.25;
  up.v << 1, 2, 3, 4, 5, 6, 7;
  up.ctrl << 0.7;
  builder.AddKeyframe(up);
  return builder.Build();
}

Model Place(const Model& model, const std::string& prefix, const RigidTransform& X_WM = {},
            ModelBase base = ModelBase::kAsInModel) {
  ModelBuilder builder("scene");
  builder.AddModel(model, prefix, X_WM, base);
  return builder.Build();
}

std::string PlaceFailure(const Model& model, const std::string& prefix, ModelBase base) {
  try {
    Place(model, prefix, {}, base);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

void ExpectSamePose(const RigidTransform& a, const RigidTransform& b, double tolerance) {
  EXPECT_LE((a.R - b.R).cwiseAbs().maxCoeff(), tolerance);
  EXPECT_LE((a.p - b.p).cwiseAbs().maxCoeff(), tolerance);
}

TEST(AddModel, AtTheOriginGivesTheSameModelBitForBit) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Model model = MakeRandomModel(seed, 12);
    const Model copy = Place(model, "");
    ASSERT_EQ(copy.num_bodies(), model.num_bodies());
    ASSERT_EQ(copy.num_joints(), model.num_joints());
    EXPECT_EQ(copy.q0, model.q0);
    EXPECT_EQ(copy.dof_parent, model.dof_parent);
    EXPECT_EQ(copy.dof_tree, model.dof_tree);
    for (int b = 0; b < model.num_bodies(); ++b) {
      EXPECT_EQ(copy.bodies[b].parent, model.bodies[b].parent);
      ExpectSamePose(copy.bodies[b].X_PB, model.bodies[b].X_PB, 0.0);
      EXPECT_EQ(copy.bodies[b].inertia.mass, model.bodies[b].inertia.mass);
      EXPECT_EQ(copy.bodies[b].inertia.I_BBcm_B, model.bodies[b].inertia.I_BBcm_B);
    }
    for (int j = 0; j < model.num_joints(); ++j) {
      ExpectSameKind(model.joints[j], copy.joints[j]);
      EXPECT_EQ(copy.joints[j].q_address, model.joints[j].q_address);
    }
  }
  const Model cart = MakeCart(), copy = Place(cart, "");
  EXPECT_EQ(copy.keyframes.at(0).q, cart.keyframes[0].q);
  EXPECT_EQ(copy.keyframes[0].v, cart.keyframes[0].v);
  EXPECT_EQ(copy.keyframes[0].time, 3.0);
}

TEST(AddModel, PrefixesEveryName) {
  const Model scene = Place(MakeCart(), "a");
  EXPECT_EQ(scene.name, "scene");
  EXPECT_EQ(scene.bodies[0].name, "world");
  for (const char* body : {"a/cart", "a/arm", "a/target"}) EXPECT_GE(scene.FindBody(body), 0) << body;
  EXPECT_GE(scene.FindJoint("a/hinge"), 0);
  EXPECT_GE(scene.FindGeom("a/floor"), 0);
  EXPECT_GE(scene.FindFrame("a/tip"), 0);
  EXPECT_GE(scene.FindActuator("a/motor"), 0);
  EXPECT_NE(scene.FindKeyframe("a/up"), nullptr);
  EXPECT_NE(PlaceFailure(MakeCart(), "a/b", ModelBase::kAsInModel).find("slash"), std::string::npos);
}

TEST(AddModel, MovesTheWholeModel) {
  const Model cart = MakeCart(), scene = Place(cart, "a", kPlace);
  ExpectSamePose(scene.bodies[1].X_PB, kPlace * cart.bodies[1].X_PB, 0.0);
  ExpectSamePose(scene.bodies[2].X_PB, cart.bodies[2].X_PB, 0.0);
  ExpectSamePose(scene.geoms[scene.FindGeom("a/floor")].X_BG, kPlace, 0.0);
  ExpectSamePose(scene.geoms[scene.FindGeom("a/rod")].X_BG, {}, 0.0);
  EXPECT_EQ(scene.geoms[scene.FindGeom("a/rod")].color, (Color{1, 0, 0, 0.5}));
  EXPECT_EQ(scene.geoms[scene.FindGeom("a/floor")].color, std::nullopt);
  ExpectSamePose(scene.frames[scene.FindFrame("a/origin")].X_BF, kPlace, 0.0);
  ExpectSamePose(FreeJoint::CalcPose(scene.q0.data()), kPlace * cart.bodies[1].X_PB, kRounding);
  ExpectSamePose(FreeJoint::CalcPose(Input::Default(scene).mocap.data()), kPlace, kRounding);
}

TEST(AddModel, TakesVisualsAlong) {
  const Model scene = Place(MakeCart(), "a", kPlace);
  ASSERT_EQ(scene.visuals.size(), 2u);
  const Visual &carpet = scene.visuals[0], &cover = scene.visuals[1];  // in body order
  EXPECT_EQ(carpet.name, "a/carpet");
  EXPECT_EQ(carpet.body, 0);
  ExpectSamePose(carpet.X_BV, kPlace * RigidTransform{.p = {0, 0, 1}}, 0.0);
  EXPECT_EQ(cover.name, "a/cover");
  EXPECT_EQ(cover.body, scene.FindBody("a/arm"));
  ExpectSamePose(cover.X_BV, {}, 0.0);
  EXPECT_EQ(cover.color, (Color{0, 1, 0, 1}));
  for (const Visual& visual : scene.visuals) EXPECT_EQ(std::get<SharedMesh>(visual.shape), kSheet);
}

TEST(AddModel, TakesCamerasAlong) {
  ModelBuilder builder("scene");
  builder.AddModel(MakeCart(), "a");
  builder.AddModel(MakeCart(), "b", kPlace);
  const Model scene = builder.Build();
  ASSERT_EQ(scene.cameras.size(), 6u);
  const ModelCamera& gate = scene.cameras.at(scene.FindCamera("b/gate"));
  EXPECT_EQ(gate.body, 0);
  ExpectSamePose(gate.X_BC, kPlace * RigidTransform{.p = {5, 0, 1}}, 0.0);
  const ModelCamera& driver = scene.cameras.at(scene.FindCamera("b/driver"));
  EXPECT_EQ(driver.body, scene.FindBody("b/arm"));
  ExpectSamePose(driver.X_BC, {.p = {0, 0, 0.2}}, 0.0);
  EXPECT_EQ(driver.field_of_view, 1.5);
  EXPECT_EQ(driver.resolution, (std::array{64, 48}));
  EXPECT_EQ(scene.FindCamera("driver"), -1);
  EXPECT_EQ(scene.cameras.back().name, "") << "no name, no prefix";
  EXPECT_EQ(scene.cameras.back().body, scene.FindBody("b/target"));
}

TEST(AddModel, MovesKeyframesAlong) {
  const Model cart = MakeCart(), scene = Place(cart, "a", kPlace);
  const Keyframe &was = cart.keyframes[0], &is = *scene.FindKeyframe("a/up");
  ExpectSamePose(FreeJoint::CalcPose(is.q.data()), kPlace * FreeJoint::CalcPose(was.q.data()), kRounding);
  EXPECT_EQ(is.q[7], 0.25);
  EXPECT_LE((is.v.head<3>() - kPlace.R * was.v.head<3>()).norm(), kRounding);
  EXPECT_EQ(is.v.tail<4>(), was.v.tail<4>());  // angular velocity is in body axes
  EXPECT_EQ(is.ctrl[0], 0.7);
  ExpectSamePose(FreeJoint::CalcPose(is.mocap.data()), kPlace, kRounding);
}

TEST(AddModel, AKeyframeLeavesTheOtherModelsAtTheirDefaults) {
  ModelBuilder builder("scene");
  const AddedModel first = builder.AddModel(MakeCart(), "a");
  builder.AddModel(MakeCart(), "b", kPlace);
  // A body added later under the first model stands between the two in q.
  const int extra = builder.AddBody({.name = "extra", .parent = first.bodies[2], .inertia = kBall});
  builder.AddJoint(extra, {.name = "extra"});
  const Model scene = builder.Build();
  ASSERT_EQ(scene.nq(), 8 + 1 + 8);
  const VectorXd& q = scene.FindKeyframe("b/up")->q;
  EXPECT_EQ(q.head<9>(), scene.q0.head<9>());
  EXPECT_EQ(q[16], 0.25);
  EXPECT_EQ(scene.FindKeyframe("a/up")->q[7], 0.25);
  EXPECT_EQ(scene.FindKeyframe("b/up")->ctrl, Eigen::Vector2d(0.0, 0.7));
  EXPECT_EQ(scene.actuators[1].joint, scene.FindJoint("b/hinge"));
}

TEST(AddModel, FixedBasesLoseTheirFreeJoints) {
  const Model cart = MakeCart(), scene = Place(cart, "a", kPlace, ModelBase::kFixed);
  EXPECT_EQ(scene.nq(), 1);
  EXPECT_EQ(scene.FindJoint("a/drive"), -1);
  EXPECT_EQ(scene.bodies[scene.FindBody("a/cart")].weld, 0);
  EXPECT_EQ(scene.FindKeyframe("a/up")->q, VectorXd::Constant(1, 0.25));
  EXPECT_EQ(scene.FindKeyframe("a/up")->v, VectorXd::Constant(1, 7.0));
}

TEST(AddModel, FixedBasesRefuseActuatorsOfTheFreeJoint) {
  ModelBuilder builder("rocket");
  const int body = builder.AddBody({.name = "rocket", .inertia = kBall});
  builder.AddActuator({.name = "jet", .joint = builder.AddJoint(body, {.kind = FreeJoint{}})});
  const std::string failure = PlaceFailure(builder.Build(), "r", ModelBase::kFixed);
  EXPECT_NE(failure.find("model 'r' cannot be fixed: actuator 'jet'"), std::string::npos) << failure;
}

TEST(AddModel, FloatingBasesGainAFreeJointWhereTheyHaveNone) {
  ModelBuilder builder("post");
  builder.AddBody({.name = "post", .X_PB = kPlace, .inertia = kBall});
  const Model scene = Place(builder.Build(), "p", kPlace, ModelBase::kFloating);
  ASSERT_EQ(scene.nq(), 7);
  EXPECT_EQ(scene.joints[0].name, "p/floating_base");
  ExpectSamePose(FreeJoint::CalcPose(scene.q0.data()), kPlace * kPlace, kRounding);
  EXPECT_EQ(Place(MakeCart(), "a", {}, ModelBase::kFloating).nq(), 8);  // it floats already
}

TEST(AddModel, FloatingBasesNeedOneRootThatCanFloat) {
  ModelBuilder two("two"), hinged("hinged"), plane("plane");
  two.AddBody({.name = "left", .inertia = kBall});
  two.AddBody({.name = "right", .inertia = kBall});
  hinged.AddJoint(hinged.AddBody({.name = "door", .inertia = kBall}), {});
  plane.AddGeom({.body = plane.AddBody({.name = "table", .inertia = kBall}), .shape = Plane{}});
  const auto failure = [](ModelBuilder& b) { return PlaceFailure(b.Build(), "", ModelBase::kFloating); };
  EXPECT_NE(failure(two).find("several root bodies, 'left' and 'right'"), std::string::npos);
  EXPECT_NE(failure(hinged).find("'door' moves on a joint in the world"), std::string::npos);
  EXPECT_NE(failure(plane).find("a plane is attached to body 'table'"), std::string::npos);
}

// Excluding a body from the world's contacts in one file must not let it fall through another file's floor.
TEST(AddModel, ExclusionsStayAmongTheModelsOwnGeoms) {
  ModelBuilder builder("scene");
  const int ground = builder.AddGeom({.name = "ground", .shape = Plane{}});
  builder.AddModel(MakeCart(), "a");
  const Model scene = builder.Build();
  const int rod = scene.FindGeom("a/rod");
  EXPECT_FALSE(scene.PairCollides(scene.FindGeom("a/floor"), rod));
  EXPECT_TRUE(scene.PairCollides(builder.geom_index(ground), rod));
  EXPECT_FALSE(MakeCart().PairCollides(0, 2));
}

TEST(AddModel, RefusesNamesThatAppearTwice) {
  ModelBuilder builder("scene");
  builder.AddModel(MakeCart(), "a");
  builder.AddModel(MakeCart(), "a");
  EXPECT_THROW(builder.Build(), ModelError);
}

TEST(AddModel, KeepsEqualities) {
  ModelBuilder fingers("fingers");
  const int left = fingers.AddBody({.name = "left", .inertia = kBall});
  const int right = fingers.AddBody({.name = "right", .inertia = kBall});
  const int leader = fingers.AddJoint(left, {.name = "leader"});
  const int follower = fingers.AddJoint(right, {.name = "follower"});
  fingers.AddEquality({.name = "couple", .kind = JointPolynomial{.joint = follower, .of_joint = leader}});
  const Model model = fingers.Build();
  ModelBuilder builder("scene");
  builder.AddModel(model, "a");
  builder.AddModel(model, "b");
  const Model scene = builder.Build();
  ASSERT_EQ(scene.num_equalities(), 2);
  EXPECT_EQ(scene.equalities[1].name, "b/couple");
  EXPECT_EQ(scene.equalities[1].first_row, 1);
  const JointPolynomial& couple = std::get<JointPolynomial>(scene.equalities[1].kind);
  EXPECT_EQ(couple.joint, scene.FindJoint("b/follower"));
  EXPECT_EQ(couple.of_joint, scene.FindJoint("b/leader"));
}

}  // namespace
}  // namespace stiction::testing
