// A mesh and a convex shape C.
#include <algorithm>
#include <limits>

#include "collision/narrowphase/capsule.h"
#include "collision/narrowphase/contact_point.h"
#include "collision/narrowphase/cylinder.h"
#include "collision/narrowphase/deep_overlap.h"
#include "collision/narrowphase/gatherer.h"
#include "collision/narrowphase/half_space.h"
#include "collision/narrowphase/mesh.h"
#include "collision/narrowphase/mesh_corners.h"
#include "collision/narrowphase/mesh_features.h"
#include "collision/narrowphase/plane_any.h"
#include "collision/narrowphase/polytope.h"
#include "collision/narrowphase/segment_least.h"
#include "collision/narrowphase/sphere_any.h"

namespace stiction::narrowphase {
namespace {

using Kind = Gatherer::Kind;

// Orders of names: what C's vertices, mesh corners, edges are hashed with.
enum MeshPointName { kVertexName, kCornerName, kEdgeName };

double CalcPairSize(const MeshSurface& mesh, double thickness) {
  return mesh.thickness > 0.0 ? std::min(mesh.thickness, thickness) : thickness;
}

// What a vertex of C, or a point of a round surface, gives over a face.
//   radius  of the ball that the point is of: its middle decides over which face it is [m]
void AddVertex(const MeshSurface& mesh, int face, const Vector3d& p, double height, double radius, int vertex,
               const Vector3d& center, Gatherer& out) {
  const MeshSurface::Face& at = mesh.faces[face];
  if (height < 0.0 && at.normal.dot(center) - at.offset <= 0.0) return;
  FaceTolerance tolerance(out.size());
  // Ridges meet the ball by themselves: no more than round-off is left to chance between faces.
  if (radius > 0.0) tolerance.beside *= 1e-3;
  if (!FaceHolds(mesh, face, p + radius * at.normal, height + radius, tolerance)) return;
  const std::uint32_t feature = HashNames({kVertexName, vertex, static_cast<int>(NameDirection(at.normal))});
  out.AddVertex(p - height * at.normal, at.normal, height, feature, vertex, at.normal, mesh.CalcCenter(face));
}

// Whether C's origin stands in front of a face of the edge. Behind both it is no more in front of anything
// between them, and C has come from another side.
bool FacesEdge(const MeshSurface& mesh, int face, int k, const Vector3d& center) {
  const auto is_in_front = [&](const MeshSurface::Face& at) { return at.normal.dot(center) > at.offset; };
  const MeshSurface::Face& at = mesh.faces[face];
  return is_in_front(at) || (at.neighbor[k] >= 0 && is_in_front(mesh.faces[at.neighbor[k]]));
}

// Bounds that cost little: whether no point of the segment from p to q, in C's frame, is within the margin of
// C, or all are so deep in it that they have not come from outside.
bool IsOutOfReach(const Vector3d& half_extents, const Vector3d& p, const Vector3d& q, double margin) {
  return (p.cwiseMin(q).array() > half_extents.array() + margin).any() ||
         (p.cwiseMax(q).array() < -half_extents.array() - margin).any();
}
template <typename C>
bool IsOutOfReach(const C& shape, const Vector3d& p, const Vector3d& q, double margin) {
  return IsOutOfReach(CalcBoundingHalfExtents(shape, Matrix3d::Identity()), p, q, margin);
}
// Where the ellipsoid is the unit ball, lengths are shorter by its radii; and across the tangent plane that
// is there before the segment's nearest point, by what its normal n says.
bool IsOutOfReach(const Ellipsoid& shape, const Vector3d& p, const Vector3d& q, double margin) {
  const Vector3d a = p.cwiseQuotient(shape.radii), d = q.cwiseQuotient(shape.radii) - a;
  const double squared = d.squaredNorm();
  const double s = squared > 0.0 ? std::clamp(-a.dot(d) / squared, 0.0, 1.0) : 0.0;
  const Vector3d nearest = a + s * d;
  const double length = nearest.norm();
  return (length > 1.0 && (length - 1.0) * length > margin * nearest.cwiseQuotient(shape.radii).norm()) ||
         (std::max(a.norm(), (a + d).norm()) - 1.0) * shape.radii.maxCoeff() < -0.5 * shape.radii.minCoeff();
}

// Fields of the shapes whose edges are measured by them.
EllipsoidField MakeLeaf(const Ellipsoid& shape) {
  return {shape.radii};
}
CylinderField MakeLeaf(const Cylinder& shape) {
  return {shape.radius, shape.half_length};
}

// Of shapes that are a core with balls all along it.
double CalcInflation(const Sphere& s) {
  return s.radius;
}
double CalcInflation(const Capsule& s) {
  return s.radius;
}
double CalcInflation(const Ellipsoid&) {
  return 0.0;
}
double CalcInflation(const Cylinder&) {
  return 0.0;
}

// Of a ball about C's origin. [m]
template <typename C>
double CalcBoundingReach(const C& shape) {
  return CalcBoundingRadius(shape);
}
double CalcBoundingReach(const Polytope& shape) {
  return shape.core.CalcReach();
}

// Whether C comes within the margin of the face's plane, from either side: of a face that is farther away
// nothing touches.
template <typename C>
bool MayTouchPlane(const MeshSurface::Face& face, const C& shape, const RigidTransform& X_MC, double margin) {
  const double height = face.normal.dot(X_MC.p) - face.offset;
  if (std::abs(height) - margin >= CalcBoundingReach(shape)) return false;
  const Vector3d n_C = X_MC.R.transpose() * face.normal;
  return height - CalcReach(shape, -n_C) < margin && height + CalcReach(shape, n_C) > -margin;
}

// Round shapes: their points against the plane, as plane_any.h knows them.
template <typename C>
class RoundSide {
 public:
  RoundSide(const C& shape, const RigidTransform& X_MC, double margin)
      : shape_(shape), X_MC_(X_MC), X_CM_(X_MC.Inverse()), margin_(margin) {}

