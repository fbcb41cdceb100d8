// OpenGL without a window and without a display, by EGL: for pictures made where there is no screen.
#pragma once

#include <stdexcept>

namespace stiction::viewer {

// A context of OpenGL 3.3 core that draws into framebuffers alone (Canvas). It is current between Begin and
// End, on the thread that calls them. The first that starts of: the devices that EGL lists, those that are no
// software before the others; Mesa's surfaceless platform; EGL's own choice.
class OffscreenContext {
 public:
  //   is_debug  reports what OpenGL complains about (WatchGlErrors)
  // Throws std::runtime_error, which says what to install.
  explicit OffscreenContext(bool is_debug = false);
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

}  // namespace stiction::viewer
