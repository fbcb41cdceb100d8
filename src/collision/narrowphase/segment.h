// Segments, the cores of capsules and the edges of boxes: nearest points against segments and boxes.
#pragma once

#include <Eigen/Geometry>

#include "collision/narrowphase/manifold_policy.h"
#include "stiction/math/types.h"

namespace stiction::narrowphase {

// The points center + s axis with |s| <= half_length.
struct Segment {
  Vector3d center;
  Vector3d axis;  // unit
  double half_length;

  Vector3d At(double s) const { return center + s * axis; }
  double Clamp(double s) const {
    return s < -half_length ? -half_length : (s > half_length ? half_length : s);
  }
  // Parameter of the segment's point nearest to p.
  double Project(const Vector3d& p) const { return Clamp(axis.dot(p - center)); }
};

// An interval of parameters.
struct Span {
  double begin;
  double end;
  double length() const { return end - begin; }
};

// Parameters of a nearest pair of points. Well defined for parallel and for degenerate segments.
struct SegmentPair {
  double s;  // on the first segment
  double t;  // on the second
};
SegmentPair FindNearest(const Segment& first, const Segment& second);

// Parameter of the segment's point nearest to the box |x_i| <= half_extents_i; any point inside if they
// intersect.
double FindNearestToBox(const Segment& segment, const Vector3d& half_extents);

// The part of the segment that runs along the box feature (face, or edge) nearest to it; just {s, s} if the
// segment is not parallel to that feature.
//   s         parameter of the nearest point
//   m         unit direction from the box to the nearest point
//   steepest  sine by which it may be tilted over a face
Span FindFacingSpan(const Segment& segment, const Vector3d& half_extents, double s, const Vector3d& m,
                    double steepest = kParallelSine);

// Intersects the span with {s : lower <= center_i + s axis_i <= upper}, axis i.
void ClipSpan(const Segment& segment, int i, double lower, double upper, Span& span);

}  // namespace stiction::narrowphase
