// Contacts that give way, with mocap bodies that move: both laws are about the relative velocity.

#include <gtest/gtest.h>

#include <string>

#include "tests/support/mocap_plate.h"

namespace stiction::testing {
namespace {

constexpr double kStiffness = 5e3, kDissipation = 0.05;  // of a pair
constexpr double kImpedance = 0.9, kTime = 0.03;

// Both laws at once: each contact model reads its own. Of constant impedance, so that depths are explicit.
Geom MakeLaw(double friction, double restitution = 0.0) {
  return {.friction = friction,
          .restitution = restitution,
          .softness = {.reference = {kTime, 1.0}, .impedance = {kImpedance, kImpedance, 0.001, 0.5, 2.0}},
          .stiffness = 2.0 * kStiffness,
          .dissipation_time = kDissipation};
}

constexpr ContactModel kModels[] = {ContactModel::kRigid, ContactModel::kSoft, ContactModel::kCompliant};

class MocapContact : public ::testing::TestWithParam<ContactModel> {};

TEST_P(MocapContact, BeltCarriesToItsSpeed) {
  World world(MakeBoxOnPlate(MakeLaw(0.5), {0, 0, -kGravity}, GetParam()));
  world.Step();
  const double start = world.time();
  Drive(world, 2.0, [&](double t) { return Shift(0.4 * (t - start), 0, -0.1); });
  EXPECT_NEAR(world.v()[0], 0.4, 1e-7);  // ten times the budget of a step
  EXPECT_LT(world.v().tail<5>().norm(), 1e-6);
}

TEST_P(MocapContact, SteadyLiftWeighsNothingMore) {
  World world(MakeBoxOnPlate(MakeLaw(0.5), {0, 0, -kGravity}, GetParam()));
  for (int i = 0; i < 1000; ++i) world.Step();
  const double depth = 0.05 - world.q()[2], start = world.time();
  Drive(world, 2.0, [&](double t) { return Shift(0, 0, -0.1 + 0.3 * (t - start)); });
  EXPECT_NEAR(world.v()[2], 0.3, 1e-8);
  EXPECT_NEAR(world.sensor(0)[2], kGravity, 1e-6);
  EXPECT_NEAR(0.3 * (world.time() - start) + 0.05 - world.q()[2], depth, 1e-8) << "as deep as at rest";
}

// Seen from a plate that moves steadily, a box is thrown at a plate at rest, bounces, slides and comes to
// rest: what the plate does must not be told from what the box does.
TEST_P(MocapContact, CannotTellWhichOfTheTwoMoves) {
  const Vector3d V(0.5, -0.2, 0.8);
  const Model model = MakeBoxOnPlate(MakeLaw(0.3, 0.4), {0, 0, -kGravity}, GetParam());
  World moving(model), resting(model);
  State state = moving.state();
  state.q[2] += 0.1;
  moving.set_state(state);
  moving.Step();  // before it nothing is known of where the plate was
  state = moving.state();
  state.v.head<3>() -= V;
  resting.set_state(state);
  const double start = moving.time();
  // What gives way touches midway between the surfaces, which is another place at the end of a step, where
  // the plate is, than at its start.
  const double tolerance = GetParam() == ContactModel::kRigid ? 1e-6 : 1e-3;  // [m/s]
  for (int i = 0; i < 400; ++i) {
    Drive(moving, moving.timestep(), [&](double t) {
      return RigidTransform{Matrix3d::Identity(), Vector3d(0, 0, -0.1) + (t - start) * V};
    });
    ASSERT_EQ(resting.Step().status, StepStatus::kOk);
    const Vector3d way = (moving.time() - start) * V;
    ASSERT_LT((moving.q().head<3>() - way - resting.q().head<3>()).norm(), 0.1 * tolerance) << i;
    ASSERT_LT((moving.v().head<3>() - V - resting.v().head<3>()).norm(), tolerance) << i;
  }
  EXPECT_LT(resting.v().norm(), 1e-3) << "both are at rest on their plate";
}

std::string NameOf(const ::testing::TestParamInfo<ContactModel>& info) {
  return ToString(info.param);
}
INSTANTIATE_TEST_SUITE_P(Models, MocapContact, ::testing::ValuesIn(kModels), NameOf);

// A plunger of 1 kg on a vertical damper c, without gravity, that the plate pushes up at the speed V: it ends
// with that speed, where the contact carries the damper's force c V.
constexpr double kDamper = 40.0, kSpeed = 0.25;

double PushPlunger(ContactModel contact_model, const Geom& law, double& force) {
  ModelBuilder builder("plunger");
  builder.options().gravity.setZero();
  builder.options().contact_model = contact_model;
  AddPlate(builder, law);
  Geom ball = law;
  ball.body = builder.AddBody({.X_PB = Shift(0, 0, 0.06)});
  ball.shape = Sphere{0.05};
  builder.AddJoint(ball.body, {.kind = SlideJoint{}, .damping = kDamper});
  builder.AddGeom(ball, {.mass = 1.0});
  builder.AddSensor({.name = "force", .type = SensorType::kContactForce, .side_b = {.body = ball.body}});
  World world(builder.Build());
  world.Step();
  const double start = world.time();
  Drive(world, 1.5, [&](double t) { return Shift(0, 0, -0.1 + kSpeed * (t - start)); });
  EXPECT_NEAR(world.v()[0], kSpeed, 1e-7);
  force = world.sensor(0)[2];
  return kSpeed * (world.time() - start) - (0.01 + world.q()[0]);
}

TEST(MocapCompliantContact, PushesADamperAtTheDepthOfItsForce) {
  double force = 0.0;
  const double depth = PushPlunger(ContactModel::kCompliant, MakeLaw(0.0), force);
  EXPECT_NEAR(force, kDamper * kSpeed, 1e-5);
  EXPECT_NEAR(depth, kDamper * kSpeed / kStiffness, 1e-9);  // dissipation sees no relative velocity
}

TEST(MocapSoftContact, PushesADamperAtTheDepthOfItsForce) {
  double force = 0.0;
  const double depth = PushPlunger(ContactModel::kSoft, MakeLaw(0.0), force);
  EXPECT_NEAR(force, kDamper * kSpeed, 1e-5);
  // dt k φ = R λ with R = W (1 − d)/d and W by the mass alone, 1 kg, whatever the damper adds to A.
  const double k = kImpedance / std::pow(kImpedance * kTime, 2);
  EXPECT_NEAR(depth, (1.0 - kImpedance) / kImpedance * kDamper * kSpeed / k, 1e-8);
}

// What hardly moves is pressed with f = k (δ + τ_d V) at the depth δ = V t.
TEST(MocapCompliantContact, DampsTheApproachOfThePlate) {
  ModelBuilder builder("anvil");
  builder.options().gravity.setZero();
  builder.options().contact_model = ContactModel::kCompliant;
  AddPlate(builder, MakeLaw(0.0));
  Geom anvil = MakeLaw(0.0);
  anvil.body = builder.AddBody({.X_PB = Shift(0, 0, 0.05)});
  anvil.shape = Sphere{0.05};
  builder.AddJoint(anvil.body, {.kind = SlideJoint{}});
  builder.AddGeom(anvil, {.mass = 1e9});
  builder.AddSensor({.name = "force", .type = SensorType::kContactForce, .side_b = {.body = anvil.body}});
  World world(builder.Build());
  world.Step();
  const double start = world.time();
  for (int i = 0; i < 20; ++i) {
    Drive(world, world.timestep(), [&](double t) { return Shift(0, 0, -0.1 + kSpeed * (t - start)); });
    const double depth = kSpeed * (world.time() - start);
    EXPECT_NEAR(world.sensor(0)[2], kStiffness * (depth + kDissipation * kSpeed), 1e-5) << i;
  }
}

// The stiffer, the nearer to a rigid plate that accelerates, sideways and up; whatever the damping.
TEST(MocapCompliantContact, IsRigidInTheLimit) {
  const auto place = [](double t) {
    return RigidTransform{Matrix3d::Identity(), Vector3d(0.5 * t * t, 0, -0.1 + 1.5 * t * t)};
  };
  const auto run = [&](ContactModel model, double stiffness, double friction) {
    Geom law = MakeLaw(friction);
    law.stiffness = 2.0 * stiffness;
    World world(MakeBoxOnPlate(law, {0, 0, -kGravity}, model));
    world.Step();
    const double start = world.time();
    Drive(world, 0.4, [&](double t) { return place(t - start); });
    return world.state();
  };
  for (const double friction : {0.05, 0.5}) {  // slides, is carried
    const State rigid = run(ContactModel::kRigid, 1.0, friction);
    for (const double stiffness : {1e6, 1e8}) {
      const State compliant = run(ContactModel::kCompliant, stiffness, friction);
      const double weight = kGravity + 3.0;
      // Four corners share the load; the damping makes the rest of the way last.
      EXPECT_NEAR(rigid.q[2] - compliant.q[2], 0.25 * weight / stiffness, 1e-2 * weight / stiffness + 1e-8);
      EXPECT_LT((rigid.v - compliant.v).norm(), 10.0 * weight / stiffness + 1e-7) << friction;
    }
  }
}

// Slip that makes a step miss its budget is taken out, what the plate does is not.
TEST(MocapContactSlip, IsForgottenWithoutThePlatesSpeed) {
  WorldOptions options;
  options.budget = 1e-300;
  World world(MakeBoxOnPlate(MakeLaw(0.8)), options);
  world.Step();
  const double start = world.time();
  const auto place = [&](double t) { return Turn(0.8 * (t - start), Vector3d::UnitZ(), {0, 0, -0.1}); };
  for (int i = 0; i < 200; ++i) {
    const RigidTransform X_WB = place(world.time() + world.timestep());
    QuaternionToWxyz(Quaterniond(X_WB.R), world.input().mocap.data() + 3);
    world.Step();
    if (i < 50) continue;  // it slides until it has the plate's speed
    ASSERT_NEAR(world.v().head<3>().norm(), 0.2 * 0.8, 1e-3) << i;
  }
}

}  // namespace
}  // namespace stiction::testing
