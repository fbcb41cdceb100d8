// What draws behind the current context, and what it complains about.
#pragma once

#include <string>

#include "gl.h"

namespace stiction::viewer {

// As the driver calls it: "llvmpipe (LLVM 15.0.6, 256 bits)".
std::string RendererName();
bool IsSoftwareRenderer();

// STICTION_GL_DEBUG is in the environment: contexts are to be made such that they report errors.
bool WantsGlErrors();
// From here on errors of the current context are printed and counted, if they are wanted and the driver
// reports them. `count` stays where it is as long as the context lives.
void WatchGlErrors(int& count);

}  // namespace stiction::viewer
