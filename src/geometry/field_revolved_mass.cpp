#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "geometry/field_leaf_mass.h"
#include "geometry/quadrature.h"

namespace stiction {
namespace {

using std::numbers::pi;

struct Interval {
  double low, high;
};

// Of ρ, where slope * ρ lies in [low, high].
Interval SolveBand(double slope, double low, double high) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (slope == 0.0) return low <= 0.0 && high >= 0.0 ? Interval{-kInfinity, kInfinity} : Interval{1.0, 0.0};
  const double a = low / slope, b = high / slope;
  return {std::min(a, b), std::max(a, b)};
}

// The ρ at height z within `padding` of a segment: two disks about its ends and the rectangle between.
void AppendStrip(const Vector2d& a, const Vector2d& b, double padding, double z, std::vector<Interval>& out) {
  for (const Vector2d& end : {a, b}) {
    const double square = padding * padding - (z - end.y()) * (z - end.y());
    if (square > 0.0) out.push_back({end.x() - std::sqrt(square), end.x() + std::sqrt(square)});
  }
  const double length = (b - a).norm();
  const Vector2d along = (b - a) / length, normal(along.y(), -along.x());
  const double along_z = (z - a.y()) * along.y(), normal_z = (z - a.y()) * normal.y();
  const Interval within = SolveBand(along.x(), -along_z, length - along_z),
                 thick = SolveBand(normal.x(), -padding - normal_z, padding - normal_z);
  const Interval both{a.x() + std::max(within.low, thick.low), a.x() + std::min(within.high, thick.high)};
  if (both.low < both.high) out.push_back(both);
}

// The section at height z: ∫ dA, ∫ z dA, ∫ z² dA, ∫ x² dA.
class RevolvedSection {
 public:
  explicit RevolvedSection(const RevolvedField& revolved) : revolved_(revolved) {}

  Eigen::Vector4d operator()(double z) const {
    intervals_.clear();
    for (std::size_t i = 0; i + 1 < revolved_.polyline.size(); ++i) {
      AppendStrip(revolved_.polyline[i], revolved_.polyline[i + 1], revolved_.padding, z, intervals_);
    }
    std::sort(intervals_.begin(), intervals_.end(),
              [](const Interval& s, const Interval& t) { return s.low < t.low; });
    double squares = 0.0, fourths = 0.0, done = 0.0;  // `done`: the ρ up to which the union is summed
    for (const Interval& interval : intervals_) {
      const double low = std::max(done, interval.low), high = interval.high;
      if (high <= low) continue;
      squares += high * high - low * low;
      fourths += high * high * high * high - low * low * low * low;
      done = high;
    }
    const double area = pi * squares;
    return {area, z * area, z * z * area, 0.25 * pi * fourths};
  }

  // Heights at which a disk or a rectangle begins or ends.
  std::vector<double> CalcBreaks() const {
    std::vector<double> breaks;
    const double d = revolved_.padding;
    for (std::size_t i = 0; i + 1 < revolved_.polyline.size(); ++i) {
      const Vector2d &a = revolved_.polyline[i], &b = revolved_.polyline[i + 1];
      const double rise = d * (b - a).normalized().x();
      for (const double z : {a.y(), b.y()}) breaks.insert(breaks.end(), {z - d, z - rise, z + rise, z + d});
    }
    std::sort(breaks.begin(), breaks.end());
    return breaks;
  }

 private:
  const RevolvedField& revolved_;
  mutable std::vector<Interval> intervals_;  // scratch
};

}  // namespace

VolumeMoments CalcVolumeMoments(const RevolvedField& revolved) {
  const RevolvedSection section(revolved);
  const std::vector<double> breaks = section.CalcBreaks();
  const double height = breaks.back() - breaks.front();
  const double reach = std::max(std::abs(breaks.front()), std::abs(breaks.back()));
  double radius = 0.0;
  for (const Vector2d& q : revolved.polyline) radius = std::max(radius, q.x() + revolved.padding);
  // A thin strip of radius R fills about R d of the disk's R²: tolerances are relative to that.
  const double area = radius * revolved.padding;
  const Eigen::Vector4d tolerance =
      1e-14 * height * area * Eigen::Vector4d(1.0, reach, reach * reach, radius * radius);
  Eigen::Vector4d sum = Eigen::Vector4d::Zero();
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i) {
    const double low = breaks[i], size = breaks[i + 1] - low;
    if (size <= 1e-15 * height) continue;
    // z = low + size sin²t is smooth where the disks begin and end with square roots.
    const auto integrand = [&](double t) -> Eigen::Vector4d {
      const double s = std::sin(t);
      return section(low + size * s * s) * (size * std::sin(2.0 * t));
    };
    sum += Integrate<4>(integrand, 0.0, 0.5 * pi, tolerance);
  }
  VolumeMoments moments;
  moments.volume = sum[0];
  moments.first.z() = sum[1];
  moments.second.diagonal() << sum[3], sum[3], sum[2];
  return moments;
}

}  // namespace stiction
