#include "offscreen.h"

#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <string>

namespace stiction::python {
namespace {

[[noreturn]] void Refuse(const std::string& what) {
  throw std::runtime_error("no OpenGL without a display: " + what +
                           " (Debian: apt-get install libegl1 libgl1-mesa-dri)");
}

EGLDisplay OpenDisplay() {
  const auto get =
      reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
  if (get == nullptr) Refuse("EGL knows no platforms");
  EGLDisplay display = get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
  // Drivers that are not Mesa's.
  if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr)) {
    display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr)) Refuse("EGL does not start");
  }
  return display;
}

}  // namespace

OffscreenContext::OffscreenContext() : display_(OpenDisplay()) {
  if (!eglBindAPI(EGL_OPENGL_API)) Refuse("EGL has no OpenGL");
  const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  if (!eglChooseConfig(display_, wanted, &config, 1, &count) || count == 0) Refuse("no configuration");
  const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                            3,
                            EGL_CONTEXT_MINOR_VERSION,
                            3,
                            EGL_CONTEXT_OPENGL_PROFILE_MASK,
                            EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                            EGL_NONE};
  context_ = eglCreateContext(display_, config, EGL_NO_CONTEXT, version);
  if (context_ == EGL_NO_CONTEXT) Refuse("no OpenGL 3.3 core context");
}

// The display stays: it is the process's, and another context may draw with it.
OffscreenContext::~OffscreenContext() {
  eglDestroyContext(display_, context_);
}

void OffscreenContext::Begin() {
  if (!eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_))
    Refuse("the context does not draw without a surface");
}

void OffscreenContext::End() {
  eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

}  // namespace stiction::python
