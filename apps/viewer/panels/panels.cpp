#include "panels.h"

#include "fonts.h"
#include "plot_source.h"
#include "ui.h"

namespace stiction::viewer {
namespace {

// In the place of the panels where the window is too small for them.
void ShowTooSmall(const Rectangle& picture) {
  const char* text = "Enlarge the window for its panels";
  const ImVec2 size = ImGui::CalcTextSize(text);
  if (size.x > picture.width || 2.0f * size.y > picture.height) return;
  const ImVec2 at(picture.x + 0.5f * (picture.width - size.x), picture.bottom() - 1.6f * size.y);
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  list.AddRectFilled({at.x - Scaled(8.0f), at.y - Scaled(3.0f)},
                     {at.x + size.x + Scaled(8.0f), at.y + size.y + Scaled(3.0f)},
                     Color(Colors().panel, 0.85f), Scaled(6.0f));
  list.AddText(at, Color(Colors().text), text);
}

Area MeasureArea() {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const float bar = ImGui::GetFrameHeight();
  return {.width = size.x, .height = size.y, .scale = Scaled(1.0f), .menu = bar, .status = bar};
}

// Which docks have something to show.
std::array<bool, kNumDocks> FindUsed(const Session& session) {
  std::array<bool, kNumDocks> is_used{};
  for (std::size_t i = 0; session.file && i < kNumPanels; ++i)
    if (session.is_open[i] && static_cast<Panel>(i) != Panel::kHelp)
      is_used[static_cast<std::size_t>(session.places.docks[i])] = true;
  return is_used;
}

}  // namespace

void ShowPanels(Session& session) {
  UpdateTimeline(session);
  WatchPlots(session);
  PanelPlaces& places = session.places;
  places.is_shown = {};
  const Area area = MeasureArea();
  places.area = area;
  places.now = {};
  places.now.picture = {0.0f, 0.0f, area.width, area.height};
  if (session.has_ui) {
    places.now = PlaceDocks(area, places.sizes, FindUsed(session), session.has_model());
    ShowMenuBar(session);
    ShowStatusBar(session, {0.0f, area.height - area.status, area.width, area.status});
    if (session.problems)
      ShowProblemPage(session, places.now.picture);
    else if (!session.file)
      ShowStartPage(session, places.now.picture);
    if (places.now.is_too_small) ShowTooSmall(places.now.picture);
    if (!places.now.strip.is_empty()) ShowTimeline(session, places.now.strip);
    ShowDocks(session, area);
  }
  if (session.open(Panel::kHelp)) ShowHelp(session);
  const float top = ShowLosses(session);
  ShowBodyMenu(session);
  ShowFileBrowser(session);
  ShowNotice(session, top);
  ShowRecordingMark(session);
}

}  // namespace stiction::viewer