  const RigidTransform& X_MC() const { return X_MC_; }
  double thickness() const { return 2.0 * CalcSmallestRadius(shape_); }
  Vector3d CalcHalfExtents(const Matrix3d& R) const { return CalcBoundingHalfExtents(shape_, R); }

  std::optional<DeepOverlap> FindDeep(const MeshSurface& mesh, double least) const {
    return FindDeepOverlap(mesh, shape_, X_MC_, least);
  }
  bool MayTouch(const MeshSurface& mesh, int face) const {
    return MayTouchPlane(mesh.faces[face], shape_, X_MC_, margin_);
  }

  void AddVertices(const MeshSurface& mesh, int face, Gatherer& out) {
    const MeshSurface::Face& at = mesh.faces[face];
    RigidTransform X_MP;
    X_MP.R = MakeFrameAlong(at.normal);
    X_MP.p = at.offset * at.normal;
    points_.num_points = 0;
    Collide(Plane{}, X_MP, shape_, X_MC_, margin_, points_);
    for (int k = 0; k < points_.num_points; ++k) {
      const ManifoldPoint& point = points_.points[k];
      const Vector3d p = point.p_W + 0.5 * point.gap * at.normal;
      AddVertex(mesh, face, p, point.gap, CalcInflation(shape_), static_cast<int>(point.feature), X_MC_.p,
                out);
    }
  }

  void AddCorner(const MeshSurface& mesh, int vertex, Gatherer& out) {
    points_.num_points = 0;
    const Vector3d& p = mesh.mesh.vertices[vertex];
    const Vector3d p_C = X_CM_ * p;
    if (IsOutOfReach(shape_, p_C, p_C, margin_)) return;
    CalcPointManifold(p);
    if (points_.num_points == 0) return;
    const ManifoldPoint& point = points_.points[0];
    if (!VertexAdmits(mesh, vertex, point.n_W, kConeSine)) return;
    out.Add(Kind::kCorner, p, point.n_W, point.gap, HashNames({kCornerName, vertex}));
  }

