#include "collision/narrowphase/box_nearest.h"

#include <algorithm>
#include <limits>

#include "collision/narrowphase/box_features.h"
#include "collision/narrowphase/contact_point.h"

namespace stiction::narrowphase {
namespace {

Vector3d NearestInBox(const Vector3d& p, const Vector3d& h) {
  return p.cwiseMax(-h).cwiseMin(h);
}

struct EdgeCandidate {
  Segment edge{Vector3d::Zero(), Vector3d::UnitX(), 0.0};
  unsigned name = 0;
  double s = 0.0;  // of the point nearest to A
  double distance = std::numeric_limits<double>::infinity();
  Span facing{0.0, 0.0};  // the part of the edge that runs along A's nearest feature
};

// The edge of B nearest to A. Edges that are nearest in a vertex they share are equally near: of them, the
// one that runs along A's edge or face, which makes the contact a line.
EdgeCandidate FindNearestEdge(const Vector3d& h_A, const Vector3d& h_B, const RigidTransform& X_AB,
                              double tie) {
  EdgeCandidate best;
  for (int axis = 0; axis < 3; ++axis) {
    for (unsigned vertex = 0; vertex < 8; ++vertex) {
      if (vertex & 1u << axis) continue;  // each edge once, from its lower end
      EdgeCandidate candidate{BoxEdge(h_B, X_AB, vertex, axis), EdgeFeature(vertex, vertex | 1u << axis)};
      candidate.s = FindNearestToBox(candidate.edge, h_A);
      const Vector3d p = candidate.edge.At(candidate.s);
      const Vector3d from_A = p - NearestInBox(p, h_A);
      candidate.distance = from_A.norm();
      if (candidate.distance <= tie) return candidate;
      if (candidate.distance > best.distance + tie) continue;
      candidate.facing = FindFacingSpan(candidate.edge, h_A, candidate.s, from_A / candidate.distance);
      const bool nearer = candidate.distance < best.distance - tie;
      if (nearer || candidate.facing.length() > best.facing.length()) best = candidate;
    }
  }
  return best;
}

// Places on an edge of B, for the feature.
constexpr std::uint32_t kBegin = 0, kEnd = 1, kBetween = 2;

NearestPoint MakeEdgePoint(const EdgeCandidate& nearest, const Vector3d& h_A, double s, std::uint32_t place) {
  const Vector3d p = nearest.edge.At(s);
  const Vector3d q = NearestInBox(p, h_A);
  const double distance = (p - q).norm();
  return {0.5 * (p + q), (p - q) / distance, distance, nearest.name << 3 | place};
}

}  // namespace

NearestPoints FindNearestPoints(const Vector3d& h_A, const Vector3d& h_B, const RigidTransform& X_AB) {
  const double size = h_A.minCoeff() + h_B.minCoeff();
  NearestPoints out;
  const EdgeCandidate nearest = FindNearestEdge(h_A, h_B, X_AB, kDegenerateLength * size);
  // A vertex of A counts only where B's face is strictly nearer than all of B's edges.
  const RigidTransform X_BA = X_AB.Inverse();
  double best_distance = nearest.distance - kDegenerateLength * size;
  for (unsigned vertex = 0; vertex < 8; ++vertex) {
    const Vector3d p_B = X_BA * BoxVertex(h_A, vertex);
    const Vector3d to_B = NearestInBox(p_B, h_B) - p_B;
    const double distance = to_B.norm();
    if (distance >= best_distance) continue;
    best_distance = distance;
    out.size = 1;
    out.points[0] = {X_AB * (p_B + 0.5 * to_B), X_AB.R * to_B / distance, distance, 1u << 9 | vertex};
  }
  if (best_distance <= kDegenerateLength * size) out.size = 0;
  if (best_distance <= kDegenerateLength * size || out.size == 1) return out;

  const NearestPoint between = MakeEdgePoint(nearest, h_A, nearest.s, kBetween);
  if (nearest.facing.length() > kStretch * size) {
    out.points[out.size++] = MakeEdgePoint(nearest, h_A, nearest.facing.begin, kBegin);
    out.points[out.size++] = MakeEdgePoint(nearest, h_A, nearest.facing.end, kEnd);
    // Edges that cross at a small angle are nearest in between.
    const double ends = std::min(out.points[0].distance, out.points[1].distance);
    if (ends <= between.distance + kMissedDepth * size) return out;
  }
  out.points[out.size++] = between;
  return out;
}

}  // namespace stiction::narrowphase
