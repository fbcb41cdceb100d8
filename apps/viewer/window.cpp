#include "window.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>

namespace stiction::viewer {
namespace {

constexpr const char* kDebug =
    "STICTION_GL_DEBUG";  // in the environment: reports what OpenGL complains about

std::string last_glfw_error;

void HandleError(int, const char* message) {
  last_glfw_error = message;
}

std::string Advice() {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) {
    return "there is no display (DISPLAY is not set); without a screen, start it as\n"
           "  xvfb-run -a -s \"-screen 0 1920x1200x24\" stiction render ...\n"
           "(Debian: apt-get install xvfb xauth libgl1-mesa-dri)";
  }
  return "the display gives no OpenGL 3.3 core context: " + last_glfw_error +
         " (newer drivers may have it; software always does: start it with LIBGL_ALWAYS_SOFTWARE=1, after "
         "apt-get install libgl1-mesa-dri on Debian, or under xvfb-run)";
}

void GLAPIENTRY CountMessage(GLenum, GLenum type, GLuint, GLenum severity, GLsizei, const GLchar* message,
                             const void* user) {
  if (severity != GL_DEBUG_SEVERITY_HIGH && type != GL_DEBUG_TYPE_ERROR) return;
  ++*static_cast<int*>(const_cast<void*>(user));
  std::fprintf(stderr, "OpenGL: %s\n", message);
}

}  // namespace

void LimitSoftwareRendering() {
  const unsigned int threads = std::max(1u, std::thread::hardware_concurrency() / 2);
  setenv("LP_NUM_THREADS", std::to_string(threads).c_str(), /*overwrite=*/0);
}

std::pair<int, int> ChooseWindowSize(int width, int height) {
  constexpr int kWidth = 1440, kHeight = 900;  // in units of the design
  glfwSetErrorCallback(HandleError);
  if (!glfwInit()) throw DisplayError(Advice());
  int x = 0, y = 0, screen_width = 0, screen_height = 0;
  float scale = 1.0f, unused = 1.0f;
  if (GLFWmonitor* monitor = glfwGetPrimaryMonitor()) {
    glfwGetMonitorWorkarea(monitor, &x, &y, &screen_width, &screen_height);
    glfwGetMonitorContentScale(monitor, &scale, &unused);
  }
  if (width <= 0 || height <= 0) {
    width = static_cast<int>(std::lround(scale * kWidth));
    height = static_cast<int>(std::lround(scale * kHeight));
  }
  if (screen_width > 0 && screen_height > 0)
    width = std::min(width, screen_width), height = std::min(height, screen_height);
  return {width, height};
}

float Window::content_scale() const {
  float x = 1.0f, y = 1.0f;
  glfwGetWindowContentScale(window_, &x, &y);
  return x > 0.0f ? x : 1.0f;
}

Window::Window(const std::string& title, int width, int height, bool is_visible, int samples) {
  glfwSetErrorCallback(HandleError);
  if (!glfwInit()) throw DisplayError(Advice());
  Create(title, width, height, is_visible, samples);
  // Software draws every sample: better none.
  if (samples > 1 && is_software()) {
    glfwDestroyWindow(window_);
    Create(title, width, height, is_visible, 1);
  }
  if (std::getenv(kDebug) != nullptr && glfwExtensionSupported("GL_KHR_debug")) {
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(CountMessage, &num_gl_errors_);
  }
}

void Window::Create(const std::string& title, int width, int height, bool is_visible, int samples) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SAMPLES, samples > 1 ? samples : 0);
  glfwWindowHint(GLFW_VISIBLE, is_visible ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, std::getenv(kDebug) != nullptr ? GLFW_TRUE : GLFW_FALSE);
  window_ = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
  if (window_ == nullptr) {
    const std::string advice = Advice();
    glfwTerminate();
    throw DisplayError(advice);
  }
  glfwMakeContextCurrent(window_);
}

bool Window::is_software() const {
  const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  const std::string_view renderer = name != nullptr ? name : "";
  return renderer.find("llvmpipe") != std::string_view::npos ||
         renderer.find("softpipe") != std::string_view::npos;
}

Window::~Window() {
  glfwDestroyWindow(window_);
  glfwTerminate();
}

}  // namespace stiction::viewer