  void AddEdge(const MeshSurface& mesh, int face, int k, Gatherer& out) {
    const Vector3d &a = mesh.vertex(face, k), &b = mesh.vertex(face, (k + 1) % 3);
    if (!FacesEdge(mesh, face, k, X_MC_.p) || IsOutOfReach(shape_, X_CM_ * a, X_CM_ * b, margin_)) return;
    const double length = (b - a).norm();
    RigidTransform X_ME;
    X_ME.R = MakeFrameAlong((b - a) / length);
    X_ME.p = 0.5 * (a + b);
    points_.num_points = 0;
    CalcEdgeManifold(Capsule{0.0, 0.5 * length}, X_ME, a, b);
    for (int i = 0; i < points_.num_points; ++i) {
      const ManifoldPoint& point = points_.points[i];
      if (!EdgeAdmits(mesh, face, k, point.n_W, kConeSine)) continue;
      // Where a ball meets a ridge its way out is clear, as at a corner.
      out.Add(CalcInflation(shape_) > 0.0 ? Kind::kCorner : Kind::kEdges,
              point.p_W - 0.5 * point.gap * point.n_W, point.n_W, point.gap,
              HashNames({kEdgeName, 3 * face + k, static_cast<int>(point.feature)}));
    }
  }

 private:
  // The signs of the normals are turned where the pair is defined the other way round.
  void CalcPointManifold(const Vector3d& p) {
    const RigidTransform X_MP{Matrix3d::Identity(), p};
    if constexpr (std::is_same_v<C, Ellipsoid>) {
      const FieldSample at = MakeLeaf(shape_).Evaluate(X_CM_ * p);
      const Vector3d n = X_MC_.R * -at.gradient;
      AddPoint({}, p + 0.5 * at.value * n, n, at.value, margin_, 0, points_);
    } else {
      Collide(Sphere{0.0}, X_MP, shape_, X_MC_, margin_, points_);
    }
  }
  void CalcEdgeManifold(const Capsule& edge, const RigidTransform& X_ME, const Vector3d& a,
                        const Vector3d& b) {
    if constexpr (std::is_same_v<C, Sphere>) {
      Collide(shape_, X_MC_, edge, X_ME, margin_, points_);
      TurnNormals();
    } else if constexpr (std::is_same_v<C, Capsule>) {
      Collide(edge, X_ME, shape_, X_MC_, margin_, points_);
    } else {
      CalcMeasuredEdgeManifold(edge, X_ME, a, b);
    }
  }
  // Of a cylinder or an ellipsoid, both convex: where the edge is clear of them, the least of their signed
  // distance on it, which costs a tenth of what GJK does. Where that is so small that it does not tell the
  // direction to round-off, or negative, so that it is not that of the edge as a whole, GJK and EPA.
  void CalcMeasuredEdgeManifold(const Capsule& edge, const RigidTransform& X_ME, const Vector3d& a,
                                const Vector3d& b) {
    const SegmentLeast least = FindLeastOnSegment(MakeLeaf(shape_), X_CM_ * a, X_CM_ * b, margin_);
    if (least.at.value >= margin_) return;
    const double smallest = CalcSmallestRadius(shape_);
    const bool is_clear = least.at.value > kClearLength * smallest;
    // So deep with all its points that it has not come from outside.
    if (!is_clear && MakeLeaf(shape_).Evaluate(X_CM_ * a).value < -0.5 * smallest &&
        MakeLeaf(shape_).Evaluate(X_CM_ * b).value < -0.5 * smallest)
      return;
    if constexpr (std::is_same_v<C, Ellipsoid>) {
      if (!is_clear) {
        Collide(shape_, X_MC_, edge, X_ME, margin_, points_);
        TurnNormals();
        return;
      }
      const Vector3d n = X_MC_.R * -least.at.gradient;
      AddPoint({}, a + least.s * (b - a) + 0.5 * least.at.value * n, n, least.at.value, margin_, 0, points_);
    } else {
      if (!is_clear) {
        Collide(edge, X_ME, shape_, X_MC_, margin_, points_);
        return;
      }
      Distance nearest;
      nearest.distance = least.at.value;
      nearest.n_W = X_ME.R.transpose() * (X_MC_.R * -least.at.gradient);
      nearest.p_WA = {0.0, 0.0, (2.0 * least.s - 1.0) * edge.half_length};
      nearest.p_WB = nearest.p_WA + nearest.distance * nearest.n_W;
      CollideWithNearest(edge, X_ME, shape_, X_MC_, margin_, nearest, points_);
    }
  }
  static constexpr double kClearLength = 1e-5;
  void TurnNormals() {
    for (int k = 0; k < points_.num_points; ++k) points_.points[k].n_W = -points_.points[k].n_W;
  }

