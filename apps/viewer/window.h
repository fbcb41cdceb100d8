// The one window of the program, with its OpenGL context; GLFW is alive while it is.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "gl.h"

namespace stiction::viewer {

// No display, or no OpenGL 3.3: what() says what to install or how to start.
class DisplayError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// DISPLAY or WAYLAND_DISPLAY says where one is.
bool HasDisplay();

// A window that needs no more than OpenGL 2, with a message, until it is closed; nothing where there is no
// display, or not even that.
void ShowMessageWindow(const std::string& text);

// Lets Mesa's software renderer have half of the processor's cores and leaves the others to the simulation,
// unless LP_NUM_THREADS says otherwise. Before the first Window.
void LimitSoftwareRendering();

// The size of a window of which `width` x `height` is wanted: not larger than the screen has room for. 0 x 0:
// one that suits it and how large letters and panels are (0: as the screen says). Before there is a window or
// after; throws DisplayError.
std::pair<int, int> ChooseWindowSize(int width, int height, double wanted_scale);

class Window {
 public:
  //   samples  a pixel, for smooth edges; software renderers get one
  // Throws DisplayError.
  Window(const std::string& title, int width, int height, bool is_visible, int samples = 1);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  GLFWwindow* handle() const { return window_; }
  // How much larger than at 96 pixels an inch the screen wants things.
  float content_scale() const;
  // So far (WatchGlErrors).
  int num_gl_errors() const { return num_gl_errors_; }

 private:
  void Create(const std::string& title, int width, int height, bool is_visible, int samples);

  GLFWwindow* window_ = nullptr;
  int num_gl_errors_ = 0;
};

}  // namespace stiction::viewer
