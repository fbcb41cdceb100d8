// What the window remembers from one start to the next, and what it tells scripts.
#include <algorithm>
#include <cmath>
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

// The panels' places, in the window in which the user left them.
Json LayoutToJson(const PanelPlaces& places) {
  Json layout;
  const Area& area = places.layout.area();
  layout["area"] = {area.width, area.height, area.top};
  layout["places"] = Json::object();
  layout["collapsed"] = Json::array();
  for (std::size_t i = 0; i < kNumPanels; ++i) {
    const Rectangle& place = places.layout.places()[i];
    layout["places"][kPanels[i].title] = {place.x, place.y, place.width, place.height};
    if (places.is_collapsed[i]) layout["collapsed"].push_back(kPanels[i].title);
  }
  return layout;
}

// The numbers of a list of `count`; empty if it is none.
std::vector<float> ReadNumbers(const Json& object, const char* key, std::size_t count) {
  const auto list = object.find(key);
  std::vector<float> numbers;
  if (list == object.end() || !list->is_array() || list->size() != count) return {};
  for (const Json& number : *list) {
    if (!number.is_number() || std::abs(number.get<double>()) > 32768.0) return {};
    numbers.push_back(number.get<float>());
  }
  return numbers;
}

// What cannot be read leaves the panel where it is.
void ReadLayout(const Json& settings, PanelPlaces& places) {
  const auto layout = settings.find("layout");
  if (layout == settings.end() || !layout->is_object()) return;
  const std::vector<float> a = ReadNumbers(*layout, "area", 3);
  const auto listed = layout->find("places");
  if (a.empty() || !(a[0] > 0.0f) || !(a[1] > a[2]) || listed == layout->end() || !listed->is_object())
    return;
  const Area area{a[0], a[1], a[2]};
  for (std::size_t i = 0; i < kNumPanels; ++i) {
    const std::vector<float> p = ReadNumbers(*listed, kPanels[i].title, 4);
    if (!p.empty() && p[2] > 0.0f && p[3] > 0.0f)
      places.layout.Move(static_cast<int>(i), {p[0], p[1], p[2], p[3]}, area);
    const auto collapsed = layout->find("collapsed");
    if (collapsed != layout->end() && collapsed->is_array())
      places.is_collapsed[i] =
          std::find(collapsed->begin(), collapsed->end(), kPanels[i].title) != collapsed->end();
  }
}

}  // namespace

// A file that is missing, or of which something cannot be read, leaves the defaults.
void App::LoadSettings() {
  const fs::path folder = SettingsFolder();
  std::error_code error;
  if (folder.empty()) return;
  fs::create_directories(folder, error);
  if (error) return;
  std::ifstream in(folder / "view.json");
  const Json settings = Json::parse(in, nullptr, false);
  if (!settings.is_object()) return;
  const auto panels = settings.find("panels");
  for (std::size_t i = 0; panels != settings.end() && panels->is_object() && i < kNumPanels; ++i) {
    const auto flag = panels->find(kPanels[i].title);
    if (flag != panels->end() && flag->is_boolean()) session_.is_open[i] = flag->get<bool>();
  }
  ReadLayout(settings, session_.places);
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
  settings["layout"] = LayoutToJson(session_.places);
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
  trace["budget"] = now.budget && !now.budget->is_none() ? Json(now.budget->absolute) : Json();
  trace["budget_misses"] = now.budget_misses;
  trace["is_playback"] = now.is_playback;
  trace["contacts"] = now.report.num_contacts;
  trace["contact_points"] = now.contacts.size();
  trace["samples"] = session_.samples.size();
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
  int width = 0, height = 0;
  glfwGetWindowSize(window_->handle(), &width, &height);
  trace["window"] = {width, height};
  trace["places"] = Json::object();
  for (std::size_t i = 0; i < kNumPanels; ++i) {
    const Rectangle& place = session_.places.shown[i];
    if (session_.places.is_shown[i])
      trace["places"][kPanels[i].title] = {place.x, place.y, place.width, place.height};
  }
  trace["controls"] = Json::object();
  for (const auto& [name, place] : ui::Places())
    trace["controls"][name] = {place.x, place.y, place.width, place.height};
  const std::string part = arguments_.trace + ".part";
  std::ofstream(part) << trace.dump() << '\n';
  std::error_code error;
  fs::rename(part, arguments_.trace, error);
}

}  // namespace stiction::viewer
