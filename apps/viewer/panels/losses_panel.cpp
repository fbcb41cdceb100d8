// What the simulation goes without, though the file has it: always in the picture's corner.
#include <algorithm>

#include "panels.h"
#include "ui.h"

namespace stiction::viewer {

void ShowLosses(const Session& session) {
  if (!session.file || session.file->losses.empty()) return;
  const std::vector<std::string>& losses = session.file->losses;
  const Rectangle& picture = session.places.now.picture;
  const float width = std::min(std::max(0.6f * picture.width, Scaled(200.0f)), picture.width);
  ImGui::SetNextWindowPos({picture.x + Scaled(8.0f), picture.y + Scaled(8.0f)}, ImGuiCond_Always);
  ImGui::SetNextWindowSizeConstraints({width, 0.0f}, {width, std::max(0.3f * picture.height, 1.0f)});
  const ImVec4 back = Tint(Colors().warning, 0.16f);
  for (const ImGuiCol color :
       {ImGuiCol_WindowBg, ImGuiCol_TitleBg, ImGuiCol_TitleBgActive, ImGuiCol_TitleBgCollapsed})
    ImGui::PushStyleColor(color, back);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowTitleAlign, {0.0f, 0.5f});
  ImGui::GetStyle().WindowMenuButtonPosition = ImGuiDir_Left;
  // A title that counts, and a name that stays, so that a window once folded stays folded.
  const std::string title = "Not simulated: " + std::to_string(losses.size()) + "###Not simulated";
  const bool is_unfolded =
      ImGui::Begin(title.c_str(), nullptr,
                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                       ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoFocusOnAppearing);
  if (is_unfolded) {
    ImGui::PushTextWrapPos(0.0f);
    for (const std::string& line : losses) {
      ImGui::TextUnformatted(line.c_str());
      ui::Mark(line);
    }
    ImGui::PopTextWrapPos();
  }
  ImGui::End();
  ImGui::GetStyle().WindowMenuButtonPosition = ImGuiDir_None;
  ImGui::PopStyleVar();
  ImGui::PopStyleColor(4);
}

}  // namespace stiction::viewer
