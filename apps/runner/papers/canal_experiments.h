// The experiments of [Lee 2024] J. Lee, M. Lee, S. Park, J. Yun, D. Lee, Variations of augmented Lagrangian
// for robotic multi-contact simulation, §VII. Steps of 1/240 s; the paper names neither friction nor wrenches
// nor what its solvers' options are, and the files here say what was taken. Residuals are the paper's,
// Certificate::canal: ‖J v − z‖ over the number of contacts.
#pragma once

#include "paper_experiment.h"

namespace stiction::runner {

inline constexpr double kCanalTimestep = 1.0 / 240.0;  // [s]

PaperOutcome MeasureCanalNut(const PaperOptions& options);      // §VII-A.1, Fig. 7
PaperOutcome MeasureCanalDishes(const PaperOptions& options);   // §VII-B.1, Fig. 9
PaperOutcome MeasureCanalNewton(const PaperOptions& options);   // §VII-D.1, Table II
PaperOutcome MeasureCanalPouring(const PaperOptions& options);  // §VII-C, Fig. 11
PaperOutcome MeasureCanalTasks(const PaperOptions& options);    // §VII-A.2 and B.2
PaperOutcome MeasureCanalRobots(const PaperOptions& options);   // §VII-D.2, Table III

}  // namespace stiction::runner
