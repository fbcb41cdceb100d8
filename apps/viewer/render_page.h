// `stiction render --out run.html`: a page that plays the simulation, without OpenGL.
#pragma once

#include "render.h"
#include "stiction/sim/world.h"

namespace stiction::viewer {

// Simulates the plan in its world, or plays the log, and writes the page. Returns an exit code. Throws
// LoadError, std::runtime_error.
int RenderPage(const runner::RunPlan& plan, const RenderArguments& arguments, World& world);

}  // namespace stiction::viewer
