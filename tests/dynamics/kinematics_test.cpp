#include "stiction/dynamics/kinematics.h"

#include <gtest/gtest.h>

#include <numbers>

#include "stiction/math/rotation.h"
#include "tests/dynamics/moving_model.h"

namespace stiction::testing {
namespace {

constexpr double kHalfPi = std::numbers::pi / 2;

// Step of central differences: truncation 1e-10 and rounding 1e-16/1e-5 balance.
constexpr double kDifferenceStep = 1e-5;

Kinematics KinematicsAt(const Model& model, const VectorXd& q) {
  Kinematics kin;
  kin.Resize(model);
  CalcPositionKinematics(model, q, Input::Default(model).mocap, kin);
  return kin;
}

TEST(Kinematics, BodiesStandAsInTheFileAtTheInitialConfiguration) {
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    const Model model = MakeRandomModel(seed, kNumBodies);
    const Kinematics kin = KinematicsAt(model, model.q0);
    for (int b = 1; b < model.num_bodies(); ++b) {
      const RigidTransform X_WB = kin.X_WB[model.bodies[b].parent] * model.bodies[b].X_PB;
      // Rounding over a dozen frames of size 1 m.
      EXPECT_LT((kin.X_WB[b].p - X_WB.p).norm(), 1e-14);
      EXPECT_LT((kin.X_WB[b].R - X_WB.R).norm(), 1e-14);
    }
  }
}

TEST(Kinematics, PosesAloneAreThoseOfAll) {
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    const MovingModel moving = MovingModel::MakeRandom(seed);
    Kinematics kin;
    kin.Resize(moving.model);
    CalcBodyPoses(moving.model, moving.model.all_trees, moving.q, moving.input.mocap, kin);
    for (int b = 0; b < moving.model.num_bodies(); ++b) {
      EXPECT_EQ(kin.X_WB[b].p, moving.kin.X_WB[b].p);
      EXPECT_EQ(kin.X_WB[b].R, moving.kin.X_WB[b].R);
    }
  }
}

TEST(Kinematics, HingeTurnsTheBodyAboutItsAnchor) {
  ModelBuilder builder;
  const int b = builder.AddBody({.name = "arm", .X_PB = {.p = {1.0, 0.0, 0.0}}});
  builder.SetInertia(b, CalcSolidMassProperties(Sphere{0.1}, 1.0));
  builder.AddJoint(
      b, {.kind = HingeJoint{.axis_B = Vector3d::UnitZ(), .p_BJ = {0.0, 0.5, 0.0}, .reference = 0.2}});
  const Model model = builder.Build();
  const Kinematics kin = KinematicsAt(model, VectorXd::Constant(1, 0.2 + kHalfPi));
  // A quarter turn about (1, 0.5): the origin, half a metre before the anchor, goes to its +x side. Rounding
  // of cos(π/2).
  EXPECT_TRUE(kin.X_WB[b].p.isApprox(Vector3d(1.5, 0.5, 0.0), 1e-15));
  EXPECT_TRUE(kin.X_WB[b].R.col(0).isApprox(Vector3d::UnitY(), 1e-15));
}

TEST(Kinematics, LaterJointsMoveInTheFrameThatEarlierOnesLeave) {
  ModelBuilder builder;
  const int b = builder.AddBody({.name = "arm"});
  builder.SetInertia(b, CalcSolidMassProperties(Sphere{0.1}, 1.0));
  builder.AddJoint(b, {.kind = HingeJoint{.axis_B = Vector3d::UnitZ()}});
  builder.AddJoint(b, {.kind = SlideJoint{.axis_B = Vector3d::UnitX()}});
  const Model model = builder.Build();
  const Kinematics kin = KinematicsAt(model, Eigen::Vector2d(kHalfPi, 0.3));
  EXPECT_TRUE(kin.X_WB[b].p.isApprox(Vector3d(0.0, 0.3, 0.0), 1e-15));  // rounding of cos(π/2)
}

TEST(Kinematics, FreeAndBallJointsTakeTheirPoseFromTheQuaternion) {
  ModelBuilder builder;
  const int base = builder.AddBody({.name = "base"});
  const int tip = builder.AddBody({.name = "tip", .parent = base, .X_PB = {.p = {1.0, 0.0, 0.0}}});
  for (const int b : {base, tip}) builder.SetInertia(b, CalcSolidMassProperties(Sphere{0.1}, 1.0));
  builder.AddJoint(base, {.kind = FreeJoint{}});
  builder.AddJoint(tip, {.kind = BallJoint{.p_BJ = {0.0, 0.0, 1.0}}});
  const Model model = builder.Build();
  const double s = std::sqrt(0.5);
  VectorXd q(11);
  q << 1.0, 2.0, 3.0, s, 0.0, 0.0, s, s, s, 0.0, 0.0;  // base a quarter turn about z, tip one about x
  const Kinematics kin = KinematicsAt(model, q);
  // Rounding of a few operations on numbers of size 3.
  EXPECT_TRUE(kin.X_WB[base].p.isApprox(Vector3d(1.0, 2.0, 3.0), 1e-15));
  EXPECT_TRUE(kin.X_WB[base].R.col(0).isApprox(Vector3d::UnitY(), 1e-15));
  // In base axes the anchor is at (1,0,1) and the origin, 1 m below it, swings to its +y side: (1,1,1).
  EXPECT_TRUE(kin.X_WB[tip].p.isApprox(Vector3d(0.0, 3.0, 4.0), 1e-15));
}

