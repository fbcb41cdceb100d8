// The experiments of [Castro 2022] A. Castro, F. Permenter, X. Han, An unconstrained convex formulation of
// compliant contact, §VI, that are more than a scenario with what it expects.
#pragma once

#include "paper_experiment.h"

namespace stiction::runner {

PaperOutcome MeasureSapSlip(const PaperOptions& options);  // §VI-D, Fig. 16 and 17

}  // namespace stiction::runner