  const C& shape_;
  const RigidTransform& X_MC_;
  RigidTransform X_CM_;
  double margin_;
  Manifold points_;
};

// Boxes and hulls.
class PolytopeSide {
 public:
  PolytopeSide(const Polytope& shape, const RigidTransform& X_MC, double margin)
      : shape_(shape), X_MC_(X_MC), X_CM_(X_MC.Inverse()), margin_(margin) {
    lower_ = upper_ = shape.vertices[0];
    for (const Vector3d& p : shape.vertices) {
      lower_ = lower_.cwiseMin(p);
      upper_ = upper_.cwiseMax(p);
    }
  }

  const RigidTransform& X_MC() const { return X_MC_; }
  double thickness() const { return shape_.thickness; }
  Vector3d CalcHalfExtents(const Matrix3d& R) const { return R.cwiseAbs() * (-lower_).cwiseMax(upper_); }

  std::optional<DeepOverlap> FindDeep(const MeshSurface& mesh, double least) const {
    return FindDeepOverlap(mesh, shape_, X_MC_, least);
  }
  // Nor if the whole triangle is before one of C's faces, most likely the one that the last was before.
  bool MayTouch(const MeshSurface& mesh, int face) {
    const Vector3d a = X_CM_ * mesh.vertex(face, 0), b = X_CM_ * mesh.vertex(face, 1),
                   c = X_CM_ * mesh.vertex(face, 2);
    const double clear = margin_ * (1.0 + 1e-9) + kBeside * shape_.thickness;
    const auto is_before = [&](const ConvexHull::Face& at) {
      return std::min({at.normal.dot(a), at.normal.dot(b), at.normal.dot(c)}) - at.offset >= clear;
    };
    if (is_before(shape_.faces[separating_])) return false;
    if (!MayTouchPlane(mesh.faces[face], shape_, X_MC_, margin_)) return false;
    for (std::size_t f = 0; f < shape_.faces.size(); ++f) {
      if (!is_before(shape_.faces[f])) continue;
      separating_ = static_cast<int>(f);
      return false;
    }
    return true;
  }

  void AddVertices(const MeshSurface& mesh, int face, Gatherer& out) {
    const MeshSurface::Face& at = mesh.faces[face];
    const Vector3d n_C = X_CM_.R * at.normal;
    const double offset_C = at.offset - at.normal.dot(X_MC_.p);
    start_ = shape_.FindSupport(-n_C, start_);
    if (n_C.dot(shape_.vertices[start_]) - offset_C >= margin_) return;
    for (int v = 0; v < static_cast<int>(shape_.vertices.size()); ++v) {
      const double height = n_C.dot(shape_.vertices[v]) - offset_C;
      if (height >= margin_) continue;
      const Vector3d p = X_MC_ * shape_.vertices[v];
      AddVertex(mesh, face, p, height, 0.0, v, X_MC_.p, out);
    }
  }

