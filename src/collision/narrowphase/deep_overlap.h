// A way out for a mesh and something that overlap, where no pair of features says one.
//
// The points of mesh.h are exact where shapes touch. Deep in one another there may be none: no vertex is over
// a face that it came through. Here depth is approximate, but found whenever surfaces cross:
//
// 1. Direction. The volume V of the overlap shrinks fastest, as B moves, along the mean normal of the part of
//    A's surface that lies in B,
//
//        S = ∫ n_A dA over ∂A ∩ B,      dV = -S · dx.
//
//    B convex: the triangles of A are cut to B and their areas summed. B a mesh: S is the vector area of the
//    curve in which the surfaces cross, S = ½ ∮ r × dr, its pieces directed along n_A × n_B.
//
// 2. Where S all but vanishes (a wall's two sides, a rod through a plate): along the face, of those that are
//    crossed, that B is pushed out of with the shortest way.
//
// 3. Depth. From points in the overlap along the direction to where B ends, as far as that is below the face;
//    for two meshes the longest way in both. It is not overrated by more than what is beside the overlap, so
//    that steps of this length lead out without a leap.
//
// 4. Without a crossing, a body that is inside of a closed mesh is pushed to the nearest face.
#pragma once

#include <optional>

#include "collision/narrowphase/gatherer.h"
#include "collision/narrowphase/half_space.h"
#include "collision/narrowphase/mesh.h"
#include "stiction/geometry/mesh_surface.h"

namespace stiction::narrowphase {

struct DeepOverlap {
  Vector3d p;          // midway between the surfaces [m]
  Vector3d n;          // unit, from the mesh (A) to the other shape (B)
  double depth = 0.0;  // positive [m]
};

// All in the mesh's frame.
//   X_MC   pose of the convex shape
//   least  what is not deeper than this does not count [m]
std::optional<DeepOverlap> FindDeepOverlap(const MeshSurface& mesh, const Sphere& shape,
                                           const RigidTransform& X_MC, double least);
std::optional<DeepOverlap> FindDeepOverlap(const MeshSurface& mesh, const Capsule& shape,
                                           const RigidTransform& X_MC, double least);
std::optional<DeepOverlap> FindDeepOverlap(const MeshSurface& mesh, const Ellipsoid& shape,
                                           const RigidTransform& X_MC, double least);
std::optional<DeepOverlap> FindDeepOverlap(const MeshSurface& mesh, const Cylinder& shape,
                                           const RigidTransform& X_MC, double least);
std::optional<DeepOverlap> FindDeepOverlap(const MeshSurface& mesh, const Polytope& shape,
                                           const RigidTransform& X_MC, double least);

// In A's frame.
std::optional<DeepOverlap> FindDeepOverlap(const MeshSurface& a, const MeshSurface& b,
                                           const RigidTransform& X_AB, double least);

// What the gatherer holds of a mesh and something else is sorted out and written to the manifold, with a way
// out where nothing of it overlaps.
//   find(least)  the FindDeepOverlap of the pair
template <typename Find>
void FinishMesh(const Find& find, const RigidTransform& X_WM, Gatherer& gatherer, Manifold& out) {
  // Far above round-off, far below what the position stage leaves.
  constexpr double kLeastOverlap = 1e-6;
  gatherer.SortOut();
  if (!(gatherer.CalcSmallestGap() < 0.0)) {
    if (const std::optional<DeepOverlap> deep = find(kLeastOverlap * gatherer.size())) {
      const auto feature = kDeepFeature | HashNames({static_cast<int>(NameDirection(deep->n))});
      gatherer.AddAlone(deep->p, deep->n, -deep->depth, feature);
    }
  }
  gatherer.Finish(X_WM, kMaxMeshPoints, out);
}

// The way from p, inside of a closed mesh, to its nearest triangle; none for a point outside.
struct WayToSurface {
  Vector3d n;             // unit
  double distance = 0.0;  // [m]
};
std::optional<WayToSurface> FindWayToSurface(const MeshSurface& mesh, const Vector3d& p);

}  // namespace stiction::narrowphase
