#include "stiction/model/model.h"

#include <gtest/gtest.h>

#include "stiction/math/rotation.h"
#include "tests/support/random_model.h"
#include "tests/support/random_numbers.h"

namespace stiction::testing {
namespace {

// World with a plane; a stand fixed to it; on the stand an arm with a hand welded to it and a finger hinged
// to the hand. A sphere each.
struct CollisionScene {
  ModelBuilder builder;
  int floor, stand, arm, hand, finger;

  CollisionScene() {
    floor = builder.AddGeom({.shape = Plane{}});
    stand = AddBall(builder.AddBody({.name = "stand"}));
    arm = AddBall(AddLink("arm", 1));
    hand = AddBall(builder.AddBody({.name = "hand", .parent = 2}));
    finger = AddBall(AddLink("finger", 3));
  }
  int AddLink(const char* name, int parent) {
    const int b = builder.AddBody({.name = name, .parent = parent});
    builder.AddJoint(b, {});
    return b;
  }
  int AddBall(int body) { return builder.AddGeom({.body = body, .shape = Sphere{0.1}}, {.mass = 1.0}); }
};

TEST(Model, NeighboursAcrossAJointDoNotCollide) {
  CollisionScene s;
  const Model model = s.builder.Build();
  EXPECT_FALSE(model.PairCollides(s.arm, s.hand)) << "welded";
  EXPECT_FALSE(model.PairCollides(s.hand, s.finger)) << "parent and child";
  EXPECT_FALSE(model.PairCollides(s.arm, s.finger)) << "the arm is welded to the finger's parent";
  EXPECT_FALSE(model.PairCollides(s.floor, s.stand)) << "both fixed to the world";
  EXPECT_TRUE(model.PairCollides(s.floor, s.arm)) << "the world is a parent that collides";
  EXPECT_TRUE(model.PairCollides(s.stand, s.arm)) << "so is what is fixed to it";
  EXPECT_TRUE(model.PairCollides(s.finger, s.stand));
}

TEST(Model, NeighboursCollideWhereTheFilterIsOff) {
  CollisionScene s;
  s.builder.options().filter_parent = false;
  const Model model = s.builder.Build();
  EXPECT_FALSE(model.PairCollides(s.arm, s.hand)) << "welded";
  EXPECT_TRUE(model.PairCollides(s.hand, s.finger)) << "parent and child";
  EXPECT_TRUE(model.PairCollides(s.arm, s.finger)) << "the arm is welded to the finger's parent";
}

// A hand that an input moves, and its fingers overlap at their joints like any others.
TEST(Model, MocapBodiesAreParents) {
  for (const bool filter : {true, false}) {
    CollisionScene s;
    s.builder.options().filter_parent = filter;
    const int base = s.builder.AddBody({.name = "base", .is_mocap = true});
    const int palm = s.AddBall(base), plate = s.AddBall(s.builder.AddBody({.name = "plate", .parent = base}));
    const int thumb_body = s.AddLink("thumb", base);
    const int thumb = s.AddBall(thumb_body), tip = s.AddBall(s.AddLink("tip", thumb_body));
    const int other = s.AddBall(s.builder.AddBody({.name = "other", .is_mocap = true}));
    const Model model = s.builder.Build();
    const auto collides = [&](int a, int b) {
      return model.PairCollides(s.builder.geom_index(a), s.builder.geom_index(b));
    };
    EXPECT_NE(collides(palm, thumb), filter);
    EXPECT_NE(collides(plate, thumb), filter) << "welded to the palm";
    EXPECT_FALSE(collides(palm, plate)) << "welded";
    EXPECT_TRUE(collides(palm, tip));
    EXPECT_TRUE(collides(palm, s.arm));
    EXPECT_TRUE(collides(other, thumb));
    EXPECT_TRUE(collides(s.stand, thumb));
    for (const int still : {s.floor, s.stand, other})
      EXPECT_FALSE(collides(palm, still)) << "no joint moves them";
  }
}

TEST(Model, ExcludedPairsAndMasksDoNotCollide) {
  CollisionScene s;
  s.builder.ExcludeBodies(1, 4);
  s.builder.ExcludeGeoms(s.arm, s.floor);
  const int ghost = s.builder.AddGeom({.body = 4, .shape = Sphere{0.1}, .contype = 0, .conaffinity = 2});
  const int seer = s.builder.AddGeom({.shape = Sphere{0.1}, .contype = 2, .conaffinity = 0});
  const Model model = s.builder.Build();
  const auto collides = [&](int a, int b) {
    return model.PairCollides(s.builder.geom_index(a), s.builder.geom_index(b));
  };
  EXPECT_FALSE(collides(s.stand, s.finger));
  EXPECT_FALSE(collides(s.floor, s.arm));
  EXPECT_TRUE(collides(s.floor, s.hand));
  EXPECT_FALSE(collides(ghost, s.floor));
  EXPECT_TRUE(collides(ghost, seer)) << "one direction of the masks is enough";
}

TEST(Model, PlanesDoNotCollideWithPlanes) {
  ModelBuilder builder;
  const int b = builder.AddBody({.name = "tray"});
  builder.SetInertia(b, CalcSolidMassProperties(Sphere{1.0}, 1.0));
  builder.AddJoint(b, {});
  builder.AddGeom({.shape = Plane{}});
  builder.AddGeom({.body = b, .shape = Plane{}});
  EXPECT_FALSE(builder.Build().PairCollides(0, 1));
}

TEST(Model, FindsElementsByName) {
  CollisionScene s;
  s.builder.AddKeyframe({.name = "home"});
  const Model model = s.builder.Build();
  EXPECT_EQ(model.FindBody("hand"), 3);
  EXPECT_EQ(model.FindBody("nobody"), -1);
  EXPECT_EQ(model.FindJoint("nothing"), -1);
  EXPECT_EQ(model.FindActuator("nothing"), -1);
  EXPECT_NE(model.FindKeyframe("home"), nullptr);
  EXPECT_EQ(model.FindKeyframe("away"), nullptr);
}

TEST(Model, BodiesWithoutANameAreShownByNumber) {
  const Model model = MakeRandomModel(1, 3);
  EXPECT_EQ(model.DisplayName(0), "world");
  EXPECT_EQ(model.DisplayName(2), "body2");
}

// A body that is called as another is displayed.
TEST(Model, GivenNamesGoBeforeThoseByNumber) {
  ModelBuilder builder("names");
  for (const char* name : {"", "body1", ""}) {
    const int body = builder.AddBody({.name = name});
    builder.AddGeom({.body = body, .shape = Sphere{0.1}}, {.mass = 1.0});
  }
  const Model model = builder.Build();
  EXPECT_EQ(model.FindBodyOrFrame("body1").body, 2);
  EXPECT_EQ(model.FindBodyOrFrame("body3").body, 3);
  EXPECT_EQ(model.FindBodyOrFrame("body2").body, -1);
  EXPECT_EQ(model.FindBodyOrFrame("").body, -1);
  EXPECT_EQ(model.FindBody(""), -1);
}

TEST(Model, IntegratingBackReturnsToTheStart) {
  double worst = 0.0;
  for (int seed = 0; seed < 50; ++seed) {
    const Model model = MakeRandomModel(seed, 12);
    const VectorXd start = MakeRandomConfiguration(model, seed), v = MakeRandomVelocity(model, seed);
    VectorXd q = start;
    IntegrateConfiguration(model, v, 0.1, q);
    IntegrateConfiguration(model, v, -0.1, q);
    if (model.nq() > 0) worst = std::max(worst, (q - start).cwiseAbs().maxCoeff());
  }
  EXPECT_LT(worst, 2e-15);  // ten times the largest over the seeds: rounding
}

TEST(Model, ConstantSpinTurnsByItsAngleHoweverManyStepsItTakes) {
  ModelBuilder builder;
  const int b = builder.AddBody({.name = "top"});
  builder.SetInertia(b, CalcSolidMassProperties(Sphere{0.1}, 1.0));
  builder.AddJoint(b, {.kind = BallJoint{}});
  const Model model = builder.Build();
  const Vector3d spin(0.3, -1.0, 2.0);
  VectorXd q = model.q0;
  for (int i = 0; i < 1000; ++i) IntegrateConfiguration(model, spin, 1e-3, q);
  // Rounding of a thousand products.
  EXPECT_LT((QuaternionLog(QuaternionFromWxyz(q.data())) - spin).norm(), 1e-13);
}

// Normalising twice is normalising once: a state that is saved and loaded keeps its bits.
TEST(Model, NormalizingAgainChangesNothing) {
  ModelBuilder builder;
  const int ball = builder.AddBody({});
  builder.AddJoint(ball, {.kind = BallJoint{}});
  builder.AddGeom({.body = ball, .shape = Sphere{0.1}, .X_BG = {.p = {1, 0, 0}}}, {.mass = 1.0});
  const Model model = builder.Build();
  stiction::testing::RandomNumbers random(1);
  for (int i = 0; i < 10000; ++i) {
    VectorXd q = random.Vector(4);
    NormalizeQuaternions(model, q);
    const VectorXd once = q;
    NormalizeQuaternions(model, q);
    ASSERT_EQ(q, once) << i;
  }
}

TEST(Model, NormalizesEveryQuaternionAndNothingElse) {
  ModelBuilder builder;
  for (const JointKind& kind : {JointKind(FreeJoint{}), JointKind(BallJoint{}), JointKind(HingeJoint{})}) {
    const int b = builder.AddBody({});
    builder.SetInertia(b, CalcSolidMassProperties(Sphere{0.1}, 1.0));
    builder.AddJoint(b, {.kind = kind});
  }
  const Model model = builder.Build();
  VectorXd q = VectorXd::Constant(12, 2.0), expected = VectorXd::Constant(12, 0.5);
  expected.head<3>().setConstant(2.0), expected[11] = 2.0;
  NormalizeQuaternions(model, q);
  EXPECT_EQ(q, expected);
  q.setZero();
  NormalizeQuaternions(model, q);
  EXPECT_EQ(q[3], 1.0) << "a quaternion of zeros becomes the identity";
}

}  // namespace
}  // namespace stiction::testing
