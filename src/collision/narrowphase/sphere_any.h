// Sphere (A) against sphere, capsule, cylinder and box (B), each in closed form: at most one point, feature
// 0, so that a sphere keeps its contact while it rolls from a face over an edge. The gap is the signed
// distance, also with the centre inside B; where several directions out are equally short, one fixed to a
// shape is taken.
#pragma once

#include "stiction/collision/manifold.h"
#include "stiction/geometry/shape.h"

namespace stiction::narrowphase {

void Collide(const Sphere& sphere, const RigidTransform& X_WA, const Sphere& other,
             const RigidTransform& X_WB, double margin, Manifold& out);

void Collide(const Sphere& sphere, const RigidTransform& X_WA, const Capsule& capsule,
             const RigidTransform& X_WB, double margin, Manifold& out);

void Collide(const Sphere& sphere, const RigidTransform& X_WA, const Cylinder& cylinder,
             const RigidTransform& X_WB, double margin, Manifold& out);

void Collide(const Sphere& sphere, const RigidTransform& X_WA, const Box& box, const RigidTransform& X_WB,
             double margin, Manifold& out);

}  // namespace stiction::narrowphase
