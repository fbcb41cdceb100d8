#include "stiction/dynamics/frame.h"

#include <gtest/gtest.h>

#include "stiction/dynamics/jacobian.h"
#include "stiction/math/rotation.h"
#include "tests/dynamics/moving_model.h"

namespace stiction::testing {
namespace {

constexpr double kStep = 1e-5;  // of central differences: truncation and rounding balance

// A frame somewhere on every body, the world included.
MovingModel MakeFramed(unsigned seed) {
  MovingModel moving = MovingModel::MakeRandom(seed);
  Random random(seed + 3000);
  for (int b = 0; b < moving.model.num_bodies(); ++b) {
    moving.model.frames.push_back({"frame" + std::to_string(b), b, random.Pose(0.5)});
  }
  return moving;
}

// (ω, v) of a frame from its poses half a step before and after.
Vector6d Difference(const RigidTransform& before, const RigidTransform& after, double dt) {
  Vector6d V;
  const Quaterniond turn(Matrix3d(after.R * before.R.transpose()));
  V << QuaternionLog(turn) / dt, (after.p - before.p) / dt;
  return V;
}

TEST(Frame, JacobianColumnsMatchFiniteDifferencesOfPoses) {
  double worst = 0.0;
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    const MovingModel moving = MakeFramed(seed);
    MovingModel probe = moving;
    const int frame = seed % moving.model.num_bodies();
    Matrix6Xd J, J_fd(6, moving.model.nv());
    CalcFrameJacobian(moving.model, moving.kin, frame, J);
    for (int k = 0; k < moving.model.nv(); ++k) {
      probe.v = VectorXd::Unit(moving.model.nv(), k);
      const MovingModel before = probe.Advanced(-kStep), after = probe.Advanced(kStep);
      J_fd.col(k) = Difference(CalcFramePose(before.model, before.kin, frame),
                               CalcFramePose(after.model, after.kin, frame), 2 * kStep);
    }
    worst = std::max(worst, RelativeError(J, J_fd));
  }
  EXPECT_LT(worst, 5e-10);  // ten times the largest over the seeds
}

TEST(Frame, VelocityIsTheJacobianTimesV) {
  double worst = 0.0;
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    const MovingModel moving = MakeFramed(seed);
    Matrix6Xd J;
    for (int frame = 0; frame < moving.model.num_bodies(); ++frame) {
      CalcFrameJacobian(moving.model, moving.kin, frame, J);
      const Vector6d V = CalcFrameVelocity(moving.model, moving.kin, frame);
      worst = std::max(worst, RelativeError(Vector6d(J * moving.v), V));
    }
  }
  EXPECT_LT(worst, 1e-14);  // rounding of sums over the branch
}

TEST(Frame, BiasAccelerationMatchesFiniteDifferencesOfVelocities) {
  double worst = 0.0;
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    const MovingModel moving = MakeFramed(seed);
    const MovingModel before = moving.Advanced(-kStep), after = moving.Advanced(kStep);
    for (int frame = 0; frame < moving.model.num_bodies(); ++frame) {
      const Vector6d A_fd = (CalcFrameVelocity(after.model, after.kin, frame) -
                             CalcFrameVelocity(before.model, before.kin, frame)) /
                            (2 * kStep);
      const Vector6d A = CalcBiasAcceleration(moving.model, moving.kin, moving.v, frame,
                                              CalcFramePose(moving.model, moving.kin, frame).p);
      worst = std::max(worst, RelativeError(A, A_fd));
    }
  }
  EXPECT_LT(worst, 1.5e-8);  // ten times the largest over the seeds
}

TEST(Frame, IsFoundByName) {
  const MovingModel moving = MakeFramed(1);
  EXPECT_EQ(moving.model.FindFrame("frame3"), 3);
  EXPECT_EQ(moving.model.FindFrame("frame"), -1);
}

}  // namespace
}  // namespace stiction::testing
