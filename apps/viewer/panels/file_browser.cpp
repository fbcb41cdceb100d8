// Open...: a folder's files, filtered and completed by what is typed.
#include <imgui_internal.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "assets_folder.h"
#include "live/file_list.h"
#include "openable.h"
#include "panels.h"
#include "stiction/scenes/scenes.h"
#include "ui.h"

namespace stiction::viewer {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBrowserTitle = "Open a file";
constexpr float kBrowserWidth = 760.0f, kBrowserHeight = 540.0f, kShortcutsWidth = 150.0f;

struct FileBrowser {
  std::string folder = "?";  // that was listed last: none yet
  bool shows_all = false;
  std::vector<FileEntry> entries;
  std::string error;
  int selected = 0;    // among those that are shown
  int generation = 0;  // of the text field: another one after its text was replaced
  bool is_fresh = true;
  std::string typed_early;  // before the fresh field had the focus
};
FileBrowser browser;

std::string TypedText(const Session& session) {
  return session.path_text.data();
}

void ReplaceTyped(Session& session, const std::string& text) {
  std::snprintf(session.path_text.data(), session.path_text.size(), "%s", text.c_str());
  ++browser.generation;
  browser.is_fresh = true;
  browser.typed_early.clear();
  browser.selected = 0;
}

// The folder of what was opened last, or the working directory.
std::string FirstFolder(const Session& session) {
  std::error_code error;
  for (const std::string& file : session.settings.recent_files) {
    const fs::path folder = fs::path(file).parent_path();
    if (!IsSceneText(file) && fs::is_directory(folder, error)) return folder.string() + "/";
  }
  return fs::current_path(error).string() + "/";
}

void ListAgain(const std::string& folder) {
  if (folder == browser.folder) return;
  browser.folder = folder;
  browser.entries = ListFolder(
      folder, [](const std::string& name) { return browser.shows_all || HasOpenableName(name); },
      browser.error);
}

// What Enter, or a click, does with an entry: a folder is entered, a file opened.
void Choose(Session& session, const std::string& folder, const FileEntry& entry) {
  if (entry.is_folder) return ReplaceTyped(session, folder + entry.name + "/");
  session.requests.open = folder + entry.name;
  session.is_browsing = false;
}

int EditPath(ImGuiInputTextCallbackData* data) {
  const auto& shown = *static_cast<const std::vector<FileEntry>*>(data->UserData);
  if (data->EventFlag == ImGuiInputTextFlags_CallbackCompletion) {
    const std::string text(data->Buf, static_cast<std::size_t>(data->BufTextLen));
    const std::string longer = CompletePath(text, browser.entries);
    if (longer == text || longer.size() >= static_cast<std::size_t>(data->BufSize)) return 0;
    data->DeleteChars(0, data->BufTextLen);
    data->InsertChars(0, longer.c_str());
  }
  if (data->EventFlag == ImGuiInputTextFlags_CallbackHistory) {
    const int last = static_cast<int>(shown.size()) - 1;
    if (data->EventKey == ImGuiKey_DownArrow) browser.selected = std::min(browser.selected + 1, last);
    if (data->EventKey == ImGuiKey_UpArrow) browser.selected = std::max(browser.selected - 1, 0);
  }
  if (data->EventFlag == ImGuiInputTextFlags_CallbackEdit) browser.selected = 0;
  if (data->EventFlag == ImGuiInputTextFlags_CallbackAlways && browser.is_fresh) {
    data->ClearSelection();
    data->CursorPos = data->BufTextLen;
    data->InsertChars(data->CursorPos, browser.typed_early.c_str());
    browser.is_fresh = false;
  }
  return 0;
}

// A fresh field has the focus a frame or two after it is first shown. What is typed until then waits for it:
// Dear ImGui would drop it.
void KeepTyped() {
  ImVector<ImWchar>& typed = ImGui::GetIO().InputQueueCharacters;
  for (const ImWchar character : typed) {
    char utf8[5];
    browser.typed_early += ImTextCharToUtf8(utf8, character);
  }
  typed.resize(0);
}

// Returns whether Enter was pressed.
bool ShowTypedPath(Session& session, const std::vector<FileEntry>& shown) {
  ImGui::SetNextItemWidth(-1.0f);
  if (browser.is_fresh) {
    ImGui::SetKeyboardFocusHere();
    KeepTyped();
  }
  ImGui::PushID(browser.generation);
  const bool is_entered = ImGui::InputTextWithHint(
      "##path", "path of a file; Tab completes it", session.path_text.data(), session.path_text.size(),
      ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackCompletion |
          ImGuiInputTextFlags_CallbackHistory | ImGuiInputTextFlags_CallbackAlways |
          ImGuiInputTextFlags_CallbackEdit,
      EditPath, const_cast<std::vector<FileEntry>*>(&shown));
  ui::Mark("Path");
  ImGui::PopID();
  return is_entered;
}

void ShowShortcut(Session& session, const char* name, const fs::path& folder) {
  std::error_code error;
  if (folder.empty() || !fs::is_directory(folder, error)) return;
  if (ui::Selectable(name, false)) ReplaceTyped(session, folder.string() + "/");
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", folder.c_str());
}

void ShowShortcuts(Session& session) {
  ImGui::BeginChild("shortcuts",
                    {Scaled(kShortcutsWidth), -ImGui::GetFrameHeightWithSpacing() - Scaled(4.0f)});
  std::error_code error;
  ShowShortcut(session, "Working folder", fs::current_path(error));
  if (const char* home = std::getenv("HOME")) ShowShortcut(session, "Home", home);
  const fs::path& assets = runner::AssetsFolder();
  if (!assets.empty()) {
    ShowShortcut(session, "Scenarios", assets / "scenarios");
    ShowShortcut(session, "Models", assets / "models");
  }
  ImGui::Dummy({0.0f, Scaled(6.0f)});
  std::vector<std::string> seen;
  for (const std::string& file : session.settings.recent_files) {
    const fs::path folder = fs::path(file).parent_path();
    if (IsSceneText(file) || std::find(seen.begin(), seen.end(), folder.string()) != seen.end()) continue;
    if (seen.empty()) ui::Muted("Recent");
    seen.push_back(folder.string());
    ShowShortcut(session, ui::Shorten(folder.filename().string(), Scaled(kShortcutsWidth - 8.0f)).c_str(),
                 folder);
  }
  ImGui::EndChild();
}

std::string DescribeSize(std::uintmax_t bytes) {
  char text[32];
  if (bytes < 1000)
    std::snprintf(text, sizeof text, "%d B", static_cast<int>(bytes));
  else if (bytes < 1000000)
    std::snprintf(text, sizeof text, "%.0f kB", 1e-3 * static_cast<double>(bytes));
  else
    std::snprintf(text, sizeof text, "%.1f MB", 1e-6 * static_cast<double>(bytes));
  return text;
}

// The sign of a folder or a file, and the name.
void DrawEntry(ImVec2 at, const std::string& label, bool is_folder) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float h = ImGui::GetTextLineHeight(), x = at.x + Scaled(6.0f), y = at.y;
  const ImU32 color = Color(is_folder ? Colors().accent : Colors().muted);
  if (is_folder) {
    list.AddRectFilled({x, y + 0.15f * h}, {x + 0.5f * h, y + 0.4f * h}, color, Scaled(1.5f));
    list.AddRectFilled({x, y + 0.28f * h}, {x + 1.05f * h, y + 0.9f * h}, color, Scaled(2.0f));
  } else {
    list.AddRect({x + 0.15f * h, y + 0.08f * h}, {x + 0.85f * h, y + 0.92f * h}, color, Scaled(2.0f));
    for (const float part : {0.35f, 0.55f})
      list.AddLine({x + 0.32f * h, y + part * h}, {x + 0.68f * h, y + part * h}, color);
  }
  list.AddText({x + 1.5f * h, y}, Color(Colors().text), label.c_str());
}

