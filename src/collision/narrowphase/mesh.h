// Triangle meshes, hollows included, against everything.
//
// What touches is a pair of features whose normals face each other, so the points of a mesh and a convex
// shape C are gathered by kind, with n the direction from the mesh to C:
//
// 1. A vertex of C (of a round shape: the point that reaches deepest) over a face: n is the face's normal,
// the
//    gap the height. Below a face it counts only if C's origin stands in front, if no neighbour across a
//    ridge is nearer, and if no other face that the same vertex has gone through is much nearer. So neither a
//    wall's far side nor the side of a step that C stands on pushes.
// 2. A corner of the mesh at a face of C, or in front of C's nearest point.
// 3. A ridge of the mesh that crosses an edge of C, or runs along C.
//
// A mesh's vertex or edge gives a point only along directions that it can push: those of the normal cone that
// its neighbours leave. Flat edges leave none, valleys neither: a floor of a million triangles is a floor,
// and a ball rolls over it as over a plane.
//
// Two meshes: vertices over faces both ways, and ridges that cross. How deep a vertex may have gone through a
// face is half the way to the mesh's other side.
//
// Where nothing of this overlaps, but the shapes do, they are deep in one another: deep_overlap.h finds a way
// out. The point's feature has all of the bits kDeepFeature; its gap is no distance between features, so that
// its rate is the normal velocity only nearly.
//
// More than eight points are thinned out (gatherer.h), to eight where all have one normal, else to
// kMaxMeshPoints; features are hashes of what made the point. A face enters by its direction, so that a point
// keeps its name as it moves on from triangle to triangle.
#pragma once

#include <cstdint>

#include "stiction/collision/manifold.h"
#include "stiction/geometry/shape.h"

namespace stiction::narrowphase {

inline constexpr int kMaxMeshPoints = 32;
inline constexpr std::uint32_t kDeepFeature = 0xF0000000u;

// The corners below the margin.
void Collide(const Plane& plane, const RigidTransform& X_WA, const Mesh& mesh, const RigidTransform& X_WB,
             double margin, Manifold& out);

void Collide(const Mesh& mesh, const RigidTransform& X_WA, const Sphere& sphere, const RigidTransform& X_WB,
             double margin, Manifold& out);
void Collide(const Mesh& mesh, const RigidTransform& X_WA, const Capsule& capsule, const RigidTransform& X_WB,
             double margin, Manifold& out);
void Collide(const Mesh& mesh, const RigidTransform& X_WA, const Ellipsoid& ellipsoid,
             const RigidTransform& X_WB, double margin, Manifold& out);
void Collide(const Mesh& mesh, const RigidTransform& X_WA, const Cylinder& cylinder,
             const RigidTransform& X_WB, double margin, Manifold& out);
void Collide(const Mesh& mesh, const RigidTransform& X_WA, const Box& box, const RigidTransform& X_WB,
             double margin, Manifold& out);
void Collide(const Mesh& mesh, const RigidTransform& X_WA, const Hull& hull, const RigidTransform& X_WB,
             double margin, Manifold& out);
void Collide(const Mesh& mesh, const RigidTransform& X_WA, const Mesh& other, const RigidTransform& X_WB,
             double margin, Manifold& out);

}  // namespace stiction::narrowphase
