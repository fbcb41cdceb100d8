// Problems with known answers: closed forms, and published solutions of the multibody community's benchmark
// library (https://www.iftomm-multibody.org/benchmark). `stiction bench truth`.
//
// Every case is run with the integrator of its model's file and with others; errors are held against a bound
// that stands here, and against the integrator's order. Contact problems run with the default solver; nothing
// is tuned.
#pragma once

#include "papers/paper_experiment.h"

namespace stiction::runner {

// Where an answer is from.
inline constexpr const char* kClosedForm = "closed form";

PaperOutcome MeasurePendulum(const PaperOptions& options);
PaperOutcome MeasureWindows(const PaperOptions& options);
PaperOutcome MeasureAndrews(const PaperOptions& options);
PaperOutcome MeasureBricard(const PaperOptions& options);
PaperOutcome MeasureFlip(const PaperOptions& options);
PaperOutcome MeasureTop(const PaperOptions& options);
PaperOutcome MeasureFriction(const PaperOptions& options);
PaperOutcome MeasureImpact(const PaperOptions& options);
PaperOutcome MeasureToss(const PaperOptions& options);

}  // namespace stiction::runner
