// Sliders of actuators and joints.
#include <cmath>

#include "panels.h"
#include "plot_source.h"
#include "ui.h"

namespace stiction::viewer {
namespace {

// What a slider without limits reaches.
constexpr double kReach = 3.14159265358979;

std::pair<double, double> ChooseRange(double lower, double upper) {
  if (!std::isfinite(lower)) lower = -kReach;
  if (!std::isfinite(upper)) upper = kReach;
  return {lower, upper};
}

void ShowActuators(Session& session) {
  const Model& model = session.file->model;
  if (model.nu() == 0) return ImGui::TextDisabled("The model has none.");
  if (ui::Button("Zero all")) {
    session.simulation.Do([](Player& player) {
      for (int i = 0; i < player.world().model().nu(); ++i) player.SetControl(i, 0.0);
    });
  }
  for (int i = 0; i < model.nu(); ++i) {
    const Actuator& actuator = model.actuators[static_cast<std::size_t>(i)];
    const auto [lower, upper] = ChooseRange(actuator.ctrl_lower, actuator.ctrl_upper);
    double value = session.now.ctrl[i];
    const std::string name = actuator.name.empty() ? "actuator" + std::to_string(i) : actuator.name;
    ImGui::PushID(i);
    if (ui::Slider(name.c_str(), &value, lower, upper))
      session.simulation.Do([i, value](Player& player) { player.SetControl(i, value); });
    OfferPlot(session, name, {"ctrl:" + name}, false);
    ImGui::PopID();
  }
}

// Puts one of the joint's coordinates there, at rest.
void MoveJoint(Player& player, int joint_index, int coordinate, double value) {
  const Joint& joint = player.world().model().joints[static_cast<std::size_t>(joint_index)];
  State state = player.world().state();
  state.q[joint.q_address + coordinate] = value;
  state.v[joint.v_address + coordinate] = 0.0;
  player.SetState(state);
}

void ShowJoint(Session& session, int j) {
  const Model& model = session.file->model;
  const Joint& joint = model.joints[static_cast<std::size_t>(j)];
  const auto [lower, upper] = ChooseRange(joint.lower, joint.upper);
  for (int i = 0; i < joint.num_coordinates(); ++i) {
    double value = session.now.q[joint.q_address + i];
    const std::string name = (joint.name.empty() ? model.DisplayName(joint.body) : joint.name) +
                             joint.traits().coordinates[static_cast<std::size_t>(i)];
    ImGui::PushID(i);
    if (ui::Slider(name.c_str(), &value, lower, upper))
      session.simulation.Do([j, i, value](Player& player) { MoveJoint(player, j, i, value); });
    OfferPlot(session, name, {"q:" + name}, false);
    ImGui::PopID();
  }
}

void ShowJoints(Session& session) {
  for (int j = 0; j < session.file->model.num_joints(); ++j) {
    ImGui::PushID(j);
    ShowJoint(session, j);
    ImGui::PopID();
  }
}

}  // namespace

void ShowControlsPanel(Session& session) {
  if (!session.has_model()) return;
  if (ImGui::CollapsingHeader("Actuators", ImGuiTreeNodeFlags_DefaultOpen)) {
    ImGui::PushID("actuators");
    ShowActuators(session);
    ImGui::PopID();
  }
  ui::Mark("Actuators");
  if (ImGui::CollapsingHeader("Joints", ImGuiTreeNodeFlags_DefaultOpen)) {
    ImGui::PushID("joints");
    ShowJoints(session);
    ImGui::PopID();
  }
  ui::Mark("Joints");
}

}  // namespace stiction::viewer
