#include "gl_driver.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace stiction::viewer {
namespace {

void GLAPIENTRY CountMessage(GLenum, GLenum type, GLuint, GLenum severity, GLsizei, const GLchar* message,
                             const void* user) {
  if (severity != GL_DEBUG_SEVERITY_HIGH && type != GL_DEBUG_TYPE_ERROR) return;
  ++*static_cast<int*>(const_cast<void*>(user));
  std::fprintf(stderr, "OpenGL: %s\n", message);
}

bool HasExtension(std::string_view wanted) {
  GLint count = 0;
  glGetIntegerv(GL_NUM_EXTENSIONS, &count);
  for (GLint i = 0; i < count; ++i) {
    const auto* name = reinterpret_cast<const char*>(glGetStringi(GL_EXTENSIONS, static_cast<GLuint>(i)));
    if (name != nullptr && wanted == name) return true;
  }
  return false;
}

}  // namespace

std::string RendererName() {
  const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  return name != nullptr ? name : "";
}

bool IsSoftwareRenderer() {
  const std::string name = RendererName();
  return name.find("llvmpipe") != name.npos || name.find("softpipe") != name.npos;
}

bool WantsGlErrors() {
  return std::getenv("STICTION_GL_DEBUG") != nullptr;
}

void WatchGlErrors(int& count) {
  if (!WantsGlErrors() || !HasExtension("GL_KHR_debug")) return;
  glEnable(GL_DEBUG_OUTPUT);
  glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
  glDebugMessageCallback(CountMessage, &count);
}

}  // namespace stiction::viewer
