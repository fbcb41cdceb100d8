// Two runs side by side: the half of the picture that shows what is compared, and what stands under both.
#pragma once

#include <string>

#include "renderer.h"
#include "session.h"

namespace stiction::viewer {

// Where a comparison is shown: the run keeps the left half of the viewport, and the companion gets the right.
void SplitViewport(Session& session);

// Puts beside the run what the word names: a solver without a budget, or a log of the model. Throws
// UsageError: neither; LoadError: the log cannot be read.
void StartComparing(Session& session, const std::string& what);

// The run's options but for what the user chose for the companion.
WorldOptions MakeCompanionOptions(const Session& session);

// The companion in a part of the framebuffer, through the run's camera; nothing where none is compared.
//   list  scratch
void DrawCompanion(Session& session, Renderer& renderer, DrawList& list, const Viewport& viewport);

// Names, budgets and counts in the lower corners of both halves, over the picture.
//   scale  units of the window a pixel of the framebuffer
void DrawCaptions(const Session& session, float scale, float window_height);

// "budget 1e-08 m/s: missed in 3 of 1,200 steps", "no budget: would have missed 1e-08 m/s in 15,900 of 20,000
// steps", "budget not recorded".
//   reference  what is counted against where there is no budget
std::string DescribeBudget(const std::optional<Budget>& budget, const RunCounts& counts,
                           const Budget& reference = kDefaultBudget);

}  // namespace stiction::viewer
