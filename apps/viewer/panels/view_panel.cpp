// What is drawn, and from where.
#include <algorithm>

#include "panels.h"
#include "ui.h"
#include "views.h"

namespace stiction::viewer {
namespace {

void ShowCameras(Session& session) {
  ImGui::SetNextItemWidth(120.0f);
  if (ImGui::BeginCombo("Camera", session.view.empty() ? "free" : session.view.c_str())) {
    for (const std::string& name : ListViews(session.file->model)) {
      if (!ui::Selectable(name.c_str(), name == session.view)) continue;
      session.view = name;
      session.is_tracking = false;
    }
    ImGui::EndCombo();
  }
  ui::Mark("Camera", true);
  ImGui::SameLine();
  if (ui::Button("All")) session.requests.frame_scene = true;
  if (ui::Checkbox("Follow the selected body", &session.is_tracking) && session.is_tracking)
    session.view.clear();
}

void ShowLongestArrow(const Snapshot& now) {
  if (!now.has_contacts) {
    ImGui::TextDisabled("Points, forces: not in this log");
    return ui::Mark("Points, forces: not in this log");
  }
  double largest = 0.0;
  for (const Contact& contact : now.contacts) largest = std::max(largest, contact.impulse_W.norm());
  ImGui::Text("Longest arrow: %.3g N", largest / now.timestep);
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
                                                 {"Mass centres", &scene.centers},
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
  ImGui::SetNextItemWidth(120.0f);
  ui::Slider("Arrow length", &scene.force_scale, 0.1, 5.0, "%.1f");
  ShowLongestArrow(session.now);
  ImGui::TextColored({0.15f, 0.75f, 0.25f, 1}, "stick");
  ImGui::SameLine();
  ImGui::TextColored({0.95f, 0.6f, 0.1f, 1}, "slip");
  ImGui::SameLine();
  ImGui::TextColored({0.6f, 0.6f, 0.65f, 1}, "open");
  ImGui::SameLine();
  ImGui::TextColored({0.95f, 0.1f, 0.6f, 1}, "worst");
  ImGui::TextDisabled("Ground: squares of 1 m and 0.1 m");
}

}  // namespace stiction::viewer
