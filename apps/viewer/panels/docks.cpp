// Tabs, and under them the panel in front, of each dock; edges that can be dragged.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>
#include <vector>

#include "panels.h"
#include "ui.h"

namespace stiction::viewer {
namespace {

constexpr ImGuiWindowFlags kStillWindow =
    ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
    ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus;
constexpr float kTabPadding = 8.0f, kEdgeWidth = 6.0f;  // in units of the design

using ShowPanel = void (*)(Session&);
constexpr ShowPanel kShow[kNumPanels] = {ShowSimulationPanel,  ShowViewPanel,    ShowModelPanel,
                                         ShowControlsPanel,    ShowSolverPanel,  ShowCertificatePanel,
                                         ShowDiagnosticsPanel, ShowShadowsPanel, ShowKeepPanel,
                                         ShowReportPanel,      nullptr,          ShowPlotsPanel,
                                         ShowComparePanel,     ShowScenarioPanel};

const char* TitleOf(Panel panel) {
  return kPanels[static_cast<std::size_t>(panel)].title;
}

// The panels of a dock, in the order of the list.
std::vector<Panel> ListTabs(const Session& session, Dock dock) {
  std::vector<Panel> tabs;
  for (std::size_t i = 0; i < kNumPanels; ++i)
    if (session.is_open[i] && kShow[i] != nullptr && session.places.docks[i] == dock)
      tabs.push_back(static_cast<Panel>(i));
  return tabs;
}

// The one that is shown: the one chosen last, or the first where that was closed.
Panel& FindFront(Session& session, Dock dock, const std::vector<Panel>& tabs) {
  Panel& front = session.places.front[static_cast<std::size_t>(dock)];
  if (std::find(tabs.begin(), tabs.end(), front) == tabs.end()) front = tabs.front();
  return front;
}

void ShowTabMenu(Session& session, Panel panel, Dock dock) {
  if (!ImGui::BeginPopupContextItem(TitleOf(panel))) return;
  for (int i = 0; i < kNumDocks; ++i) {
    const Dock other = static_cast<Dock>(i);
    if (other == dock) continue;
    const std::string label = "Move to " + std::string(1, static_cast<char>(std::tolower(kDockNames[i][0]))) +
                              std::string(kDockNames[i]).substr(1);
    if (ImGui::MenuItem(label.c_str())) {
      session.places.docks[static_cast<std::size_t>(panel)] = other;
      session.places.front[static_cast<std::size_t>(i)] = panel;
    }
    ui::Mark(label);
  }
  ImGui::Separator();
  if (ImGui::MenuItem("Close")) session.open(panel) = false;
  ui::Mark("Close");
  ImGui::EndPopup();
}

bool ShowTab(Session& session, Panel panel, Dock dock, bool is_front, float height) {
  const char* title = TitleOf(panel);
  const ImVec2 text = ImGui::CalcTextSize(title), from = ImGui::GetCursorScreenPos();
  const bool is_pressed =
      ImGui::InvisibleButton(title, {text.x + 2.0f * Scaled(kTabPadding), std::max(height, 1.0f)});
  ui::Mark(title);
  const bool is_hovered = ImGui::IsItemHovered();
  const bool is_closed = is_hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Middle);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Palette& colors = Colors();
  list.AddText({from.x + Scaled(kTabPadding), from.y + 0.5f * (height - text.y)},
               Color(is_front || is_hovered ? colors.text : colors.muted), title);
  if (is_front) {
    const float y = from.y + height - Scaled(2.0f);
    list.AddRectFilled({from.x + Scaled(kTabPadding), y},
                       {from.x + Scaled(kTabPadding) + text.x, y + Scaled(2.0f)}, Color(colors.accent));
  }
  ShowTabMenu(session, panel, dock);
  if (is_closed) session.open(panel) = false;
  return is_pressed;
}

// Those that do not fit stand in a list at the end.
void ShowOtherTabs(const std::vector<Panel>& others, Panel& front) {
  if (ui::IconButton(ui::Icon::kMore, "More panels")) ImGui::OpenPopup("more");
  if (!ImGui::BeginPopup("more")) return;
  for (Panel panel : others)
    if (ui::Selectable(TitleOf(panel), false)) front = panel;
  ImGui::EndPopup();
}

// From the front as many as fit, and always the one in front.
std::vector<Panel> ChooseTabs(const std::vector<Panel>& tabs, Panel front, float width) {
  const auto width_of = [](Panel panel) {
    return ImGui::CalcTextSize(TitleOf(panel)).x + 2.0f * Scaled(kTabPadding);
  };
  float all = 0.0f;
  for (Panel panel : tabs) all += width_of(panel);
  if (all <= width) return tabs;
  std::vector<Panel> chosen;
  float left = width - 1.6f * ImGui::GetFrameHeight() - width_of(front);
  for (Panel panel : tabs) {
    if (panel != front && width_of(panel) > left) continue;
    if (panel != front) left -= width_of(panel);
    chosen.push_back(panel);
  }
  return chosen;
}

void ShowTabs(Session& session, Dock dock, const std::vector<Panel>& tabs, Panel& front,
              const Rectangle& place) {
  ImGui::SetNextWindowPos({place.x, place.y});
  ImGui::SetNextWindowSize({place.width, place.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {Scaled(4.0f), 0.0f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  const std::string name = std::string("Tabs##") + kDockNames[static_cast<int>(dock)];
  const bool is_visible = ImGui::Begin(name.c_str(), nullptr,
                                       kStillWindow | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar(2);
  if (is_visible) {
    ImGui::GetWindowDrawList()->AddLine({place.x, place.bottom() - 1.0f},
                                        {place.right(), place.bottom() - 1.0f}, Color(Colors().line));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0.0f, 0.0f});
    const std::vector<Panel> chosen = ChooseTabs(tabs, front, place.width - 2.0f * Scaled(4.0f));
    std::vector<Panel> others;
    for (Panel panel : tabs)
      if (std::find(chosen.begin(), chosen.end(), panel) == chosen.end()) others.push_back(panel);
    const Panel shown = front;
    for (Panel panel : chosen) {
      if (panel != chosen.front()) ImGui::SameLine();
      if (ShowTab(session, panel, dock, panel == shown, place.height)) front = panel;
    }
    ImGui::PopStyleVar();
    if (!others.empty()) {
      ImGui::SameLine();
      ImGui::SetCursorPosY(0.5f * (place.height - ImGui::GetFrameHeight()) - Scaled(1.0f));
      ShowOtherTabs(others, front);
    }
  }
  ImGui::End();
}

void ShowFront(Session& session, Panel panel, const Rectangle& place) {
  const std::size_t i = static_cast<std::size_t>(panel);
  ImGui::SetNextWindowPos({place.x, place.y});
  ImGui::SetNextWindowSize({place.width, place.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  if (ImGui::Begin(TitleOf(panel), nullptr, kStillWindow)) {
    ImGui::PopStyleVar();
    kShow[i](session);
  } else {
    ImGui::PopStyleVar();
  }
  ImGui::End();
}

void ShowDock(Session& session, Dock dock) {
  const Rectangle place = session.places.now.at(dock);
  const std::vector<Panel> tabs = ListTabs(session, dock);
  if (place.is_empty() || tabs.empty()) return;
  const float height = std::min(std::round(ImGui::GetFrameHeight() + Scaled(4.0f)), place.height);
  Panel& front = FindFront(session, dock, tabs);
  const Panel shown = front;
  ShowTabs(session, dock, tabs, front, {place.x, place.y, place.width, height});
  session.places.is_shown[static_cast<std::size_t>(shown)] = true;
  session.places.shown[static_cast<std::size_t>(shown)] = place;
  if (place.height > height)
    ShowFront(session, shown, {place.x, place.y + height, place.width, place.height - height});
}

// A bar over the line between two parts of the window, by which it is moved.
void ShowEdge(Session& session, const Area& area, Dock dock, const Rectangle& line, bool is_upright) {
  const float margin = 0.5f * Scaled(kEdgeWidth);
  const Rectangle bar = is_upright ? Rectangle{line.x - margin, line.y, 2.0f * margin, line.height}
                                   : Rectangle{line.x, line.y - margin, line.width, 2.0f * margin};
  ImGui::SetNextWindowPos({bar.x, bar.y});
  ImGui::SetNextWindowSize({bar.width, bar.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0f, 0.0f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0f, 1.0f});
  const std::string name = std::string("Edges##") + kDockNames[static_cast<int>(dock)];
  ImGui::Begin(name.c_str(), nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                   ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar(2);
  ImGui::InvisibleButton("edge", {bar.width, bar.height});
  ui::Mark(kDockNames[static_cast<int>(dock)]);
  const bool is_active = ImGui::IsItemActive();
  if (is_active || ImGui::IsItemHovered()) {
    ImGui::SetMouseCursor(is_upright ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
    ImGui::GetWindowDrawList()->AddRectFilled(
        is_upright ? ImVec2(line.x - 1.0f, line.y) : ImVec2(line.x, line.y - 1.0f),
        is_upright ? ImVec2(line.x + 1.0f, line.bottom()) : ImVec2(line.right(), line.y + 1.0f),
        Color(Colors().accent, is_active ? 1.0f : 0.6f));
  }
  if (is_active && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 1.0f)) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    session.places.sizes =
        MoveEdge(area, session.places.sizes, session.places.now, dock, is_upright ? mouse.x : mouse.y);
  }
  ImGui::End();
}

void ShowEdges(Session& session, const Area& area) {
  const DockPlaces places = session.places.now;
  const Rectangle& left = places.at(Dock::kLeft);
  const Rectangle& upper = places.at(Dock::kUpperRight);
  const Rectangle& lower = places.at(Dock::kLowerRight);
  const Rectangle& bottom = places.at(Dock::kBottom);
  if (!left.is_empty()) ShowEdge(session, area, Dock::kLeft, {left.right(), left.y, 0.0f, left.height}, true);
  const Rectangle& right = upper.is_empty() ? lower : upper;
  if (!right.is_empty()) {
    const float end = lower.is_empty() ? upper.bottom() : lower.bottom();
    ShowEdge(session, area, Dock::kLowerRight, {right.x, right.y, 0.0f, end - right.y}, true);
  }
  if (!upper.is_empty() && !lower.is_empty())
    ShowEdge(session, area, Dock::kUpperRight, {lower.x, lower.y, lower.width, 0.0f}, false);
  if (!bottom.is_empty())
    ShowEdge(session, area, Dock::kBottom, {bottom.x, bottom.y, bottom.width, 0.0f}, false);
}

}  // namespace

void ShowDocks(Session& session, const Area& area) {
  for (int i = 0; i < kNumDocks; ++i) ShowDock(session, static_cast<Dock>(i));
  ShowEdges(session, area);
}

}  // namespace stiction::viewer
