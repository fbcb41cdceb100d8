// What the window shows and the panels change.
#pragma once

#include <array>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "live/camera.h"
#include "live/layout.h"
#include "live/simulation.h"
#include "renderer.h"
#include "stiction/io/import_report.h"
#include "stiction/viz/scene.h"

namespace stiction::viewer {

// A file as it was read.
struct LoadedFile {
  std::string path, name;
  Model model;
  ImportReport report;
  std::vector<std::string> losses;  // DescribeLosses() of it, without folders
  WorldOptions options;
  std::string keyframe;
};

enum class Panel {
  kSimulation,
  kView,
  kModel,
  kControls,
  kSolver,
  kCertificate,
  kDiagnostics,
  kShadows,
  kKeep,
  kReport,
  kHelp
};
inline constexpr int kNumPanels = 11;

struct PanelInfo {
  const char* title;
  int key_number;  // Ctrl + this digit opens and closes it; -1: none
  bool is_open_at_first;
};
inline constexpr std::array<PanelInfo, kNumPanels> kPanels{{{"Simulation", 1, true},
                                                            {"View", 2, true},
                                                            {"Model", 3, true},
                                                            {"Controls", 4, true},
                                                            {"Solver", 5, true},
                                                            {"Certificate", 6, true},
                                                            {"Diagnostics", 7, false},
                                                            {"Shadow solves", 8, false},
                                                            {"Keep", 9, false},
                                                            {"Import report", 0, false},
                                                            {"Help", -1, false}}};

// What the panels and keys ask the window to do after the frame.
struct Requests {
  bool quit = false, reload = false, screenshot = false, frame_scene = false, toggle_fullscreen = false;
  bool toggle_video = false, toggle_pictures = false;
  std::string open;  // a file to show instead
  std::string copy;  // text for the clipboard
};

// What panels at the edges of the window take of it.
struct Insets {
  float left = 0.0f, right = 0.0f, top = 0.0f, bottom = 0.0f;
};

// Where the panels stand, and where they stood in the last frame: what differs without having been set was
// moved by the user.
struct PanelPlaces {
  Layout layout;
  std::array<Rectangle, kNumPanels> shown{};
  std::array<Area, kNumPanels> areas{};  // of the window when `shown` was set
  std::array<bool, kNumPanels> is_shown{}, is_collapsed{};
};

struct Session {
  Simulation simulation;
  std::shared_ptr<const LoadedFile> file;  // null: nothing is loaded yet
  std::optional<SceneDrawing> scene;       // of file->model
  int model_id = 0;
  Snapshot now;
  std::deque<Sample> samples;  // of the last steps

  PanelPlaces places;
  Insets insets;      // of the panels that are shown
  Viewport viewport;  // the part of the window that panels at its edges leave to the picture
  Camera camera;
  std::string view;          // the named camera looked through; empty: the free one
  bool is_tracking = false;  // the camera follows the selected body
  SceneOptions scene_options;
  RenderOptions render_options;
  std::vector<std::string> shadow_solvers;
  std::vector<std::string> shadow_arrows;  // of which the impulses are drawn
  bool is_every_step_shadowed = false;

  int selected_body = -1, selected_geom = -1;
  std::array<bool, kNumPanels> is_open{};
  bool has_ui = true;                  // Tab hides all panels
  std::array<char, 1024> path_text{};  // typed into the field for a file
  std::string notice;                  // the last error or answer, shown until dismissed
  bool is_error = false;
  double frame_rate = 0.0;  // drawn frames per second, of the last half second
  double frame_time = 0.0;  // spent drawing the last frame [s]
  bool is_recording_video = false, is_recording_pictures = false;
  Requests requests;

  bool has_model() const { return file != nullptr && now.model_id == model_id; }
  bool& open(Panel panel) { return is_open[static_cast<std::size_t>(panel)]; }
  void Say(const std::string& text, bool is_bad = false) {
    notice = text;
    is_error = is_bad;
  }
};

// "name_0001.ext", the first of that pattern that does not exist in the working directory.
std::string NextFileName(const std::string& name, const std::string& extension);

// The state shown as an MJCF <key>.
std::string MakeKey(const Session& session);

}  // namespace stiction::viewer
