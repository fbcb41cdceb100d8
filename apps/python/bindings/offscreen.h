// OpenGL without a window and without a display: EGL's surfaceless platform, for pictures made by programs
// that have no screen.
#pragma once

#include <stdexcept>

namespace stiction::python {

// A context of OpenGL 3.3 core that draws into framebuffers alone (Canvas). It is current between Begin and
// End, on the thread that calls them.
class OffscreenContext {
 public:
  // Throws std::runtime_error, which says what to install.
  OffscreenContext();
  ~OffscreenContext();
  OffscreenContext(const OffscreenContext&) = delete;
  OffscreenContext& operator=(const OffscreenContext&) = delete;

  void Begin();
  void End();

 private:
  // EGLDisplay and EGLContext, whose header drags in that of X11.
  void* display_ = nullptr;
  void* context_ = nullptr;
};

}  // namespace stiction::python
