// What an embedding program asks of a World, by two routes each.
#include <gtest/gtest.h>

#include "stiction/dynamics/center_of_mass.h"
#include "stiction/dynamics/forces.h"
#include "stiction/dynamics/jacobian.h"
#include "stiction/model/load_error.h"
#include "stiction/sim/world.h"
#include "tests/support/random_model.h"
#include "tests/support/scenes.h"

namespace stiction::testing {
namespace {

constexpr double kTolerance = 1e-4;  // the budget's 1e-8 m/s within 2 ms are 3.5e-5 N on 7 kg [N, N·m]

Model MakeMechanism(unsigned seed) {
  Model model = MakeRandomModel(seed, 8);
  model.frames.push_back({"tool", model.num_bodies() - 1, Random(seed).Pose(0.3)});
  return model;
}

World MakeMovingWorld(unsigned seed) {
  const Model model = MakeMechanism(seed);
  World world = MakeWorld(model, 1e-6);
  State state = world.state();
  state.q = MakeRandomConfiguration(model, seed);
  state.v = MakeRandomVelocity(model, seed);
  world.set_state(state);
  return world;
}

TEST(WorldQueries, ContactForcesOnARestingStackCarryItsWeight) {
  World world = MakeWorld(MakeBoxStack(3, 4.0));  // 1, 2 and 4 kg
  RunSteps(world, 200);
  ASSERT_EQ(world.FindContacts(2).size(), 8u);
  for (int body = 1; body <= 3; ++body) {
    const Vector6d wrench = world.CalcContactWrench(body, world.kinematics().p_WBcm[body]);
    const double weight = world.model().bodies[body].inertia.mass * kGravity;
    EXPECT_LT((wrench - (Vector6d() << 0, 0, 0, 0, 0, weight).finished()).norm(), kTolerance) << body;
  }
  // The floor carries all, about the stack's axis.
  EXPECT_NEAR(world.CalcContactWrench(0, Vector3d::Zero())[5], -7.0 * kGravity, kTolerance);
}

TEST(WorldQueries, ContactsBetweenTwoBodiesPointFromTheFirstToTheSecond) {
  World world = MakeWorld(MakeBoxStack(3, 4.0));
  RunSteps(world, 200);
  for (const auto& [below, above, sign] : {std::tuple{2, 3, 1.0}, std::tuple{3, 2, -1.0}}) {
    const std::vector<Contact> contacts = world.FindContacts(below, above);
    ASSERT_EQ(contacts.size(), 4u);
    double force = 0.0;
    for (const Contact& contact : contacts) {
      EXPECT_EQ(world.model().geoms[contact.geom_b].body, above);
      EXPECT_NEAR(contact.n_W.z(), sign, 1e-9);
      force += contact.impulse_W.z() / world.timestep();
    }
    EXPECT_NEAR(force, sign * 4.0 * kGravity, kTolerance);
  }
  EXPECT_TRUE(world.FindContacts(1, 3).empty());
}

TEST(WorldQueries, ForceAtAPointActsInOneStepAlone) {
  for (int seed = 0; seed < 10; ++seed) {
    World pushed = MakeMovingWorld(seed), free = MakeMovingWorld(seed);
    const Model& model = pushed.model();
    const int body = model.num_bodies() - 1;
    const Vector3d p_WQ = pushed.body_poses()[body] * Vector3d(0.1, 0.2, -0.3), f_W(3.0, -5.0, 7.0);
    pushed.AddForce(body, p_WQ, f_W);
    // The second route: the generalised force Jᵀ f.
    free.input().applied_generalized = free.CalcPointJacobian(body, p_WQ).bottomRows<3>().transpose() * f_W;
    pushed.Step(), free.Step();
    EXPECT_LT((pushed.v() - free.v()).norm(), 1e-13) << seed;  // rounding
    EXPECT_TRUE(pushed.input().applied_wrench.isZero(0.0));
    free.input().applied_generalized.setZero();
    pushed.Step(), free.Step();
    EXPECT_LT((pushed.v() - free.v()).norm(), 1e-13) << seed;
  }
}

TEST(WorldQueries, ForceLeavesThePersistentWrenchAsItWas) {
  World world = MakeMovingWorld(2);
  world.input().applied_wrench.setConstant(0.1);
  const Matrix6Xd before = world.input().applied_wrench;
  world.AddForce(1, Vector3d(1, 2, 3), Vector3d(0.3, 0.7, 1e9));
  world.Step();
  EXPECT_TRUE(world.input().applied_wrench == before);  // every bit
}

TEST(WorldQueries, KinematicsFollowTheStateTheStepAndTheMocapPoses) {
  ModelBuilder builder;
  builder.AddBody({.name = "hand", .X_PB = Shift(1, 0, 0), .is_mocap = true});
  AddFreeBody(builder, Sphere{0.1}, 1.0, Shift(0, 0, 5));
  World world = MakeWorld(builder.Build());
  EXPECT_EQ(world.body_poses()[2].p.z(), 5.0);
  world.Step();
  EXPECT_EQ(world.body_poses()[2].p.z(), world.q()[2]);
  State state = world.state();
  state.q[2] = 7.0;
  world.set_state(state);
  EXPECT_EQ(world.body_poses()[2].p.z(), 7.0);
  world.input().mocap[0] = 3.0;
  EXPECT_EQ(world.body_poses()[1].p.x(), 3.0);
}

TEST(WorldQueries, FrameVelocityMatchesTheDifferenceOfPosesOverAStep) {
  for (int seed = 0; seed < 10; ++seed) {
    World world = MakeMovingWorld(seed);
    const Vector3d p_before = world.CalcFramePose(0).p;
    const Vector6d before = world.CalcFrameVelocity(0);
    EXPECT_LT((world.CalcFrameJacobian(0) * world.v() - before).norm(), 1e-13);  // rounding
    world.Step();
    const Vector3d mean = (world.CalcFramePose(0).p - p_before) / world.timestep();
    // Over 1 µs the acceleration, some 100 m/s², changes the velocity by 1e-4 m/s.
    EXPECT_LT((mean - before.tail<3>()).norm(), 1e-3) << seed;
  }
}

TEST(WorldQueries, InverseDynamicsReturnsTheForcesThatForwardDynamicsWasGiven) {
  for (int seed = 0; seed < 10; ++seed) {
    World world = MakeMovingWorld(seed);
    Random random(seed);
    world.input().applied_generalized = random.Vector(world.model().nv(), 10.0);
    for (int b = 1; b < world.model().num_bodies(); ++b)
      world.input().applied_wrench.col(b) = random.Vector(6, 10.0);
    const VectorXd tau = world.CalcInverseDynamics(world.CalcForwardDynamics());
    EXPECT_LT((tau - world.input().applied_generalized).norm(), 1e-10) << seed;  // rounding, M's condition
  }
}

TEST(WorldQueries, ForwardDynamicsIsTheAccelerationOfAShortStep) {
  for (int seed = 0; seed < 10; ++seed) {
    World world = MakeMovingWorld(seed);
    const VectorXd vdot = world.CalcForwardDynamics(), before = world.v();
    world.Step();
    // A step of 1 µs: the acceleration itself changes by 1e-6 of its rate.
    const VectorXd mean = (world.v() - before) / world.timestep();
    EXPECT_LT((mean - vdot).norm(), 1e-3 * std::max(1.0, vdot.norm())) << seed;
  }
}

TEST(WorldQueries, MomentumIsMassTimesTheVelocityOfTheMassCentre) {
  World world = MakeMovingWorld(4);
  const auto [linear, angular] = world.CalcMomentum();
  const Vector3d before = world.CalcCenterOfMass();
  const double mass = CalcMass(world.model());
  world.Step();
  // As above: 1e-4 m/s from the acceleration over the step.
  EXPECT_LT(((world.CalcCenterOfMass() - before) / world.timestep() - linear / mass).norm(), 1e-3);
}

TEST(WorldQueries, IndicesAndSizesThatTheModelDoesNotHaveAreErrors) {
  World world = MakeWorld(MakeBoxStack(2));
  EXPECT_THROW(world.CalcFramePose(world.model().FindFrame("no such frame")), std::out_of_range);
  EXPECT_THROW(world.CalcPointJacobian(3, Vector3d::Zero()), std::out_of_range);
  EXPECT_THROW(world.FindContacts(1, -1), std::out_of_range);
  EXPECT_THROW(world.AddForce(3, Vector3d::Zero(), Vector3d::Zero()), std::out_of_range);
  EXPECT_THROW(world.CalcGeomDistance(0, 9), std::out_of_range);
  EXPECT_THROW(world.CalcInverseDynamics(VectorXd::Zero(3)), std::invalid_argument);
  world.input().applied_generalized = VectorXd::Zero(11);
  const std::uint64_t before = Hash(world.state());
  EXPECT_EQ(world.Step().status, StepStatus::kInvalidInput);
  EXPECT_EQ(Hash(world.state()), before);
  world.input().applied_generalized = VectorXd::Zero(12);
  EXPECT_EQ(world.Step().status, StepStatus::kOk);
}

TEST(WorldQueries, RaysAndDistancesFollowTheState) {
  World world = MakeWorld(MakeBoxStack(2));
  const Vector3d down(0, 0, -1);
  const auto before = world.CastRay({0, 0, 1}, down);
  ASSERT_TRUE(before);
  EXPECT_EQ(before->body, 2);
  EXPECT_NEAR(before->distance, 0.8, 1e-12);  // rounding
  State state = world.state();
  state.q[7] = 0.3;  // the upper box steps aside, and 50 mm up
  state.q[9] = 0.2;
  world.set_state(state);
  const auto after = world.CastRay({0, 0, 1}, down);
  ASSERT_TRUE(after);
  EXPECT_EQ(after->body, 1);
  EXPECT_NEAR(after->distance, 0.9, 1e-12);
  // Cubes of 10 cm: 0.2 m apart along x, 0.05 m along z.
  const auto closest = world.CalcBodyDistance(1, 2);
  ASSERT_TRUE(closest);
  EXPECT_NEAR(closest->points.distance, std::hypot(0.2, 0.05), 1e-9);
  EXPECT_NEAR(world.CalcGeomDistance(0, 2).points.distance, 0.15, 1e-9);  // the floor
}

// Kinematics that were asked for serve the next step, which takes the same way to the last bit; also where
// something moved meanwhile, and where nothing moves at all.
TEST(WorldQueries, StepsAreTheSameWhetherOrNotSomebodyAsks) {
  ModelBuilder builder("plate");
  const int plate = builder.AddBody({.X_PB = Shift(0, 0, -0.1), .is_mocap = true});
  builder.AddGeom({.body = plate, .shape = Box{{1.0, 1.0, 0.1}}});
  for (int i = 0; i < 3; ++i)
    AddFreeBody(builder, Box{{0.05, 0.05, 0.05}}, 1.0, Shift(0.02 * i, 0, 0.06 + 0.12 * i));
  const Model model = builder.Build();
  World asked(model), left(model);
  double energy = 0.0;
  for (int i = 0; i < 400; ++i) {
    for (World* world : {&asked, &left}) {
      if (i == 100) {
        State state = world->state();
        state.v[0] += 0.1;
        world->set_state(state);
      }
      if (world == &asked) energy += world->CalcEnergy().kinetic;
      // After the question: what was answered is no longer so.
      if (i > 150 && i < 200) world->input().mocap[0] += 1e-4;
      world->Step();
    }
    ASSERT_EQ(Hash(asked.state()), Hash(left.state())) << i;
  }
  EXPECT_GT(energy, 0.0);
  EXPECT_EQ(asked.report().is_still, left.report().is_still);
  // While a step only repeats the last one, the answer stays: it is that of the state.
  World fresh(model);
  fresh.set_state(asked.state());
  fresh.input().mocap = asked.input().mocap;
  EXPECT_EQ(asked.CalcEnergy().potential, fresh.CalcEnergy().potential);
  for (std::size_t b = 0; b < asked.body_poses().size(); ++b)
    EXPECT_EQ(asked.body_poses()[b].p, fresh.body_poses()[b].p);
}

TEST(WorldQueries, SavedStateLoadsIntoAnotherWorld) {
  World world = MakeWorld(MakeBoxStack(2)), copy = MakeWorld(MakeBoxStack(2));
  RunSteps(world, 20);
  const std::string path = ::testing::TempDir() + "world_queries_state.json";
  world.SaveState(path);
  copy.LoadState(path);
  world.Step(), copy.Step();
  EXPECT_EQ(Hash(world.state()), Hash(copy.state()));
  World other = MakeWorld(MakeBoxStack(1));
  EXPECT_THROW(other.LoadState(path), LoadError);
}

}  // namespace
}  // namespace stiction::testing
