#include "geometry/mesh_distance.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "geometry/triangle_distance.h"
#include "math/constants.h"

namespace stiction::geometry {
namespace {

Core MakeTriangle(const MeshSurface& mesh, int face) {
  Core core;
  core.kind = Core::Kind::kTriangle;
  core.corner = {&mesh.vertex(face, 0), &mesh.vertex(face, 1), &mesh.vertex(face, 2)};
  return core;
}

using Node = TriangleTree::Node;

// Lower bounds of the distance of boxes in the frames A and B: how far B's box, boxed in again in A's axes,
// is from A's box, and the same in B's axes, whichever is more.
class BoxSeparation {
 public:
  explicit BoxSeparation(const RigidTransform& X_AB)
      : X_AB_(X_AB), spread_AB_(X_AB.R.cwiseAbs()), spread_BA_(spread_AB_.transpose()) {}

  struct Bound {
    double distance;  // squared [m²]
    double centers;   // the distance of the middles, squared, which tells apart boxes that overlap [m²]
    bool operator<(const Bound& other) const {
      return distance < other.distance || (distance == other.distance && centers < other.centers);
    }
  };

  Bound CalcBound(const Node& a, const Node& b) const {
    const Vector3d half_a = 0.5 * (a.upper - a.lower), half_b = 0.5 * (b.upper - b.lower);
    const Vector3d offset_A = X_AB_ * Vector3d(0.5 * (b.lower + b.upper)) - 0.5 * (a.lower + a.upper);
    const Vector3d offset_B = X_AB_.R.transpose() * offset_A;
    const Vector3d gap_A = offset_A.cwiseAbs() - half_a - spread_AB_ * half_b;
    const Vector3d gap_B = offset_B.cwiseAbs() - half_b - spread_BA_ * half_a;
    const double centers = offset_A.squaredNorm();
    // The slab across the line of their middles, times that line's length.
    const double slab = centers - offset_A.cwiseAbs().dot(half_a) - offset_B.cwiseAbs().dot(half_b);
    return {std::max({gap_A.cwiseMax(0.0).squaredNorm(), gap_B.cwiseMax(0.0).squaredNorm(),
                      slab > 0.0 ? slab * slab / centers : 0.0}),
            centers};
  }

 private:
  const RigidTransform X_AB_;
  const Matrix3d spread_AB_, spread_BA_;
};

// Calls visit(leaf of a, leaf of b) for the pairs of boxes that are nearer than `best`, which visits lower:
// the nearer half of what is left first, so that it falls soon. The first nodes are the roots.
//   best  distance, squared [m²]
template <typename Visit>
void VisitNearest(std::span<const Node> a, std::span<const Node> b, const RigidTransform& X_AB,
                  const double& best, const Visit& visit) {
  struct Pair {
    int i, j;
    BoxSeparation::Bound bound;
  };
  const BoxSeparation separation(X_AB);
  const auto pair_of = [&](int i, int j) { return Pair{i, j, separation.CalcBound(a[i], b[j])}; };
  std::array<Pair, 2 * TriangleTree::kMaxDepth + 1> stack;
  int size = 0;
  stack[size++] = pair_of(0, 0);
  while (size > 0) {
    const Pair pair = stack[--size];
    if (!(pair.bound.distance < best)) continue;
    const Node &node_a = a[pair.i], &node_b = b[pair.j];
    if (node_a.is_leaf() && node_b.is_leaf()) {
      visit(node_a, node_b);
      continue;
    }
    // The larger one is opened.
    const bool open_a =
        node_b.is_leaf() || (!node_a.is_leaf() && (node_a.upper - node_a.lower).squaredNorm() >=
                                                      (node_b.upper - node_b.lower).squaredNorm());
    Pair near = open_a ? pair_of(node_a.first, pair.j) : pair_of(pair.i, node_b.first);
    Pair far = open_a ? pair_of(node_a.first + 1, pair.j) : pair_of(pair.i, node_b.first + 1);
    if (far.bound < near.bound) std::swap(near, far);
    stack[size++] = far;
    stack[size++] = near;
  }
}

Vector3d FindHalfExtents(const Core& core) {
  return core.kind == Core::Kind::kHull ? Vector3d((-core.hull->lower).cwiseMax(core.hull->upper)) : core.h;
}

}  // namespace

Vector3d FindSupport(const MeshSurface& mesh, const Vector3d& d) {
  return *std::max_element(mesh.mesh.vertices.begin(), mesh.mesh.vertices.end(),
                           [&](const Vector3d& p, const Vector3d& q) { return d.dot(p) < d.dot(q); });
}

CoreDistance CalcMeshDistance(const MeshSurface& mesh, const Core& core, const RigidTransform& X_AB) {
  CoreDistance best;
  best.distance = kInfinity;
  double squared = kInfinity;
  const Vector3d half = FindHalfExtents(core);
  const Node box{-half, half, 0, 1};
  VisitNearest(mesh.tree.nodes(), {&box, 1}, X_AB, squared, [&](const Node& leaf, const Node&) {
    for (int k = 0; k < leaf.count; ++k) {
      const int face = mesh.tree.order()[leaf.first + k];
      const CoreDistance found = CalcCoreDistance(MakeTriangle(mesh, face), core, X_AB, best.distance);
      if (!(found.distance < best.distance)) continue;
      best = found;
      // A triangle that is met has no direction but its own.
      if (found.distance == 0.0) best.n_A = mesh.faces[face].normal;
      squared = best.distance * best.distance;
    }
  });
  return best;
}

CoreDistance CalcMeshDistance(const MeshSurface& a, const MeshSurface& b, const RigidTransform& X_AB) {
  double best = kInfinity;
  int best_a = 0, best_b = 0;
  VisitNearest(a.tree.nodes(), b.tree.nodes(), X_AB, best, [&](const Node& leaf_a, const Node& leaf_b) {
    for (int l = 0; l < leaf_b.count; ++l) {
      const int face_b = b.tree.order()[leaf_b.first + l];
      const Triangle triangle_b{X_AB * b.vertex(face_b, 0), X_AB * b.vertex(face_b, 1),
                                X_AB * b.vertex(face_b, 2)};
      for (int k = 0; k < leaf_a.count; ++k) {
        const int face_a = a.tree.order()[leaf_a.first + k];
        const Triangle triangle_a{a.vertex(face_a, 0), a.vertex(face_a, 1), a.vertex(face_a, 2)};
        const double squared = CalcTriangleDistanceSquared(triangle_a, triangle_b, best);
        if (squared < best) best = squared, best_a = face_a, best_b = face_b;
      }
    }
  });
  // GJK knows the direction between triangles that nearly touch better than their nearest points do.
  CoreDistance nearest = CalcCoreDistance(MakeTriangle(a, best_a), MakeTriangle(b, best_b), X_AB);
  if (nearest.distance == 0.0) nearest.n_A = a.faces[best_a].normal;
  return nearest;
}

}  // namespace stiction::geometry
