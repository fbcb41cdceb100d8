// The tree of bodies, and the properties of the selected one.
#include <cmath>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "panels.h"
#include "plot_source.h"
#include "ui.h"

namespace stiction::viewer {
namespace {

int revealed = -1;  // the body that the tree was opened for last

std::string CountOf(int count, const char* one, const char* several) {
  return std::to_string(count) + " " + (count == 1 ? one : several);
}

// In the tree itself, which stays as it is.
void Select(Session& session, int body) {
  revealed = body;
  session.selected_body = body;
  session.selected_geom = -1;
}

// The bodies above it.
std::set<int> ListAncestors(const Model& model, int body) {
  std::set<int> ancestors;
  while (body > 0) {
    body = model.bodies[static_cast<std::size_t>(body)].parent;
    ancestors.insert(body);
  }
  return ancestors;
}

//   unfolded      opened, so that the selected one is seen
//   is_revealing  the selected one is scrolled to
void ShowBody(Session& session, const std::vector<std::vector<int>>& children, const std::set<int>& unfolded,
              bool is_revealing, int body) {
  const Model& model = session.file->model;
  const std::vector<int>& below = children[static_cast<std::size_t>(body)];
  ImGuiTreeNodeFlags flags = ImGuiTreeNodeFlags_OpenOnArrow | ImGuiTreeNodeFlags_SpanAvailWidth;
  if (below.empty()) flags |= ImGuiTreeNodeFlags_Leaf;
  if (body == session.selected_body) flags |= ImGuiTreeNodeFlags_Selected;
  if (body == 0 || below.size() == 1) flags |= ImGuiTreeNodeFlags_DefaultOpen;
  const std::string name = body == 0 ? "world" : model.DisplayName(body);
  ImGui::PushID(body);
  if (unfolded.contains(body)) ImGui::SetNextItemOpen(true);
  const bool is_open = ImGui::TreeNodeEx(name.c_str(), flags);
  ui::Mark(name);
  if (is_revealing && body == session.selected_body) ImGui::SetScrollHereY();
  if (ImGui::IsItemClicked() && !ImGui::IsItemToggledOpen()) Select(session, body);
  if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) {
    Select(session, body);
    session.requests.body_menu = true;
  }
  OfferBody(session, body);
  if (is_open) {
    for (int child : below) ShowBody(session, children, unfolded, is_revealing, child);
    ImGui::TreePop();
  }
  ImGui::PopID();
}

std::string Significant(const char* format, double a, double b = 0.0, double c = 0.0) {
  char text[96];
  std::snprintf(text, sizeof text, format, a, b, c);
  return text;
}

void ShowVector(const char* name, const Vector3d& v) {
  ui::Row(name, Significant("%.4g  %.4g  %.4g", v.x(), v.y(), v.z()));
}

void ShowJoints(const Session& session, int body) {
  for (const Joint& joint : session.file->model.joints) {
    if (joint.body != body) continue;
    ImGui::Separator();
    ui::Row(joint.type_name(), joint.name);
    std::string q;
    for (int i = 0; i < joint.nq(); ++i)
      q += (i > 0 ? "  " : "") + Significant("%.4g", session.now.q[joint.q_address + i]);
    if (!q.empty()) ui::Row("q", q);
    if (joint.num_coordinates() > 0 && std::isfinite(joint.lower + joint.upper))
      ui::Row("limits", Significant("%.4g to %.4g", joint.lower, joint.upper));
    if (joint.damping > 0.0) ui::Row("damping", Significant("%.4g", joint.damping));
    if (joint.armature > 0.0) ui::Row("armature", Significant("%.4g", joint.armature));
  }
}

void ShowGeoms(const Session& session, int body) {
  const Model& model = session.file->model;
  for (int g = 0; g < model.num_geoms(); ++g) {
    const Geom& geom = model.geoms[static_cast<std::size_t>(g)];
    if (geom.body != body) continue;
    ImGui::Separator();
    const std::string name = geom.name.empty() ? "geom" + std::to_string(g) : geom.name;
    ui::Row(std::string(ShapeName(geom.shape)).c_str(),
            name + (g == session.selected_geom ? " (selected)" : ""));
    ui::Row("friction, restitution", Significant("%.3g, %.3g", geom.friction, geom.restitution));
    if (!geom.collides()) ui::Muted("does not collide");
  }
}

void ShowProperties(const Session& session) {
  const int body = session.selected_body;
  const Body& properties = session.file->model.bodies[static_cast<std::size_t>(body)];
  ui::Heading(body == 0 ? "world" : session.file->model.DisplayName(body).c_str());
  ui::Row("mass [kg]", Significant("%.6g", properties.inertia.mass));
  ShowVector("position [m]", session.now.X_WB[static_cast<std::size_t>(body)].p);
  ShowVector("mass centre [m]", properties.inertia.p_BBcm);
  ShowJoints(session, body);
  ShowGeoms(session, body);
  ImGui::Separator();
  if (!session.now.has_contacts) return ui::Row("contacts", "not recorded");
  int contacts = 0;
  for (const Contact& contact : session.now.contacts) {
    const auto& geoms = session.file->model.geoms;
    contacts += geoms[static_cast<std::size_t>(contact.geom_a)].body == body ||
                geoms[static_cast<std::size_t>(contact.geom_b)].body == body;
  }
  ui::Row("contacts", std::to_string(contacts));
}

}  // namespace

void ShowModelPanel(Session& session) {
  if (!session.has_model()) return;
  const Model& model = session.file->model;
  ui::Muted(CountOf(model.num_bodies() - 1, "body", "bodies") + ", " + CountOf(model.nv(), "dof", "dofs") +
            ", " + CountOf(model.num_trees(), "tree", "trees") + ", " +
            CountOf(model.num_geoms(), "geom", "geoms"));
  std::vector<std::vector<int>> children(static_cast<std::size_t>(model.num_bodies()));
  for (int b = 1; b < model.num_bodies(); ++b)
    children[static_cast<std::size_t>(model.bodies[static_cast<std::size_t>(b)].parent)].push_back(b);
  const bool has_selection = session.selected_body >= 0;
  ImGui::BeginChild("tree", {0.0f, has_selection ? 0.5f * ImGui::GetContentRegionAvail().y : 0.0f});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {Scaled(8.0f), Scaled(3.0f)});
  ImGui::PushStyleVar(ImGuiStyleVar_IndentSpacing, Scaled(10.0f));
  const bool is_new = session.selected_body != revealed;
  revealed = session.selected_body;
  ShowBody(session, children, is_new ? ListAncestors(model, revealed) : std::set<int>{}, is_new, 0);
  ImGui::PopStyleVar(2);
  ImGui::EndChild();
  if (!has_selection) return;
  ImGui::Separator();
  ImGui::BeginChild("properties");
  ShowProperties(session);
  ImGui::EndChild();
}

}  // namespace stiction::viewer
