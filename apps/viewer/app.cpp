#include "app.h"

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <thread>
#include <utility>

#include "compare.h"
#include "fonts.h"
#include "keys.h"
#include "live/recording.h"
#include "live/unseen.h"
#include "openable.h"
#include "panels/panels.h"
#include "program.h"
#include "recorded_file.h"
#include "run_start.h"
#include "stiction/math/rotation.h"
#include "ui.h"
#include "views.h"

namespace stiction::viewer {
namespace {

constexpr int kSamples = 4;            // a pixel, where a GPU draws them
constexpr double kAfterglow = 0.5;     // of drawing at full rate after the last event [s]
constexpr double kIdleInterval = 0.1;  // between looks at the simulation while nothing moves [s]
constexpr int kSmallestPicture = 16;   // for which panels make room [pixels]
constexpr std::size_t kMaxRecentFiles = 12;
// In which a model is shown where nothing else is asked for: files put there what they are about, and
// "as in the file" often is all joints at zero.
constexpr const char* kHomeKeyframe = "home";
constexpr double kPictureRate = 30.0;  // of recorded videos and pictures [1/s]

volatile std::sig_atomic_t is_interrupted = 0;

App& AppOf(GLFWwindow* window) {
  return *static_cast<App*>(glfwGetWindowUserPointer(window));
}

// The colours of shadow solvers' arrows, in the order in which they were ticked.
constexpr DrawColor kShadowColors[] = {{0.2f, 0.5f, 1.0f, 1},
                                       {0.2f, 0.8f, 0.8f, 1},
                                       {0.7f, 0.3f, 0.9f, 1},
                                       {0.9f, 0.8f, 0.2f, 1},
                                       {0.3f, 0.9f, 0.3f, 1}};

// What puts a log or a saved state into the simulation.
std::function<void(Player&)> ReadRecorded(const std::string& path, const Model& model) {
  if (FindFileKind(path) == FileKind::kState)
    return [state = ReadState(path, model)](Player& player) { player.Continue(state); };
  const auto recording = std::make_shared<Recording>(ReadRecording(path, model));
  return [recording](Player& player) { player.PlayBack(std::move(*recording)); };
}

// Lines short enough for a picture's corner: without the folders of the files.
std::vector<std::string> ListLosses(ImportReport report) {
  for (ImportItem& item : report.items) item.file = std::filesystem::path(item.file).filename();
  return DescribeLosses(report);
}

}  // namespace

App::App(const runner::RunArguments& run, const AppArguments& arguments) : run_(run), arguments_(arguments) {
  session_.ResetLayout();
  LoadSettings();
  session_.render_options.low = arguments.is_low;
  session_.render_options.wireframe = arguments.is_wireframe;
  session_.scene_options = arguments.scene;
  given_ = run.model;
  given_.path.clear();
  given_.keyframe.clear();
  // An error before there is a window is one of the command line.
  const runner::ModelArguments model = std::exchange(run_.model, given_);
  if (!model.path.empty() || !arguments_.model.empty()) Show(model, arguments_.model);
  if (!arguments_.compare.empty()) {
    if (!session_.scene) throw runner::UsageError("--compare: needs FILE");
    StartComparing(session_, arguments_.compare);
    // From the start, however long the log took to be read.
    if (recorded_.empty()) session_.simulation.Do([](Player& player) { player.Reset(); });
  }
  if (!arguments_.camera.empty() && session_.scene)
    session_.camera = MakeView(session_.file->model, session_.now.X_WB, arguments_.camera,
                               session_.scene->CalcBounds(session_.now.X_WB));
  if (arguments.is_low) LimitSoftwareRendering();
  const auto [width, height] = ChooseWindowSize(arguments_.width, arguments_.height, session_.settings.scale);
  window_ = std::make_unique<Window>("stiction", width, height, true, arguments.is_low ? 1 : kSamples);
  renderer_ = std::make_unique<Renderer>(arguments.is_low);
  if (session_.scene) renderer_->SetMeshes(session_.scene->meshes(), session_.scene->textures());
  InstallCallbacks();
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;  // the panels' places are the window's own (live/layout.h)
  ImGui_ImplGlfw_InitForOpenGL(window_->handle(), true);
  ImGui_ImplOpenGL3_Init("#version 330 core");
  if (!HasScalableFont())
    session_.Say("This build has no font that can be scaled: install fonts-inter, and build it again.");
}

App::~App() {
  session_.thumbnails.Clear();
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
}

void App::Load(const runner::ModelArguments& model, const std::string& recorded) {
  auto file = std::make_shared<LoadedFile>();
  runner::RunArguments run = run_;
  run.model = model;
  if (arguments_.watches) watch_.Watch({model.path});
  runner::RunPlan plan = runner::MakeRunPlan(run, file->report);
  if (arguments_.watches) watch_.Watch(runner::ListReadFiles(model.path, plan.inputs, file->report));
  if (plan.keyframe.empty() && plan.model.FindKeyframe(kHomeKeyframe)) plan.keyframe = kHomeKeyframe;
  runner::WarnOfLosses(file->report);
  file->losses = ListLosses(file->report);
  file->unseen = ListUnseen(file->report);
  if (!plan.keyframe.empty()) runner::FindKnownKeyframe(plan.model, plan.keyframe);
  const std::string start = recorded.empty() ? runner::DescribeStart(plan, model) : "";
  std::function<void(Player&)> show_recorded;
  if (!recorded.empty()) show_recorded = ReadRecorded(recorded, plan.model);
  file->path = model.path;
  file->name = plan.model_name;
  file->options = plan.options;
  file->keyframe = plan.keyframe;
  file->is_scenario = !IsSceneText(model.path) && IsScenario(model.path);
  file->controllers = plan.controllers;
  file->tasks = plan.tasks;
  file->model = plan.model;
  const int model_id = session_.model_id + 1;
  KeepBookmarks();
  Remember(recorded.empty() ? model.path : recorded);
  session_.simulation.Show({std::move(plan.model), plan.options, plan.keyframe, model_id,
                            std::move(plan.controllers), std::move(plan.tasks), model.source(),
                            std::move(plan.expectations),
                            file->is_scenario ? std::optional(plan.duration) : std::nullopt});
  run_.model = model;
  recorded_ = recorded;
  session_.model_id = model_id;
  session_.problems.reset();
  session_.scene.reset();
  session_.file = std::move(file);
  session_.scene.emplace(session_.file->model);
  if (renderer_) renderer_->SetMeshes(session_.scene->meshes(), session_.scene->textures());
  session_.ForgetHistory();
  for (const double time : session_.settings.bookmarks[shown_]) AddBookmark(session_, time);
  session_.selected_body = session_.selected_geom = -1;
  session_.scene_options.hidden.clear();
  session_.view.clear();
  session_.is_tracking = false;
  while (!session_.simulation.Take(session_.now) || session_.now.model_id != model_id)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  session_.camera = framed_ = MakeView(session_.file->model, session_.now.X_WB, "",
                                       session_.scene->CalcMainBounds(session_.now.X_WB));
  if (!start.empty()) session_.Say(start, true);
  if (arguments_.is_running) session_.simulation.Do([](Player& player) { player.Run(true); });
  if (show_recorded) session_.simulation.Do(show_recorded);
}

void App::Reload() {
  KeepDrawing();
  try {
    session_.Say("");
    Load(run_.model, recorded_);
  } catch (const std::exception& error) {
    session_.Say(error.what(), true);
  }
}

void App::Show(const runner::ModelArguments& file, const std::string& model) {
  CheckCanBeShown(file.path);
  if (FindFileKind(file.path) == FileKind::kProblem && model.empty()) {
    auto problems = std::make_unique<ProblemSolves>(file.path);
    Close();
    session_.problems = std::move(problems);
    return Remember(file.path);
  }
  if (model.empty() && IsRecorded(file.path) && IsOfThisModel(file.path)) {
    session_.simulation.Do(ReadRecorded(file.path, session_.file->model));
    recorded_ = file.path;
    return Remember(file.path);
  }
  runner::ModelArguments found = file;
  const std::string recorded = TakeRecorded(model, found);
  Load(found, recorded);
}

void App::Open(const std::string& path) {
  try {
    runner::ModelArguments file = given_;
    file.path = path;
    session_.Say("");
    Show(file, "");
    SaveSettings();
  } catch (const std::exception& error) {
    session_.Say(error.what(), true);
  }
}

void App::Close() {
  KeepBookmarks();
  shown_.clear();
  session_.simulation.Do([](Player& player) {
    player.Run(false);
    player.StopLog();
  });
  session_.file.reset();
  session_.scene.reset();
  session_.problems.reset();
  session_.ForgetHistory();
  session_.selected_body = session_.selected_geom = -1;
  session_.view.clear();
  session_.Say("");
  run_.model = given_;
  recorded_.clear();
}

// As the last file that was opened; from wherever the program is started next.
void App::Remember(const std::string& path) {
  std::error_code error;
  const std::string full = IsSceneText(path) ? path : std::filesystem::absolute(path, error).string();
  std::vector<std::string>& files = session_.settings.recent_files;
  std::erase(files, full);
  files.insert(files.begin(), full);
  if (files.size() > kMaxRecentFiles) files.resize(kMaxRecentFiles);
  shown_ = full;
}

// Of the files that are remembered.
void App::KeepBookmarks() {
  Settings& settings = session_.settings;
  if (!shown_.empty()) {
    std::vector<double>& kept = settings.bookmarks[shown_];
    kept.clear();
    for (const Bookmark& bookmark : session_.timeline.bookmarks) kept.push_back(bookmark.time);
  }
  std::erase_if(settings.bookmarks, [&](const auto& entry) {
    const std::vector<std::string>& files = settings.recent_files;
    return entry.second.empty() || std::find(files.begin(), files.end(), entry.first) == files.end();
  });
}

// Fonts and style follow the settings, and the screen on which the window is; its title what is shown.
void App::UpdateLook() {
  const std::string shown = session_.file       ? session_.file->name
                            : session_.problems ? session_.problems->Look().name
                                                : "";
  const std::string title = shown.empty() ? "stiction" : shown + " - stiction";
  if (title != title_) glfwSetWindowTitle(window_->handle(), title.c_str());
  title_ = title;
  int window_width = 1, window_height = 1;
  glfwGetWindowSize(window_->handle(), &window_width, &window_height);
  const float density = static_cast<float>(width_) / static_cast<float>(std::max(window_width, 1));
  const double wanted = session_.settings.scale;
  const float scale =
      wanted > 0.0 ? static_cast<float>(wanted) : std::clamp(window_->content_scale() / density, 0.5f, 4.0f);
  if (theme_ != session_.settings.theme || scale != scale_) ApplyTheme(session_.settings.theme, scale);
  if (scale != scale_ || density != density_) {
    MakeFonts(scale, density);
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
  }
  theme_ = session_.settings.theme;
  scale_ = scale, density_ = density;
}

// Also a log or state that does not say of which it is may be: its sizes show.
bool App::IsOfThisModel(const std::string& path) const {
  if (!session_.has_model()) return false;
  const ModelSource source = ReadModelMention(path).source;
  return source.file.empty() || source == run_.model.source();
}

void App::FrameScene() {
  const auto [lower, upper] = session_.scene->CalcBounds(session_.now.X_WB);
  session_.camera.Frame(lower, upper);
  framed_ = session_.camera;
}

// What is alone and free to go where it likes stays in the picture, until somebody moves the camera.
void App::AccompanyWalker() {
  const Model& model = session_.file->model;
  if (model.num_trees() != 1 || !session_.camera.IsAs(framed_)) return;
  const int root = model.trees[0].root_body;
  const bool is_free = std::any_of(model.joints.begin(), model.joints.end(),
                                   [&](const Joint& joint) { return joint.body == root && joint.is_free(); });
  if (!is_free) return;
  session_.camera.Accompany(session_.now.X_WB[static_cast<std::size_t>(root)].p);
  framed_ = session_.camera;
}

void App::TakeSnapshot() {
  Snapshot& now = session_.now;
  const Vector3d before = session_.selected_body > 0 && session_.has_model()
                              ? now.X_WB[static_cast<std::size_t>(session_.selected_body)].p
                              : Vector3d::Zero().eval();
  if (!session_.simulation.Take(now)) return;
  KeepDrawing();
  session_.TakeNews();
  if (session_.is_tracking && session_.selected_body > 0)
    session_.camera.target += now.X_WB[static_cast<std::size_t>(session_.selected_body)].p - before;
  if (session_.has_model()) AccompanyWalker();
}

// The part of the window that the panels leave free; behind them nothing is drawn.
void App::PlacePicture() {
  const Rectangle& picture = session_.places.now.picture;
  int window_width = 1, window_height = 1;
  glfwGetWindowSize(window_->handle(), &window_width, &window_height);
  const double scale = static_cast<double>(width_) / std::max(window_width, 1);  // framebuffer pixels a unit
  const auto pixels = [scale](float length) { return static_cast<int>(std::lround(scale * length)); };
  Viewport& view = session_.viewport;
  // A window that is being resized may have two sizes at once: no picture is larger than what it is drawn to.
  const int right = std::min(pixels(picture.right()), width_);
  const int bottom = std::min(pixels(picture.bottom()), height_);
  view.x = pixels(picture.x), view.y = height_ - bottom;
  view.width = right - view.x;
  view.height = bottom - pixels(picture.y);
  if (view.width < kSmallestPicture || view.height < kSmallestPicture) view = {0, 0, width_, height_};
  // What is left between the panels are the lines that part them.
  const ImVec4& line = Colors().line;
  glClearColor(line.x, line.y, line.z, 1.0f);
  if (view.width < width_ || view.height < height_) glClear(GL_COLOR_BUFFER_BIT);
  SplitViewport(session_);
  const ui::Place place = PicturePlace();
  mouse_.set_place(place.x, place.y, place.width, place.height);
}

// The same in the window's units, from its upper left corner.
ui::Place App::PicturePlace() const {
  int window_width = 1, window_height = 1;
  glfwGetWindowSize(window_->handle(), &window_width, &window_height);
  const float scale = static_cast<float>(window_width) / static_cast<float>(std::max(width_, 1));
  const Viewport& view = session_.viewport;
  return {scale * static_cast<float>(view.x), scale * static_cast<float>(height_ - view.y - view.height),
          scale * static_cast<float>(view.width), scale * static_cast<float>(view.height)};
}

// Looks through a named camera. A view of the scene is taken once; a camera of the model moves with its body.
void App::AimCamera() {
  const bool is_place = FindModelCamera(session_.file->model, session_.view) >= 0;
  if (session_.view == aimed_view_ && !is_place) return;
  aimed_view_ = session_.view;
  if (aimed_view_.empty()) return;
  session_.camera = MakeView(session_.file->model, session_.now.X_WB, aimed_view_,
                             session_.scene->CalcBounds(session_.now.X_WB));
}

void App::AddPull() {
  const PullView& pull = session_.now.pull;
  if (!pull.is_active) return;
  const double size = session_.scene->size();
  list_.overlay.AddLine(pull.p_W, pull.target_W, {0.95f, 0.9f, 0.2f, 1});
  list_.overlay.Add(DrawPrimitive::kSphere, {Matrix3d::Identity(), pull.p_W},
                    Vector3d::Constant(0.008 * size), {0.95f, 0.9f, 0.2f, 1});
  // An arrow as long as the spring is stretched; the label says how strong it is.
  const bool is_turn = pull.torque_W.norm() > 0.0;
  const bool is_force = (pull.is_steady || pull.is_past) && pull.force_W.norm() > 0.0;
  const Vector3d vector = is_force  ? Vector3d(0.25 * size * pull.force_W.normalized())
                          : is_turn ? Vector3d(0.25 * size * pull.torque_W.normalized())
                                    : pull.target_W - pull.p_W;
  list_.overlay.AddArrow(pull.p_W, vector, 0.004 * size, {0.95f, 0.9f, 0.2f, 1});
  char text[48];
  if (is_force && is_turn)
    std::snprintf(text, sizeof text, "%.3g N, %.3g N m", pull.force_W.norm(), pull.torque_W.norm());
  else if (is_turn)
    std::snprintf(text, sizeof text, "%.3g N m", pull.torque_W.norm());
  else if (session_.now.is_running || pull.is_steady || pull.is_past)
    std::snprintf(text, sizeof text, "%.3g N", pull.force_W.norm());
  else  // no force that is meant: it makes a pose
    std::snprintf(text, sizeof text, "%.3g mm to go", 1e3 * (pull.target_W - pull.p_W).norm());
  list_.labels.push_back({(pull.p_W + vector).cast<float>(), text});
}

// The impulses that ticked solvers found for the same step, to the scale of those that act.
void App::AddShadowArrows() {
  const auto report = shown_shadows_;
  if (!report || session_.shadow_arrows.empty()) return;
  const double scale = session_.scene->CalcImpulseScale(report->step->contacts, session_.scene_options);
  for (const ShadowResult& result : report->results) {
    const auto shown = std::find(session_.shadow_arrows.begin(), session_.shadow_arrows.end(), result.solver);
    if (shown == session_.shadow_arrows.end()) continue;
    const auto color = kShadowColors[static_cast<std::size_t>(shown - session_.shadow_arrows.begin()) %
                                     std::size(kShadowColors)];
    for (std::size_t i = 0; i < result.impulses_W.size(); ++i) {
      if (report->step->contacts[i].constraint < 0) continue;
      list_.solid.AddArrow(report->step->contacts[i].p_W, scale * result.impulses_W[i],
                           0.0025 * session_.scene->size(), color);
    }
  }
}

// Forces change where nothing moves, and are marks that may be shown.
bool App::IsSeenToMove() {
  constexpr double kPixels = 0.5;
  const Snapshot& now = session_.now;
  const SceneOptions& shown = session_.scene_options;
  if (now.companion || now.pull.is_active || shown.contacts || shown.forces || shown.cones) return true;
  const Camera& camera = session_.camera;
  std::vector<RigidTransform> poses = now.X_WB;
  poses.push_back({camera.axes(), camera.eye()});
  const double metres =
      2.0 * camera.distance * std::tan(0.5 * camera.field_of_view) / session_.viewport.height;
  return !stillness_.Look(glfwGetTime(), poses, session_.scene ? session_.scene->size() : 1.0,
                          kPixels * metres);
}

void App::DrawScene() {
  // What moves is drawn in time rather than sharp, where there is no GPU; what stands is drawn whole.
  RenderOptions& options = session_.render_options;
  session_.is_software = renderer_->is_software();
  const bool is_running = session_.is_software && !options.low && session_.now.is_running;
  const bool rests = is_running && session_.has_model() && !IsSeenToMove();
  options.coarse = (is_running && !rests) || (session_.is_software && !options.low && mouse_.is_dragging());
  if (!session_.has_model()) {
    list_.Clear(0);
    renderer_->Draw(list_, session_.camera, 1.0, session_.viewport, session_.render_options);
    return;
  }
  const int hinted = std::exchange(session_.hinted_body, -1);
  session_.scene_options.selected_body = hinted > 0 ? hinted : session_.selected_body;
  AimCamera();
  DrawCompanion(session_, *renderer_, list_, session_.companion_viewport);
  // A robot that has come to rest is drawn once, and as sharp as a paused one.
  session_.scene->Draw(rests ? stillness_.poses() : session_.now.X_WB, session_.now.contacts,
                       session_.now.timestep, session_.now.worst_contact, session_.scene_options, list_);
  AddPull();
  AddShadowArrows();
  renderer_->Draw(list_, session_.camera, session_.scene->size(), session_.viewport, session_.render_options);
}

void App::DrawLabels() {
  const Eigen::Matrix4f projection =
      session_.camera.Projection(session_.viewport.aspect()) * session_.camera.View();
  const ui::Place place = PicturePlace();
  ImDrawList& draw = *ImGui::GetBackgroundDrawList();
  for (const DrawLabel& label : list_.labels) {
    const Eigen::Vector4f p = projection * label.p.homogeneous();
    if (!(p.w() > 0.0f)) continue;
    const ImVec2 at(place.x + 0.5f * (1.0f + p.x() / p.w()) * place.width,
                    place.y + 0.5f * (1.0f - p.y() / p.w()) * place.height);
    const ImVec2 shadow(at.x + 1.0f, at.y + 1.0f);
    draw.AddText(shadow, IM_COL32(0, 0, 0, 200), label.text.c_str());
    draw.AddText(at, IM_COL32(255, 255, 255, 255), label.text.c_str());
  }
}

void App::DrawFrame() {
  glfwGetFramebufferSize(window_->handle(), &width_, &height_);
  if (width_ <= 0 || height_ <= 0) return;  // minimised
  const double start = glfwGetTime();
  shown_shadows_ = session_.simulation.shadows().latest();
  TakeSnapshot();
  UpdateLook();
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  key_taps_.Apply(window_->handle());
  ImGui::NewFrame();
  ui::ForgetPlaces();
  ShowPanels(session_);
  if (session_.thumbnails.Work()) busy_until_ = start + kAfterglow;
  if (session_.problems && session_.problems->is_solving()) busy_until_ = start + kAfterglow;
  PlacePicture();  // into what these panels leave
  DrawScene();
  DrawLabels();
  DrawCaptions(session_, PicturePlace().width / static_cast<float>(std::max(session_.viewport.width, 1)),
               ImGui::GetIO().DisplaySize.y);
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  KeepPictures();
  glfwSwapBuffers(window_->handle());
  const double now = glfwGetTime();
  session_.frame_time = now - start;
  ++num_frames_;
  ++rate_frames_;
  if (now - rate_start_ > 0.5) {
    session_.frame_rate = static_cast<double>(rate_frames_) / (now - rate_start_);
    rate_start_ = now;
    rate_frames_ = 0;
  }
  WriteTrace();
}

// The scene as it is shown, without panels.
Picture App::TakePicture() {
  // Codecs want even numbers.
  session_.render_options.coarse = false;
  const int width = std::max(session_.viewport.width & ~1, 16),
            height = std::max(session_.viewport.height & ~1, 16);
  const bool is_split = session_.now.companion != nullptr;  // both halves
  Canvas canvas(is_split ? 2 * width : width, height, session_.render_options.low ? 1 : kSamples);
  canvas.Bind();
  DrawList companion;
  DrawCompanion(session_, *renderer_, companion, {width, 0, width, height});
  renderer_->Draw(list_, session_.camera, session_.scene->size(), {0, 0, width, height},
                  session_.render_options);
  return canvas.Read();
}

// Recorded frames are as many as the wall clock asks for: a slow frame stands for several.
void App::KeepPictures() {
  if (!video_ && picture_series_.empty()) return;
  const double now = glfwGetTime();
  if (now < next_picture_) return;
  try {
    const Picture picture = TakePicture();
    const bool fits = picture.width == video_width_ && picture.height == video_height_;
    if (video_ && !fits) {
      ToggleVideo();
      return session_.Say("The picture changed its size: the video ends here.");
    }
    for (; next_picture_ <= now; next_picture_ += 1.0 / kPictureRate) {
      if (video_) video_->Add(picture);
      if (picture_series_.empty()) continue;
      char number[16];
      std::snprintf(number, sizeof number, "_%05d.png", num_pictures_++);
      WritePng(picture_series_ + number, picture);
    }
  } catch (const std::runtime_error& error) {
    video_.reset();
    picture_series_.clear();
    session_.is_recording_video = session_.is_recording_pictures = false;
    session_.Say(error.what(), true);
  }
}

void App::ToggleVideo() {
  if (video_) {
    session_.is_recording_video = false;
    const std::unique_ptr<VideoWriter> video = std::move(video_);
    video->Close();
    return session_.Say("Video written to " + video->path());
  }
  const Picture picture = TakePicture();
  video_width_ = picture.width, video_height_ = picture.height;
  video_ = std::make_unique<VideoWriter>(NextFileName(session_.file->name, "mp4"), video_width_,
                                         video_height_, kPictureRate);
  next_picture_ = glfwGetTime();
  session_.is_recording_video = true;
}

void App::ToggleFullscreen() {
  GLFWwindow* window = window_->handle();
  if (glfwGetWindowMonitor(window) != nullptr) {
    glfwSetWindowMonitor(window, nullptr, windowed_[0], windowed_[1], windowed_[2], windowed_[3], 0);
    return;
  }
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
  if (mode == nullptr) return session_.Say("There is no monitor to fill.", true);
  glfwGetWindowPos(window, &windowed_[0], &windowed_[1]);
  glfwGetWindowSize(window, &windowed_[2], &windowed_[3]);
  glfwSetWindowMonitor(window, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

void App::ServeRequests() {
  const Requests requests = std::exchange(session_.requests, {});
  if (requests != Requests{}) KeepDrawing();
  if (requests.quit) glfwSetWindowShouldClose(window_->handle(), GLFW_TRUE);
  if (session_.file && (requests.reload || (arguments_.watches && watch_.HasChanged()))) Reload();
  if (!requests.open.empty()) Open(requests.open);
  if (requests.close) Close();
  if (requests.frame_scene && session_.has_model()) FrameScene();
  if (requests.toggle_fullscreen) ToggleFullscreen();
  if (!requests.copy.empty()) {
    clipboard_ = requests.copy;
    glfwSetClipboardString(window_->handle(), clipboard_.c_str());
    session_.Say("The state is on the clipboard as a <key>.");
  }
  if (!session_.has_model()) return;
  try {
    if (requests.screenshot) {
      const std::string path = NextFileName(session_.file->name, "png");
      WritePng(path, TakePicture());
      session_.Say("Screenshot written to " + path);
    }
    if (requests.toggle_video) ToggleVideo();
  } catch (const std::runtime_error& error) {
    session_.is_recording_video = false;
    video_.reset();
    session_.Say(error.what(), true);
  }
  if (requests.toggle_pictures) {
    if (picture_series_.empty()) {
      picture_series_ = NextFileName(session_.file->name + "_series", "d");
      picture_series_.resize(picture_series_.size() - 2);
      num_pictures_ = 0;
      next_picture_ = glfwGetTime();
    } else {
      session_.Say(std::to_string(num_pictures_) + " pictures written to " + picture_series_ + "_*.png");
      picture_series_.clear();
    }
    session_.is_recording_pictures = !picture_series_.empty();
  }
}

void App::InstallCallbacks() {
  GLFWwindow* window = window_->handle();
  glfwSetWindowUserPointer(window, this);
  glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int, int action, int modifiers) {
    App& app = AppOf(w);
    app.KeepDrawing();
    app.num_key_presses_ += action == GLFW_PRESS;
    if (action == GLFW_PRESS) app.key_taps_.Press(key, modifiers);
    const bool is_for_panels = ImGui::GetIO().WantTextInput || app.session_.is_browsing;
    if (action != GLFW_RELEASE && !is_for_panels)
      HandleKey(app.session_, key, modifiers, action == GLFW_REPEAT);
  });
  glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int button, int action, int modifiers) {
    App& app = AppOf(w);
    app.KeepDrawing();
    // Where the pointer was told to be last: where it is by now, after a slow frame, it was not pressed.
    double x = app.pointer_x_, y = app.pointer_y_;
    if (x < 0.0) glfwGetCursorPos(w, &x, &y);
    if (action == GLFW_RELEASE)
      app.mouse_.Release(app.session_, button);
    else if (!ImGui::GetIO().WantCaptureMouse)
      app.mouse_.Press(app.session_, button, modifiers, x, y);
  });
  glfwSetCursorPosCallback(window, [](GLFWwindow* w, double x, double y) {
    App& app = AppOf(w);
    app.KeepDrawing();
    app.pointer_x_ = x, app.pointer_y_ = y;
    app.mouse_.Move(app.session_, x, y);
  });
  glfwSetScrollCallback(window, [](GLFWwindow* w, double, double ticks) {
    App& app = AppOf(w);
    app.KeepDrawing();
    if (!ImGui::GetIO().WantCaptureMouse) app.mouse_.Scroll(app.session_, ticks);
  });
  glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
    if (count > 0) AppOf(w).session_.requests.open = paths[0];
    AppOf(w).KeepDrawing();
  });
  glfwSetWindowSizeCallback(window, [](GLFWwindow* w, int, int) { AppOf(w).KeepDrawing(); });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { AppOf(w).KeepDrawing(); });
  glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int) { AppOf(w).KeepDrawing(); });
  glfwSetCharCallback(window, [](GLFWwindow* w, unsigned int) { AppOf(w).KeepDrawing(); });
  glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int) { AppOf(w).KeepDrawing(); });
  glfwSetWindowContentScaleCallback(window, [](GLFWwindow* w, float, float) { AppOf(w).KeepDrawing(); });
}

