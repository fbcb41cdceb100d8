// `stiction-view --render`: a picture, a video or a page without a window.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "run_plan.h"
#include "stiction/viz/scene.h"

namespace stiction::viewer {

struct RenderArguments {
  std::string out;     // .png, .mp4, .gif or .html
  std::string camera;  // empty: the corner view
  std::string size = "1280x720";
  double frame_rate = 30.0;  // of a video
  bool is_low = false;
  SceneOptions scene;
  bool is_wireframe = false;
  bool is_fine = false;         // also a video that is drawn in software
  int supersample = 1;          // so many times as many samples along each side of a pixel
  bool is_transparent = false;  // a picture without sky and ground, but for shadows
  bool is_turntable = false;    // the camera turns once around the scene
  int pictures = 0;             // so many, numbered; 0: one
  double speed = 1.0;           // of a video: that many times as fast as the simulated time
  double hold = 0.0;            // of a video: for how long its end stands [s]
  // A log or saved state of the plan's model, which is drawn or from which is simulated; empty: none.
  std::string recorded;
  std::optional<double> log_time;  // up to which a log is drawn; its end [s]
};

// "1280x720" -> 1280, 720. Throws UsageError.
std::pair<int, int> ParseSize(const std::string& text);

// Simulates the plan for its duration, or plays the log, and writes the last picture, or a video or a page of
// it all.
// Returns an exit code. Throws UsageError, LoadError, DisplayError, std::runtime_error.
int Render(const runner::RunPlan& plan, const RenderArguments& arguments);

}  // namespace stiction::viewer
