// What the simulation, or the picture, goes without, though the file has it: always in the picture's corner.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "panels.h"
#include "ui.h"

namespace stiction::viewer {
namespace {

// A title that counts, and a name that stays, so that a window once folded stays folded.
std::string NameLosses(const LoadedFile& file) {
  std::string title;
  const auto add = [&](const char* what, std::size_t count) {
    if (count > 0) title += (title.empty() ? "" : "   ") + (what + std::to_string(count));
  };
  add("Not simulated: ", file.losses.size());
  add("Not shown: ", file.unseen.size());
  return title + "###Not simulated";
}

// Of a file with many, the count comes first: a list would stand in the way of the robot.
void FoldWhereLong(const Session& session) {
  constexpr std::size_t kShortList = 3;
  static int shown_model = -1;
  if (std::exchange(shown_model, session.model_id) == session.model_id) return;
  if (session.file->losses.size() + session.file->unseen.size() > kShortList)
    ImGui::SetNextWindowCollapsed(true);
}

}  // namespace

float ShowLosses(const Session& session) {
  const Rectangle& picture = session.places.now.picture;
  if (!session.file || (session.file->losses.empty() && session.file->unseen.empty())) return picture.y;
  // Not over the middle, where the robot is.
  const float width = std::min(std::max(0.38f * picture.width, Scaled(200.0f)), picture.width);
  ImGui::SetNextWindowPos({picture.x + Scaled(8.0f), picture.y + Scaled(8.0f)}, ImGuiCond_Always);
  ImGui::SetNextWindowSizeConstraints({width, 0.0f}, {width, std::max(0.3f * picture.height, 1.0f)});
  const ImVec4 back = Tint(Colors().warning, 0.16f);
  for (const ImGuiCol color :
       {ImGuiCol_WindowBg, ImGuiCol_TitleBg, ImGuiCol_TitleBgActive, ImGuiCol_TitleBgCollapsed})
    ImGui::PushStyleColor(color, back);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowTitleAlign, {0.0f, 0.5f});
  ImGui::GetStyle().WindowMenuButtonPosition = ImGuiDir_Left;
  FoldWhereLong(session);
  const std::string title = NameLosses(*session.file);
  const bool is_unfolded =
      ImGui::Begin(title.c_str(), nullptr,
                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                       ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoFocusOnAppearing);
  if (is_unfolded) {
    for (const auto* lines : {&session.file->losses, &session.file->unseen}) {
      for (const std::string& line : *lines) {
        ui::Wrapped(line);
        ui::Mark(line);
      }
    }
  }
  const float bottom = ImGui::GetWindowPos().y + ImGui::GetWindowSize().y;
  ImGui::End();
  ImGui::GetStyle().WindowMenuButtonPosition = ImGuiDir_None;
  ImGui::PopStyleVar();
  ImGui::PopStyleColor(4);
  return bottom;
}

}  // namespace stiction::viewer
