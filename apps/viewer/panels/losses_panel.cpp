// What the simulation goes without, though the file has it: always in the picture's corner.
#include <algorithm>

#include "panels.h"
#include "ui.h"

namespace stiction::viewer {

void ShowLosses(const Session& session) {
  if (!session.file || session.file->losses.empty()) return;
  const std::vector<std::string>& losses = session.file->losses;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const Insets& insets = session.insets;
  const float width = std::max(0.6f * (size.x - insets.left - insets.right), 200.0f);
  ImGui::SetNextWindowPos({insets.left + 8.0f, insets.top + 8.0f}, ImGuiCond_Always);
  ImGui::SetNextWindowSizeConstraints({width, 0.0f}, {width, 0.25f * size.y});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ImVec4(0.3f, 0.2f, 0.03f, 0.9f));
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
  ImGui::PopStyleColor();
}

}  // namespace stiction::viewer
