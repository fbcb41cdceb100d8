// Of the points of a mesh and another shape, those that the mesh's own corners make.
#pragma once

#include "collision/narrowphase/gatherer.h"
#include "stiction/geometry/shape.h"

namespace stiction::narrowphase {

// Corners of the mesh at a convex shape C.
void GatherCorners(const MeshSurface& mesh, const Ellipsoid& shape, const RigidTransform& X_MC, double margin,
                   Gatherer& out);
void GatherCorners(const MeshSurface& mesh, const Cylinder& shape, const RigidTransform& X_MC, double margin,
                   Gatherer& out);
void GatherCorners(const MeshSurface& mesh, const Box& shape, const RigidTransform& X_MC, double margin,
                   Gatherer& out);
void GatherCorners(const MeshSurface& mesh, const Hull& shape, const RigidTransform& X_MC, double margin,
                   Gatherer& out);

// Corners of the mesh over the faces of another one. Points and normals in the first one's frame M.
void GatherCorners(const MeshSurface& mesh, const MeshSurface& other, const RigidTransform& X_MO,
                   double margin, Gatherer& out);

}  // namespace stiction::narrowphase
