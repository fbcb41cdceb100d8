// How many motions the bilateral rows of a problem forbid.
#pragma once

#include "stiction/contact/problem.h"

namespace stiction {

// Rank of the bilateral rows, by contact/bilateral_basis.h over all islands: rows less those that others
// imply, as in planar loops. Allocates. -1 if A is not positive definite.
int CalcBilateralRank(const ContactProblem& problem);

}  // namespace stiction
