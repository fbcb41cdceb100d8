#include "stiction/math/trajectory.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "math/assert.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

// Where t lies: between `index` and `index` + 1, or at a time that holds (`h` = 0).
struct Place {
  int index = 0;
  double u = 0.0;
  double h = 0.0;  // length of the interval [s]
};

Place FindPlace(const Trajectory& trajectory, double t) {
  STICTION_ASSERT(!trajectory.times.empty());
  STICTION_ASSERT(trajectory.values.cols() == static_cast<Eigen::Index>(trajectory.times.size()));
  const std::vector<double>& times = trajectory.times;
  // Not below the first: a t that is no number is held there too.
  if (!(t > times.front())) return {};
  if (t >= times.back()) return {.index = static_cast<int>(times.size()) - 1};
  const int i = static_cast<int>(std::upper_bound(times.begin(), times.end(), t) - times.begin()) - 1;
  const double h = times[i + 1] - times[i];
  return {.index = i, .u = (t - times[i]) / h, .h = h};
}

// Weights of x_i, x_{i+1} and the slopes m_i, m_{i+1}, and the derivatives of all four over time.
struct HermiteWeights {
  double x0, x1, m0, m1;
  double dx0, dx1, dm0, dm1;

  explicit HermiteWeights(const Place& at) {
    const double u = at.u, h = at.h;
    x1 = u * u * (3.0 - 2.0 * u), x0 = 1.0 - x1;
    m0 = h * u * (1.0 - u) * (1.0 - u), m1 = h * u * u * (u - 1.0);
    dx1 = 6.0 * u * (1.0 - u) / h, dx0 = -dx1;
    dm0 = (1.0 - u) * (1.0 - 3.0 * u), dm1 = u * (3.0 * u - 2.0);
  }
};

// m_i as a combination of the three values around it: the parabola's slope is the mean of both intervals'
// slopes, each weighed by the length of the other.
struct SlopeWeights {
  double before = 0.0, at = 0.0, after = 0.0;
};

SlopeWeights CalcSlope(const std::vector<double>& times, int i) {
  if (i == 0 || i + 1 == static_cast<int>(times.size())) return {};
  const double h0 = times[i] - times[i - 1], h1 = times[i + 1] - times[i];
  const double before = -h1 / (h0 * (h0 + h1)), after = h0 / (h1 * (h0 + h1));
  return {before, -before - after, after};
}

double ApplySlope(const SlopeWeights& w, double before, double at, double after) {
  return w.before * before + w.at * at + w.after * after;
}

// Value and rate of one channel by kCubic. `read` gives the channel's value at a time's index.
template <typename Read>
std::pair<double, double> SampleCubic(const Trajectory& trajectory, const Place& at, const Read& read) {
  const int i = at.index, last = static_cast<int>(trajectory.times.size()) - 1;
  const double x0 = read(i), x1 = read(i + 1);
  const double m0 = ApplySlope(CalcSlope(trajectory.times, i), read(std::max(i - 1, 0)), x0, x1);
  const double m1 = ApplySlope(CalcSlope(trajectory.times, i + 1), x0, x1, read(std::min(i + 2, last)));
  const HermiteWeights w(at);
  return {w.x0 * x0 + w.x1 * x1 + w.m0 * m0 + w.m1 * m1, w.dx0 * x0 + w.dx1 * x1 + w.dm0 * m0 + w.dm1 * m1};
}

std::pair<double, double> SampleChannel(const Trajectory& trajectory, const Place& at, int channel) {
  const auto read = [&](int i) { return trajectory.values(channel, i); };
  if (at.h == 0.0) return {read(at.index), 0.0};
  if (trajectory.interpolation == Interpolation::kCubic) return SampleCubic(trajectory, at, read);
  const WayShare share = CalcWayShare(trajectory.interpolation, at.u);
  const double delta = read(at.index + 1) - read(at.index);
  return {read(at.index) + share.s * delta, share.ds * delta / at.h};
}

Quaterniond QuaternionAt(const Trajectory& trajectory, int i) {
  return QuaternionFromWxyz(trajectory.values.col(i).data() + 3).normalized();
}

// Of q and −q, which are one rotation, the one that is nearer to `reference`.
Quaterniond Align(const Quaterniond& quat, const Quaterniond& reference) {
  return quat.dot(reference) < 0.0 ? Quaterniond(-quat.coeffs()) : quat;
}

