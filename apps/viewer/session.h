// What the window shows and the panels change.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "live/camera.h"
#include "live/layout.h"
#include "live/problem_solves.h"
#include "live/sample_table.h"
#include "live/simulation.h"
#include "plot_list.h"
#include "renderer.h"
#include "stiction/io/import_report.h"
#include "stiction/viz/scene.h"
#include "theme.h"
#include "thumbnails.h"
#include "timeline.h"

namespace stiction::viewer {

// A file as it was read.
struct LoadedFile {
  std::string path, name;
  Model model;
  ImportReport report;
  std::vector<std::string> losses;  // DescribeLosses() of it, without folders
  std::vector<std::string> unseen;  // what could not be had of how it looks, likewise
  WorldOptions options;
  std::string keyframe;
  bool is_scenario = false;
  std::vector<ControllerDescription> controllers;
  std::vector<TaskDescription> tasks;
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
  kHelp,
  kPlots,
  kCompare,
  kScenario
};
inline constexpr int kNumPanels = 14;

struct PanelInfo {
  const char* title;
  int key_number;  // Ctrl + this digit shows and closes it; -1: none
  bool is_open_at_first;
  Dock dock;  // in which it is at first; of the help: none
};
inline constexpr std::array<PanelInfo, kNumPanels> kPanels{{{"Simulation", 1, true, Dock::kUpperRight},
                                                            {"View", 2, true, Dock::kUpperRight},
                                                            {"Model", 3, true, Dock::kLowerRight},
                                                            {"Controls", 4, true, Dock::kLowerRight},
                                                            {"Solver", 5, true, Dock::kLowerRight},
                                                            {"Certificate", 6, true, Dock::kLowerRight},
                                                            {"Diagnostics", 7, false, Dock::kBottom},
                                                            {"Shadow solves", 8, false, Dock::kBottom},
                                                            {"Keep", 9, true, Dock::kUpperRight},
                                                            {"Import report", 0, false, Dock::kBottom},
                                                            {"Help", -1, false, Dock::kBottom},
                                                            {"Plots", -1, false, Dock::kBottom},
                                                            {"Compare", -1, false, Dock::kLeft},
                                                            {"Scenario", -1, false, Dock::kBottom}}};

// What the panels and keys ask the window to do after the frame.
struct Requests {
  bool quit = false, reload = false, screenshot = false, frame_scene = false, toggle_fullscreen = false;
  bool toggle_video = false, toggle_pictures = false;
  bool browse = false;     // for a file to open
  bool body_menu = false;  // of the selected body, at the pointer
  bool close = false;      // what is shown: back to the start page
  std::string open;        // a file to show instead
  std::string copy;        // text for the clipboard

  bool operator==(const Requests&) const = default;
};

// Which panel is where. Of the panels that are open in a dock one is in front, and shown.
struct PanelPlaces {
  DockSizes sizes;
  std::array<Dock, kNumPanels> docks{};
  std::array<Panel, kNumDocks> front{};
  // Of the last frame.
  DockPlaces now;
  Area area;
  std::array<Rectangle, kNumPanels> shown{};
  std::array<bool, kNumPanels> is_shown{};
};

// What the window is like, from one start to the next.
struct Settings {
  Theme theme = Theme::kDark;
  double scale = 0.0;                     // units of the window a unit of the design; 0: as the screen has it
  std::vector<std::string> recent_files;  // the last one first
  std::map<std::string, std::vector<double>> bookmarks;  // of these, by file [s]
};

struct Session {
  Simulation simulation;
  std::shared_ptr<const LoadedFile> file;   // null: nothing is loaded yet
  std::optional<SceneDrawing> scene;        // of file->model
  std::unique_ptr<ProblemSolves> problems;  // shown instead of a model; null: none
  int model_id = 0;
  Snapshot now;
  SampleTable samples, companion_samples;       // of the steps that are shown
  std::map<std::string, SignalSeries> signals;  // what is plotted, by name
  TimelineView timeline;
  std::vector<PlotSpec> plots;  // that the user made
  bool are_plots_new = false;   // what they show is not asked for yet
  CompareChoice compare;

  PanelPlaces places;
  Settings settings;
  Thumbnails thumbnails;        // of the start page
  Viewport viewport;            // the part of the window that the panels leave to the picture
  Viewport companion_viewport;  // of it the half of what is compared
  Camera camera;
  std::string view;          // the named camera looked through; empty: the free one
  bool is_tracking = false;  // the camera follows the selected body
  SceneOptions scene_options;
  RenderOptions render_options;
  std::vector<std::string> shadow_solvers;
  std::vector<std::string> shadow_arrows;  // of which the impulses are drawn
  bool is_every_step_shadowed = false;

  int selected_body = -1, selected_geom = -1;
  int hinted_body = -1;  // that the pointer's control moves: shown in place of the selected one for a frame
  std::array<bool, kNumPanels> is_open{};
  bool has_ui = true;                  // Tab hides all panels
  bool is_browsing = false;            // for a file to open
  std::array<char, 1024> path_text{};  // typed into the field for a file
  std::string notice;                  // the last error or answer, shown until dismissed
  bool is_error = false;
  bool is_software = false;  // no GPU draws
  double frame_rate = 0.0;   // drawn frames per second, of the last half second
  double frame_time = 0.0;   // spent drawing the last frame [s]
  bool is_recording_video = false, is_recording_pictures = false;
  Requests requests;

  // What the simulation told since the last frame.
  void TakeNews();
  // Another model is shown: nothing of what was recorded is of it.
  void ForgetHistory();

  bool has_model() const { return file != nullptr && now.model_id == model_id; }
  bool& open(Panel panel) { return is_open[static_cast<std::size_t>(panel)]; }
  // Opens it, in front of the others of its dock.
  void Show(Panel panel);
  // Shows it; or closes it where it is shown already.
  void Toggle(Panel panel);
  // All panels where they are at first.
  void ResetLayout();
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
