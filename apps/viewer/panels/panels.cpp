#include "panels.h"

#include <algorithm>

#include "ui.h"

namespace stiction::viewer {
namespace {

// In a window of 1280 x 720 below the menu bar.
constexpr Area kFirstArea{1280, 720, 19};
constexpr Rectangle kFirstPlaces[kNumPanels] = {
    {0, 19, 270, 226},      // Simulation
    {0, 245, 270, 322},     // View
    {1010, 19, 270, 331},   // Model
    {1010, 350, 270, 370},  // Controls
    {0, 567, 270, 153},     // Solver
    {270, 531, 740, 189},   // Certificate
    {290, 30, 560, 480},    // Diagnostics
    {290, 330, 700, 195},   // Shadow solves
    {400, 60, 420, 300},    // Keep
    {300, 60, 700, 420},    // Import report
    {300, 30, 640, 480},    // Help
};

// Before ImGui::Begin: puts the panel where it belongs if it was not there a frame ago, or the window has
// another size.
bool SetPlace(PanelPlaces& places, std::size_t i, const Area& area) {
  const bool is_new = !places.is_shown[i];
  if (!is_new && places.areas[i] == area) return false;
  const Rectangle place = places.layout.Place(static_cast<int>(i), area);
  ImGui::SetNextWindowPos({place.x, place.y});
  ImGui::SetNextWindowSize({place.width, place.height});
  if (is_new) ImGui::SetNextWindowCollapsed(places.is_collapsed[i]);
  places.areas[i] = area;
  return true;
}

// After it: what the user made of it. A collapsed panel keeps the size that it has when it is opened.
void TakePlace(PanelPlaces& places, std::size_t i, const Area& area, bool was_set) {
  Rectangle& shown = places.shown[i];
  const ImVec2 p = ImGui::GetWindowPos(), s = ImGui::GetWindowSize();
  places.is_shown[i] = true;
  places.is_collapsed[i] = ImGui::IsWindowCollapsed();
  Rectangle place{p.x, p.y, s.x, s.y};
  if (places.is_collapsed[i]) {
    const Rectangle full = was_set ? places.layout.Place(static_cast<int>(i), area) : shown;
    place.width = full.width, place.height = full.height;
  }
  if (!was_set && place != shown) places.layout.Move(static_cast<int>(i), place, area);
  shown = place;
}

// Takes the panel that was just begun into the insets, if it stands at an edge. Columns at the sides go
// before rows above and below.
void AddInset(Insets& insets) {
  if (ImGui::IsWindowCollapsed()) return;
  const ImVec2 p = ImGui::GetWindowPos(), s = ImGui::GetWindowSize(), all = ImGui::GetIO().DisplaySize;
  constexpr float kNear = 3.0f;
  if (p.x <= kNear && s.x < 0.5f * all.x)
    insets.left = std::max(insets.left, p.x + s.x);
  else if (p.x + s.x >= all.x - kNear && s.x < 0.5f * all.x)
    insets.right = std::max(insets.right, all.x - p.x);
  else if (p.y + s.y >= all.y - kNear && s.y < 0.5f * all.y)
    insets.bottom = std::max(insets.bottom, all.y - p.y);
}

using ShowPanel = void (*)(Session&);
constexpr ShowPanel kShow[kNumPanels] = {ShowSimulationPanel,  ShowViewPanel,    ShowModelPanel,
                                         ShowControlsPanel,    ShowSolverPanel,  ShowCertificatePanel,
                                         ShowDiagnosticsPanel, ShowShadowsPanel, ShowKeepPanel,
                                         ShowReportPanel,      ShowHelpPanel};

// Help is there without the others; without a model there is nothing that they could show.
bool IsShown(const Session& session, Panel panel) {
  const bool is_open = session.is_open[static_cast<std::size_t>(panel)];
  if (panel == Panel::kHelp) return is_open;
  return is_open && session.has_ui && (session.file || panel == Panel::kKeep);
}

void ShowFileMenu(Session& session) {
  if (!ImGui::BeginMenu("File")) return;
  Requests& requests = session.requests;
  if (ImGui::MenuItem("Reload", "Ctrl+L", false, session.file != nullptr)) requests.reload = true;
  ui::Mark("Reload");
  if (ImGui::MenuItem("Screenshot", "Ctrl+P", false, session.file != nullptr)) requests.screenshot = true;
  ui::Mark("Screenshot");
  if (ImGui::MenuItem("Copy state as <key>", "Ctrl+C", false, session.has_model()))
    requests.copy = MakeKey(session);
  ui::Mark("Copy state");
  if (ImGui::MenuItem("Quit", "Ctrl+Q")) requests.quit = true;
  ui::Mark("Quit");
  ImGui::EndMenu();
}

void ShowPanelsMenu(Session& session) {
  if (!ImGui::BeginMenu("Panels")) return;
  for (int i = 0; i < kNumPanels; ++i) {
    const PanelInfo& panel = kPanels[static_cast<std::size_t>(i)];
    const std::string key = i == static_cast<int>(Panel::kHelp) ? "F1"
                            : panel.key_number >= 0             ? "Ctrl+" + std::to_string(panel.key_number)
                                                                : "";
    ImGui::MenuItem(panel.title, key.c_str(), &session.is_open[static_cast<std::size_t>(i)]);
    ui::Mark(panel.title);
  }
  ImGui::Separator();
  if (ImGui::MenuItem("All where they were at first")) {
    session.places = {.layout = MakeFirstLayout()};
    for (std::size_t i = 0; i < kNumPanels; ++i) session.is_open[i] = kPanels[i].is_open_at_first;
  }
  ui::Mark("All where they were at first");
  ImGui::EndMenu();
}

void ShowMenuBar(Session& session) {
  if (!ImGui::BeginMainMenuBar()) return;
  ShowFileMenu(session);
  ui::Mark("File menu");
  ShowPanelsMenu(session);
  ui::Mark("Panels menu");
  if (session.file) ImGui::TextDisabled("  %s", session.file->name.c_str());
  char text[96];
  std::snprintf(text, sizeof text, "%.0f frames/s   F1: help", session.frame_rate);
  ImGui::SameLine(ImGui::GetWindowWidth() - ImGui::CalcTextSize(text).x - 12.0f);
  ImGui::TextDisabled("%s", text);
  ImGui::EndMainMenuBar();
}

// Errors and answers at the bottom of the picture, until clicked away.
void ShowNotice(Session& session) {
  std::string text = session.notice;
  const bool is_message = text.empty() && !session.now.message.empty();
  if (is_message) text = session.now.message;
  if (text.empty()) return;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0.5f * size.x, 30.0f}, ImGuiCond_Always, {0.5f, 0.0f});
  ImGui::SetNextWindowSizeConstraints({200.0f, 0.0f}, {0.6f * size.x, 0.5f * size.y});
  const bool is_bad = session.is_error || is_message;
  ImGui::PushStyleColor(ImGuiCol_WindowBg,
                        is_bad ? ImVec4(0.35f, 0.08f, 0.08f, 0.95f) : ImVec4(0.1f, 0.2f, 0.12f, 0.95f));
  ImGui::Begin("Notice", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PushTextWrapPos(0.55f * size.x);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
  if (ui::Button("Dismiss")) {
    session.notice.clear();
    session.is_error = false;
    if (is_message) session.simulation.Do([](Player& player) { player.set_message(""); });
  }
  ImGui::End();
  ImGui::PopStyleColor();
}

}  // namespace

Layout MakeFirstLayout() {
  return Layout({std::begin(kFirstPlaces), std::end(kFirstPlaces)}, kFirstArea);
}

void ShowPanels(Session& session) {
  session.insets = {};
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const Area area{size.x, size.y, ImGui::GetFrameHeight()};
  if (session.has_ui) {
    ShowMenuBar(session);
    session.insets.top = area.top;
    if (!session.file) ShowStartPage(session);
  }
  for (std::size_t i = 0; i < kNumPanels; ++i) {
    if (!IsShown(session, static_cast<Panel>(i))) {
      session.places.is_shown[i] = false;
      continue;
    }
    const bool was_set = SetPlace(session.places, i, area);
    if (ImGui::Begin(kPanels[i].title, &session.is_open[i], ImGuiWindowFlags_NoSavedSettings))
      kShow[i](session);
    TakePlace(session.places, i, area, was_set);
    if (session.has_ui) AddInset(session.insets);
    ImGui::End();
  }
  ShowLosses(session);
  ShowNotice(session);
}

}  // namespace stiction::viewer
