// Hulls against half-spaces, spheres, capsules, boxes and hulls.
//
// Hull–hull and box–hull follow manifold_policy.h; the incident face, that of the deepest vertex, is clipped
// in hull_clip.h, and nearest points are hull_nearest.h's.
//
// A vertex of the tessellation of a round part lies hardly higher than its neighbours: the incident face
// takes in all vertices within 1e-3 of the size of its plane, and gaps are measured to the surfaces
// themselves. A reference face is never extended, so that two finely tessellated round hulls touch on one
// small face; either of them on a box, a plane or a large face stands on all of its vertices that are near.
//
// Features are 28-bit hashes of the vertices that made the point, below the FeatureKind and, for
// faces, the ClippedKind.
#pragma once

#include "stiction/collision/manifold.h"
#include "stiction/geometry/shape.h"

namespace stiction::narrowphase {

// The vertices below the margin; the feature is the vertex's number.
void Collide(const Plane& plane, const RigidTransform& X_WA, const Hull& hull, const RigidTransform& X_WB,
             double margin, Manifold& out);

// At most one point, feature 0.
void Collide(const Sphere& sphere, const RigidTransform& X_WA, const Hull& hull, const RigidTransform& X_WB,
             double margin, Manifold& out);

// As capsule–box, capsule.h: up to three points.
void Collide(const Capsule& capsule, const RigidTransform& X_WA, const Hull& hull, const RigidTransform& X_WB,
             double margin, Manifold& out);

void Collide(const Box& box, const RigidTransform& X_WA, const Hull& hull, const RigidTransform& X_WB,
             double margin, Manifold& out);

void Collide(const Hull& hull, const RigidTransform& X_WA, const Hull& other, const RigidTransform& X_WB,
             double margin, Manifold& out);

// The last two without the short way on which faces alone decide: by the distance, always. The same bits; for
// tests.
void CollideByDistance(const Box& box, const RigidTransform& X_WA, const Hull& hull,
                       const RigidTransform& X_WB, double margin, Manifold& out);
void CollideByDistance(const Hull& hull, const RigidTransform& X_WA, const Hull& other,
                       const RigidTransform& X_WB, double margin, Manifold& out);

}  // namespace stiction::narrowphase
