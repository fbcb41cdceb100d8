// Two meshes.
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "collision/narrowphase/deep_overlap.h"
#include "geometry/mesh_distance.h"
#include "geometry/triangle_ray.h"
#include "math/constants.h"

namespace stiction::narrowphase {
namespace {

// |S| over the curve's length squared, 1/4π of a circle: below it the curve's parts contradict one another.
constexpr double kCoherentCurve = 1e-3;

using Corners = std::array<Vector3d, 3>;

struct Piece {
  Vector3d from, to;
};

// Where a triangle with corners p crosses the plane at heights h over it. A corner in the plane counts as
// above, so that a curve that passes through it stays closed.
std::optional<Piece> CutByPlane(const Corners& p, const Vector3d& h) {
  std::array<Vector3d, 2> ends;
  int count = 0;
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    if ((h[k] >= 0.0) != (h[next] >= 0.0)) ends[count++] = p[k] + h[k] / (h[k] - h[next]) * (p[next] - p[k]);
  }
  if (count != 2) return std::nullopt;
  return Piece{ends[0], ends[1]};
}

// The part of it within a triangle of that plane, which has the unit normal n.
std::optional<Piece> ClipToTriangle(const Piece& piece, const Corners& p, const Vector3d& n) {
  double enter = 0.0, leave = 1.0;
  for (int k = 0; k < 3; ++k) {
    const Vector3d inwards = n.cross(p[(k + 1) % 3] - p[k]);
    const double at_from = inwards.dot(piece.from - p[k]), at_to = inwards.dot(piece.to - p[k]);
    if (at_from < 0.0 && at_to < 0.0) return std::nullopt;
    if (at_from < 0.0) enter = std::max(enter, at_from / (at_from - at_to));
    if (at_to < 0.0) leave = std::min(leave, at_from / (at_from - at_to));
  }
  if (!(enter < leave)) return std::nullopt;
  const Vector3d along = piece.to - piece.from;
  return Piece{piece.from + enter * along, piece.from + leave * along};
}

// Two meshes and the curve in which they cross, in A's frame.
class Crossing {
 public:
  Crossing(const MeshSurface& a, const MeshSurface& b, const RigidTransform& X_AB)
      : a_(a), b_(b), X_AB_(X_AB), X_BA_(X_AB.Inverse()) {
    a_.tree.ForEachPair(b_.tree, X_AB_, 0.0, [&](int face_a, int face_b) { AddPair(face_a, face_b); });
  }

  bool is_empty() const { return length_ == 0.0; }

  Vector3d FindDirection() const {
    return area_.norm() > kCoherentCurve * length_ * length_ ? Vector3d(area_.normalized()) : shortest_;
  }

  // The longest way along n that leads to where B ends one way and A ends the other: from the curve's middle,
  // from half way between it and the curve, and from corners.
  DeepOverlap FindDepth(const Vector3d& n) const {
    const Vector3d middle = moment_ / length_;
    DeepOverlap best{middle, n, 0.0};
    Try(middle, best);
    for (int k = 0; k < num_middles_; ++k) Try(0.5 * (middle + middles_[k]), best);
    for (int k = 0; k < num_corners_; ++k) Try(corners_[k], best);
    return best;
  }

 private:
  static constexpr int kMaxSamples = 64;

  void AddPair(int face_a, int face_b) {
    const MeshSurface::Face &at_a = a_.faces[face_a], &at_b = b_.faces[face_b];
    Corners p, q;
    Vector3d height_p, height_q;
    const Vector3d n_b = X_AB_.R * at_b.normal;
    const double offset_b = at_b.offset + n_b.dot(X_AB_.p);
    for (int k = 0; k < 3; ++k) {
      q[k] = X_AB_ * b_.vertex(face_b, k);
      height_q[k] = at_a.normal.dot(q[k]) - at_a.offset;
    }
    const auto piece = CutByPlane(q, height_q);
    if (!piece) return;
    for (int k = 0; k < 3; ++k) {
      p[k] = a_.vertex(face_a, k);
      height_p[k] = n_b.dot(p[k]) - offset_b;
    }
    if ((height_p.array() > 0.0).all() || (height_p.array() < 0.0).all()) return;
    const auto clipped = ClipToTriangle(*piece, p, at_a.normal);
    if (!clipped) return;
    AddPiece(*clipped, at_a.normal.cross(n_b));
    AddFaces(at_a, at_b, n_b);
    for (int k = 0; k < 3; ++k) {
      if (height_p[k] < 0.0) AddSample(p[k], corners_, num_corners_);
      if (height_q[k] < 0.0) AddSample(q[k], corners_, num_corners_);
    }
  }

