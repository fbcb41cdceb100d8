#include "geometry/gjk.h"

#include <Eigen/Geometry>
#include <limits>

namespace stiction::geometry {
namespace {

// Polytopes end within 25, curved shapes within 60.
constexpr int kMaxIterations = 200;
// Of the distance: what the bounds may differ by.
constexpr double kRelativeGap = 1e-13;
// Of the coordinates' size: what they may differ by, and how near counts as touching.
constexpr double kRoundoff = 1e-15;
constexpr double kTouching = 1e-14;
// Of the cores' size: a slab that curved shapes' bounds are always thinner than at the end.
constexpr double kClearSlab = 1e-8;

struct Nearest {
  double distance = std::numeric_limits<double>::infinity();
  Vector3d v;
};

void Keep(Simplex& simplex, std::initializer_list<std::pair<int, double>> kept) {
  int size = 0;
  for (const auto& [k, weight] : kept) {
    if (size != k) simplex.points[size] = simplex.points[k];  // ascending, so that nothing is overwritten
    simplex.weights[size++] = weight;
  }
  simplex.size = size;
}

// Each reduces the simplex to the face that holds the point nearest to the origin.
Nearest FindNearestOnPoint(Simplex& simplex) {
  simplex.weights[0] = 1.0;
  return {simplex.points[0].x.norm(), simplex.points[0].x};
}

Nearest FindNearestOnSegment(Simplex& simplex) {
  const Vector3d &a = simplex.points[0].x, &b = simplex.points[1].x;
  const Vector3d ab = b - a;
  const double along = -a.dot(ab), squared = ab.squaredNorm();
  if (along <= 0.0 || squared == 0.0) {
    Keep(simplex, {{0, 1.0}});
    return FindNearestOnPoint(simplex);
  }
  if (along >= squared) {
    Keep(simplex, {{1, 1.0}});
    return FindNearestOnPoint(simplex);
  }
  const double t = along / squared;
  simplex.weights[0] = 1.0 - t, simplex.weights[1] = t;
  const Vector3d v = a + t * ab;
  return {v.norm(), v};
}

Nearest FindNearestOnEdges(const Simplex& triangle, Simplex& simplex) {
  Nearest best;
  for (int k = 0; k < 3; ++k) {
    Simplex edge = triangle;
    edge.size = 2;
    if (k == 0) edge.points[0] = triangle.points[1], edge.points[1] = triangle.points[2];
    if (k == 1) edge.points[1] = triangle.points[2];
    const Nearest candidate = FindNearestOnSegment(edge);
    if (candidate.distance < best.distance) best = candidate, simplex = edge;
  }
  return best;
}

// Barycentric coordinates by areas: the origin's projection lies inside where all three are positive.
Nearest FindNearestOnFace(Simplex& simplex) {
  const Vector3d &a = simplex.points[0].x, &b = simplex.points[1].x, &c = simplex.points[2].x;
  const Vector3d ab = b - a, ac = c - a, bc = c - b;
  const Vector3d normal = ab.cross(ac);
  const double squared = normal.squaredNorm();
  const double longest = std::max({ab.squaredNorm(), ac.squaredNorm(), bc.squaredNorm()});
  // Thinner than round-off: nothing but its edges.
  if (squared <= 1e-28 * longest * longest) return FindNearestOnEdges(Simplex(simplex), simplex);
  // The foot of the perpendicular, relative to a: differences of nearby points keep their digits.
  const Vector3d foot = -a + (a.dot(normal) / squared) * normal;
  const double weight_c = ab.cross(foot).dot(normal) / squared;
  const double weight_b = foot.cross(ac).dot(normal) / squared;
  const double weight_a = 1.0 - weight_b - weight_c;
  if (weight_a <= 0.0 || weight_b <= 0.0 || weight_c <= 0.0) {
    return FindNearestOnEdges(Simplex(simplex), simplex);
  }
  simplex.weights[0] = weight_a, simplex.weights[1] = weight_b, simplex.weights[2] = weight_c;
  // Of the two ways to write v, the one that turns less: round-off ε in the coordinates turns the normal by ε
  // over the triangle's width, and the weighted sum of the corners by ε/|v|.
  const Vector3d along_normal = (a.dot(normal) / squared) * normal;
  if (longest * along_normal.squaredNorm() < squared) return {along_normal.norm(), along_normal};
  const Vector3d sum = a + weight_b * ab + weight_c * ac;
  return {sum.norm(), sum};
}

Nearest FindNearestOnTetrahedron(Simplex& simplex) {
  constexpr int kFaces[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
  const Simplex tetrahedron = simplex;
  const SupportPoint* points = tetrahedron.points;
  Nearest best;
  bool is_inside = true;
  for (const auto& face : kFaces) {
    const Vector3d& a = points[face[0]].x;
    const Vector3d ab = points[face[1]].x - a, ac = points[face[2]].x - a, ad = points[face[3]].x - a;
    const Vector3d normal = ab.cross(ac);
    const double apex = normal.dot(ad), origin = -normal.dot(a);
    // A flat tetrahedron has no inside.
    const bool is_flat = std::abs(apex) <= 1e-14 * normal.norm() * ad.norm();
    if (!is_flat && (origin > 0.0) == (apex > 0.0) && origin != 0.0) continue;
    is_inside = false;
    Simplex triangle;
    triangle.size = 3;
    for (int k = 0; k < 3; ++k) triangle.points[k] = points[face[k]];
    const Nearest candidate = FindNearestOnFace(triangle);
    if (candidate.distance < best.distance) best = candidate, simplex = triangle;
  }
  if (is_inside) {
    best.distance = 0.0;
    best.v.setZero();
  }
  return best;
}

Nearest FindNearest(Simplex& simplex) {
  switch (simplex.size) {
    case 1:
      return FindNearestOnPoint(simplex);
    case 2:
      return FindNearestOnSegment(simplex);
    case 3:
      return FindNearestOnFace(simplex);
    default:
      return FindNearestOnTetrahedron(simplex);
  }
}

Vector3d CalcPointOfA(const Simplex& simplex) {
  Vector3d p_A = Vector3d::Zero();
  for (int k = 0; k < simplex.size; ++k) p_A += simplex.weights[k] * simplex.points[k].a;
  return p_A;
}

CoreDistance MakeResult(const Simplex& simplex, const Nearest& nearest) {
  CoreDistance out;
  out.distance = nearest.distance;
  out.n_A = nearest.v / -nearest.distance;
  out.p_A = CalcPointOfA(simplex);
  out.p_B = out.p_A - nearest.v;
  return out;
}

bool Holds(const Simplex& simplex, const SupportPoint& point) {
  for (int k = 0; k < simplex.size; ++k) {
    if (point.IsSameVertexAs(simplex.points[k])) return true;
  }
  return false;
}

}  // namespace

GjkResult RunGjk(DifferenceSet& difference, double enough) {
  GjkResult out;
  const double scale = difference.scale();
  const Vector3d& p_AB = difference.X_AB().p;
  out.simplex.size = 1;
  out.simplex.points[0] =
      difference.FindSupport(p_AB.norm() > kTouching * scale ? p_AB : Vector3d(Vector3d::UnitX()));
  // An error δ of the direction costs the lower bound δ and the upper one only δ², so that progress may show
  // in either; two rounds without any are round-off's last word.
  double upper = std::numeric_limits<double>::infinity(), lower = -upper, least_gap = upper;
  int num_idle = 0;
  for (int iteration = 0; iteration < kMaxIterations && num_idle < 2; ++iteration) {
    Simplex next = out.simplex;
    const Nearest nearest = FindNearest(next);
    if (nearest.distance <= kTouching * scale || next.size == 4) {
      if (next.size < 4) out.nearest.p_A = CalcPointOfA(next);
      out.simplex = next;
      break;
    }
    ++num_idle;
    if (nearest.distance < upper) upper = nearest.distance, num_idle = 0;
    const Vector3d n = nearest.v / -nearest.distance;
    const SupportPoint w = difference.FindSupport(n);
    const double bound = -n.dot(w.x);
    if (bound >= enough) {
      out.is_apart = true;
      out.nearest.distance = bound;
      return out;
    }
    if (bound > lower) lower = bound, num_idle = 0;
    const double gap = nearest.distance - bound;
    if (gap < least_gap) {
      least_gap = gap;
      out.nearest = MakeResult(next, nearest);
    }
    if (gap <= kRelativeGap * nearest.distance + kRoundoff * scale) break;
    if (Holds(next, w)) break;
    out.simplex = next;
    out.simplex.points[out.simplex.size++] = w;
  }
  // An empty slab is proof, which a flat tetrahedron around the origin is not. A slab much thinner than what
  // is left of the search proves too little: EPA ends better there.
  out.is_apart = lower > kClearSlab * difference.size() || (lower > 0.0 && least_gap <= kTouching * scale);
  return out;
}

}  // namespace stiction::geometry
