// Figures that the nut and the dishes have in common [Lee 2024, Fig. 7 and 9].
#pragma once

#include "single_step.h"

namespace stiction::runner {

inline constexpr double kCanalSolved = 1e-8;  // what the paper calls the highest accuracy
inline constexpr int kCanalIterations = 10;   // augmented Lagrangian ones, in which it reaches that

// The methods that both are put to: CANAL in our form and as printed, SubADMM with our options and with a
// penalty that is larger and stays, PGS, and per-contact Gauss-Seidel with the exact rule.
const std::vector<StepSolver>& ListCanalSolvers();

// Median residual of one method after so many iterations, against an upper bound.
PaperFigure JudgeResidual(const char* source, const StepTrace& trace, int iterations, double bound,
                          const char* paper);
// Augmented Lagrangian iterations until the median is at kCanalSolved, against at most kCanalIterations.
PaperFigure JudgeIterations(const char* source, const StepTrace& trace, const char* paper);
// Decades per iteration: no fewer late than early.
PaperFigure JudgeSuperlinear(const char* source, const StepTrace& trace);
// What PGS has reached when CANAL is at kCanalSolved, against more than `bound`.
PaperFigure JudgePgsInTime(const char* source, const std::vector<StepTrace>& traces, double bound,
                           const char* paper);
// CANAL > PGS > SubADMM, per iteration.
PaperFigure JudgeTimeOrder(const char* source, const std::vector<StepTrace>& traces);
// CANAL's iterations cost less and less.
PaperFigure JudgeWarmIterations(const char* source, const StepTrace& trace);

}  // namespace stiction::runner
