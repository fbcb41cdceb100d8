// The menus at the top of the window.
#include <filesystem>
#include <string>

#include "panels.h"
#include "ui.h"

namespace stiction::viewer {
namespace {

constexpr double kMenuScales[] = {0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0};

bool MenuEntry(const char* label, const char* keys = nullptr, bool is_enabled = true,
               bool is_ticked = false) {
  const bool is_chosen = ImGui::MenuItem(label, keys, is_ticked, is_enabled);
  ui::Mark(label);
  return is_chosen;
}

// Opens a menu, marked as "<label> menu".
bool BeginBarMenu(const char* label) {
  const bool is_open = ImGui::BeginMenu(label);
  // Once it is open, the last item is the menu's window: its entry in the bar is marked while closed.
  if (!is_open) ui::Mark(std::string(label) + " menu");
  return is_open;
}

void ShowRecentFiles(Session& session) {
  std::vector<std::string>& files = session.settings.recent_files;
  if (!ImGui::BeginMenu("Open recent", !files.empty())) return;
  for (const std::string& file : files) {
    if (ImGui::MenuItem(ui::Shorten(file, Scaled(420.0f)).c_str())) session.requests.open = file;
    ui::Mark(std::filesystem::path(file).filename().string());
  }
  ImGui::Separator();
  if (MenuEntry("Forget these")) files.clear();
  ImGui::EndMenu();
}

void ShowFileMenu(Session& session) {
  if (!BeginBarMenu("File")) return;
  Requests& requests = session.requests;
  const bool has_file = session.file != nullptr, has_model = session.has_model();
  if (MenuEntry("Open...", "Ctrl+O")) requests.browse = true;
  ShowRecentFiles(session);
  if (MenuEntry("Start page", nullptr, has_file)) requests.close = true;
  if (MenuEntry("Reload", "Ctrl+L", has_file)) requests.reload = true;
  ImGui::Separator();
  if (MenuEntry("Save state", "Ctrl+S", has_model)) SaveState(session);
  if (MenuEntry("Copy state as <key>", "Ctrl+C", has_model)) requests.copy = MakeKey(session);
  if (MenuEntry("Screenshot", "Ctrl+P", has_model)) requests.screenshot = true;
  if (MenuEntry(session.is_recording_video ? "End video" : "Record video", "Ctrl+R", has_model))
    requests.toggle_video = true;
  ImGui::Separator();
  if (MenuEntry("Quit", "Ctrl+Q")) requests.quit = true;
  ImGui::EndMenu();
}

void ShowPanelsMenu(Session& session) {
  if (!BeginBarMenu("Panels")) return;
  for (int i = 0; i < kNumPanels; ++i) {
    const Panel panel = static_cast<Panel>(i);
    if (panel == Panel::kHelp) continue;
    const PanelInfo& info = kPanels[static_cast<std::size_t>(i)];
    const std::string keys = panel == Panel::kPlots      ? "F2"
                             : panel == Panel::kCompare  ? "F3"
                             : panel == Panel::kScenario ? "F4"
                             : info.key_number >= 0      ? "Ctrl+" + std::to_string(info.key_number)
                                                         : "";
    const bool is_open = session.open(panel);
    if (MenuEntry(info.title, keys.c_str(), true, is_open)) {
      if (is_open)
        session.open(panel) = false;
      else
        session.Toggle(panel);
    }
  }
  ImGui::Separator();
  if (MenuEntry("Hide all", "Tab")) session.has_ui = false;
  if (MenuEntry("Reset layout")) session.ResetLayout();
  ImGui::EndMenu();
}

void ShowLookMenu(Session& session) {
  if (!BeginBarMenu("Look")) return;
  Settings& settings = session.settings;
  if (MenuEntry("Dark", nullptr, true, settings.theme == Theme::kDark)) settings.theme = Theme::kDark;
  if (MenuEntry("Light", nullptr, true, settings.theme == Theme::kLight)) settings.theme = Theme::kLight;
  ImGui::Separator();
  if (MenuEntry("As large as the screen says", nullptr, true, settings.scale == 0.0)) settings.scale = 0.0;
  for (const double scale : kMenuScales) {
    const std::string label = std::to_string(static_cast<int>(100.0 * scale)) + " %";
    if (MenuEntry(label.c_str(), nullptr, true, settings.scale == scale)) settings.scale = scale;
  }
  ImGui::EndMenu();
}

void ShowHelpMenu(Session& session) {
  if (!BeginBarMenu("Help")) return;
  if (MenuEntry("Keys and pointer", "F1")) session.Toggle(Panel::kHelp);
  ImGui::EndMenu();
}

}  // namespace

void ShowMenuBar(Session& session) {
  if (!ImGui::BeginMainMenuBar()) return;
  ShowFileMenu(session);
  ShowPanelsMenu(session);
  ShowLookMenu(session);
  ShowHelpMenu(session);
  if (session.file) {
    const float room = ImGui::GetContentRegionAvail().x - Scaled(12.0f);
    const std::string name = ui::Shorten(session.file->name, room);
    const float width = ImGui::CalcTextSize(name.c_str()).x;
    if (width < room) {
      ImGui::SetCursorPosX(ImGui::GetWindowWidth() - width - Scaled(12.0f));
      ImGui::TextDisabled("%s", name.c_str());
      if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", session.file->path.c_str());
    }
  }
  ImGui::EndMainMenuBar();
}

}  // namespace stiction::viewer
