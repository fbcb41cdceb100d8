// Hulls against half-spaces, spheres, capsules, boxes and hulls.
//
// Hull–hull and box–hull follow box_box.h: whole faces, ties that favour what was there before, stable names.
// Lengths are measured by the smaller thickness of both, the size; d and n are their signed distance and its
// direction (geometry/distance.h).
//
// 1. A's face whose normal separates best is the reference, unless one of B separates better by 2 % and 1e-4
//    of the size. It is not used where an axis across two edges separates better than it does by 5 % and
//    1e-3 of the size.
//
// 2. The face of the other shape at its deepest vertex is clipped (hull_clip.h).
//
// 3. Shapes that are apart, where the clipped points miss d by as much as in rule 1, get their nearest points
//    too: one, or the two ends of the stretch along which an edge of B runs along A.
//
// 4. Overlapping shapes without a clipped point get the point of least translation, between two edges or at
//    the deepest vertex. So do those whose clipped points miss much of the depth, beside a small face.
//
// A vertex of the tessellation of a round part lies hardly higher than its neighbours: the incident face
// takes in all vertices within 1e-3 of the size of its plane, and gaps are measured to the surfaces
// themselves. A reference face is never extended, so that two finely tessellated round hulls touch on one
// small face; either of them on a box, a plane or a large face stands on all of its vertices that are near.
//
// More than eight points are thinned out (spread.h): the deepest stays.
//
// Features are 28-bit hashes of the vertices that made the point, below the FeatureKind of box_box.h and, for
// faces, the kind of clipped point (hull_clip.h).
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

}  // namespace stiction::narrowphase
