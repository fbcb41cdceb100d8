// Half-space against bounded shapes. Every function appends the points with gap below `margin`; A is the
// plane, so the normal is the plane's own. Exact: the gap is the height of a surface point of B above the
// plane.
#pragma once

#include "stiction/collision/manifold.h"
#include "stiction/geometry/shape.h"

namespace stiction::narrowphase {

// One point, feature 0.
void Collide(const Plane& plane, const RigidTransform& X_WA, const Sphere& sphere, const RigidTransform& X_WB,
             double margin, Manifold& out);

// One point a cap: feature 0 at +z, 1 at -z.
void Collide(const Plane& plane, const RigidTransform& X_WA, const Capsule& capsule,
             const RigidTransform& X_WB, double margin, Manifold& out);

// One point, feature 0: the support point of the ellipsoid.
void Collide(const Plane& plane, const RigidTransform& X_WA, const Ellipsoid& ellipsoid,
             const RigidTransform& X_WB, double margin, Manifold& out);

// The deepest point of each rim (features 4 and 12), and near the upright pose four points of the lower rim
// that are fixed in the cylinder (features 0-3 on the cap at +z, 8-11 at -z).
void Collide(const Plane& plane, const RigidTransform& X_WA, const Cylinder& cylinder,
             const RigidTransform& X_WB, double margin, Manifold& out);

// One point per vertex; the feature has bit i set if the vertex lies on the positive side of axis i.
void Collide(const Plane& plane, const RigidTransform& X_WA, const Box& box, const RigidTransform& X_WB,
             double margin, Manifold& out);

}  // namespace stiction::narrowphase