  void AddCorner(const MeshSurface& mesh, int vertex, Gatherer& out) {
    const Vector3d& p = mesh.mesh.vertices[vertex];
    const Vector3d p_C = X_CM_ * p;
    if (!IsNear(p_C, p_C)) return;
    const std::uint32_t feature = HashNames({kCornerName, vertex});
    // The face that the corner is above, or least deep below, of those that it can push; and how far it is
    // above any other one. What is lower than the highest by more than the tolerance is not asked.
    double best = -std::numeric_limits<double>::infinity(), other = best;
    const double highest = CalcHeight(p_C);
    if (highest >= margin_ || highest < -0.5 * shape_.thickness) return;
    Vector3d n;
    for (const ConvexHull::Face& face : shape_.faces) {
      const double height = face.normal.dot(p_C) - face.offset;
      if (height > best && height >= highest - kBeside * out.size()) {
        const Vector3d direction = X_MC_.R * -face.normal;
        if (VertexAdmits(mesh, vertex, direction, kConeSine)) {
          other = std::max(other, best);
          best = height;
          n = direction;
          continue;
        }
      }
      other = std::max(other, height);
    }
    // Over the face if not beyond another one. Well in front of it, that is worth knowing exactly.
    if (best <= kBeside * out.size() && other <= std::min(best, 0.0) + kBeside * out.size()) {
      if (best > -0.5 * shape_.thickness) out.Add(Kind::kCorner, p, n, best, feature);
      return;
    }
    if (std::max(best, other) <= 0.0) return;
    const geometry::CoreDistance nearest = CalcPointDistance(p_C, shape_);
    const Vector3d direction = X_MC_.R * nearest.n_A;
    if (nearest.distance < margin_ && VertexAdmits(mesh, vertex, direction, kConeSine))
      out.Add(Kind::kCorner, p, direction, nearest.distance, feature);
  }

  void AddEdge(const MeshSurface& mesh, int face, int k, Gatherer& out) {
    const Vector3d a = X_CM_ * mesh.vertex(face, k), b = X_CM_ * mesh.vertex(face, (k + 1) % 3);
    if (!FacesEdge(mesh, face, k, X_MC_.p) || !IsNear(a, b) || IsBeyondFace(a, b)) return;
    const MeshSurface::Face& at = mesh.faces[face];
    const Vector3d side_M =
        at.neighbor[k] < 0 ? at.normal : Vector3d(at.normal + mesh.faces[at.neighbor[k]].normal);
    const Vector3d side = X_CM_.R * side_M;
    AddVerticesBesideEdge(mesh, face, k, a, b, out);
    const double length = (b - a).norm();
    for (const ConvexHull::Edge& edge : shape_.edges) {
      const int v = edge.vertex[0], w = edge.vertex[1];
      if (!IsOutline(edge, b - a, length)) continue;
      EdgeCrossing crossing;
      if (!FindCrossing(a, b, shape_.vertices[v], shape_.vertices[w], side, crossing)) continue;
      if (!(crossing.gap < margin_ && crossing.gap > -shape_.thickness)) continue;
      if (!Supports(v, -crossing.n) || !Supports(w, -crossing.n)) continue;
      const Vector3d n = X_MC_.R * crossing.n;
      if (!EdgeAdmits(mesh, face, k, n, kConeSine)) continue;
      out.Add(Kind::kEdges, X_MC_ * crossing.p, n, crossing.gap, HashNames({kEdgeName, 3 * face + k, v, w}));
    }
  }

 private:
  // Vertices in front of the edge, over neither of its faces. Below the slack they count as over a face.
  void AddVerticesBesideEdge(const MeshSurface& mesh, int face, int k, const Vector3d& a, const Vector3d& b,
                             Gatherer& out) {
    const Vector3d along = b - a;
    const double squared = along.squaredNorm();
    const Vector3d lower = a.cwiseMin(b).array() - margin_, upper = a.cwiseMax(b).array() + margin_;
    for (int v = 0; v < static_cast<int>(shape_.vertices.size()); ++v) {
      const Vector3d& p = shape_.vertices[v];
      if ((p.array() < lower.array()).any() || (p.array() > upper.array()).any()) continue;
      const double s = along.dot(p - a) / squared;
      if (!(s > 0.0 && s < 1.0)) continue;
      const Vector3d q = a + s * along;
      const double distance = (p - q).norm();
      if (distance >= margin_ || distance <= kBeside * out.size()) continue;
      const Vector3d n_C = (p - q) / distance, n = X_MC_.R * n_C;
      if (!Supports(v, -n_C) || !EdgeAdmits(mesh, face, k, n, 0.0)) continue;
      out.Add(Kind::kEdges, X_MC_ * q, n, distance, HashNames({kEdgeName, 3 * face + k, v}));
    }
  }

