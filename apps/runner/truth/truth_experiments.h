// Problems with known answers: closed forms, and published solutions of the multibody community's benchmark
// library (https://www.iftomm-multibody.org/benchmark). `stiction bench truth`.
//
// Every case is run with the integrator of its model's file and with others; errors are held against a bound
// that stands here, and against the integrator's order. Contact problems run with the default solver; nothing
// is tuned.
#pragma once

#include "papers/paper_experiment.h"

namespace stiction::runner {

// Where an answer is from; the last is integrated beside the engine (reference_motion.h).
inline constexpr const char* kClosedForm = "closed form";
inline constexpr const char* kLibrary = "library";
inline constexpr const char* kReference = "own equations";

PaperOutcome MeasurePendulum(const PaperOptions& options);
PaperOutcome MeasureWindows(const PaperOptions& options);
PaperOutcome MeasureAndrews(const PaperOptions& options);
PaperOutcome MeasureBricard(const PaperOptions& options);
PaperOutcome MeasureFlip(const PaperOptions& options);
PaperOutcome MeasureTop(const PaperOptions& options);
PaperOutcome MeasureTurnedPendulum(const PaperOptions& options);
PaperOutcome MeasureFriction(const PaperOptions& options);
PaperOutcome MeasureImpact(const PaperOptions& options);
PaperOutcome MeasureDisk(const PaperOptions& options);
PaperOutcome MeasureRattleback(const PaperOptions& options);
PaperOutcome MeasureTippeTop(const PaperOptions& options);
PaperOutcome MeasureSpin(const PaperOptions& options);
PaperOutcome MeasureCradle(const PaperOptions& options);
PaperOutcome MeasurePainleve(const PaperOptions& options);
PaperOutcome MeasureBilliards(const PaperOptions& options);
PaperOutcome MeasureArch(const PaperOptions& options);
PaperOutcome MeasureDomino(const PaperOptions& options);
PaperOutcome MeasureCardHouse(const PaperOptions& options);
PaperOutcome MeasureToss(const PaperOptions& options);

}  // namespace stiction::runner