void ShowEntries(Session& session, const std::string& folder, const std::vector<FileEntry>& shown) {
  ImGui::BeginChild("entries", {0.0f, -ImGui::GetFrameHeightWithSpacing() - Scaled(4.0f)});
  if (!browser.error.empty()) ui::Muted(folder + ": " + browser.error);
  if (browser.error.empty() && shown.empty())
    ui::Muted(browser.entries.empty() ? "Nothing here can be opened." : "Nothing here has such a name.");
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {Scaled(8.0f), Scaled(7.0f)});
  const float size_width = ImGui::CalcTextSize("999.9 MB").x;
  const FileEntry* chosen = nullptr;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const FileEntry& entry = shown[i];
    const std::string label = entry.name + (entry.is_folder ? "/" : "");
    const bool is_selected = static_cast<int>(i) == browser.selected;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::Selectable("##entry", is_selected)) chosen = &entry;
    ImGui::PopID();
    ui::Mark(label);
    DrawEntry(at, label, entry.is_folder);
    if (is_selected && !ImGui::IsItemVisible()) ImGui::SetScrollHereY();
    if (entry.is_folder) continue;
    const std::string size = DescribeSize(entry.size);
    ImGui::SameLine(ImGui::GetWindowWidth() - size_width - Scaled(14.0f));
    ImGui::TextDisabled("%s", size.c_str());
  }
  ImGui::PopStyleVar();
  ImGui::EndChild();
  if (chosen != nullptr) Choose(session, folder, *chosen);
}

