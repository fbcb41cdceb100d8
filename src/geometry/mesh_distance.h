// Distance of meshes: the nearest triangles, found by the trees of boxes, and GJK on them.
//
// Boxes are looked into nearest first, down to those that are no nearer than the nearest triangles found so
// far. What this costs is how many triangles are nearly nearest: of surfaces of 10,000 triangles about 1 ms,
// at most 5 ms in random poses, but 0.1 s for a ball in the middle of a hollow one, all around which is
// nearest.
#pragma once

#include "geometry/core_distance.h"
#include "stiction/geometry/mesh_surface.h"

namespace stiction::geometry {

// The vertex that reaches furthest along d.
Vector3d FindSupport(const MeshSurface& mesh, const Vector3d& d);

// Of a mesh (A) and a core (B), no triangle, without its inflation. Where they meet the distance is 0 and n_A
// the normal of a face that is met.
CoreDistance CalcMeshDistance(const MeshSurface& mesh, const Core& core, const RigidTransform& X_AB);

// Of two meshes.
CoreDistance CalcMeshDistance(const MeshSurface& a, const MeshSurface& b, const RigidTransform& X_AB);

}  // namespace stiction::geometry