  // Whether C's edge may be seen edge-on along the unit normal of its crossing with a line, which is
  // perpendicular to the line: the edge's two faces look to different sides of it, to well over the cones'
  // tolerance.
  bool IsOutline(const ConvexHull::Edge& edge, const Vector3d& along, double length) const {
    constexpr double kOutlineSine = 50.0 * kConeSine;
    const double one = shape_.faces[edge.face[0]].normal.dot(along);
    const double other = shape_.faces[edge.face[1]].normal.dot(along);
    const double clear = kOutlineSine * length;
    return !(one > clear && other > clear) && !(one < -clear && other < -clear);
  }

  // Whether both points are before one of C's faces by the margin or more.
  bool IsBeyondFace(const Vector3d& p, const Vector3d& q) const {
    return std::any_of(shape_.faces.begin(), shape_.faces.end(), [&](const ConvexHull::Face& face) {
      return std::min(face.normal.dot(p), face.normal.dot(q)) - face.offset >= margin_;
    });
  }

  // Whether the box of two points comes within the margin of C's.
  bool IsNear(const Vector3d& p, const Vector3d& q) const {
    return (p.cwiseMin(q).array() <= upper_.array() + margin_).all() &&
           (p.cwiseMax(q).array() >= lower_.array() - margin_).all();
  }
  // Over the face that it is highest over, no more than the distance; or over any that it is beyond the
  // margin of.
  double CalcHeight(const Vector3d& p_C) {
    const auto height_over = [&](int face) {
      return shape_.faces[face].normal.dot(p_C) - shape_.faces[face].offset;
    };
    double highest = height_over(separating_);
    for (int f = 0; f < static_cast<int>(shape_.faces.size()) && highest < margin_; ++f) {
      const double height = height_over(f);
      if (height >= margin_) separating_ = f;
      highest = std::max(highest, height);
    }
    return highest;
  }
  bool Supports(int vertex, const Vector3d& n) const {
    const auto neighbors = shape_.NeighborsOf(vertex);
    return std::all_of(neighbors.begin(), neighbors.end(), [&](int other) {
      const Vector3d edge = shape_.vertices[other] - shape_.vertices[vertex];
      return n.dot(edge) <= kConeSine * edge.norm();
    });
  }