TEST(Kinematics, MocapBodiesCarryTheirChildrenWithThem) {
  ModelBuilder builder;
  const int hand = builder.AddBody({.name = "hand", .is_mocap = true});
  const int other = builder.AddBody({.name = "other", .X_PB = {.p = {0.0, 5.0, 0.0}}, .is_mocap = true});
  const int finger = builder.AddBody({.name = "finger", .parent = hand, .X_PB = {.p = {1.0, 0.0, 0.0}}});
  const Model model = builder.Build();
  Input input = Input::Default(model);
  EXPECT_EQ(input.mocap[8], 5.0);
  input.mocap.head<7>() << 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 3.0;  // half a turn about z, not normalised
  Kinematics kin;
  kin.Resize(model);
  CalcPositionKinematics(model, model.q0, input.mocap, kin);
  CalcVelocityKinematics(model, VectorXd(), kin);
  EXPECT_TRUE(kin.X_WB[builder.body_index(finger)].p.isApprox(Vector3d(-1.0, 0.0, 2.0)));
  EXPECT_TRUE(kin.X_WB[builder.body_index(other)].p.isApprox(Vector3d(0.0, 5.0, 0.0)));
  EXPECT_TRUE(CalcPointVelocity(model, kin, finger, {1.0, 1.0, 1.0}).isZero(0.0));
}

TEST(Kinematics, VelocitiesMatchFiniteDifferencesOfPoses) {
  double worst = 0.0;
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    const MovingModel now = MovingModel::MakeRandom(seed);
    const MovingModel before = now.Advanced(-kDifferenceStep), after = now.Advanced(kDifferenceStep);
    for (int b = 1; b < now.model.num_bodies(); ++b) {
      const Vector3d pdot = (after.kin.X_WB[b].p - before.kin.X_WB[b].p) / (2 * kDifferenceStep);
      const Matrix3d Rdot = (after.kin.X_WB[b].R - before.kin.X_WB[b].R) / (2 * kDifferenceStep);
      const Matrix3d w_skew = Skew(CalcAngularVelocity(now.kin, b));
      worst =
          std::max(worst, RelativeError(CalcPointVelocity(now.model, now.kin, b, now.kin.X_WB[b].p), pdot));
      worst = std::max(worst, RelativeError(w_skew * now.kin.X_WB[b].R, Rdot));
    }
  }
  EXPECT_LT(worst, 1e-8);  // ten times the largest: truncation dt² times a third derivative of about 10
}

// Column k of S at the point where the reference stands in `now`, so that its change in time is that at a
// world-fixed point.
Vector6d ColumnAt(const MovingModel& now, const MovingModel& moved, int k) {
  const int tree = now.model.dof_tree[k];
  Vector6d S = moved.kin.S.col(k);
  S.tail<3>() += S.head<3>().cross(now.kin.p_WT[tree] - moved.kin.p_WT[tree]);
  return S;
}

TEST(Kinematics, ColumnRatesMatchFiniteDifferencesOfColumns) {
  double worst = 0.0;
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    const MovingModel now = MovingModel::MakeRandom(seed);
    const MovingModel before = now.Advanced(-kDifferenceStep), after = now.Advanced(kDifferenceStep);
    for (int k = 0; k < now.model.nv(); ++k) {
      const Vector6d rate = (ColumnAt(now, after, k) - ColumnAt(now, before, k)) / (2 * kDifferenceStep);
      worst = std::max(worst, RelativeError(Vector6d(now.kin.dS.col(k)), rate));
    }
  }
  EXPECT_LT(worst, 2e-8);  // ten times the largest, as above
}

TEST(Kinematics, PrecisionDoesNotFadeFarFromTheWorldOrigin) {
  const Vector3d far(1e6, -1e6, 1e6);
  ModelBuilder near_builder, far_builder;
  for (ModelBuilder* builder : {&near_builder, &far_builder}) {
    const Vector3d p = builder == &far_builder ? far : Vector3d::Zero();
    const int base = builder->AddBody({.name = "base", .X_PB = {.p = p}});
    const int arm = builder->AddBody({.name = "arm", .parent = base, .X_PB = {.p = {0.5, 0.25, 0.0}}});
    for (const int b : {base, arm})
      builder->SetInertia(b, CalcSolidMassProperties(Box{{0.1, 0.2, 0.3}}, 1.0));
    builder->AddJoint(base, {.kind = FreeJoint{}});
    builder->AddJoint(arm, {.kind = HingeJoint{.p_BJ = {0.125, 0.0, 0.0}}});
  }
  const Model near = near_builder.Build(), distant = far_builder.Build();
  const VectorXd v = VectorXd::Constant(7, 0.5);
  const MovingModel a(near, near.q0, v), b(distant, distant.q0, v);
  // The poses themselves are only known to 1e-10 m there; the lengths above are exact in binary.
  EXPECT_LT(RelativeError(b.kin.S, a.kin.S), 1e-15);
  EXPECT_LT(RelativeError(DenseMassMatrix(b), DenseMassMatrix(a)), 1e-15);
}

}  // namespace
}  // namespace stiction::testing
