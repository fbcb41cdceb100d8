// Box (A) against box (B): separating axes, then face clipping; nearest points where boxes that are apart
// face each other with an edge or a corner.
//
// An exact rigid step has no compliance to hide a missing point, so the rules lean towards whole faces.
// Lengths are measured by the smallest extent of both boxes, the size.
//
// 1. A face axis wins unless an edge-edge axis separates better by 5 % and 1e-3 of the size. Edge axes within
//    0.01 rad of a face normal, or from edges parallel within 1e-3, are not tried at all.
//
// 2. A's face is the reference unless B's separates better by 2 % and 1e-4 of the size: a flat stack keeps
// its
//    features.
//
// 3. The incident face is clipped with a tolerance of 1e-3 of the size, see box_clip.h: aligned equal boxes
// keep
//    their four corners, with the same features, under any smaller perturbation.
//
// Gaps of clipped points are heights above the reference face, exact there because the points lie within that
// face. No point lies beside a face: boxes that pass each other do not feel ghosts.
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

enum class FeatureKind : std::uint32_t { kFace = 0, kEdges = 1, kNearest = 2, kCorner = 3 };
inline std::uint32_t MakeFeature(FeatureKind kind, std::uint32_t detail) {
  return static_cast<std::uint32_t>(kind) << 30 | detail;
}

}  // namespace stiction::narrowphase
