// What the window remembers from one start to the next, and what it tells scripts.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "app.h"
#include "json_output.h"
#include "ui.h"

namespace stiction::viewer {
namespace {

using runner::Json;
namespace fs = std::filesystem;

// Where users' settings belong; empty if there is no home.
fs::path SettingsFolder() {
  if (const char* config = std::getenv("XDG_CONFIG_HOME"); config && *config)
    return fs::path(config) / "stiction";
  if (const char* home = std::getenv("HOME"); home && *home) return fs::path(home) / ".config" / "stiction";
  return {};
}

Json FlagsToJson(const Session& session) {
  Json panels = Json::object();
  for (std::size_t i = 0; i < kNumPanels; ++i) panels[kPanels[i].title] = session.is_open[i];
  return panels;
}

}  // namespace

// A file that is missing, or of which something cannot be read, leaves the defaults.
void App::LoadSettings() {
  const fs::path folder = SettingsFolder();
  std::error_code error;
  if (folder.empty()) return;
  fs::create_directories(folder, error);
  if (error) return;
  layout_path_ = folder / "layout.ini";
  std::ifstream in(folder / "view.json");
  const Json settings = Json::parse(in, nullptr, false);
  if (!settings.is_object()) return;
  const auto panels = settings.find("panels");
  for (std::size_t i = 0; panels != settings.end() && panels->is_object() && i < kNumPanels; ++i) {
    const auto flag = panels->find(kPanels[i].title);
    if (flag != panels->end() && flag->is_boolean()) session_.is_open[i] = flag->get<bool>();
  }
  const auto size = settings.find("size");
  if (arguments_.has_size || size == settings.end() || !size->is_array() || size->size() != 2) return;
  for (const Json& number : *size)
    if (!number.is_number_integer() || number.get<int>() < 200 || number.get<int>() > 16384) return;
  arguments_.width = (*size)[0].get<int>();
  arguments_.height = (*size)[1].get<int>();
}

void App::SaveSettings() const {
  const fs::path folder = SettingsFolder();
  if (folder.empty()) return;
  int width = 0, height = 0;
  glfwGetWindowSize(window_->handle(), &width, &height);
  Json settings;
  settings["size"] = {width, height};
  settings["panels"] = FlagsToJson(session_);
  std::ofstream(folder / "view.json") << settings.dump(1) << '\n';
}

// Written beside and renamed, so that a reader never sees half of it.
void App::WriteTrace() {
  if (arguments_.trace.empty()) return;
  const Snapshot& now = session_.now;
  Json trace;
  trace["frame"] = num_frames_;
  trace["frame_rate"] = session_.frame_rate;
  trace["frame_ms"] = 1e3 * session_.frame_time;
  trace["gl_errors"] = window_->num_gl_errors();
  trace["model"] = session_.file ? session_.file->name : "";
  trace["model_id"] = session_.model_id;
  trace["losses"] = session_.file ? session_.file->losses : std::vector<std::string>{};
  trace["time"] = now.time;
  trace["steps"] = now.num_steps;
  trace["is_running"] = now.is_running;
  trace["speed"] = now.speed;
  trace["real_time_factor"] = now.real_time_factor;
  trace["step_us"] = 1e6 * now.report.phases.total;
  trace["solver"] = now.solver;
  trace["ncp_max"] = now.report.certificate.ncp_max;
  trace["notice"] = session_.notice.empty() ? now.message : session_.notice;
  trace["selected_body"] = session_.selected_body;
  trace["history"] = {now.history_index, now.history_size};
  trace["qpos"] = now.q.size() <= 200 ? runner::ToJson(now.q) : Json();
  trace["ctrl"] = now.ctrl.size() <= 200 ? runner::ToJson(now.ctrl) : Json();
  trace["pull_N"] = now.pull.force_W.norm();
  trace["camera"] = {{"azimuth", session_.camera.azimuth},
                     {"elevation", session_.camera.elevation},
                     {"distance", session_.camera.distance},
                     {"target", runner::ToJson(session_.camera.target)}};
  const ui::Place picture = PicturePlace();
  trace["picture"] = {picture.x, picture.y, picture.width, picture.height};
  const ImGuiIO& io = ImGui::GetIO();
  trace["pointer"] = {io.MousePos.x, io.MousePos.y};
  trace["buttons"] = {io.MouseDown[0], io.MouseDown[1], io.MouseDown[2]};
  trace["key_presses"] = num_key_presses_;
  trace["path_text"] = session_.path_text.data();
  trace["view"] = session_.view;
  trace["clipboard"] = clipboard_;
  trace["shadows"] = Json::object();
  if (const auto report = session_.simulation.shadows().latest())
    for (const ShadowResult& result : report->results)
      trace["shadows"][result.solver] = {{"ncp_max", result.certificate.ncp_max}, {"count", result.count}};
  trace["panels"] = FlagsToJson(session_);
  trace["controls"] = Json::object();
  for (const auto& [name, place] : ui::Places())
    trace["controls"][name] = {place.x, place.y, place.width, place.height};
  const std::string part = arguments_.trace + ".part";
  std::ofstream(part) << trace.dump() << '\n';
  std::error_code error;
  fs::rename(part, arguments_.trace, error);
}

}  // namespace stiction::viewer
