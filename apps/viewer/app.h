// The interactive window.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "file_watch.h"
#include "key_taps.h"
#include "live/stillness.h"
#include "mouse.h"
#include "picture.h"
#include "run_plan.h"
#include "session.h"
#include "ui.h"
#include "window.h"

namespace stiction::viewer {

struct AppArguments {
  bool is_low = false;
  int width = 0, height = 0;  // 0: the last size, or at first one that suits the screen
  double scale = 0.0;         // of text and panels; 0: as the settings or the screen have it
  std::string theme;          // "dark" or "light"; empty: as the settings have it
  bool is_running = true;     // from the start
  SceneOptions scene;         // from the start
  bool is_wireframe = false;
  std::string camera;
  bool watches = false;  // loads the model again whenever a file of it changes
  std::string model;     // of the log or state that the file is; empty: as that says
  std::string compare;   // a solver or a log that is shown beside the first file; empty: none
  std::string trace;     // file that is kept up to date with the window's state; empty: none
};

class App {
 public:
  // Reads the file that `run` names, where it names one: a model, a scenario, a log or a saved state. Throws
  // LoadError, UsageError, DisplayError.
  App(const runner::RunArguments& run, const AppArguments& arguments);
  ~App();
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  // Until the window is closed. Returns an exit code.
  int Run();

 private:
  void InstallCallbacks();
  // The one way by which a file of any kind is shown: from the command line, dropped, chosen, or of the start
  // page. `model` is the one of a log or state, empty: as that says. Throws LoadError, UsageError; what was
  // shown then stays.
  void Show(const runner::ModelArguments& file, const std::string& model);
  // The same; an error goes to the notice.
  void Open(const std::string& path);
  // Back to the start page.
  void Close();
  void Remember(const std::string& path);
  void UpdateLook();
  // Reads a model and shows it, with the log or state `recorded` of it where that is not empty. Throws
  // LoadError, UsageError; what was shown then stays.
  void Load(const runner::ModelArguments& model, const std::string& recorded);
  void Reload();
  bool IsOfThisModel(const std::string& path) const;
  void FrameScene();
  void AccompanyWalker();
  void TakeSnapshot();
  void DrawScene();
  void DrawLabels();
  void PlacePicture();
  ui::Place PicturePlace() const;
  void AimCamera();
  void AddPull();
  void AddShadowArrows();
  bool IsSeenToMove();
  void DrawFrame();
  void ServeRequests();
  void KeepDrawing();
  bool HasNews();
  void KeepPictures();
  void ToggleVideo();
  Picture TakePicture();
  void ToggleFullscreen();
  void WriteTrace();
  void LoadSettings();
  void ReadSettings();
  void SaveSettings();
  void KeepBookmarks();
  bool Wait();

  runner::RunArguments run_;      // of what is shown
  runner::ModelArguments given_;  // on the command line, for files that are opened later: without path
  std::string shown_;             // which of the recent files; empty: none
  std::string recorded_;          // the log or state that is shown with the model; empty: none
  AppArguments arguments_;
  runner::FileWatch watch_;  // of the files of what is shown, where that is asked for
  Session session_;
  Settings stored_;                      // as they are in the file, without what the command line says
  float scale_ = 0.0f, density_ = 0.0f;  // of the present fonts
  std::string title_;                    // of the window
  std::optional<Theme> theme_;           // of the present style
  std::unique_ptr<Window> window_;
  std::unique_ptr<Renderer> renderer_;
  Mouse mouse_;
  KeyTaps key_taps_;
  Stillness stillness_;
  double pointer_x_ = -1.0, pointer_y_ = -1.0;  // as of the last event; -1: none yet
  DrawList list_;
  std::unique_ptr<VideoWriter> video_;
  std::string picture_series_;  // name of the pictures recorded; empty: none
  int num_pictures_ = 0;
  int video_width_ = 0, video_height_ = 0;
  double next_picture_ = 0.0;            // wall time of the next frame recorded [s]
  int width_ = 1, height_ = 1;           // of the framebuffer [pixels]
  int windowed_[4] = {0, 0, 1280, 720};  // place and size before full screen
  std::string clipboard_;                // what was last copied to it
  std::string aimed_view_;
  Camera framed_;  // where it was put to show the scene: moved by hand, it is another one
  long long num_frames_ = 0, num_key_presses_ = 0;
  std::shared_ptr<const ShadowReport> shown_shadows_;
  double busy_until_ = 0.0;  // wall time until which frames are drawn though nothing moves [s]
  double rate_start_ = 0.0;
  long long rate_frames_ = 0;
};

}  // namespace stiction::viewer
