#include "window.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <thread>

#include "gl_driver.h"

namespace stiction::viewer {
namespace {

std::string last_glfw_error;

void HandleError(int, const char* message) {
  last_glfw_error = message;
}

std::string Advice() {
  const bool is_deaf = last_glfw_error.find("Failed to open display") != std::string::npos;
  if (!HasDisplay() || is_deaf) {
    return "there is no display (" + (is_deaf ? last_glfw_error : "DISPLAY is not set") +
           "); `stiction render FILE --out picture.png` needs none, "
           "and `xvfb-run -a -s \"-screen 0 1920x1200x24\" ...` is one without a screen (Debian: apt-get "
           "install xvfb xauth libgl1-mesa-dri)";
  }
  return "the display gives no OpenGL 3.3 core context: " + last_glfw_error +
         " (newer drivers may have it; software always does: start it with LIBGL_ALWAYS_SOFTWARE=1, after "
         "apt-get install libgl1-mesa-dri on Debian, or under xvfb-run)";
}

}  // namespace

bool HasDisplay() {
  const auto is_set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
}

void LimitSoftwareRendering() {
  const unsigned int threads = std::max(1u, std::thread::hardware_concurrency() / 2);
  setenv("LP_NUM_THREADS", std::to_string(threads).c_str(), /*overwrite=*/0);
}

std::pair<int, int> ChooseWindowSize(int width, int height, double wanted_scale) {
  constexpr int kWidth = 1440, kHeight = 900;  // in units of the design
  glfwSetErrorCallback(HandleError);
  if (!glfwInit()) throw DisplayError(Advice());
  int x = 0, y = 0, screen_width = 0, screen_height = 0;
  float scale = 1.0f, unused = 1.0f;
  if (GLFWmonitor* monitor = glfwGetPrimaryMonitor()) {
    glfwGetMonitorWorkarea(monitor, &x, &y, &screen_width, &screen_height);
    glfwGetMonitorContentScale(monitor, &scale, &unused);
  }
  if (wanted_scale > 0.0) scale = static_cast<float>(wanted_scale);
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
  if (samples > 1 && IsSoftwareRenderer()) {
    glfwDestroyWindow(window_);
    Create(title, width, height, is_visible, 1);
  }
  WatchGlErrors(num_gl_errors_);
}

void Window::Create(const std::string& title, int width, int height, bool is_visible, int samples) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SAMPLES, samples > 1 ? samples : 0);
  glfwWindowHint(GLFW_VISIBLE, is_visible ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, WantsGlErrors() ? GLFW_TRUE : GLFW_FALSE);
  window_ = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
  if (window_ == nullptr) {
    const std::string advice = Advice();
    glfwTerminate();
    throw DisplayError(advice);
  }
  glfwMakeContextCurrent(window_);
}

Window::~Window() {
  glfwDestroyWindow(window_);
  glfwTerminate();
}

}  // namespace stiction::viewer
