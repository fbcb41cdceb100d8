#include "stiction/dynamics/inverse_kinematics.h"

#include <gtest/gtest.h>

#include <numeric>

#include "stiction/math/rotation.h"
#include "stiction/model/model_builder.h"
#include "tests/support/random_model.h"

namespace stiction::testing {
namespace {

// Seven hinges about z and y in turns, links of 20 cm; reaches 1.2 m from the first bend.
Model MakeChain(double limit = 3.0) {
  ModelBuilder builder("chain");
  int parent = 0;
  for (int i = 0; i < 7; ++i) {
    const int link =
        builder.AddBody({.name = "link" + std::to_string(i),
                         .parent = parent,
                         .X_PB = {Matrix3d::Identity(), Vector3d(0.0, 0.0, i == 0 ? 0.0 : 0.2)}});
    builder.AddJoint(link, {.name = "j" + std::to_string(i),
                            .kind = HingeJoint{.axis_B = i % 2 == 0 ? Vector3d::UnitZ() : Vector3d::UnitY()},
                            .lower = -limit,
                            .upper = limit});
    builder.AddGeom({.body = link, .shape = Sphere{0.02}, .contype = 0, .conaffinity = 0}, {.mass = 1.0});
    parent = link;
  }
  builder.AddFrame({.name = "tool", .body = parent, .X_BF = {Matrix3d::Identity(), Vector3d(0.0, 0.0, 0.2)}});
  return builder.Build();
}

std::vector<int> AllJoints(const Model& model) {
  std::vector<int> joints(model.num_joints());
  std::iota(joints.begin(), joints.end(), 0);
  return joints;
}

TEST(InverseKinematics, ReachesPosesThatTheJointsCanTake) {
  const Model model = MakeChain();
  InverseKinematics ik(model, model.FindBodyOrFrame("tool"), AllJoints(model));
  Random random(1);
  const VectorXd mocap;
  int most_steps = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const VectorXd goal = random.Vector(7, 1.2);
    VectorXd q = goal + random.Vector(7, 0.3);  // from near by, as a controller does
    const RigidTransform X_WF = ik.CalcPose(goal, mocap);
    const InverseKinematicsResult result = ik.Solve(X_WF, mocap, nullptr, q);
    ASSERT_TRUE(result.is_converged) << trial << ": " << result.position_error << " m";
    const RigidTransform reached = ik.CalcPose(q, mocap);
    EXPECT_LT((reached.p - X_WF.p).norm(), 1e-9);
    EXPECT_LT((reached.R - X_WF.R).norm(), 1e-8);
    most_steps = std::max(most_steps, result.steps);
  }
  EXPECT_LE(most_steps, 20);
}

// Straight up there is nothing beyond 1.2 m: the nearest is 0.1 m short of the goal.
TEST(InverseKinematics, EndsNearestToAPoseOutOfReach) {
  const Model model = MakeChain();
  InverseKinematics ik(model, model.FindBodyOrFrame("tool"), AllJoints(model), false);
  VectorXd q = VectorXd::Constant(7, 0.4);
  const VectorXd mocap;
  const RigidTransform X_WF{Matrix3d::Identity(), Vector3d(0.0, 0.0, 0.2 + 1.2 + 0.1)};
  InverseKinematicsResult result;
  for (int i = 0; i < 30; ++i) result = ik.Solve(X_WF, mocap, nullptr, q);
  EXPECT_FALSE(result.is_converged);
  EXPECT_NEAR(result.position_error, 0.1, 1e-4);
}

TEST(InverseKinematics, StaysWithinTheLimits) {
  const Model model = MakeChain(0.5);
  InverseKinematics ik(model, model.FindBodyOrFrame("tool"), AllJoints(model));
  const Model free = MakeChain();
  InverseKinematics free_ik(free, free.FindBodyOrFrame("tool"), AllJoints(free));
  Random random(2);
  const VectorXd mocap;
  int beyond = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const RigidTransform X_WF = free_ik.CalcPose(random.Vector(7, 0.9), mocap);
    VectorXd q = VectorXd::Zero(7);
    beyond += !ik.Solve(X_WF, mocap, nullptr, q).is_converged;
    EXPECT_LE(q.lpNorm<Eigen::Infinity>(), 0.5);
    // Where the limits leave a way it is found: from the answer of joints inside of them.
    const VectorXd inside = random.Vector(7, 0.45);
    q = inside + 0.1 * random.Vector(7, 0.5);
    q = q.cwiseMin(0.5).cwiseMax(-0.5);
    EXPECT_TRUE(ik.Solve(ik.CalcPose(inside, mocap), mocap, nullptr, q).is_converged) << trial;
  }
  EXPECT_GT(beyond, 10);  // or the limits were not felt
}

// In the joints' motion that the frame does not feel they go to the posture, and the frame stays.
TEST(InverseKinematics, IsPulledToAPostureWithoutMovingTheFrame) {
  const Model model = MakeChain();
  InverseKinematics ik(model, model.FindBodyOrFrame("tool"), AllJoints(model));
  const VectorXd mocap;
  const VectorXd posture = (VectorXd(7) << 0.3, 0.8, -0.2, 0.9, 0.1, 0.7, 0.2).finished();
  const RigidTransform X_WF = ik.CalcPose(posture, mocap);
  VectorXd q = posture + 0.3 * Random(3).Vector(7, 1.0);
  ASSERT_TRUE(ik.Solve(X_WF, mocap, nullptr, q).is_converged);
  const double before = (q - posture).norm();
  for (int i = 0; i < 200; ++i) {
    // A pose that moves a little: only then are steps taken.
    RigidTransform near = X_WF;
    near.p.z() += i % 2 == 0 ? 1e-6 : 0.0;
    ASSERT_TRUE(
        ik.Solve(near, mocap, posture.data(), q, {.max_steps = 60, .posture_weight = 0.1}).is_converged);
  }
  EXPECT_LT((q - posture).norm(), 0.02 * before);
}

TEST(InverseKinematics, RefusesJointsThatDoNotMoveTheFrame) {
  const Model model = MakeChain();
  const Frame middle = model.FindBodyOrFrame("link3");
  EXPECT_THROW(InverseKinematics(model, middle, {6}), std::invalid_argument);
  EXPECT_THROW(InverseKinematics(model, middle, {}), std::invalid_argument);
  EXPECT_NO_THROW(InverseKinematics(model, middle, {0, 3}));
  EXPECT_THROW(InverseKinematics(model, middle, {model.FindJoint("typo")}), std::invalid_argument);
  EXPECT_THROW(InverseKinematics(model, model.FindBodyOrFrame("typo"), {0}), std::invalid_argument);
}

}  // namespace
}  // namespace stiction::testing
