// The dual arm of SAP's paper: two arms with hands open a jar of marbles, pour it out and close it.
#pragma once

#include "paper_experiment.h"

namespace stiction::runner {

// [Castro 2022, §VI-E]: assets/scenarios/jar.xml by its own solver, and by SAP at several tolerances.
PaperOutcome MeasureSapDualArm(const PaperOptions& options);

}  // namespace stiction::runner
