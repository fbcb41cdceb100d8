#include "geometry/epa.h"

#include <Eigen/Geometry>
#include <cstdint>
#include <limits>

namespace stiction::geometry {
namespace {

// Hulls of 500 vertices, laid into one another at random, end within 700 vertices; a typical contact
// takes 20.
constexpr int kMaxVertices = 1024;
constexpr int kMaxFaces = 2 * kMaxVertices;  // a closed polytope has 2 V − 4 triangles
constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Of the cores' size: what a curved boundary may lie beyond the nearest face.
constexpr double kCurvedGap = 1e-11;
// Of the coordinates' size: what lies no further beyond a face lies in its plane.
constexpr double kRoundoff = 1e-14;

struct Face {
  std::int16_t vertex[3];    // counter-clockwise seen from outside
  std::int16_t neighbor[3];  // across the edge from vertex k to vertex k + 1
  Vector3d normal;           // unit, outward; zero for a face without area
  double distance;           // of its plane from the origin; infinite without area
};

enum class Growth { kDone, kFailed };

// Fixed storage, about 300 kB, on the stack.
class Polytope {
 public:
  explicit Polytope(double scale) : scale_(scale) {}

  void MakeTetrahedron(const SupportPoint points[4]) {
    for (int k = 0; k < 4; ++k) vertices_[k] = points[k];
    num_vertices_ = 4;
    // Swap two, if need be, so that face 012 looks away from vertex 3.
    const Vector3d& a = points[0].x;
    if ((points[1].x - a).cross(points[2].x - a).dot(points[3].x - a) > 0.0) {
      std::swap(vertices_[1], vertices_[2]);
    }
    constexpr std::int16_t kVertices[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    constexpr std::int16_t kNeighbors[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    num_faces_ = 4;
    for (int f = 0; f < 4; ++f) {
      SetFace(f, kVertices[f][0], kVertices[f][1], kVertices[f][2]);
      for (int k = 0; k < 3; ++k) faces_[f].neighbor[k] = kNeighbors[f][k];
    }
  }

  int FindNearestFace() const {
    int nearest = 0;
    for (int f = 1; f < num_faces_; ++f) {
      if (distances_[f] < distances_[nearest]) nearest = f;
    }
    return nearest;
  }
  int num_faces() const { return num_faces_; }  // free ones included
  const Face& face(int f) const { return faces_[f]; }
  // Free faces hold nothing.
  bool PlaneHolds(int f, const Vector3d& x) const {
    return std::abs(faces_[f].normal.dot(x) - distances_[f]) <= 1e-9 * scale_;
  }
  const SupportPoint& corner(int f, int k) const { return vertices_[faces_[f].vertex[k]]; }

  // A point that comes back although a face seems to lie inside of it: the face is a needle, whose normal is
  // round-off.
  bool Holds(const SupportPoint& w) const {
    const double squared = kRoundoff * scale_ * kRoundoff * scale_;
    for (int k = 0; k < num_vertices_; ++k) {
      if ((vertices_[k].x - w.x).squaredNorm() <= squared) return true;
    }
    return false;
  }
  // Takes a face out of the search; visible to all from now on.
  void Retire(int f) { faces_[f].distance = distances_[f] = kInfinity; }

  // Replaces the faces that see the point w, `seed` among them, by a fan from w to their horizon.
  Growth Grow(const SupportPoint& w, int seed) {
    if (num_vertices_ == kMaxVertices) return Growth::kFailed;
    if (!FindHorizon(w.x, seed)) return Growth::kFailed;
    const int free_faces = num_visible_ + num_free_ + kMaxFaces - num_faces_;
    if (num_horizon_ > free_faces) return Growth::kFailed;
    for (int k = 0; k < num_visible_; ++k) {
      distances_[visible_[k]] = kInfinity;
      free_[num_free_++] = visible_[k];
    }
    const std::int16_t apex = static_cast<std::int16_t>(num_vertices_);
    vertices_[num_vertices_++] = w;
    for (int k = 0; k < num_horizon_; ++k) {
      Ridge& ridge = horizon_[k];
      ridge.fan = num_free_ > 0 ? free_[--num_free_] : static_cast<std::int16_t>(num_faces_++);
      fan_from_[ridge.from] = ridge.fan;
    }
    for (int k = 0; k < num_horizon_; ++k) {
      const Ridge& ridge = horizon_[k];
      SetFace(ridge.fan, ridge.from, ridge.to, apex);
      const std::int16_t next = fan_from_[ridge.to];
      faces_[ridge.fan].neighbor[0] = ridge.outer;
      faces_[ridge.fan].neighbor[1] = next;
      faces_[next].neighbor[2] = ridge.fan;
      Face& outer = faces_[ridge.outer];
      for (int e = 0; e < 3; ++e) {
        if (outer.vertex[e] == ridge.to && outer.vertex[(e + 1) % 3] == ridge.from) {
          outer.neighbor[e] = ridge.fan;
        }
      }
    }
    return Growth::kDone;
  }

 private:
  // An edge between a visible face and one that is not, as the visible one runs along it.
  struct Ridge {
    std::int16_t from, to, outer, fan;
  };

  void SetFace(int f, int a, int b, int c) {
    Face& face = faces_[f];
    face.vertex[0] = static_cast<std::int16_t>(a);
    face.vertex[1] = static_cast<std::int16_t>(b);
    face.vertex[2] = static_cast<std::int16_t>(c);
    const Vector3d &p = vertices_[a].x, &q = vertices_[b].x, &r = vertices_[c].x;
    const Vector3d pq = q - p, pr = r - p, normal = pq.cross(pr);
    const double area = normal.norm();
    const double longest = std::max(pq.squaredNorm(), pr.squaredNorm());
    mark_[f] = 0;
    if (area <= 1e-14 * longest) {
      face.normal.setZero();
      face.distance = distances_[f] = kInfinity;
      return;
    }
    face.normal = normal / area;
    // Of the three corners the farthest out: the plane then bounds the face whatever the normal's last bits.
    face.distance = std::max({face.normal.dot(p), face.normal.dot(q), face.normal.dot(r)});
    distances_[f] = face.distance;
  }

  // A face without area is visible wherever its neighbour is.
  bool Sees(const Face& face, const Vector3d& x) const {
    return face.distance == kInfinity || face.normal.dot(x) > face.distance + kRoundoff * scale_;
  }

  // Fills visible_ and horizon_. False unless the horizon is one closed loop, which round-off can prevent.
  bool FindHorizon(const Vector3d& x, int seed) {
    num_visible_ = num_horizon_ = 0;
    visible_[num_visible_++] = static_cast<std::int16_t>(seed);
    mark_[seed] = 1;
    for (int k = 0; k < num_visible_; ++k) {
      const Face& face = faces_[visible_[k]];
      for (const std::int16_t neighbor : face.neighbor) {
        if (mark_[neighbor] || !Sees(faces_[neighbor], x)) continue;
        mark_[neighbor] = 1;
        visible_[num_visible_++] = neighbor;
      }
    }
    for (int k = 0; k < num_visible_; ++k) {
      const Face& face = faces_[visible_[k]];
      for (int e = 0; e < 3; ++e) {
        if (mark_[face.neighbor[e]]) continue;
        fan_from_[face.vertex[e]] = -1;
        horizon_[num_horizon_++] = {face.vertex[e], face.vertex[(e + 1) % 3], face.neighbor[e], -1};
      }
    }
    const bool is_loop = num_horizon_ >= 3 && HorizonIsOneLoop();
    if (!is_loop) {
      for (int k = 0; k < num_visible_; ++k) mark_[visible_[k]] = 0;
    }
    return is_loop;
  }

  bool HorizonIsOneLoop() {
    for (int k = 0; k < num_horizon_; ++k) {
      if (fan_from_[horizon_[k].from] != -1) return false;  // two ridges start there
      fan_from_[horizon_[k].from] = static_cast<std::int16_t>(k);
    }
    int at = 0, length = 0;
    do {
      at = fan_from_[horizon_[at].to];
      ++length;
    } while (at != 0 && length <= num_horizon_);
    return length == num_horizon_;
  }

  double scale_;
  int num_vertices_ = 0, num_faces_ = 0, num_free_ = 0, num_visible_ = 0, num_horizon_ = 0;
  SupportPoint vertices_[kMaxVertices];
  Face faces_[kMaxFaces];
  double distances_[kMaxFaces];  // infinite for free faces
  std::int16_t free_[kMaxFaces], visible_[kMaxFaces];
  Ridge horizon_[kMaxFaces];
  std::int16_t fan_from_[kMaxVertices];
  bool mark_[kMaxFaces];  // visible
};

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
Vector3d CalcWitness(const Polytope& polytope, int f) {
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
  Polytope polytope(difference.scale());
  polytope.MakeTetrahedron(start);
  const double tolerance =
      kRoundoff * difference.scale() + (difference.is_polytope() ? 0.0 : kCurvedGap * difference.size());
  Best best{kInfinity, Vector3d::UnitX(), start[0]};
  // Every round adds a vertex, retires a face or ends.
  while (true) {
    const int f = polytope.FindNearestFace();
    const Face& face = polytope.face(f);
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
    } else if (polytope.Grow(w, f) == Growth::kFailed) {
      break;
    }
  }
  Refine(difference, best);
  return MakeResult(best, best.w.a);
}

}  // namespace stiction::geometry
