// Thins out contact points to the eight that a manifold holds.
//
// The points within `near` of the deepest come first, then the others; among each, every next point is the
// one farthest from those chosen. Which ones are chosen depends on places alone as long as the sets stay the
// same, and ties go to the first in the list, so that a body at rest keeps its points. The deepest point
// takes the last place if it was not chosen and lies deeper than all that were.
#pragma once

#include <span>

#include "stiction/collision/manifold.h"

namespace stiction::narrowphase {

// Moves the chosen points to the front; returns their number, at most Manifold::kMaxConvexPoints.
//   near  [m]
//   size  of the shapes: a place must be farther, and a point deeper, by 1e-6 of it to count, more than a
//   body
//         at rest moves [m]
int ChooseSpread(std::span<ManifoldPoint> points, double near, double size);

}  // namespace stiction::narrowphase