void ShowBrowserButtons(Session& session, bool& is_opened) {
  if (ui::Checkbox("Show all files", &browser.shows_all)) browser.folder = "?";
  const float width = ImGui::CalcTextSize("CancelOpen").x + 4.0f * ImGui::GetStyle().FramePadding.x +
                      ImGui::GetStyle().ItemSpacing.x;
  ImGui::SameLine(ImGui::GetWindowWidth() - width - ImGui::GetStyle().WindowPadding.x);
  if (ui::Button("Cancel")) session.is_browsing = false;
  ImGui::SameLine();
  if (ui::AccentButton("Open")) is_opened = true;
}

// What was typed in full, or else what is selected.
void OpenTyped(Session& session, const TypedPath& typed, const std::vector<FileEntry>& shown) {
  const std::string path = typed.folder + typed.name;
  std::error_code error;
  if (IsSceneText(path) || fs::is_regular_file(path, error)) {
    session.requests.open = path;
    session.is_browsing = false;
  } else if (browser.selected >= 0 && browser.selected < static_cast<int>(shown.size())) {
    Choose(session, typed.folder, shown[static_cast<std::size_t>(browser.selected)]);
  } else {
    session.requests.open = path;  // which says what is wrong with it
    session.is_browsing = false;
  }
}

}  // namespace

void ShowFileBrowser(Session& session) {
  if (session.requests.browse) {
    session.requests.browse = false;
    session.is_browsing = true;
    browser.folder = "?";
    ReplaceTyped(session, FirstFolder(session));
    ImGui::OpenPopup(kBrowserTitle);
  }
  if (!session.is_browsing) return;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0.5f * size.x, 0.5f * size.y}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::max(std::min(Scaled(kBrowserWidth), size.x - Scaled(16.0f)), 1.0f),
                            std::max(std::min(Scaled(kBrowserHeight), size.y - Scaled(16.0f)), 1.0f)});
  const bool is_shown = ImGui::BeginPopupModal(
      kBrowserTitle, nullptr,
      ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize);
  if (!is_shown) return;
  const TypedPath typed = SplitPath(TypedText(session));
  ListAgain(typed.folder);
  const std::vector<FileEntry> shown = FilterFiles(browser.entries, typed.name);
  bool is_opened = ShowTypedPath(session, shown);
  if (ImGui::GetContentRegionAvail().x > Scaled(420.0f)) {
    ShowShortcuts(session);
    ImGui::SameLine();
  }
  ShowEntries(session, typed.folder, shown);
  ShowBrowserButtons(session, is_opened);
  if (is_opened) OpenTyped(session, typed, shown);
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape))) session.is_browsing = false;
  if (!session.is_browsing) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace stiction::viewer
