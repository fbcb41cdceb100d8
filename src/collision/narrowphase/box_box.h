// Box (A) against box (B): separating axes, then face clipping; nearest points where boxes that are apart
// face each other with an edge or a corner.
//
// The rules are those of manifold_policy.h, by separations along all axes; the incident face is clipped in
// box_clip.h.
//
// Feature, bits 30-31: the kind (FeatureKind). Below, for face contacts, 10-13 the reference (side, axis,
// box) and 0-9 the clipped point (box_clip.h); for edges, 6-11 the edge of A and 0-5 that of B; for nearest
// points see box_nearest.h; for a corner, its vertex.
#pragma once

#include "stiction/collision/manifold.h"
#include "stiction/geometry/shape.h"

namespace stiction::narrowphase {

void Collide(const Box& box, const RigidTransform& X_WA, const Box& other, const RigidTransform& X_WB,
             double margin, Manifold& out);

}  // namespace stiction::narrowphase
