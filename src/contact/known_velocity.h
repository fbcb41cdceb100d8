// Residuals of an island whose velocities are known already.
#pragma once

#include "stiction/contact/island.h"

namespace stiction {

// Island::CalcResidual where g = g0 + Y δ of all rows is at hand. [m/s]
double CalcResidualOfVelocity(const Island& island, const double* lambda, const double* g);

}  // namespace stiction
