// Errors and answers at the top of the picture, below what stands in its corner, until clicked away.
#include <algorithm>
#include <string>

#include "panels.h"
#include "ui.h"

namespace stiction::viewer {

void ShowNotice(Session& session, float top) {
  std::string text = session.notice;
  const bool is_message = text.empty() && !session.now.message.empty();
  if (is_message) text = session.now.message;
  if (text.empty()) return;
  const Rectangle& picture = session.places.now.picture;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const float width = std::min(std::max(0.8f * picture.width, Scaled(220.0f)), size.x - Scaled(16.0f));
  ImGui::SetNextWindowPos({picture.x + 0.5f * picture.width, top + Scaled(10.0f)}, ImGuiCond_Always,
                          {0.5f, 0.0f});
  ImGui::SetNextWindowSizeConstraints({0.0f, 0.0f}, {std::max(width, 1.0f), std::max(0.5f * size.y, 1.0f)});
  const Palette& colors = Colors();
  const ImVec4& tone = session.is_error || is_message ? colors.bad : colors.good;
  ImGui::PushStyleColor(ImGuiCol_WindowBg, Tint(tone, 0.18f));
  ImGui::PushStyleColor(ImGuiCol_Border, tone);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0f);
  ImGui::Begin("Notice", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
  ui::Wrapped(text, std::max(width - Scaled(24.0f), Scaled(60.0f)));
  ui::Mark("Text");
  if (ui::Button("Dismiss")) {
    session.notice.clear();
    session.is_error = false;
    if (is_message) session.simulation.Do([](Player& player) { player.set_message(""); });
  }
  ImGui::End();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor(2);
}

}  // namespace stiction::viewer
