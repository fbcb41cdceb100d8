// Capsule (A) against capsule and box (B): the core segment against the other core, inflated by the radii.
//
// Where the cores run along one another (sine below kParallelSine) the pair gets a point at each end of the
// common line, so that a capsule that lies, or is gripped, does not rock on one point. Features: 0 and 1
// towards A's ends at -z and +z, 2 in between. At most three points: the nearest one is added when the two
// ends miss it. Over a face of a box or a hull they do so at any tilt: where a capsule that turns fast meets
// the face with one end, the other may be next.
#pragma once

#include "stiction/collision/manifold.h"
#include "stiction/geometry/shape.h"

namespace stiction::narrowphase {

void Collide(const Capsule& capsule, const RigidTransform& X_WA, const Capsule& other,
             const RigidTransform& X_WB, double margin, Manifold& out);

void Collide(const Capsule& capsule, const RigidTransform& X_WA, const Box& box, const RigidTransform& X_WB,
             double margin, Manifold& out);

inline constexpr double kAnyTilt = 1.0;  // sine

// The features' names.
inline constexpr std::uint32_t kBeginFeature = 0, kEndFeature = 1, kBetweenFeature = 2;

}  // namespace stiction::narrowphase
