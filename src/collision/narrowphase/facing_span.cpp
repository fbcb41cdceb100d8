#include "collision/narrowphase/facing_span.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace stiction::narrowphase {
namespace {

bool IsAlong(const Segment& segment, const Vector3d& normal, double steepest = kParallelSine) {
  return std::abs(segment.axis.dot(normal)) <= steepest;
}

}  // namespace

Segment MakeSegment(const Vector3d& begin, const Vector3d& end) {
  const Vector3d step = end - begin;
  const double length = step.norm();
  return {0.5 * (begin + end), length > 0.0 ? Vector3d(step / length) : Vector3d(Vector3d::UnitX()),
          0.5 * length};
}

void ClipToFace(const Segment& segment, const Polytope& polytope, const ConvexHull::Face& face, Span& span) {
  const auto vertices = polytope.VerticesOf(face);
  for (int k = 0; k < face.num_vertices; ++k) {
    const Vector3d& from = polytope.vertices[vertices[k]];
    const Vector3d side =
        (polytope.vertices[vertices[(k + 1) % face.num_vertices]] - from).cross(face.normal);
    const double rate = side.dot(segment.axis),
                 room = side.dot(from - segment.center);  // inside: rate s <= room
    if (rate > 0.0 && room < rate * span.end) span.end = room / rate;
    if (rate < 0.0 && room < rate * span.begin) span.begin = room / rate;
    if (rate == 0.0 && room < 0.0) span.end = span.begin - 1.0;
  }
}

Span FindFacingSpan(const Segment& segment, const Polytope& polytope, double s, const Vector3d& p,
                    const Vector3d& m, double steepest) {
  constexpr double kSamePlace = 1e-8;  // of the thickness: a point on a face or an edge
  Span longest{s, s};
  if (!IsAlong(segment, m, steepest)) return longest;
  const auto offer = [&](const Span& span) {
    // A tilted segment that passes over the feature's end is nearest slightly beyond it: the span ends there.
    const Span widened{std::min(span.begin, s), std::max(span.end, s)};
    if (span.length() > 0.0 && widened.length() > longest.length()) longest = widened;
  };
  const int vertex = polytope.FindSupport(m);
  for (const int f : polytope.FacesOf(vertex)) {
    const ConvexHull::Face& face = polytope.faces[f];
    const bool looks_there = face.normal.dot(m) > 1.0 - 0.5 * kParallelSine * kParallelSine;
    const bool holds_p = face.offset - face.normal.dot(p) <= kSamePlace * polytope.thickness;
    if (!looks_there || !holds_p || !IsAlong(segment, face.normal, steepest)) continue;
    Span span{-segment.half_length, segment.half_length};
    ClipToFace(segment, polytope, face, span);
    offer(span);
  }
  if (!IsAlong(segment, m)) return longest;
  for (const int neighbor : polytope.NeighborsOf(vertex)) {
    const Segment edge = MakeSegment(polytope.vertices[vertex], polytope.vertices[neighbor]);
    const bool holds_p = (edge.At(edge.Project(p)) - p).norm() <= kSamePlace * polytope.thickness;
    if (!holds_p || edge.axis.cross(segment.axis).norm() > kParallelSine) continue;
    // Between the planes across the edge at its ends.
    const double rate = edge.axis.dot(segment.axis),
                 middle = edge.axis.dot(edge.center - segment.center) / rate;
    const double half = edge.half_length / std::abs(rate);
    offer({segment.Clamp(middle - half), segment.Clamp(middle + half)});
  }
  return longest;
}

}  // namespace stiction::narrowphase
