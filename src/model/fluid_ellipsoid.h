// What a geom that counts as an ellipsoid in a fluid needs beside its coefficients.
#pragma once

#include "stiction/model/model.h"

namespace stiction {

// Carlson's integral 3/2 ∫₀^∞ dt / (√(t+x) √(t+y) (t+z)^{3/2}), all arguments positive, to round-off.
// [Carlson 1995, "Numerical computation of real or complex elliptic integrals", algorithm for R_D]
double CarlsonRd(double x, double y, double z);

// Fills semi-axes and virtual inertias of all geoms with `fluid`, and flags their bodies.
void FillFluidEllipsoids(Model& model);

}  // namespace stiction