  void AddPiece(const Piece& piece, const Vector3d& along) {
    if (length_ == 0.0) origin_ = piece.from;
    const double length = (piece.to - piece.from).norm();
    const Vector3d twice = (piece.from - origin_).cross(piece.to - origin_);
    area_ += (piece.to - piece.from).dot(along) >= 0.0 ? Vector3d(0.5 * twice) : Vector3d(-0.5 * twice);
    const Vector3d middle = 0.5 * (piece.from + piece.to);
    length_ += length;
    moment_ += length * middle;
    AddSample(middle, middles_, num_middles_);
  }

  // How far the other one's box reaches below each.
  void AddFaces(const MeshSurface::Face& at_a, const MeshSurface::Face& at_b, const Vector3d& n_b) {
    const Vector3d n_in_b = X_BA_.R * at_a.normal;
    const double push_b =
        at_a.offset - at_a.normal.dot(X_AB_.p) + b_.upper.cwiseMax(-b_.lower).dot(n_in_b.cwiseAbs());
    const double push_a =
        at_b.offset - at_b.normal.dot(X_BA_.p) + a_.upper.cwiseMax(-a_.lower).dot(n_b.cwiseAbs());
    if (push_b < least_push_) least_push_ = push_b, shortest_ = at_a.normal;
    if (push_a < least_push_) least_push_ = push_a, shortest_ = -n_b;
  }

  static void AddSample(const Vector3d& p, std::array<Vector3d, kMaxSamples>& samples, int& count) {
    if (count < kMaxSamples) samples[count++] = p;
  }

  // From p along d to where the mesh ends; 0 if it begins there instead. A little ahead of p, which may lie
  // on the surface, whose sides round-off must not mix up.
  static double CalcWayOut(const MeshSurface& mesh, const Vector3d& p, const Vector3d& d) {
    constexpr double kAhead = 1e-7;
    const Vector3d ahead = p + kAhead * mesh.radius * d;
    double reach = kInfinity;
    int first = -1;
    geometry::ForEachHit(mesh.mesh, mesh.tree, ahead, d, reach,
                         [&](int t, double s) { reach = s, first = t; });
    return first >= 0 && mesh.faces[first].normal.dot(d) > 0.0 ? reach + kAhead * mesh.radius : 0.0;
  }

  void Try(const Vector3d& p, DeepOverlap& best) const {
    const double up = CalcWayOut(a_, p, best.n), down = CalcWayOut(b_, X_BA_ * p, X_BA_.R * -best.n);
    if (up + down <= (1.0 + 1e-9) * best.depth) return;
    best.depth = up + down;
    best.p = p + 0.5 * (up - down) * best.n;
  }

  const MeshSurface &a_, &b_;
  const RigidTransform &X_AB_, X_BA_;
  Vector3d origin_ = Vector3d::Zero(), area_ = Vector3d::Zero();  // the vector area is about the origin
  Vector3d moment_ = Vector3d::Zero();
  double length_ = 0.0;
  double least_push_ = kInfinity;
  Vector3d shortest_ = Vector3d::UnitZ();  // of the face that the other one is pushed out of soonest
  // Middles of the curve's pieces, and corners behind the other one's face: all of a short curve.
  std::array<Vector3d, kMaxSamples> middles_, corners_;
  int num_middles_ = 0, num_corners_ = 0;
};

// B inside of A, in A's frame, as one of its vertices tells: how far B reaches back from its middle, or where
// that is in a hollow of A from the vertex.
std::optional<DeepOverlap> FindWayFromInside(const MeshSurface& a, const MeshSurface& b,
                                             const RigidTransform& X_AB) {
  const Vector3d vertex = X_AB * b.mesh.vertices[b.mesh.triangles[0][0]];
  const auto from_vertex = FindWayToSurface(a, vertex);
  if (!from_vertex) return std::nullopt;
  const auto from_middle = FindWayToSurface(a, X_AB.p);
  const auto& way = from_middle ? from_middle : from_vertex;
  const Vector3d& p = from_middle ? X_AB.p : vertex;
  const Vector3d back = X_AB * geometry::FindSupport(b, X_AB.R.transpose() * -way->n);
  const double depth = way->distance + way->n.dot(p - back);
  return DeepOverlap{p + (way->distance - 0.5 * depth) * way->n, way->n, depth};
}

}  // namespace

std::optional<DeepOverlap> FindDeepOverlap(const MeshSurface& a, const MeshSurface& b,
                                           const RigidTransform& X_AB, double least) {
  const Crossing crossing(a, b, X_AB);
  if (!crossing.is_empty()) {
    const DeepOverlap found = crossing.FindDepth(crossing.FindDirection());
    return found.depth > least ? std::optional<DeepOverlap>(found) : std::nullopt;
  }
  if (const auto found = FindWayFromInside(a, b, X_AB)) return found;
  auto found = FindWayFromInside(b, a, X_AB.Inverse());
  if (!found) return std::nullopt;
  return DeepOverlap{X_AB * found->p, X_AB.R * -found->n, found->depth};
}

}  // namespace stiction::narrowphase
