// What is drawn, and from where.
#include <algorithm>

#include "panels.h"
#include "ui.h"
#include "views.h"

namespace stiction::viewer {
namespace {

void ShowCameras(Session& session) {
  ui::Field("Camera");
  if (ImGui::BeginCombo("##Camera", session.view.empty() ? "free" : session.view.c_str())) {
    for (const std::string& name : ListViews(session.file->model)) {
      if (!ui::Selectable(name.c_str(), name == session.view)) continue;
      session.view = name;
      session.is_tracking = false;
    }
    ImGui::EndCombo();
  }
  ui::Mark("Camera");
  if (ui::Button("Show all")) session.requests.frame_scene = true;
  if (ui::Checkbox("Follow selection", &session.is_tracking) && session.is_tracking) session.view.clear();
}

void ShowLongestArrow(const Snapshot& now) {
  if (!now.has_contacts) {
    ImGui::TextDisabled("Points, forces: not recorded");
    return ui::Mark("Points, forces: not recorded");
  }
  double largest = 0.0;
  for (const Contact& contact : now.contacts) largest = std::max(largest, contact.impulse_W.norm());
  char text[32];
  std::snprintf(text, sizeof text, "%.3g N", largest / now.timestep);
  ui::Row("Longest arrow", text);
}

// The colours of contacts in the picture, as dots with their words.
void ShowLegendOfContacts() {
  static const std::pair<ImVec4, const char*> kStates[] = {{{0.15f, 0.75f, 0.25f, 1.0f}, "stick"},
                                                           {{0.95f, 0.6f, 0.1f, 1.0f}, "slip"},
                                                           {{0.6f, 0.6f, 0.65f, 1.0f}, "open"},
                                                           {{0.95f, 0.1f, 0.6f, 1.0f}, "worst"}};
  const float radius = Scaled(4.0f);
  for (const auto& [color, name] : kStates) {
    const float width = 4.0f * radius + ImGui::CalcTextSize(name).x;
    if (name != kStates[0].second) {
      ImGui::SameLine();
      if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddCircleFilled({at.x + radius, at.y + 0.5f * ImGui::GetTextLineHeight()},
                                                radius, Color(color));
    ImGui::SetCursorScreenPos({at.x + 3.0f * radius, at.y});
    ImGui::TextUnformatted(name);
  }
}

}  // namespace

void ShowViewPanel(Session& session) {
  if (!session.has_model()) return;
  ShowCameras(session);
  SceneOptions& scene = session.scene_options;
  const std::pair<const char*, bool*> boxes[] = {{"Shapes", &scene.shapes},
                                                 {"Collision", &scene.collision},
                                                 {"Contacts", &scene.contacts},
                                                 {"Forces", &scene.forces},
                                                 {"Cones", &scene.cones},
                                                 {"Frames", &scene.frames},
                                                 {"Joints", &scene.joint_axes},
                                                 {"Centres", &scene.centers},
                                                 {"Inertia", &scene.inertia},
                                                 {"Labels", &scene.labels},
                                                 {"Transparent", &scene.is_transparent},
                                                 {"Wireframe", &session.render_options.wireframe},
                                                 {"Low detail", &session.render_options.low}};
  if (ImGui::BeginTable("boxes", 2)) {
    for (const auto& [label, value] : boxes) {
      ImGui::TableNextColumn();
      ui::Checkbox(label, value);
    }
    ImGui::EndTable();
  }
  ui::Slider("Arrow length", &scene.force_scale, 0.1, 5.0, "%.1f");
  ShowLongestArrow(session.now);
  ShowLegendOfContacts();
  ui::Muted("Ground: squares of 1 m and 0.1 m");
}

}  // namespace stiction::viewer
