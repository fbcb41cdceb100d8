// Where the signed distance of a convex shape is least on a segment.
//
// The signed distance φ of a convex shape is convex, so that its slope along the segment only grows: the
// least is at the root of the slope, which the method of false position brackets (Illinois variant [Dowell,
// Jarratt, "A modified regula falsi method", BIT 11, 1971]). Two tangents bound φ from below between them.
#pragma once

#include "geometry/field_leaves.h"

namespace stiction::narrowphase {

struct SegmentLeast {
  double s = 0.0;  // the point is a + s (b - a), 0 <= s <= 1
  FieldSample at{0.0, Vector3d::UnitX()};
};

// Field: a leaf of geometry/field_leaves.h whose value is the true distance of a convex solid.
//   enough  the search ends once φ is known to be at least this everywhere; `at` is then of some point [m]
template <typename Field>
SegmentLeast FindLeastOnSegment(const Field& field, const Vector3d& a, const Vector3d& b, double enough) {
  constexpr int kMaxSteps = 60;
  constexpr double kFlat = 1e-15;  // of the length: a slope that is none
  const Vector3d along = b - a;
  const auto evaluate = [&](double s) { return SegmentLeast{s, field.Evaluate(a + s * along)}; };
  SegmentLeast low = evaluate(0.0);
  double low_slope = low.at.gradient.dot(along);
  if (low_slope >= 0.0) return low;
  SegmentLeast high = evaluate(1.0);
  double high_slope = high.at.gradient.dot(along);
  if (high_slope <= 0.0) return high;
  const double flat = kFlat * along.norm();
  double low_weight = low_slope, high_weight = high_slope;  // as the Illinois variant halves them
  int last_side = 0;
  for (int k = 0; k < kMaxSteps; ++k) {
    const double tangents =
        (low.at.value - low_slope * low.s - high.at.value + high_slope * high.s) / (high_slope - low_slope);
    if (low.at.value + low_slope * (tangents - low.s) >= enough) break;
    const double s = (low.s * high_weight - high.s * low_weight) / (high_weight - low_weight);
    if (!(s > low.s && s < high.s)) break;
    const SegmentLeast middle = evaluate(s);
    const double slope = middle.at.gradient.dot(along);
    if (std::abs(slope) <= flat) return middle;
    if (slope < 0.0) {
      low = middle, low_slope = low_weight = slope;
      if (last_side < 0) high_weight *= 0.5;
      last_side = -1;
    } else {
      high = middle, high_slope = high_weight = slope;
      if (last_side > 0) low_weight *= 0.5;
      last_side = 1;
    }
  }
  return low.at.value < high.at.value ? low : high;
}

}  // namespace stiction::narrowphase
