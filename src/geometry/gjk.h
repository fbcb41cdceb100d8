// Distance of two cores by the method of Gilbert, Johnson and Keerthi.
//
// A simplex of points of D = A − B moves towards the origin: its point v nearest to the origin gives the
// direction n = −v/|v|, and the support point of D along n joins the simplex. Every direction bounds the
// distance from below, every v from above:  s(n) <= distance <= |v|, and the search ends when the two agree.
//
// Reference: van den Bergen, "A fast and robust GJK implementation for collision detection of convex
// objects", J. Graphics Tools 4(2), 1999. Differences:
// 1. directions come from the cross product of the simplex's edges wherever that is more exact than v, which
//    loses its digits as shapes approach;
// 2. the end is the gap of the bounds in terms of the coordinates' round-off, or a vertex pair that comes
//    back.
#pragma once

#include <limits>

#include "geometry/support.h"

namespace stiction::geometry {

// Up to four points of D.
struct Simplex {
  int size = 0;
  SupportPoint points[4];
  double weights[4];  // of the point nearest to the origin; positive, sum 1
};

struct GjkResult {
  // False where the cores overlap or touch to working precision: `simplex` then holds or touches the origin.
  bool is_apart = false;
  CoreDistance nearest;  // where apart; p_A also of cores that touch
  Simplex simplex;
};

// Ends early once the distance is known to be at least `enough` [m]: is_apart then holds, and of `nearest`
// only the distance, which is that bound.
GjkResult RunGjk(DifferenceSet& difference, double enough = std::numeric_limits<double>::infinity());

}  // namespace stiction::geometry
