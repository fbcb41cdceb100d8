// Where pictures of a world are taken, off the screen: the context, the camera, the canvas.
#pragma once

#include <memory>
#include <utility>

#include "offscreen.h"
#include "picture.h"
#include "render.h"
#include "renderer.h"
#include "window.h"

namespace stiction::viewer {

// A current OpenGL 3.3 context to take pictures with: that of a hidden window where there is a display, of
// EGL where there is none, or where it gives no such window.
class PictureContext {
 public:
  // Throws DisplayError: neither works.
  PictureContext();
  ~PictureContext();
  PictureContext(const PictureContext&) = delete;
  PictureContext& operator=(const PictureContext&) = delete;

  int num_gl_errors() const { return window_ ? window_->num_gl_errors() : num_gl_errors_; }

 private:
  void OpenOffscreen();

  std::unique_ptr<Window> window_;
  std::unique_ptr<OffscreenContext> offscreen_;
  int num_gl_errors_ = 0;  // of offscreen_
};

// Draws the world off the screen.
class Studio {
 public:
  // A video that software draws has the shadows of a window, unless arguments.is_fine. Throws UsageError,
  // DisplayError.
  Studio(const World& world, const RenderArguments& arguments, bool is_video, int width, int height);

  // Points the camera at the scene as it is now, unless that has been blown apart.
  void Aim(const World& world);
  // Turns the camera by that share of a whole turn, from where it was aimed.
  void Turn(double share) { turned_ = share; }
  Picture Draw(const World& world) { return Draw(world, world.contacts(), world.timestep()); }
  // With other contacts than those of its last step.
  Picture Draw(const World& world, const std::vector<Contact>& contacts, double timestep);

  bool has_gl_errors() const { return context_.num_gl_errors() > 0; }

 private:
  const RenderArguments& arguments_;
  const int width_, height_;
  double turned_ = 0.0;
  SceneDrawing scene_;
  std::pair<Vector3d, Vector3d> start_bounds_;
  Camera camera_;
  PictureContext context_;
  bool is_fine_;
  Renderer renderer_;
  Canvas canvas_;
  DrawList list_;
};

}  // namespace stiction::viewer
