// The tree of bodies, and the properties of the selected one.
#include "panels.h"
#include "ui.h"

namespace stiction::viewer {
namespace {

void Select(Session& session, int body) {
  session.selected_body = body;
  session.selected_geom = -1;
}

void ShowBody(Session& session, const std::vector<std::vector<int>>& children, int body) {
  const Model& model = session.file->model;
  const std::vector<int>& below = children[static_cast<std::size_t>(body)];
  ImGuiTreeNodeFlags flags = ImGuiTreeNodeFlags_OpenOnArrow | ImGuiTreeNodeFlags_SpanAvailWidth;
  if (below.empty()) flags |= ImGuiTreeNodeFlags_Leaf;
  if (body == session.selected_body) flags |= ImGuiTreeNodeFlags_Selected;
  if (body == 0 || below.size() == 1) flags |= ImGuiTreeNodeFlags_DefaultOpen;
  const std::string name = body == 0 ? "world" : model.DisplayName(body);
  ImGui::PushID(body);
  const bool is_open = ImGui::TreeNodeEx(name.c_str(), flags);
  ui::Mark(name);
  if (ImGui::IsItemClicked() && !ImGui::IsItemToggledOpen()) Select(session, body);
  if (is_open) {
    for (int child : below) ShowBody(session, children, child);
    ImGui::TreePop();
  }
  ImGui::PopID();
}

void ShowVector(const char* name, const Vector3d& v, const char* unit) {
  ImGui::Text("%s  %.4g  %.4g  %.4g %s", name, v.x(), v.y(), v.z(), unit);
}

void ShowJoints(const Session& session, int body) {
  for (const Joint& joint : session.file->model.joints) {
    if (joint.body != body) continue;
    ImGui::BulletText("%s %s", joint.type_name(), joint.name.c_str());
    for (int i = 0; i < joint.nq(); ++i) {
      if (i > 0) ImGui::SameLine();
      ImGui::Text("%.4g", session.now.q[joint.q_address + i]);
    }
    if (joint.num_coordinates() > 0 && std::isfinite(joint.lower + joint.upper))
      ImGui::Text("limits %.4g ... %.4g", joint.lower, joint.upper);
    if (joint.damping > 0.0 || joint.armature > 0.0)
      ImGui::Text("damping %.4g, armature %.4g", joint.damping, joint.armature);
  }
}

void ShowGeoms(const Session& session, int body) {
  const Model& model = session.file->model;
  for (int g = 0; g < model.num_geoms(); ++g) {
    const Geom& geom = model.geoms[static_cast<std::size_t>(g)];
    if (geom.body != body) continue;
    ImGui::BulletText("%s %s%s", std::string(ShapeName(geom.shape)).c_str(), geom.name.c_str(),
                      g == session.selected_geom ? "  (selected)" : "");
    ImGui::Text("friction %.3g, restitution %.3g%s", geom.friction, geom.restitution,
                geom.collides() ? "" : ", does not collide");
  }
}

void ShowProperties(const Session& session) {
  const int body = session.selected_body;
  if (body < 0) return ImGui::TextDisabled("Nothing is selected.");
  const Body& properties = session.file->model.bodies[static_cast<std::size_t>(body)];
  ImGui::TextUnformatted(body == 0 ? "world" : session.file->model.DisplayName(body).c_str());
  ImGui::Text("mass %.6g kg", properties.inertia.mass);
  ShowVector("position", session.now.X_WB[static_cast<std::size_t>(body)].p, "m");
  ShowVector("centre of mass", properties.inertia.p_BBcm, "m");
  ShowJoints(session, body);
  ShowGeoms(session, body);
  if (!session.now.has_contacts) return ImGui::TextDisabled("contacts: not in this log");
  int contacts = 0;
  for (const Contact& contact : session.now.contacts) {
    const auto& geoms = session.file->model.geoms;
    contacts += geoms[static_cast<std::size_t>(contact.geom_a)].body == body ||
                geoms[static_cast<std::size_t>(contact.geom_b)].body == body;
  }
  ImGui::Text("%d contacts", contacts);
}

}  // namespace

void ShowModelPanel(Session& session) {
  if (!session.has_model()) return;
  const Model& model = session.file->model;
  ImGui::TextWrapped("%d bodies, %d dofs, %d trees, %d geoms", model.num_bodies() - 1, model.nv(),
                     model.num_trees(), model.num_geoms());
  std::vector<std::vector<int>> children(static_cast<std::size_t>(model.num_bodies()));
  for (int b = 1; b < model.num_bodies(); ++b)
    children[static_cast<std::size_t>(model.bodies[static_cast<std::size_t>(b)].parent)].push_back(b);
  ImGui::BeginChild("tree", {0.0f, 0.5f * ImGui::GetContentRegionAvail().y}, true);
  ShowBody(session, children, 0);
  ImGui::EndChild();
  ImGui::BeginChild("properties");
  ShowProperties(session);
  ImGui::EndChild();
}

}  // namespace stiction::viewer
