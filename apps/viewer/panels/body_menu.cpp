// What can be done with the selected body, as a menu at the pointer.
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "panels.h"
#include "plot_source.h"
#include "ui.h"

namespace stiction::viewer {
namespace {

bool BodyEntry(const char* label, bool is_enabled = true, bool is_ticked = false) {
  const bool is_chosen = ImGui::MenuItem(label, nullptr, is_ticked, is_enabled);
  ui::Mark(label);
  return is_chosen;
}

// The body and all that hangs on it.
std::vector<bool> FindBranch(const Model& model, int body) {
  std::vector<bool> is_in(static_cast<std::size_t>(model.num_bodies()), false);
  is_in[static_cast<std::size_t>(body)] = true;
  for (std::size_t b = static_cast<std::size_t>(body) + 1; b < is_in.size(); ++b)
    is_in[b] = is_in[static_cast<std::size_t>(model.bodies[b].parent)];
  return is_in;
}

void Centre(Session& session) {
  session.view.clear();
  session.camera.Leave();
  session.camera.target = session.now.X_WB[static_cast<std::size_t>(session.selected_body)].p;
}

// What holds the body to its parent, of what can be held: hinges and slides.
std::vector<int> ListHoldable(const Model& model, int body) {
  std::vector<int> joints;
  for (int j = 0; j < model.num_joints(); ++j) {
    const Joint& joint = model.joints[static_cast<std::size_t>(j)];
    if (joint.body == body && joint.num_coordinates() > 0) joints.push_back(j);
  }
  return joints;
}

// By numbers, where the pointer's spring is not exact enough.
void ShowSteadyPull(Session& session, bool can_move) {
  static std::array<double, 3> force{}, moment{};
  const bool is_pulled =
      session.now.pull.is_active && session.now.pull.is_steady && !session.now.pull.is_past;
  if (ImGui::BeginMenu("Pull with a force or moment", can_move)) {
    ImGui::PushItemWidth(Scaled(210.0f));
    ImGui::InputScalarN("force [N]", ImGuiDataType_Double, force.data(), 3, nullptr, nullptr, "%.4g");
    ui::Mark("Force", false);
    ImGui::InputScalarN("moment [N m]", ImGuiDataType_Double, moment.data(), 3, nullptr, nullptr, "%.4g");
    ImGui::PopItemWidth();
    ui::Muted("x y z of the world, at the mass centre");
    if (ui::AccentButton("Pull")) {
      const Vector3d f(force[0], force[1], force[2]), m(moment[0], moment[1], moment[2]);
      session.simulation.Do(
          [body = session.selected_body, f, m](Player& player) { player.PullSteadily(body, f, m); });
      ImGui::CloseCurrentPopup();
    }
    ImGui::EndMenu();
  }
  ui::Mark("Pull with a force or moment");
  if (is_pulled && BodyEntry("Stop pulling"))
    session.simulation.Do([](Player& player) { player.StopPull(); });
}

void ShowHandEntries(Session& session) {
  const Model& model = session.file->model;
  const int body = session.selected_body;
  const bool can_move = model.bodies[static_cast<std::size_t>(body)].tree >= 0 && !session.now.is_playback;
  ShowSteadyPull(session, can_move);
  const std::vector<int> joints = ListHoldable(model, body);
  const auto is_held = [&](int j) {
    const int address = model.joints[static_cast<std::size_t>(j)].q_address;
    return session.now.held.size() > 0 && !std::isnan(session.now.held[address]);
  };
  const bool is_frozen = !joints.empty() && is_held(joints.front());
  if (BodyEntry("Freeze its joint", can_move && !joints.empty(), is_frozen)) {
    session.simulation.Do([joints, is_frozen](Player& player) {
      if (is_frozen)
        player.Release(joints);
      else
        player.Hold(joints);
    });
  }
}

// Of a body that moves, or not.
void ShowBodyEntries(Session& session) {
  const Model& model = session.file->model;
  const int body = session.selected_body;
  std::vector<bool>& hidden = session.scene_options.hidden;
  if (BodyEntry("Centre on it")) Centre(session);
  if (BodyEntry("Follow it", body > 0, session.is_tracking)) {
    session.is_tracking = !session.is_tracking;
    session.view.clear();
  }
  ImGui::Separator();
  const bool hides = BodyEntry("Hide it", body > 0);
  if (hides) {
    hidden.resize(static_cast<std::size_t>(model.num_bodies()), false);
    hidden[static_cast<std::size_t>(body)] = true;
  }
  if (BodyEntry("Show it alone, with what hangs on it", body > 0)) {
    hidden = FindBranch(model, body);
    hidden.flip();
  }
  ImGui::Separator();
  if (BodyEntry("Select its parent", body > 0)) {
    session.selected_body = model.bodies[static_cast<std::size_t>(body)].parent;
    session.selected_geom = -1;
  }
  if (BodyEntry("Show its properties")) session.Show(Panel::kModel);
  ImGui::Separator();
  ShowHandEntries(session);
  ImGui::Separator();
  ShowBodyPlots(session);
  // All of the entries are of this body.
  if (hides) session.selected_body = session.selected_geom = -1;
}

}  // namespace

void ShowBodyMenu(Session& session) {
  const bool is_asked_for = std::exchange(session.requests.body_menu, false);
  if (!session.has_model()) return;
  if (is_asked_for) ImGui::OpenPopup("body");
  if (!ImGui::BeginPopup("body")) return;
  const bool has_body = session.selected_body >= 0;
  if (has_body) {
    ui::Heading(session.selected_body == 0 ? "world"
                                           : session.file->model.DisplayName(session.selected_body).c_str());
    ShowBodyEntries(session);
    ImGui::Separator();
  }
  std::vector<bool>& hidden = session.scene_options.hidden;
  if (BodyEntry("Show all that is hidden", !hidden.empty())) hidden.clear();
  if (BodyEntry("Show the whole scene")) session.requests.frame_scene = true;
  ImGui::EndPopup();
}

}  // namespace stiction::viewer
