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

const char* TitleOfPanel(Panel panel) {
  return kPanels[static_cast<std::size_t>(panel)].title;
}

// Sizes of docks, which panel is in which, and which one is in front.
Json LayoutToJson(const PanelPlaces& places) {
  const DockSizes& sizes = places.sizes;
  Json layout{{"left", sizes.left}, {"right", sizes.right}, {"bottom", sizes.bottom}, {"upper", sizes.upper}};
  for (std::size_t i = 0; i < kNumPanels; ++i)
    layout["docks"][kPanels[i].title] = kDockNames[static_cast<std::size_t>(places.docks[i])];
  for (std::size_t i = 0; i < kNumDocks; ++i) layout["front"][kDockNames[i]] = TitleOfPanel(places.front[i]);
  return layout;
}

// The place of a text in a list; -1 if it is no text, or not in it.
template <typename List, typename Name>
int FindText(const Json& object, const char* key, const List& list, Name name) {
  const auto text = object.find(key);
  if (text == object.end() || !text->is_string()) return -1;
  for (std::size_t i = 0; i < std::size(list); ++i)
    if (text->get<std::string>() == name(list[i])) return static_cast<int>(i);
  return -1;
}

void ReadSize(const Json& object, const char* key, float most, float& size) {
  const auto number = object.find(key);
  if (number == object.end() || !number->is_number()) return;
  const double value = number->get<double>();
  if (value >= 0.0 && value <= most) size = static_cast<float>(value);
}

// What cannot be read leaves the panel where it is.
void ReadLayout(const Json& settings, PanelPlaces& places) {
  const auto layout = settings.find("layout");
  if (layout == settings.end() || !layout->is_object()) return;
  constexpr float kMost = 32768.0f;
  ReadSize(*layout, "left", kMost, places.sizes.left);
  ReadSize(*layout, "right", kMost, places.sizes.right);
  ReadSize(*layout, "bottom", kMost, places.sizes.bottom);
  ReadSize(*layout, "upper", 1.0f, places.sizes.upper);
  const auto same = [](const char* name) { return name; };
  const auto docks = layout->find("docks");
  for (std::size_t i = 0; docks != layout->end() && docks->is_object() && i < kNumPanels; ++i) {
    const int dock = FindText(*docks, kPanels[i].title, kDockNames, same);
    if (dock >= 0) places.docks[i] = static_cast<Dock>(dock);
  }
  const auto front = layout->find("front");
  for (std::size_t i = 0; front != layout->end() && front->is_object() && i < kNumDocks; ++i) {
    const int panel = FindText(*front, kDockNames[i], kPanels, [](const PanelInfo& p) { return p.title; });
    if (panel >= 0) places.front[i] = static_cast<Panel>(panel);
  }
}

void ReadLook(const Json& file, Settings& settings) {
  const int theme = FindText(file, "theme", kThemeNames, [](const char* name) { return name; });
  if (theme >= 0) settings.theme = static_cast<Theme>(theme);
  const auto scale = file.find("scale");
  if (scale != file.end() && scale->is_number()) {
    const double value = scale->get<double>();
    if (value == 0.0 || (value >= kSmallestScale && value <= kLargestScale)) settings.scale = value;
  }
  const auto recent = file.find("recent");
  for (std::size_t i = 0; recent != file.end() && recent->is_array() && i < recent->size(); ++i)
    if ((*recent)[i].is_string()) settings.recent_files.push_back((*recent)[i].get<std::string>());
  const auto bookmarks = file.find("bookmarks");
  if (bookmarks == file.end() || !bookmarks->is_object()) return;
  for (const auto& [path, times] : bookmarks->items())
    for (const Json& time : times)
      if (time.is_number()) settings.bookmarks[path].push_back(time.get<double>());
}

}  // namespace

// A file that is missing, or of which something cannot be read, leaves the defaults. What the command line
// says holds for this start.
void App::LoadSettings() {
  ReadSettings();
  stored_ = session_.settings;
  if (arguments_.scale > 0.0) session_.settings.scale = arguments_.scale;
  for (std::size_t i = 0; i < std::size(kThemeNames); ++i)
    if (arguments_.theme == kThemeNames[i]) session_.settings.theme = static_cast<Theme>(i);
}

