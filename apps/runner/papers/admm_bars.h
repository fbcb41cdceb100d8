// Test 4 of ADMM's paper: fifteen deformable bars, by the example program that simulates them.
#pragma once

#include "paper_experiment.h"

namespace stiction::runner {

// [Tasora 2021, §8.4]: `deformable_bars` beside this program, with a Young's modulus of 1 MPa and of 200 GPa.
// Not measured where this build has no such program.
PaperOutcome MeasureAdmmBars(const PaperOptions& options);

}  // namespace stiction::runner
