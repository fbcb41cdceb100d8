// All keys and mouse actions, in a window over everything.
#include <algorithm>

#include "fonts.h"
#include "keys.h"
#include "panels.h"
#include "ui.h"

namespace stiction::viewer {
namespace {

constexpr float kHelpWidth = 820.0f, kHelpHeight = 636.0f, kKeyWidth = 132.0f;  // in units of the design

// As a key looks.
void ShowKeyCap(const std::string& text) {
  const ImVec2 from = ImGui::GetCursorScreenPos(), size = ImGui::CalcTextSize(text.c_str());
  const ImVec2 to(from.x + size.x + Scaled(12.0f), from.y + size.y + Scaled(2.0f));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(from, to, Color(Colors().field), Scaled(4.0f));
  list.AddText({from.x + Scaled(6.0f), from.y + Scaled(1.0f)}, Color(Colors().text), text.c_str());
  ImGui::Dummy({to.x - from.x, to.y - from.y});
}

void ShowHelpLines(const std::vector<HelpLine>& lines, std::size_t from, std::size_t to) {
  const char* group = "";
  for (std::size_t i = from; i < to; ++i) {
    if (lines[i].group != std::string(group)) {
      group = lines[i].group;
      if (i > from) ImGui::Dummy({0.0f, Scaled(6.0f)});
      ui::Heading(group);
    }
    const float x = ImGui::GetCursorPosX();
    ShowKeyCap(lines[i].keys);
    ImGui::SameLine();
    ImGui::SetCursorPosX(x + Scaled(kKeyWidth));
    ui::Wrapped(lines[i].effect);
  }
}

// The line at which the second column begins: a new group, near the middle.
std::size_t FindMiddle(const std::vector<HelpLine>& lines) {
  for (std::size_t i = lines.size() / 2; i > 0 && i < lines.size(); ++i)
    if (lines[i].group != std::string(lines[i - 1].group)) return i;
  return lines.size();
}

}  // namespace

void ShowHelp(Session& session) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const ImVec2 wanted(std::min(Scaled(kHelpWidth), size.x - Scaled(16.0f)),
                      std::min(Scaled(kHelpHeight), size.y - Scaled(16.0f)));
  ImGui::SetNextWindowPos({0.5f * size.x, 0.5f * size.y}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::max(wanted.x, 1.0f), std::max(wanted.y, 1.0f)});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, Colors().raised);
  ImGui::PushStyleColor(ImGuiCol_Border, Colors().line);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0f);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {Scaled(18.0f), Scaled(14.0f)});
  bool is_open = true;
  const bool is_visible = ImGui::Begin("Help", &is_open,
                                       ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoMove |
                                           ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse);
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor(2);
  if (is_visible) {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {Scaled(8.0f), Scaled(4.0f)});
    const std::vector<HelpLine> lines = ListHelp();
    const bool has_two_columns = ImGui::GetContentRegionAvail().x > Scaled(620.0f);
    const std::size_t middle = has_two_columns ? FindMiddle(lines) : lines.size();
    if (ImGui::BeginTable("columns", has_two_columns ? 2 : 1, ImGuiTableFlags_SizingStretchSame)) {
      ImGui::TableNextColumn();
      ShowHelpLines(lines, 0, middle);
      if (has_two_columns) {
        ImGui::TableNextColumn();
        ShowHelpLines(lines, middle, lines.size());
      }
      ImGui::EndTable();
    }
    ImGui::PopStyleVar();
  }
  ImGui::End();
  if (!is_open) session.open(Panel::kHelp) = false;
}

}  // namespace stiction::viewer
