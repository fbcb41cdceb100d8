#include "stiction/math/trajectory.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/math/rotation.h"

namespace stiction {
namespace {

constexpr Interpolation kAll[] = {Interpolation::kHold, Interpolation::kLinear, Interpolation::kCubic,
                                  Interpolation::kMinimumJerk};

// Two channels at times that are unevenly far apart.
Trajectory MakeUneven(Interpolation interpolation) {
  Trajectory trajectory{.times = {1.0, 1.5, 3.0, 3.25}, .values = {}, .interpolation = interpolation};
  trajectory.values.resize(2, 4);
  trajectory.values << 0.0, 2.0, -1.0, 4.0,  //
      5.0, 5.0, 5.0, 6.0;
  return trajectory;
}

// Poses with turns of up to 2.6 rad about changing axes; every second quaternion has the other sign.
Trajectory MakePoses(Interpolation interpolation) {
  Trajectory trajectory{.times = {0.0, 0.4, 1.0, 1.7}, .values = {}, .interpolation = interpolation};
  trajectory.values.resize(7, 4);
  Quaterniond quat = QuaternionExp({0.3, -0.2, 0.5});
  const Vector3d turns[] = {{0, 0, 0}, {1.2, 0.1, -0.4}, {-0.3, 2.5, 0.6}, {0.2, 0.2, -1.9}};
  for (int i = 0; i < 4; ++i) {
    quat = QuaternionExp(turns[i]) * quat;
    trajectory.values.col(i).head<3>() = Vector3d(i, -0.5 * i * i, std::sin(i));
    QuaternionToWxyz(quat, trajectory.values.col(i).data() + 3);
    if (i % 2 == 1) trajectory.values.col(i).tail<4>() *= -3.0;  // neither is the length one
  }
  return trajectory;
}

double ValueAt(const Trajectory& trajectory, double t, int channel = 0) {
  VectorXd value, rate;
  Sample(trajectory, t, value, rate);
  return value[channel];
}
double RateAt(const Trajectory& trajectory, double t, int channel = 0) {
  VectorXd value, rate;
  Sample(trajectory, t, value, rate);
  return rate[channel];
}

TEST(Trajectory, PassesThroughItsValuesAndHoldsTheEnds) {
  for (const Interpolation interpolation : kAll) {
    const Trajectory trajectory = MakeUneven(interpolation);
    for (int i = 0; i < 4; ++i) {
      for (int c = 0; c < 2; ++c)
        EXPECT_EQ(ValueAt(trajectory, trajectory.times[i], c), trajectory.values(c, i))
            << ToString(interpolation);
    }
    for (const double t : {-10.0, 0.999}) EXPECT_EQ(ValueAt(trajectory, t), 0.0);
    for (const double t : {3.251, 1e9}) EXPECT_EQ(ValueAt(trajectory, t), 4.0);
    for (const double t : {-10.0, 3.26}) EXPECT_EQ(RateAt(trajectory, t), 0.0);
  }
}

TEST(Trajectory, HasTheClosedFormsOfItsInterpolations) {
  // Half of the way from 2 at 1.5 s to −1 at 3 s, and a quarter.
  EXPECT_EQ(ValueAt(MakeUneven(Interpolation::kHold), 2.25), 2.0);
  EXPECT_EQ(ValueAt(MakeUneven(Interpolation::kLinear), 2.25), 0.5);
  EXPECT_EQ(RateAt(MakeUneven(Interpolation::kLinear), 2.25), -2.0);
  EXPECT_NEAR(ValueAt(MakeUneven(Interpolation::kMinimumJerk), 2.25), 0.5, 1e-15);
  EXPECT_NEAR(RateAt(MakeUneven(Interpolation::kMinimumJerk), 2.25), 1.875 * -2.0, 1e-14);
  const double u = 0.25, s = 10 * u * u * u - 15 * u * u * u * u + 6 * u * u * u * u * u;
  EXPECT_NEAR(ValueAt(MakeUneven(Interpolation::kMinimumJerk), 1.875), 2.0 - 3.0 * s, 1e-15);
}

// Away from the ends, where the rate is zero by design.
TEST(Trajectory, CubicReproducesAParabola) {
  const auto parabola = [](double t) { return 3.0 - t + 0.7 * t * t; };
  Trajectory trajectory{.times = {}, .values = {}, .interpolation = Interpolation::kCubic};
  for (const double t : {0.0, 0.3, 1.0, 1.2, 2.5, 3.0}) trajectory.times.push_back(t);
  trajectory.values.resize(1, 6);
  for (int i = 0; i < 6; ++i) trajectory.values(0, i) = parabola(trajectory.times[i]);
  for (double t = 0.3; t <= 2.5; t += 0.01) {
    EXPECT_NEAR(ValueAt(trajectory, t), parabola(t), 1e-14);
    EXPECT_NEAR(RateAt(trajectory, t), -1.0 + 1.4 * t, 1e-13);
  }
}

TEST(Trajectory, RatesAreTheDerivatives) {
  constexpr double h = 1e-6;
  for (const Interpolation interpolation : kAll) {
    const Trajectory trajectory = MakeUneven(interpolation);
    for (double t = 0.805; t < 3.5; t += 0.05) {  // at no time of the trajectory
      for (int c = 0; c < 2; ++c) {
        const double slope = (ValueAt(trajectory, t + h, c) - ValueAt(trajectory, t - h, c)) / (2 * h);
        EXPECT_NEAR(RateAt(trajectory, t, c), slope, 1e-7) << ToString(interpolation) << " at " << t;
      }
    }
  }
}

TEST(Trajectory, SmoothInterpolationsHaveRatesThatDoNotJump) {
  constexpr double h = 1e-9;
  for (const Interpolation interpolation : {Interpolation::kCubic, Interpolation::kMinimumJerk}) {
    const Trajectory trajectory = MakeUneven(interpolation);
    for (const double t : trajectory.times)
      EXPECT_NEAR(RateAt(trajectory, t - h), RateAt(trajectory, t + h), 1e-6) << ToString(interpolation);
  }
  // The linear one does: this test can fail.
  EXPECT_GT(std::abs(RateAt(MakeUneven(Interpolation::kLinear), 1.5 - h) -
                     RateAt(MakeUneven(Interpolation::kLinear), 1.5 + h)),
            1.0);
}

TEST(Trajectory, PosesPassThroughTheirQuaternions) {
  for (const Interpolation interpolation : kAll) {
    const Trajectory trajectory = MakePoses(interpolation);
    for (int i = 0; i < 4; ++i) {
      const PoseSample sample = SamplePose(trajectory, trajectory.times[i]);
      const Matrix3d R =
          QuaternionFromWxyz(trajectory.values.col(i).data() + 3).normalized().toRotationMatrix();
      EXPECT_LE((sample.X_WF.R - R).norm(), 1e-14) << ToString(interpolation);
      EXPECT_EQ(sample.X_WF.p, trajectory.values.col(i).head<3>());
    }
  }
}

TEST(Trajectory, PoseVelocitiesAreTheDerivatives) {
  constexpr double h = 1e-6;
  for (const Interpolation interpolation : kAll) {
    const Trajectory trajectory = MakePoses(interpolation);
    for (double t = -0.095; t < 1.9; t += 0.05) {
      const PoseSample before = SamplePose(trajectory, t - h), after = SamplePose(trajectory, t + h);
      const Vector3d w_W = QuaternionLog(Quaterniond(after.X_WF.R * before.X_WF.R.transpose())) / (2 * h);
      const PoseSample sample = SamplePose(trajectory, t);
      EXPECT_LE((sample.V_WF.head<3>() - w_W).norm(), 1e-7) << ToString(interpolation) << " at " << t;
      EXPECT_LE((sample.V_WF.tail<3>() - (after.X_WF.p - before.X_WF.p) / (2 * h)).norm(), 1e-7);
      EXPECT_LE((sample.X_WF.R * sample.X_WF.R.transpose() - Matrix3d::Identity()).norm(), 1e-14);
    }
  }
}

TEST(Trajectory, CubicPosesTurnWithoutJumps) {
  constexpr double h = 1e-9;
  const Trajectory trajectory = MakePoses(Interpolation::kCubic);
  for (const double t : trajectory.times) {
    const Vector6d jump = SamplePose(trajectory, t + h).V_WF - SamplePose(trajectory, t - h).V_WF;
    EXPECT_LE(jump.norm(), 1e-6) << t;
  }
}

// The shorter way, at a constant rate about one axis, even where the quaternions have opposite signs.
TEST(Trajectory, LinearPosesTurnAtAConstantRate) {
  Trajectory trajectory{
      .times = {0.0, 2.0}, .values = MatrixXd::Zero(7, 2), .interpolation = Interpolation::kLinear};
  const Vector3d turn_W(0.6, -2.0, 1.5);
  QuaternionToWxyz(Quaterniond::Identity(), trajectory.values.col(0).data() + 3);
  QuaternionToWxyz(QuaternionExp(turn_W), trajectory.values.col(1).data() + 3);
  trajectory.values.col(1).tail<4>() *= -1.0;
  for (double t = 0.1; t < 2.0; t += 0.1) {
    const PoseSample sample = SamplePose(trajectory, t);
    EXPECT_LE((sample.X_WF.R - QuaternionExp(0.5 * t * turn_W).toRotationMatrix()).norm(), 1e-14);
    EXPECT_LE((sample.V_WF.head<3>() - 0.5 * turn_W).norm(), 1e-14);
  }
}

TEST(Trajectory, WithoutQuaternionsKeepsTheWorldsAxes) {
  Trajectory trajectory{.times = {0.0, 1.0}, .values = MatrixXd::Zero(3, 2)};
  trajectory.values(1, 1) = 4.0;
  const PoseSample sample = SamplePose(trajectory, 0.5);
  EXPECT_EQ(sample.X_WF.R, Matrix3d::Identity());
  EXPECT_EQ(sample.X_WF.p, Vector3d(0, 2, 0));
  EXPECT_EQ(sample.V_WF.tail<3>(), Vector3d(0, 4, 0));
}

TEST(Trajectory, NamesWhatIsWrong) {
  EXPECT_EQ(FindFault(MakeUneven(Interpolation::kCubic)), "");
  EXPECT_NE(FindFault({}).find("no time"), std::string::npos);
  Trajectory trajectory = MakeUneven(Interpolation::kLinear);
  trajectory.times[2] = 1.5;
  EXPECT_NE(FindFault(trajectory).find("do not ascend"), std::string::npos);
  trajectory.times.pop_back();
  EXPECT_NE(FindFault(trajectory).find("3 times and values for 4"), std::string::npos);
  trajectory = MakeUneven(Interpolation::kLinear);
  trajectory.values(1, 2) = std::nan("");
  EXPECT_NE(FindFault(trajectory).find("not finite"), std::string::npos);
}

}  // namespace
}  // namespace stiction
