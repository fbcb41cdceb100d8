// Numbers that are given at some times, and what they are in between: value and rate of several channels.
//
//   u = (t − t_i)/h in [0, 1], h = t_{i+1} − t_i, of the interval that holds t, Δ = x_{i+1} − x_i
//
//   hold          x = x_i,                              ẋ = 0: jumps at the times
//   linear        x = x_i + u Δ,                        ẋ = Δ/h
//   cubic         Hermite polynomial with the slopes m_i, m_{i+1}: x and ẋ are continuous
//   minimum jerk  x = x_i + (10u³ − 15u⁴ + 6u⁵) Δ       at rest at every time, ẍ = 0 there (Flash, Hogan
//   1985)
//
// The slope m_i of `cubic` is that of the parabola through the three values around t_i, and zero at both
// ends: before the first time and behind the last one the value is held, so that the rate is continuous there
// too.
//
// Reference: T. Flash, N. Hogan, The coordination of arm movements, J. Neuroscience 5, 1985.
#pragma once

#include <string>
#include <vector>

#include "stiction/math/rigid_transform.h"
#include "stiction/math/types.h"

namespace stiction {

enum class Interpolation { kHold, kLinear, kCubic, kMinimumJerk };
// "hold", "linear", "cubic", "minimum_jerk".
const char* ToString(Interpolation interpolation);

// Share of the way between two values that is behind at u in [0, 1], and its derivative over u. `cubic` and
// `minimum_jerk` are at rest at both ends; `hold` jumps at the end.
struct WayShare {
  double s = 0.0;
  double ds = 0.0;
};
WayShare CalcWayShare(Interpolation interpolation, double u);

struct Trajectory {
  std::vector<double> times;  // ascending, at least one [s]
  MatrixXd values;            // a row per channel, a column per time
  Interpolation interpolation = Interpolation::kLinear;

  int num_channels() const { return static_cast<int>(values.rows()); }
};

// Empty where the trajectory can be sampled, else what is wrong with it: no times, times that do not ascend,
// another number of columns than of times, a number that is not finite.
std::string FindFault(const Trajectory& trajectory);

// All channels at time t. Does not allocate where the vectors have their size.
//   value, rate  out, size num_channels; the rate is in the value's unit per second
void Sample(const Trajectory& trajectory, double t, VectorXd& value, VectorXd& rate);

// A pose X_WF along a trajectory, and its velocity.
struct PoseSample {
  RigidTransform X_WF;
  Vector6d V_WF = Vector6d::Zero();  // angular velocity [rad/s], then that of the origin [m/s], world axes
};

// The channels are x, y, z [m] and the quaternion w, x, y, z, which need not be of unit length but must not
// be zero; without the latter (three channels) the pose keeps the world's axes. Positions go as in Sample.
// Rotations take the shorter way from one time to the next: about a fixed axis, by the angle's share that a
// position would have; `cubic` interpolates the quaternions' components and normalises, which keeps the
// angular velocity continuous.
PoseSample SamplePose(const Trajectory& trajectory, double t);

}  // namespace stiction
