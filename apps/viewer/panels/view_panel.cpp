// What is drawn, and from where.
#include <algorithm>
#include <string>

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

// Until a box is clicked, what the model shows on its own: groups 0 to 2.
void ShowGroups(const Model& model, SceneOptions& scene) {
  constexpr unsigned int kUsual = 0b111;
  unsigned int used = 0;
  for (const Geom& geom : model.geoms) used |= 1u << std::clamp(geom.group, 0, 5);
  for (const Visual& visual : model.visuals) used |= 1u << std::clamp(visual.group, 0, 5);
  if (used == 1u) return;  // nothing to choose
  ImGui::TextUnformatted("Groups");
  for (int group = 0; group < 6; ++group) {
    if ((used >> group & 1u) == 0) continue;
    ImGui::SameLine();
    if (ImGui::GetContentRegionAvail().x < 2.0f * ImGui::GetFrameHeight()) ImGui::NewLine();
    unsigned int shown = scene.groups.value_or(kUsual);
    bool is_shown = (shown >> group & 1u) != 0;
    const std::string label = std::to_string(group) + "##group";
    if (ui::Checkbox(label.c_str(), &is_shown)) scene.groups = shown ^ (1u << group);
  }
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
                                                 {"Sites", &scene.sites},
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
  ShowGroups(session.file->model, scene);
  ui::Slider("Arrow length", &scene.force_scale, 0.1, 5.0, "%.1f");
  ShowLongestArrow(session.now);
  ShowLegendOfContacts();
  ui::Muted("Ground: a dark line every ten squares");
}

}  // namespace stiction::viewer