// With q = p/|p| and p from the polynomial: q̇ = (ṗ − q (q·ṗ))/|p|, and ω = 2 q̇ q* in world axes.
void SampleRotationCubic(const Trajectory& trajectory, const Place& at, Quaterniond& quat, Vector3d& w_W) {
  const int last = static_cast<int>(trajectory.times.size()) - 1;
  // Signs follow from the interval's first quaternion, so that two neighbours are on the same side. An
  // interval with the opposite signs throughout is the same rotation.
  const Quaterniond at0 = QuaternionAt(trajectory, at.index);
  const Quaterniond at1 = Align(QuaternionAt(trajectory, at.index + 1), at0);
  const Quaterniond before = Align(QuaternionAt(trajectory, std::max(at.index - 1, 0)), at0);
  const Quaterniond after = Align(QuaternionAt(trajectory, std::min(at.index + 2, last)), at1);
  Quaterniond p, dp;
  for (int k = 0; k < 4; ++k) {
    const auto read = [&](int i) {
      return (i < at.index ? before : i == at.index ? at0 : i == at.index + 1 ? at1 : after).coeffs()[k];
    };
    std::tie(p.coeffs()[k], dp.coeffs()[k]) = SampleCubic(trajectory, at, read);
  }
  const double norm = p.norm();
  quat = Quaterniond(p.coeffs() / norm);
  const Quaterniond dq((dp.coeffs() - quat.coeffs() * quat.dot(dp)) / norm);
  w_W = 2.0 * (dq * quat.conjugate()).vec();
}

void SampleRotation(const Trajectory& trajectory, const Place& at, Quaterniond& quat, Vector3d& w_W) {
  quat = QuaternionAt(trajectory, at.index);
  w_W.setZero();
  if (at.h == 0.0) return;
  if (trajectory.interpolation == Interpolation::kCubic)
    return SampleRotationCubic(trajectory, at, quat, w_W);
  // From the interval's first pose, a rotation about an axis that stays where it is, in the world too.
  const WayShare share = CalcWayShare(trajectory.interpolation, at.u);
  const Vector3d turn_W = QuaternionLog(QuaternionAt(trajectory, at.index + 1) * quat.conjugate());
  quat = QuaternionExp(share.s * turn_W) * quat;
  w_W = share.ds / at.h * turn_W;
}

}  // namespace

WayShare CalcWayShare(Interpolation interpolation, double u) {
  switch (interpolation) {
    case Interpolation::kHold:
      return {u < 1.0 ? 0.0 : 1.0, 0.0};
    case Interpolation::kLinear:
      return {u, 1.0};
    case Interpolation::kCubic:
      return {u * u * (3.0 - 2.0 * u), 6.0 * u * (1.0 - u)};
    case Interpolation::kMinimumJerk:
      return {u * u * u * (10.0 + u * (6.0 * u - 15.0)), 30.0 * u * u * (1.0 - u) * (1.0 - u)};
  }
  return {};
}

const char* ToString(Interpolation interpolation) {
  switch (interpolation) {
    case Interpolation::kHold:
      return "hold";
    case Interpolation::kLinear:
      return "linear";
    case Interpolation::kCubic:
      return "cubic";
    case Interpolation::kMinimumJerk:
      return "minimum_jerk";
  }
  return "";
}

std::string FindFault(const Trajectory& trajectory) {
  const std::vector<double>& times = trajectory.times;
  if (times.empty()) return "the trajectory holds no time";
  if (trajectory.values.cols() != static_cast<Eigen::Index>(times.size()))
    return "the trajectory has " + std::to_string(times.size()) + " times and values for " +
           std::to_string(trajectory.values.cols());
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!std::isfinite(times[i])) return "a time of the trajectory is not a finite number";
    if (i > 0 && !(times[i] > times[i - 1])) return "the times of the trajectory do not ascend";
  }
  return trajectory.values.allFinite() ? "" : "the trajectory holds a number that is not finite";
}

void Sample(const Trajectory& trajectory, double t, VectorXd& value, VectorXd& rate) {
  value.resize(trajectory.num_channels());
  rate.resize(trajectory.num_channels());
  const Place at = FindPlace(trajectory, t);
  for (int c = 0; c < trajectory.num_channels(); ++c)
    std::tie(value[c], rate[c]) = SampleChannel(trajectory, at, c);
}

PoseSample SamplePose(const Trajectory& trajectory, double t) {
  PoseSample sample;
  const Place at = FindPlace(trajectory, t);
  for (int c = 0; c < 3; ++c)
    std::tie(sample.X_WF.p[c], sample.V_WF[3 + c]) = SampleChannel(trajectory, at, c);
  if (trajectory.num_channels() < 7) return sample;
  Quaterniond quat;
  Vector3d w_W;
  SampleRotation(trajectory, at, quat, w_W);
  sample.X_WF.R = quat.toRotationMatrix();
  sample.V_WF.head<3>() = w_W;
  return sample;
}

}  // namespace stiction