  const Polytope& shape_;
  const RigidTransform& X_MC_;
  RigidTransform X_CM_;
  double margin_;
  Vector3d lower_, upper_;
  int start_ = 0;
  int separating_ = 0;  // face of C that a triangle, or a corner, was before
};

template <typename Side>
void CollideMesh(const MeshSurface& mesh, const RigidTransform& X_WM, Side& side, double margin,
                 Manifold& out) {
  Gatherer gatherer(margin, CalcPairSize(mesh, side.thickness()), kSamePlaceOnMesh);
  const RigidTransform& X_MC = side.X_MC();
  const Vector3d half = side.CalcHalfExtents(X_MC.R) + Vector3d::Constant(margin);
  mesh.tree.ForEachInBox(X_MC.p - half, X_MC.p + half, [&](int f) {
    const MeshSurface::Face& face = mesh.faces[f];
    if (!side.MayTouch(mesh, f)) return;
    side.AddVertices(mesh, f, gatherer);
    for (int k = 0; k < 3; ++k) {
      const int vertex = mesh.mesh.triangles[f][k];
      if (face.owns_vertex[k] && mesh.is_corner[vertex]) side.AddCorner(mesh, vertex, gatherer);
      if (face.owns_edge[k] && IsRidge(face.edge[k])) side.AddEdge(mesh, f, k, gatherer);
    }
  });
  FinishMesh([&](double least) { return side.FindDeep(mesh, least); }, X_WM, gatherer, out);
}

template <typename Side>
void GatherFrom(const MeshSurface& mesh, Side& side, double margin, Gatherer& out) {
  const RigidTransform& X_MC = side.X_MC();
  const Vector3d half = side.CalcHalfExtents(X_MC.R) + Vector3d::Constant(margin);
  mesh.tree.ForEachInBox(X_MC.p - half, X_MC.p + half, [&](int f) {
    for (int k = 0; k < 3; ++k) {
      const int vertex = mesh.mesh.triangles[f][k];
      if (mesh.faces[f].owns_vertex[k] && mesh.is_corner[vertex]) side.AddCorner(mesh, vertex, out);
    }
  });
}

template <typename C>
void CollideRound(const Mesh& mesh, const RigidTransform& X_WA, const C& shape, const RigidTransform& X_WB,
                  double margin, Manifold& out) {
  const RigidTransform X_MC = RelativePose(X_WA, X_WB);
  RoundSide<C> side(shape, X_MC, margin);
  CollideMesh(*mesh.surface, X_WA, side, margin, out);
}

void CollidePolytope(const Mesh& mesh, const RigidTransform& X_WA, const Polytope& shape,
                     const RigidTransform& X_WB, double margin, Manifold& out) {
  const RigidTransform X_MC = RelativePose(X_WA, X_WB);
  PolytopeSide side(shape, X_MC, margin);
  CollideMesh(*mesh.surface, X_WA, side, margin, out);
}

}  // namespace

void GatherCorners(const MeshSurface& mesh, const Ellipsoid& shape, const RigidTransform& X_MC, double margin,
                   Gatherer& out) {
  RoundSide<Ellipsoid> side(shape, X_MC, margin);
  GatherFrom(mesh, side, margin, out);
}

void GatherCorners(const MeshSurface& mesh, const Cylinder& shape, const RigidTransform& X_MC, double margin,
                   Gatherer& out) {
  RoundSide<Cylinder> side(shape, X_MC, margin);
  GatherFrom(mesh, side, margin, out);
}

void GatherCorners(const MeshSurface& mesh, const Box& shape, const RigidTransform& X_MC, double margin,
                   Gatherer& out) {
  const BoxPolytope storage(shape);
  const Polytope polytope = storage.View();
  PolytopeSide side(polytope, X_MC, margin);
  GatherFrom(mesh, side, margin, out);
}

void GatherCorners(const MeshSurface& mesh, const Hull& shape, const RigidTransform& X_MC, double margin,
                   Gatherer& out) {
  const Polytope polytope = MakePolytope(*shape.polytope);
  PolytopeSide side(polytope, X_MC, margin);
  GatherFrom(mesh, side, margin, out);
}

void Collide(const Mesh& mesh, const RigidTransform& X_WA, const Sphere& sphere, const RigidTransform& X_WB,
             double margin, Manifold& out) {
  CollideRound(mesh, X_WA, sphere, X_WB, margin, out);
}

void Collide(const Mesh& mesh, const RigidTransform& X_WA, const Capsule& capsule, const RigidTransform& X_WB,
             double margin, Manifold& out) {
  CollideRound(mesh, X_WA, capsule, X_WB, margin, out);
}

void Collide(const Mesh& mesh, const RigidTransform& X_WA, const Ellipsoid& ellipsoid,
             const RigidTransform& X_WB, double margin, Manifold& out) {
  CollideRound(mesh, X_WA, ellipsoid, X_WB, margin, out);
}

void Collide(const Mesh& mesh, const RigidTransform& X_WA, const Cylinder& cylinder,
             const RigidTransform& X_WB, double margin, Manifold& out) {
  CollideRound(mesh, X_WA, cylinder, X_WB, margin, out);
}

void Collide(const Mesh& mesh, const RigidTransform& X_WA, const Box& box, const RigidTransform& X_WB,
             double margin, Manifold& out) {
  const BoxPolytope storage(box);
  CollidePolytope(mesh, X_WA, storage.View(), X_WB, margin, out);
}

void Collide(const Mesh& mesh, const RigidTransform& X_WA, const Hull& hull, const RigidTransform& X_WB,
             double margin, Manifold& out) {
  CollidePolytope(mesh, X_WA, MakePolytope(*hull.polytope), X_WB, margin, out);
}

}  // namespace stiction::narrowphase
