// How ADMM converges beside projected Jacobi, APGD and P-SPG-FB [Tasora 2021, Fig. 2 to 6, 8 to 10].
#pragma once

#include "paper_experiment.h"

namespace stiction::runner {

// Single steps, from zero impulses, by solvers that are stopped after so many iterations: of the stack that
// rests, of the stack whose heavy sphere is pulled up, and of the walls while the ball breaks through.
PaperOutcome MeasureAdmmRest(const PaperOptions& options);
PaperOutcome MeasureAdmmPull(const PaperOptions& options);
PaperOutcome MeasureAdmmWalls(const PaperOptions& options);

}  // namespace stiction::runner