void App::ReadSettings() {
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
    if (static_cast<Panel>(i) == Panel::kHelp) continue;  // it would cover what was come for
    if (flag != panels->end() && flag->is_boolean()) session_.is_open[i] = flag->get<bool>();
  }
  ReadLayout(settings, session_.places);
  ReadLook(settings, session_.settings);
  const auto size = settings.find("size");
  if (arguments_.width > 0 || size == settings.end() || !size->is_array() || size->size() != 2) return;
  for (const Json& number : *size)
    if (!number.is_number_integer() || number.get<int>() < 200 || number.get<int>() > 16384) return;
  arguments_.width = (*size)[0].get<int>();
  arguments_.height = (*size)[1].get<int>();
}

void App::SaveSettings() {
  KeepBookmarks();
  const fs::path folder = SettingsFolder();
  if (folder.empty()) return;
  int width = 0, height = 0;
  glfwGetWindowSize(window_->handle(), &width, &height);
  Json settings;
  settings["size"] = {width, height};
  settings["panels"] = FlagsToJson(session_);
  settings["layout"] = LayoutToJson(session_.places);
  const Settings& now = session_.settings;
  settings["theme"] = kThemeNames[static_cast<int>(arguments_.theme.empty() ? now.theme : stored_.theme)];
  settings["scale"] = arguments_.scale > 0.0 ? stored_.scale : now.scale;
  settings["recent"] = now.recent_files;
  settings["bookmarks"] = now.bookmarks;
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
  trace["thumbnails"] = session_.thumbnails.num_ready();
  trace["problem"] = session_.problems ? session_.problems->Look().name : "";
  trace["problem_results"] = session_.problems ? session_.problems->Look().results.size() : 0;
  trace["model_id"] = session_.model_id;
  trace["losses"] = session_.file ? session_.file->losses : std::vector<std::string>{};
  trace["unseen"] = session_.file ? session_.file->unseen : std::vector<std::string>{};
  trace["held"] = now.held.size();
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
  trace["time_window"] = {session_.timeline.lower, session_.timeline.upper};
  trace["bookmarks"] = Json::array();
  for (const Bookmark& bookmark : session_.timeline.bookmarks) trace["bookmarks"].push_back(bookmark.time);
  trace["plots"] = Json::array();
  for (const PlotSpec& plot : session_.plots) trace["plots"].push_back(plot.names);
  trace["signals"] = Json::object();
  for (const auto& [name, series] : session_.signals) trace["signals"][name] = series.times.size();
  trace["expectations"] = now.expectations.size();
  trace["companion"] = Json();
  if (now.companion)
    trace["companion"] = {{"name", now.companion->name},
                          {"time", now.companion->time},
                          {"steps", now.companion->counts.steps},
                          {"over", now.companion->counts.over},
                          {"run_over", now.companion->own_counts.over},
                          {"apart", now.companion->apart},
                          {"rate", now.companion->rate}};
  trace["notice"] = session_.notice.empty() ? now.message : session_.notice;
  trace["selected_body"] = session_.selected_body;
  trace["is_coarse"] = session_.render_options.coarse;
  trace["outlined_body"] = session_.scene_options.selected_body;
  const std::vector<bool>& hidden = session_.scene_options.hidden;
  trace["hidden_bodies"] = std::count(hidden.begin(), hidden.end(), true);
  trace["is_tracking"] = session_.is_tracking;
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
  trace["theme"] = kThemeNames[static_cast<int>(session_.settings.theme)];
  trace["scale"] = scale_;
  trace["recent"] = session_.settings.recent_files;
  trace["places"] = Json::object();
  for (std::size_t i = 0; i < kNumPanels; ++i) {
    const Rectangle& place = session_.places.shown[i];
    if (session_.places.is_shown[i])
      trace["places"][kPanels[i].title] = {place.x, place.y, place.width, place.height};
  }
  const Rectangle& strip = session_.places.now.strip;
  trace["strip"] = {strip.x, strip.y, strip.width, strip.height};
  trace["controls"] = Json::object();
  for (const auto& [name, place] : ui::Places())
    trace["controls"][name] = {place.x, place.y, place.width, place.height};
  const std::string part = arguments_.trace + ".part";
  std::ofstream(part) << trace.dump() << '\n';
  std::error_code error;
  fs::rename(part, arguments_.trace, error);
}

}  // namespace stiction::viewer
