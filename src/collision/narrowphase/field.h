// Signed distance fields against everything.
//
// Gaps and normals come from φ itself, places from triangles:
//
// 1. On each triangle of the other shape's surface near the field, the point of least φ (Frank and Wolfe's
//    method [Macklin et al., "Local optimization for robust signed distance field collision", 2020]): the gap
//    is φ, n its gradient. Whole branches of the tree of triangles are passed over where φ at a box's middle
//    is more than its half diagonal, since φ changes by no more than the way [CANAL, appendix B]. Boxes and
//    hulls have their faces; cylinders and ellipsoids are cut into facets, whose points are moved onto the
//    surface. Spheres and capsules are their core with a radius: the field's nearest point to it, found from
//    the field's triangles, and from the core itself where that is within the solid. Of a finely cut surface
//    each patch gives one point.
// 2. Corners of the field's triangles at faces of a convex shape or a mesh (mesh.h): a rim under a plate.
// 3. Two fields: of each patch of either surface, small and nearly flat, the point where the other's φ is
//    least (sample_search.h), between samples, too, across the face and along creases; at an edge n is at
//    right angles to the face that meets it. Points are clustered by area: of those that are nearer to one
//    another than a tenth of the smaller shape's diameter, a normal that turns by a radian counting as a size
//    (point_spread.h), one stays. So every part of the surfaces that touches has its point, with a normal
//    like its own, and the wrenches that the contact can pass on are kept: what a left-out point pushes with,
//    its neighbour pushes with from a lever arm that differs by less than that.
//
// The points are thinned out to Manifold::kMaxPoints, spread over places and normals, the deepest among them.
#pragma once

#include "stiction/collision/manifold.h"
#include "stiction/geometry/shape.h"

namespace stiction::narrowphase {

// The vertices of the field's surface below the margin.
void Collide(const Plane& plane, const RigidTransform& X_WA, const Field& field, const RigidTransform& X_WB,
             double margin, Manifold& out);

void Collide(const Field& field, const RigidTransform& X_WA, const Sphere& sphere, const RigidTransform& X_WB,
             double margin, Manifold& out);
void Collide(const Field& field, const RigidTransform& X_WA, const Capsule& capsule,
             const RigidTransform& X_WB, double margin, Manifold& out);
void Collide(const Field& field, const RigidTransform& X_WA, const Ellipsoid& ellipsoid,
             const RigidTransform& X_WB, double margin, Manifold& out);
void Collide(const Field& field, const RigidTransform& X_WA, const Cylinder& cylinder,
             const RigidTransform& X_WB, double margin, Manifold& out);
void Collide(const Field& field, const RigidTransform& X_WA, const Box& box, const RigidTransform& X_WB,
             double margin, Manifold& out);
void Collide(const Field& field, const RigidTransform& X_WA, const Hull& hull, const RigidTransform& X_WB,
             double margin, Manifold& out);
void Collide(const Field& field, const RigidTransform& X_WA, const Mesh& mesh, const RigidTransform& X_WB,
             double margin, Manifold& out);
void Collide(const Field& field, const RigidTransform& X_WA, const Field& other, const RigidTransform& X_WB,
             double margin, Manifold& out);

// Where two fields overlap by more than `depth` [m]: the same points, but of places that deep alone, and at a
// fraction of the time where there are none.
void FindDeepOverlap(const Field& field, const RigidTransform& X_WA, const Field& other,
                     const RigidTransform& X_WB, double depth, Manifold& out);

}  // namespace stiction::narrowphase
