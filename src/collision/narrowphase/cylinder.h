// Cylinders against capsules, cylinders, boxes and hulls; ellipsoids against everything.
//
// The rules are those of manifold_policy.h, with d, the signed distance (geometry/distance.h), for what
// edges, rims and sides offer against a face. Beyond them:
//
// 1. Flat faces are the polytope's and the caps.
//
// 2. What looks at the reference is clipped against it: the cap of a cylinder within 30 degrees of it, as
// four
//    points of the rim that are fixed in the cylinder, the crossings of the rim with the sides of the
//    reference, and the corners that lie within the rim; and the line of the side that is nearest to it,
//    which for a lying cylinder or capsule is the contact. Gaps are heights above the reference, exact there.
//
// 3. Without a reference, sides that run along one another, or along an edge, get the two ends of the common
//    stretch.
//
// An ellipsoid has one point, feature 0.
#pragma once

#include "stiction/collision/manifold.h"
#include "stiction/geometry/distance.h"
#include "stiction/geometry/shape.h"

namespace stiction::narrowphase {

void Collide(const Capsule& capsule, const RigidTransform& X_WA, const Cylinder& cylinder,
             const RigidTransform& X_WB, double margin, Manifold& out);
void Collide(const Cylinder& cylinder, const RigidTransform& X_WA, const Cylinder& other,
             const RigidTransform& X_WB, double margin, Manifold& out);
void Collide(const Cylinder& cylinder, const RigidTransform& X_WA, const Box& box, const RigidTransform& X_WB,
             double margin, Manifold& out);
void Collide(const Cylinder& cylinder, const RigidTransform& X_WA, const Hull& hull,
             const RigidTransform& X_WB, double margin, Manifold& out);

// The last two without the short way on which faces alone decide: by the distance, always. The same bits; for
// tests.
void CollideByDistance(const Cylinder& cylinder, const RigidTransform& X_WA, const Box& box,
                       const RigidTransform& X_WB, double margin, Manifold& out);
void CollideByDistance(const Cylinder& cylinder, const RigidTransform& X_WA, const Hull& hull,
                       const RigidTransform& X_WB, double margin, Manifold& out);

// The same for a capsule and a cylinder whose signed distance is known.
//   nearest  in the capsule's frame
void CollideWithNearest(const Capsule& capsule, const RigidTransform& X_WA, const Cylinder& cylinder,
                        const RigidTransform& X_WB, double margin, const Distance& nearest, Manifold& out);

// The nearest point alone.
void CollideAtNearestPoint(const Shape& a, const RigidTransform& X_WA, const Shape& b,
                           const RigidTransform& X_WB, double margin, Manifold& out);
template <typename Other>
void Collide(const Ellipsoid& ellipsoid, const RigidTransform& X_WA, const Other& other,
             const RigidTransform& X_WB, double margin, Manifold& out) {
  CollideAtNearestPoint(ellipsoid, X_WA, other, X_WB, margin, out);
}

}  // namespace stiction::narrowphase
