// The certificate over time, over the full width of the window.
#include <algorithm>

#include "panels.h"
#include "plot.h"
#include "ui.h"

namespace stiction::viewer {

void ShowStrip(Session& session, const Rectangle& place) {
  ImGui::SetNextWindowPos({place.x, place.y});
  ImGui::SetNextWindowSize({place.width, place.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {Scaled(8.0f), Scaled(4.0f)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {Scaled(8.0f), Scaled(2.0f)});
  const bool is_visible = ImGui::Begin(
      "Strip", nullptr,
      ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
          ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoFocusOnAppearing);
  if (is_visible && session.has_model()) {
    Plot plot = MakePlot(session, "m/s", true);
    plot.line = session.now.budget.value_or(kNoBudget).absolute;
    plot.line_name = "budget";
    AddCurve(
        session, "largest residual of the contact laws (ncp)", Color(Colors().accent),
        [](const Sample& s) { return s.ncp_max; }, plot);
    const float used = ImGui::GetTextLineHeight() + Scaled(2.0f);  // by the legend
    DrawPlot("ncp", plot, std::max(ImGui::GetContentRegionAvail().y - used, Scaled(16.0f)));
  }
  ImGui::End();
  ImGui::PopStyleVar(3);
}

}  // namespace stiction::viewer
