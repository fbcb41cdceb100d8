#include "geometry/epa.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "geometry/expanding_polytope.h"
#include "math/constants.h"

namespace stiction::geometry {
namespace {

// Of the cores' size: what a curved boundary may lie beyond the nearest face.
constexpr double kCurvedGap = 1e-11;

// Extends up to four points of D to a tetrahedron with a volume: each new point is the farthest, over a few
// directions, from the point, line or plane of those before.
void CompleteTetrahedron(DifferenceSet& difference, const Simplex& simplex, SupportPoint points[4]) {
  const double scale = difference.scale();
  const auto farthest = [&](std::initializer_list<Vector3d> directions, auto distance) {
    SupportPoint best{};
    double reach = -1.0;
    for (const Vector3d& d : directions) {
      for (const double side : {1.0, -1.0}) {
        const SupportPoint candidate = difference.FindSupport(side * d);
        const double candidate_reach = distance(candidate.x);
        if (candidate_reach > reach) reach = candidate_reach, best = candidate;
      }
    }
    return best;
  };
  int size = simplex.size;
  for (int k = 0; k < size; ++k) points[k] = simplex.points[k];
  // Points that came too near to one another count as one.
  const double least = 1e-6 * difference.size();
  if (size >= 2 && (points[1].x - points[0].x).norm() < least) size = 1;
  if (size <= 1) {
    const Vector3d a = points[0].x;
    points[1] = farthest({Vector3d::UnitX(), Vector3d::UnitY(), Vector3d::UnitZ()},
                         [&](const Vector3d& x) { return (x - a).norm(); });
    size = 2;
  }
  const Vector3d a = points[0].x, ab = (points[1].x - a).normalized();
  const auto from_line = [&](const Vector3d& x) { return ab.cross(x - a).norm(); };
  if (size >= 3 && from_line(points[2].x) < least) size = 2;
  if (size == 2) {
    const Vector3d u = ab.unitOrthogonal(), w = ab.cross(u);
    points[2] = farthest({u, w, (u + w).normalized(), (u - w).normalized()}, from_line);
    size = 3;
  }
  const Vector3d normal = ab.cross(points[2].x - a).normalized();
  const auto from_plane = [&](const Vector3d& x) { return std::abs(normal.dot(x - a)); };
  if (size == 4 && from_plane(points[3].x) < std::max(least, 1e-12 * scale)) size = 3;
  if (size == 3) points[3] = farthest({normal}, from_plane);
}

// The separating translation along a direction is right whatever the direction: keep the least one met.
struct Best {
  double depth;
  Vector3d n;
  SupportPoint w;
};

CoreDistance MakeResult(const Best& best, const Vector3d& p_A) {
  return {-best.depth, best.n, p_A, p_A - best.depth * best.n};
}

// The point of A that belongs to the origin's projection onto face f. It may lie in another triangle of that
// plane, or, where shapes only touch, of another plane.
Vector3d CalcWitness(const ExpandingPolytope& polytope, int f) {
  const Vector3d projection = polytope.face(f).distance * polytope.face(f).normal;
  double least_excess = kInfinity;
  Vector3d witness = polytope.corner(f, 0).a;
  for (int g = 0; g < polytope.num_faces(); ++g) {
    if (!polytope.PlaneHolds(g, projection)) continue;
    const SupportPoint &a = polytope.corner(g, 0), &b = polytope.corner(g, 1), &c = polytope.corner(g, 2);
    const Vector3d ab = b.x - a.x, ac = c.x - a.x, normal = ab.cross(ac), foot = projection - a.x;
    const double squared = normal.squaredNorm();
    double u = foot.cross(ac).dot(normal) / squared, v = ab.cross(foot).dot(normal) / squared;
    const double excess = -std::min({u, v, 1.0 - u - v});
    if (excess >= least_excess) continue;
    least_excess = excess;
    u = std::clamp(u, 0.0, 1.0), v = std::clamp(v, 0.0, 1.0 - u);
    witness = a.a + u * (b.a - a.a) + v * (c.a - a.a);
  }
  return witness;
}

// Descends h(n) = max{n·x, x in D} over the sphere, whose gradient is the tangential part of the support
// point.
void Refine(DifferenceSet& difference, Best& best) {
  double step = 0.1 / difference.size();
  for (int k = 0; k < 200 && step * difference.size() > 1e-12; ++k) {
    const Vector3d slope = best.w.x - best.w.x.dot(best.n) * best.n;
    const Vector3d n = (best.n - step * slope).normalized();
    const SupportPoint w = difference.FindSupport(n);
    if (n.dot(w.x) < best.depth) {
      best = {n.dot(w.x), n, w};
      step *= 1.5;
    } else {
      step *= 0.5;
    }
  }
}

}  // namespace

CoreDistance RunEpa(DifferenceSet& difference, const Simplex& simplex) {
  SupportPoint start[4];
  CompleteTetrahedron(difference, simplex, start);
  ExpandingPolytope polytope(difference.scale());
  polytope.MakeTetrahedron(start);
  const double tolerance = ExpandingPolytope::kRoundoff * difference.scale() +
                           (difference.is_polytope() ? 0.0 : kCurvedGap * difference.size());
  Best best{kInfinity, Vector3d::UnitX(), start[0]};
  // Every round adds a vertex, retires a face or ends.
  while (true) {
    const int f = polytope.FindNearestFace();
    const ExpandingPolytope::Face& face = polytope.face(f);
    if (face.distance == kInfinity) break;  // none is left
    const SupportPoint w = difference.FindSupport(face.normal);
    const double depth = face.normal.dot(w.x);
    if (depth < best.depth) best = {depth, face.normal, w};
    bool is_boundary = depth - face.distance <= tolerance;
    for (int k = 0; k < 3; ++k) is_boundary = is_boundary || w.IsSameVertexAs(polytope.corner(f, k));
    if (is_boundary) {
      return MakeResult({depth, face.normal, w}, CalcWitness(polytope, f));
    }
    if (polytope.Holds(w)) {
      polytope.Retire(f);
    } else if (!polytope.Grow(w, f)) {
      break;
    }
  }
  Refine(difference, best);
  return MakeResult(best, best.w.a);
}

}  // namespace stiction::geometry
