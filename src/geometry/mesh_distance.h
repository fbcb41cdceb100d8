// Distance of meshes: the nearest triangle, by the tree of boxes and GJK.
#pragma once

#include "geometry/core_distance.h"
#include "stiction/geometry/mesh_surface.h"

namespace stiction::geometry {

// The vertex that reaches furthest along d.
Vector3d FindSupport(const MeshSurface& mesh, const Vector3d& d);

// Of a mesh (A) and a core (B) without its inflation. Where they meet the distance is 0 and n_A the normal of
// a face that is met.
CoreDistance CalcMeshDistance(const MeshSurface& mesh, const Core& core, const RigidTransform& X_AB);

// Of two meshes.
CoreDistance CalcMeshDistance(const MeshSurface& a, const MeshSurface& b, const RigidTransform& X_AB);

}  // namespace stiction::geometry
