#include "offscreen.h"

#include <string>

namespace stiction::viewer {
namespace {

[[noreturn]] void RefuseOffscreen(const std::string& what) {
  throw std::runtime_error("no OpenGL without a display: " + what +
                           " (Debian: apt-get install libegl1 libgl1-mesa-dri)");
}

}  // namespace
}  // namespace stiction::viewer

#ifdef STICTION_WITH_EGL
#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace stiction::viewer {
namespace {

template <typename Function>
Function FindEgl(const char* name) {
  return reinterpret_cast<Function>(eglGetProcAddress(name));
}

// Graphics cards, then what draws in software.
std::vector<EGLDeviceEXT> ListDevices() {
  const auto query = FindEgl<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
  const auto describe = FindEgl<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
  EGLint count = 0;
  if (query == nullptr || describe == nullptr || !query(0, nullptr, &count)) return {};
  std::vector<EGLDeviceEXT> devices(static_cast<std::size_t>(count));
  if (!query(count, devices.data(), &count)) return {};
  std::stable_partition(devices.begin(), devices.end(), [&](EGLDeviceEXT device) {
    const char* words = describe(device, EGL_EXTENSIONS);
    return words == nullptr || std::string_view(words).find("software") == std::string_view::npos;
  });
  return devices;
}

// Null where that does not start, or has no OpenGL 3.3.
EGLContext TryContext(EGLDisplay display, bool is_debug) {
  if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr)) return EGL_NO_CONTEXT;
  const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  if (!eglBindAPI(EGL_OPENGL_API) || !eglChooseConfig(display, wanted, &config, 1, &count) || count == 0)
    return EGL_NO_CONTEXT;
  const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                            3,
                            EGL_CONTEXT_MINOR_VERSION,
                            3,
                            EGL_CONTEXT_OPENGL_PROFILE_MASK,
                            EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                            is_debug ? EGL_CONTEXT_OPENGL_DEBUG : EGL_NONE,
                            EGL_TRUE,
                            EGL_NONE};
  EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
  // Some cards have contexts, but cannot draw with them.
  if (context != EGL_NO_CONTEXT && !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
    eglDestroyContext(display, context);
    return EGL_NO_CONTEXT;
  }
  eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  return context;
}

}  // namespace

OffscreenContext::OffscreenContext(bool is_debug) {
  const auto on = FindEgl<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
  const auto use = [&](EGLDisplay display) {
    display_ = display;
    context_ = TryContext(display, is_debug);
    return context_ != EGL_NO_CONTEXT;
  };
  if (on != nullptr) {
    for (EGLDeviceEXT device : ListDevices())
      if (use(on(EGL_PLATFORM_DEVICE_EXT, device, nullptr))) return;
    if (use(on(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr))) return;
  }
  if (!use(eglGetDisplay(EGL_DEFAULT_DISPLAY))) RefuseOffscreen("EGL finds no OpenGL 3.3");
}

// The display stays: it is the process's, and another context may draw with it.
OffscreenContext::~OffscreenContext() {
  eglDestroyContext(display_, context_);
}

void OffscreenContext::Begin() {
  if (!eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_))
    RefuseOffscreen("the context does not draw without a surface");
}

void OffscreenContext::End() {
  eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

}  // namespace stiction::viewer

#else

namespace stiction::viewer {

OffscreenContext::OffscreenContext(bool) {
  RefuseOffscreen("this build was made without EGL (libegl-dev)");
}
OffscreenContext::~OffscreenContext() = default;
void OffscreenContext::Begin() {}
void OffscreenContext::End() {}

}  // namespace stiction::viewer

#endif  // STICTION_WITH_EGL