void App::KeepDrawing() {
  busy_until_ = glfwGetTime() + kAfterglow;
}

// Whether the window would show anything else than it does. Scripts that drive it wait for frames.
bool App::HasNews() {
  const bool is_recording = video_ || !picture_series_.empty();
  return glfwGetTime() <= busy_until_ || is_recording || !arguments_.trace.empty() ||
         ImGui::GetIO().WantTextInput || session_.simulation.has_snapshot() ||
         session_.simulation.shadows().latest() != shown_shadows_ || session_.thumbnails.has_ready();
}

// Nothing moves: sleeps until an event, with a look at the simulation now and then. Otherwise keeps to the
// rate of a screen, or to half of it in low detail, so that the simulation has the processor.
bool App::Wait() {
  const double interval = arguments_.is_low ? 1.0 / 30.0 : 1.0 / 60.0;
  const double now = glfwGetTime();
  const bool is_recording = video_ || !picture_series_.empty();
  if (now > busy_until_ && !is_recording) {
    glfwWaitEventsTimeout(kIdleInterval);
  } else {
    const double rest = interval - session_.frame_time;
    if (rest > 0.0) std::this_thread::sleep_for(std::chrono::duration<double>(rest));
    glfwPollEvents();
  }
  return !is_interrupted && !glfwWindowShouldClose(window_->handle());
}

int App::Run() {
  std::signal(SIGINT, [](int) { is_interrupted = 1; });
  std::signal(SIGTERM, [](int) { is_interrupted = 1; });
  KeepDrawing();
  do {
    if (HasNews()) DrawFrame();
    ServeRequests();
  } while (Wait());
  if (video_) ToggleVideo();
  SaveSettings();
  if (window_->num_gl_errors() > 0) throw std::runtime_error("OpenGL reported errors; they are above");
  return runner::kOk;
}

}  // namespace stiction::viewer
