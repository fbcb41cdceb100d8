// Where a segment runs along a polytope: capsules that lie on hulls, and edges of hulls side by side.
#pragma once

#include "collision/narrowphase/polytope.h"
#include "collision/narrowphase/segment.h"

namespace stiction::narrowphase {

Segment MakeSegment(const Vector3d& begin, const Vector3d& end);

// Shortens the span to the stretch of the segment above the face; may leave its length negative.
void ClipToFace(const Segment& segment, const Polytope& polytope, const ConvexHull::Face& face, Span& span);

// The stretch of the segment that runs, within kParallelSine, along the face or edge of the
// polytope nearest to it; just {s, s} if none does.
//   s         parameter of the segment's nearest point
//   p, m      the polytope's nearest point, and the unit direction from there to the segment
//   steepest  sine by which it may be tilted over a face
Span FindFacingSpan(const Segment& segment, const Polytope& polytope, double s, const Vector3d& p,
                    const Vector3d& m, double steepest = kParallelSine);

}  // namespace stiction::narrowphase
