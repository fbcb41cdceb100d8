#include "collision/narrowphase/box_nearest.h"

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
  double s = 0.0;
  double distance = std::numeric_limits<double>::infinity();
};

// The edge of B nearest to A; the first of equally near ones.
EdgeCandidate FindNearestEdge(const Vector3d& h_A, const Vector3d& h_B, const RigidTransform& X_AB,
                              double tie) {
  EdgeCandidate best;
  for (int axis = 0; axis < 3; ++axis) {
    for (unsigned vertex = 0; vertex < 8; ++vertex) {
      if (vertex & 1u << axis) continue;  // each edge once, from its lower end
      EdgeCandidate candidate{BoxEdge(h_B, X_AB, vertex, axis), EdgeFeature(vertex, vertex | 1u << axis)};
      candidate.s = FindNearestToBox(candidate.edge, h_A);
      const Vector3d p = candidate.edge.At(candidate.s);
      candidate.distance = (p - NearestInBox(p, h_A)).norm();
      if (candidate.distance < best.distance - tie) best = candidate;
    }
  }
  return best;
}

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
  if (best_distance <= kDegenerateLength * size) return {};
  if (out.size == 1) return out;

  const Vector3d p = nearest.edge.At(nearest.s);
  const Vector3d m = (p - NearestInBox(p, h_A)) / nearest.distance;
  const Span span = FindFacingSpan(nearest.edge, h_A, nearest.s, m);
  if (span.length() <= 1e-3 * size) {
    out.points[out.size++] = MakeEdgePoint(nearest, h_A, nearest.s, 2);
  } else {
    out.points[out.size++] = MakeEdgePoint(nearest, h_A, span.begin, 0);
    out.points[out.size++] = MakeEdgePoint(nearest, h_A, span.end, 1);
  }
  return out;
}

}  // namespace stiction::narrowphase
