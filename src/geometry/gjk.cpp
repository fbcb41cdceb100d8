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

// The corners of a simplex whose hull holds the point nearest to the origin, ascending.
struct Subset {
  int size = 0;
  int index[3];
  double weights[3];  // positive, sum 1

  void Set(int i) { size = 1, index[0] = i, weights[0] = 1.0; }
};

// Each finds the nearest point on a face of the simplex, and the corners that it takes.
Nearest FindNearestOnPoint(const SupportPoint* points, int i, Subset& kept) {
  kept.Set(i);
  return {points[i].x.norm(), points[i].x};
}

Nearest FindNearestOnSegment(const SupportPoint* points, int i, int j, Subset& kept) {
  const Vector3d &a = points[i].x, &b = points[j].x;
  const Vector3d ab = b - a;
  const double along = -a.dot(ab), squared = ab.squaredNorm();
  if (along <= 0.0 || squared == 0.0) return FindNearestOnPoint(points, i, kept);
  if (along >= squared) return FindNearestOnPoint(points, j, kept);
  const double t = along / squared;
  kept.size = 2;
  kept.index[0] = i, kept.index[1] = j;
  kept.weights[0] = 1.0 - t, kept.weights[1] = t;
  const Vector3d v = a + t * ab;
  return {v.norm(), v};
}

Nearest FindNearestOnEdges(const SupportPoint* points, int i, int j, int k, Subset& kept) {
  const int edges[3][2] = {{j, k}, {i, k}, {i, j}};
  Nearest best;
  for (const auto& [from, to] : edges) {
    Subset subset;
    const Nearest candidate = FindNearestOnSegment(points, from, to, subset);
    if (candidate.distance < best.distance) best = candidate, kept = subset;
  }
  return best;
}

// Barycentric coordinates by areas: the origin's projection lies inside where all three are positive.
Nearest FindNearestOnFace(const SupportPoint* points, int i, int j, int k, Subset& kept) {
  const Vector3d &a = points[i].x, &b = points[j].x, &c = points[k].x;
  const Vector3d ab = b - a, ac = c - a, bc = c - b;
  const Vector3d normal = ab.cross(ac);
  const double squared = normal.squaredNorm();
  const double longest = std::max({ab.squaredNorm(), ac.squaredNorm(), bc.squaredNorm()});
  // Thinner than round-off: nothing but its edges.
  if (squared <= 1e-28 * longest * longest) return FindNearestOnEdges(points, i, j, k, kept);
  // The foot of the perpendicular, relative to a: differences of nearby points keep their digits.
  const Vector3d foot = -a + (a.dot(normal) / squared) * normal;
  const double weight_c = ab.cross(foot).dot(normal) / squared;
  const double weight_b = foot.cross(ac).dot(normal) / squared;
  const double weight_a = 1.0 - weight_b - weight_c;
  if (weight_a <= 0.0 || weight_b <= 0.0 || weight_c <= 0.0) {
    return FindNearestOnEdges(points, i, j, k, kept);
  }
  kept.size = 3;
  kept.index[0] = i, kept.index[1] = j, kept.index[2] = k;
  kept.weights[0] = weight_a, kept.weights[1] = weight_b, kept.weights[2] = weight_c;
  // Of the two ways to write v, the one that turns less: round-off ε in the coordinates turns the normal by ε
  // over the triangle's width, and the weighted sum of the corners by ε/|v|.
  const Vector3d along_normal = (a.dot(normal) / squared) * normal;
  if (longest * along_normal.squaredNorm() < squared) return {along_normal.norm(), along_normal};
  const Vector3d sum = a + weight_b * ab + weight_c * ac;
  return {sum.norm(), sum};
}

// Keeps nothing where the tetrahedron holds the origin.
Nearest FindNearestOnTetrahedron(const SupportPoint* points, Subset& kept) {
  constexpr int kFaces[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
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
    Subset subset;
    const Nearest candidate = FindNearestOnFace(points, face[0], face[1], face[2], subset);
    if (candidate.distance < best.distance) best = candidate, kept = subset;
  }
  if (is_inside) {
    best.distance = 0.0;
    best.v.setZero();
  }
  return best;
}

Nearest FindNearest(const Simplex& simplex, Subset& kept) {
  switch (simplex.size) {
    case 1:
      return FindNearestOnPoint(simplex.points, 0, kept);
    case 2:
      return FindNearestOnSegment(simplex.points, 0, 1, kept);
    case 3:
      return FindNearestOnFace(simplex.points, 0, 1, 2, kept);
    default:
      return FindNearestOnTetrahedron(simplex.points, kept);
  }
}

// Drops all other points.
void Keep(const Subset& kept, Simplex& simplex) {
  for (int k = 0; k < kept.size; ++k) {
    // Ascending, so that nothing is overwritten.
    if (kept.index[k] != k) simplex.points[k] = simplex.points[kept.index[k]];
    simplex.weights[k] = kept.weights[k];
  }
  simplex.size = kept.size;
}

Vector3d CalcPointOfA(const SupportPoint* points, const Subset& kept) {
  Vector3d p_A = Vector3d::Zero();
  for (int k = 0; k < kept.size; ++k) p_A += kept.weights[k] * points[kept.index[k]].a;
  return p_A;
}

CoreDistance MakeResult(const SupportPoint* points, const Subset& kept, const Nearest& nearest) {
  CoreDistance out;
  out.distance = nearest.distance;
  out.n_A = nearest.v / -nearest.distance;
  out.p_A = CalcPointOfA(points, kept);
  out.p_B = out.p_A - nearest.v;
  return out;
}

bool Holds(const SupportPoint* points, const Subset& kept, const SupportPoint& point) {
  for (int k = 0; k < kept.size; ++k) {
    if (point.IsSameVertexAs(points[kept.index[k]])) return true;
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
    Subset kept;
    const Nearest nearest = FindNearest(out.simplex, kept);
    if (nearest.distance <= kTouching * scale || kept.size == 0) {
      // Of a tetrahedron that holds the origin no corner can be spared.
      if (kept.size > 0) {
        out.nearest.p_A = CalcPointOfA(out.simplex.points, kept);
        Keep(kept, out.simplex);
      }
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
      out.nearest = MakeResult(out.simplex.points, kept, nearest);
    }
    if (gap <= kRelativeGap * nearest.distance + kRoundoff * scale) break;
    if (Holds(out.simplex.points, kept, w)) break;
    Keep(kept, out.simplex);
    out.simplex.points[out.simplex.size++] = w;
  }
  // An empty slab is proof, which a flat tetrahedron around the origin is not. A slab much thinner than what
  // is left of the search proves too little: EPA ends better there.
  out.is_apart = lower > kClearSlab * difference.size() || (lower > 0.0 && least_gap <= kTouching * scale);
  return out;
}

}  // namespace stiction::geometry
