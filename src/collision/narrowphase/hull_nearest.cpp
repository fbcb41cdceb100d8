#include "collision/narrowphase/hull_nearest.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/narrowphase/facing_span.h"
#include "collision/narrowphase/manifold_policy.h"

namespace stiction::narrowphase {
namespace {

constexpr double kOnEdge = 1e-8;  // in sizes: a point on an edge or at a vertex

// Whether n differs clearly, up to its sign, from the normal of every face around the vertex.
bool IsDistinctFromFaces(const Polytope& shape, int vertex, const Vector3d& n) {
  for (const int face : shape.FacesOf(vertex)) {
    if (std::abs(shape.faces[face].normal.dot(n)) >= kNearFaceNormalCosine) return false;
  }
  return true;
}

// Writes the vertex or edge of the shape, whose support vertex along n is `vertex`, that p lies on.
void FindFeature(const Polytope& shape, const Vector3d& p, int vertex, double size, int feature[2]) {
  feature[0] = feature[1] = vertex;
  if ((shape.vertices[vertex] - p).norm() <= kOnEdge * size) return;
  for (const int neighbor : shape.NeighborsOf(vertex)) {
    const Segment edge = MakeSegment(shape.vertices[vertex], shape.vertices[neighbor]);
    if ((edge.At(edge.Project(p)) - p).norm() > kOnEdge * size) continue;
    const bool at_neighbor = (shape.vertices[neighbor] - p).norm() <= kOnEdge * size;
    feature[0] = at_neighbor ? neighbor : std::min(vertex, neighbor);
    feature[1] = at_neighbor ? neighbor : std::max(vertex, neighbor);
    return;
  }
}

// Of the edges of B that hold the nearest point, the one that runs along A furthest.
struct FacingEdge {
  Segment edge;   // in A's frame
  int low, high;  // its vertices
  double s;       // of the nearest point
  Span span{0.0, 0.0};
};

FacingEdge FindFacingEdge(const Polytope& a, const Polytope& b, const RigidTransform& X_AB,
                          const geometry::CoreDistance& nearest, const NearestFeatures& features,
                          double size) {
  FacingEdge best{};
  for (const int neighbor : b.NeighborsOf(features.b[0])) {
    const int low = std::min(features.b[0], neighbor), high = std::max(features.b[0], neighbor);
    const Segment edge = MakeSegment(X_AB * b.vertices[low], X_AB * b.vertices[high]);
    const double s = edge.Project(nearest.p_B);
    if ((edge.At(s) - nearest.p_B).norm() > kOnEdge * size) continue;
    const Span span = FindFacingSpan(edge, a, s, nearest.p_A, nearest.n_A);
    if (span.length() > best.span.length()) best = {edge, low, high, s, span};
  }
  return best;
}

}  // namespace

std::uint32_t NearestFeatures::Name() const {
  return HashNames({a[0], a[1], b[0], b[1]});
}

NearestFeatures FindNearestFeatures(const Polytope& a, const Polytope& b, const RigidTransform& X_AB,
                                    const geometry::CoreDistance& nearest, double size) {
  NearestFeatures out;
  const Vector3d n_B = X_AB.R.transpose() * nearest.n_A;
  const Vector3d p_B = X_AB.R.transpose() * (nearest.p_B - X_AB.p);
  FindFeature(a, nearest.p_A, a.FindSupport(nearest.n_A), size, out.a);
  FindFeature(b, p_B, b.FindSupport(-n_B), size, out.b);
  out.are_edges = out.a[0] != out.a[1] && out.b[0] != out.b[1];
  if (out.are_edges) {
    const Vector3d e_A = a.vertices[out.a[1]] - a.vertices[out.a[0]];
    const Vector3d e_B = b.vertices[out.b[1]] - b.vertices[out.b[0]];
    const double sine = e_A.normalized().cross(X_AB.R * e_B.normalized()).norm();
    out.are_edges = sine > kDistinctEdgesSine && IsDistinctFromFaces(a, out.a[0], nearest.n_A) &&
                    IsDistinctFromFaces(b, out.b[0], n_B);
  }
  return out;
}

double CalcEdgeSeparation(const Polytope& a, const Polytope& b, const RigidTransform& X_AB,
                          const geometry::CoreDistance& nearest, const NearestFeatures& features) {
  double best = -std::numeric_limits<double>::infinity();
  // Where shapes overlap, no axis does better than the least translation.
  if (nearest.distance <= 0.0 && features.are_edges) return nearest.distance;
  const int vertex_a = features.a[0], vertex_b = features.b[0];
  for (const int i : a.NeighborsOf(vertex_a)) {
    const Vector3d e_A = (a.vertices[i] - a.vertices[vertex_a]).normalized();
    for (const int j : b.NeighborsOf(vertex_b)) {
      const Vector3d e_B = (b.vertices[j] - b.vertices[vertex_b]).normalized();
      Vector3d n_A = e_A.cross(X_AB.R * e_B);
      const double sine = n_A.norm();
      if (sine <= kDistinctEdgesSine) continue;
      n_A *= (n_A.dot(nearest.n_A) < 0.0 ? -1.0 : 1.0) / sine;
      const Vector3d n_B = X_AB.R.transpose() * n_A;
      const int support_a = a.FindSupport(n_A, vertex_a), support_b = b.FindSupport(-n_B, vertex_b);
      const double separation = n_A.dot(X_AB * b.vertices[support_b] - a.vertices[support_a]);
      if (separation > best && IsDistinctFromFaces(a, support_a, n_A) &&
          IsDistinctFromFaces(b, support_b, n_B)) {
        best = separation;
      }
    }
  }
  return best;
}

void FindNearestPoints(const Polytope& a, const Polytope& b, const RigidTransform& X_AB,
                       const geometry::CoreDistance& nearest, const NearestFeatures& features, double size,
                       HullNearestPoints& out) {
  const FacingEdge facing = FindFacingEdge(a, b, X_AB, nearest, features, size);
  if (facing.span.length() > kStretch * size) {
    double least = std::numeric_limits<double>::infinity();
    for (const double s : {facing.span.begin, facing.span.end}) {
      const geometry::CoreDistance at = CalcPointDistance(facing.edge.At(s), a);  // from the point towards A
      const bool is_begin = s == facing.span.begin;
      out.points[out.size++] = {0.5 * (at.p_A + at.p_B), -at.n_A, at.distance,
                                HashNames({is_begin, facing.low, facing.high})};
      least = std::min(least, at.distance);
    }
    // Edges that cross at a small angle are nearest in between.
    if (least <= nearest.distance + kMissedDepth * size) return;
  }
  out.points[out.size++] = {0.5 * (nearest.p_A + nearest.p_B), nearest.n_A, nearest.distance,
                            features.Name()};
}

}  // namespace stiction::narrowphase
