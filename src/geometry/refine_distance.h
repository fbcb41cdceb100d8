// The last digits of the signed distance of curved cores, by Newton's method.
#pragma once

#include "geometry/support.h"

namespace stiction::geometry {

// GJK and EPA approach curved surfaces by points, so that their normal is only as good as the square root of
// their distance. This improves both to round-off, where one of the cores is an ellipsoid or a cylinder: the
// signed distance is the largest of s(n) = −h_A(n) − h_B(−n) over the unit directions n, h the support
// functions (support.h); n is moved to where s is stationary, on the kinks of s that n lies at: across the
// edges and sides, or along the faces and caps, that touch. Left alone where that does not lead to a distance
// as good as what was there.
void RefineDistance(const Core& a, const Core& b, const RigidTransform& X_AB, CoreDistance& nearest);

}  // namespace stiction::geometry
