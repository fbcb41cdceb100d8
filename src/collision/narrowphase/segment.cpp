#include "collision/narrowphase/segment.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace stiction::narrowphase {

SegmentPair FindNearest(const Segment& first, const Segment& second) {
  // The nearest pair is either interior to both lines or has an end point in it. The first is only tried
  // where the lines span a plane to working precision; where they nearly do not, the end points are as good.
  constexpr double kSpanningSquaredSine = 1e-14;
  SegmentPair best{0.0, 0.0};
  double best_squared = std::numeric_limits<double>::infinity();
  const auto offer = [&](double s, double t) {
    const double squared = (second.At(t) - first.At(s)).squaredNorm();
    if (squared < best_squared) best_squared = squared, best = {s, t};
  };

  const Vector3d w = second.center - first.center;
  const Vector3d normal = first.axis.cross(second.axis);
  const double squared_sine = normal.squaredNorm();
  if (squared_sine > kSpanningSquaredSine) {
    const double s = w.cross(second.axis).dot(normal) / squared_sine;
    const double t = w.cross(first.axis).dot(normal) / squared_sine;
    if (std::abs(s) <= first.half_length && std::abs(t) <= second.half_length) return {s, t};
  }
  for (const double end : {-first.half_length, first.half_length}) offer(end, second.Project(first.At(end)));
  for (const double end : {-second.half_length, second.half_length})
    offer(first.Project(second.At(end)), end);
  return best;
}

double FindNearestToBox(const Segment& segment, const Vector3d& half_extents) {
  // Half the squared distance to the box, f(s) = ½ Σ_i max(|x_i(s)| - h_i, 0)², is convex and piecewise
  // quadratic, with breaks where x_i(s) = ±h_i. Its slope rises monotonically: each break inside the bracket
  // halves the question, and after the six the slope is linear between the ends of the bracket.
  const auto slope = [&](double s) {
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
      const double x = segment.center[i] + s * segment.axis[i];
      sum += segment.axis[i] * (x - std::clamp(x, -half_extents[i], half_extents[i]));
    }
    return sum;
  };
  double lo = -segment.half_length, hi = segment.half_length;
  double slope_lo = slope(lo), slope_hi = slope(hi);
  if (slope_lo >= 0.0) return lo;
  if (slope_hi <= 0.0) return hi;
  for (int i = 0; i < 3; ++i) {
    if (segment.axis[i] == 0.0) continue;
    for (const double side : {-half_extents[i], half_extents[i]}) {
      const double s = (side - segment.center[i]) / segment.axis[i];
      if (!(lo < s && s < hi)) continue;
      const double slope_s = slope(s);
      if (slope_s < 0.0) {
        lo = s, slope_lo = slope_s;
      } else {
        hi = s, slope_hi = slope_s;
      }
    }
  }
  return std::clamp(lo - slope_lo * (hi - lo) / (slope_hi - slope_lo), lo, hi);
}

void ClipSpan(const Segment& segment, int i, double lower, double upper, Span& span) {
  if (segment.axis[i] == 0.0) return;
  double enter = (lower - segment.center[i]) / segment.axis[i];
  double leave = (upper - segment.center[i]) / segment.axis[i];
  if (enter > leave) std::swap(enter, leave);
  span.begin = std::max(span.begin, enter);
  span.end = std::min(span.end, leave);
}

Span FindFacingSpan(const Segment& segment, const Vector3d& half_extents, double s, const Vector3d& m,
                    double steepest) {
  Span span{-segment.half_length, segment.half_length};
  const Vector3d p = segment.At(s);
  const bool is_over_face = (m.array().abs() > kParallelSine).count() == 1;
  const double sine = is_over_face ? steepest : kParallelSine;
  for (int i = 0; i < 3; ++i) {
    if (std::abs(m[i]) > kParallelSine) {
      if (std::abs(segment.axis[i]) > sine) return {s, s};
    } else {
      // A tilted segment that passes over the feature's end is nearest slightly beyond it: widen the slab to
      // hold that point, so that the span ends there.
      ClipSpan(segment, i, std::min(-half_extents[i], p[i]), std::max(half_extents[i], p[i]), span);
    }
  }
  return {std::min(span.begin, s), std::max(span.end, s)};
}

}  // namespace stiction::narrowphase
