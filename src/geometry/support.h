// Support functions: what GJK and EPA know of a convex shape.
//
// A shape is a core (point, segment, triangle, box, hull, ellipsoid, cylinder) inflated by a radius. Two
// shapes A and B are seen as the set of differences D = A − B of their cores, in A's frame: they overlap
// where D holds the origin, and their signed distance is the largest of s(n) = −max{n·x, x in D} over the
// unit directions n.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "stiction/geometry/convex_hull.h"

namespace stiction::geometry {

struct Core {
  enum class Kind { kPoint, kSegment, kTriangle, kBox, kHull, kEllipsoid, kCylinder };
  Kind kind = Kind::kPoint;
  Vector3d h = Vector3d::Zero();  // half extents; a segment has (0, 0, half_length) [m]
  const ConvexHull* hull = nullptr;
  double inflation = 0.0;                   // radius about the core [m]
  std::array<const Vector3d*, 3> corner{};  // of a triangle

  bool is_polytope() const { return kind <= Kind::kHull; }
  // A point or a segment.
  bool is_thin() const { return kind <= Kind::kSegment; }
  double CalcReach() const {
    if (kind == Kind::kTriangle) return std::max({corner[0]->norm(), corner[1]->norm(), corner[2]->norm()});
    return kind == Kind::kHull ? hull->radius : h.norm();
  }

  // The core's point that reaches furthest along d, in the core's frame; d need not be a unit vector.
  //   vertex  its number, -1 where the core is curved. A hull starts its search there.
  Vector3d FindSupport(const Vector3d& d, int& vertex) const {
    switch (kind) {
      case Kind::kPoint:
        vertex = 0;
        return Vector3d::Zero();
      case Kind::kSegment:
        vertex = d.z() < 0 ? 0 : 1;
        return {0, 0, d.z() < 0 ? -h.z() : h.z()};
      case Kind::kTriangle: {
        const double along[] = {d.dot(*corner[0]), d.dot(*corner[1]), d.dot(*corner[2])};
        vertex = along[0] >= along[1] ? (along[0] >= along[2] ? 0 : 2) : (along[1] >= along[2] ? 1 : 2);
        return *corner[vertex];
      }
      case Kind::kBox:
        vertex = (d.x() < 0 ? 0 : 1) | (d.y() < 0 ? 0 : 2) | (d.z() < 0 ? 0 : 4);
        return {d.x() < 0 ? -h.x() : h.x(), d.y() < 0 ? -h.y() : h.y(), d.z() < 0 ? -h.z() : h.z()};
      case Kind::kHull:
        vertex = stiction::FindSupport(*hull, d, std::max(vertex, 0));
        return hull->vertices[vertex];
      case Kind::kEllipsoid: {
        vertex = -1;
        // The surface x = H y, |y| = 1, reaches furthest where y is along H d.
        const Vector3d scaled = h.cwiseProduct(d);
        const double length = scaled.norm();
        return length > 0.0 ? Vector3d(h.cwiseProduct(scaled) / length) : Vector3d(h.x(), 0, 0);
      }
      case Kind::kCylinder: {
        vertex = -1;
        const double length = std::sqrt(d.x() * d.x() + d.y() * d.y()), z = d.z() < 0 ? -h.z() : h.z();
        if (length == 0.0) return {h.x(), 0, z};
        return {h.x() * d.x() / length, h.x() * d.y() / length, z};
      }
    }
    return Vector3d::Zero();
  }
};

// x = a − b, all in A's frame.
struct SupportPoint {
  Vector3d x, a, b;
  int vertex_a, vertex_b;  // -1 where the core is curved
  bool IsSameVertexAs(const SupportPoint& other) const {
    return vertex_a >= 0 && vertex_b >= 0 && vertex_a == other.vertex_a && vertex_b == other.vertex_b;
  }
};

class DifferenceSet {
 public:
  DifferenceSet(const Core& a, const Core& b, const RigidTransform& X_AB)
      : a_(a), b_(b), X_AB_(X_AB), size_(a.CalcReach() + b.CalcReach()), scale_(size_ + X_AB.p.norm()) {}

  // The point of D that reaches furthest along n_A.
  SupportPoint FindSupport(const Vector3d& n_A) {
    SupportPoint point;
    point.a = a_.FindSupport(n_A, vertex_a_);
    point.b = X_AB_ * b_.FindSupport(X_AB_.R.transpose() * -n_A, vertex_b_);
    point.x = point.a - point.b;
    point.vertex_a = vertex_a_, point.vertex_b = vertex_b_;
    return point;
  }

  const Core& a() const { return a_; }
  const Core& b() const { return b_; }
  const RigidTransform& X_AB() const { return X_AB_; }
  bool is_polytope() const { return a_.is_polytope() && b_.is_polytope(); }
  double size() const { return size_; }    // of the cores [m]
  double scale() const { return scale_; }  // of the coordinates, and so of round-off [m]

 private:
  const Core &a_, &b_;
  const RigidTransform X_AB_;
  const double size_, scale_;
  int vertex_a_ = 0, vertex_b_ = 0;  // where hulls start their next search
};

// Nearest points of the cores; `distance` is negative where they overlap.
struct CoreDistance {
  double distance = 0.0;
  Vector3d n_A;       // unit, from A to B
  Vector3d p_A, p_B;  // in A's frame; p_B − p_A = distance · n_A
};

}  // namespace stiction::geometry
