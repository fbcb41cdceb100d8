// Depth of two overlapping cores: the expanding polytope algorithm.
//
// A polytope inside D = A − B grows by support points of D at its face nearest to the origin, until that face
// lies on D's boundary: its distance is the least translation that separates the shapes, its normal the
// direction. Faces carry signed distances, so that shapes which only touch, or whose first polytope misses
// the origin, need no other treatment. Exact for polytopes. Curved shapes end at 1e-11 of their size; those
// that are equally deep on every side (coincident balls) fill the pool first and get the best direction met,
// refined by descent: always a translation that separates. Hulls of 500 vertices deep in one another stay
// within the pool.
//
// Reference: van den Bergen, "Proximity queries and penetration depth computation on 3D game objects", GDC
// 2001. Difference: the horizon comes from a flood fill over visible faces, and is checked to be one loop.
#pragma once

#include "geometry/gjk.h"

namespace stiction::geometry {

// D must have a volume: not both cores thin.
//   simplex  where GJK ended
CoreDistance RunEpa(DifferenceSet& difference, const Simplex& simplex);

}  // namespace stiction::geometry
