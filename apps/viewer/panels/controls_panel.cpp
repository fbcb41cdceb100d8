// Sliders of actuators and joints.
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

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

// "joint elbow", "tendon cable", "a frame of hand".
std::string NameDriven(const Model& model, const Actuator& actuator) {
  const auto named = [](const char* kind, const std::string& name) {
    return std::string(kind) + (name.empty() ? "" : " " + name);
  };
  if (actuator.joint >= 0) {
    const Joint& joint = model.joints[static_cast<std::size_t>(actuator.joint)];
    return named("joint", joint.name.empty() ? model.DisplayName(joint.body) : joint.name);
  }
  if (actuator.tendon >= 0)
    return named("tendon", model.tendons[static_cast<std::size_t>(actuator.tendon)].name);
  if (actuator.body >= 0) return "contacts of " + model.DisplayName(actuator.body);
  return actuator.frame ? "a frame of " + model.DisplayName(actuator.frame->body) : "nothing";
}

// The body that shows it best; -1: none does.
int FindDriven(const Model& model, const Actuator& actuator) {
  if (actuator.joint >= 0) return model.joints[static_cast<std::size_t>(actuator.joint)].body;
  if (actuator.body >= 0) return actuator.body;
  return actuator.frame ? actuator.frame->body : -1;
}

// What a control makes: a force, or a servo's goal.
std::string DescribeControl(const Actuator& actuator) {
  char text[96];
  const double gear = actuator.gear[0];
  if (actuator.muscle_gain) return "a muscle: 0 to 1";
  if (actuator.bias[1] != 0.0)
    std::snprintf(text, sizeof text, "a position servo: stiffness %.4g, gear %.4g", -actuator.bias[1], gear);
  else if (actuator.bias[2] != 0.0)
    std::snprintf(text, sizeof text, "a velocity servo: gain %.4g, gear %.4g", -actuator.bias[2], gear);
  else
    std::snprintf(text, sizeof text, "a force or moment of %.4g N or N m a unit", actuator.gain[0] * gear);
  return text;
}

// While the pointer is on a control: which body moves with it, seen in the picture, and how.
void ShowDriven(Session& session, int body, const std::string& what) {
  if (!ImGui::IsItemHovered() && !ImGui::IsItemActive()) return;
  session.hinted_body = body;
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", what.c_str());
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
    const std::string driven = NameDriven(model, actuator);
    ShowDriven(session, FindDriven(model, actuator), "drives " + driven + "\n" + DescribeControl(actuator));
    OfferPlot(session, name, {"ctrl:" + name}, false);
    if (!driven.ends_with(" " + name)) ui::Muted("drives " + driven);
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
    const bool is_held = session.now.held.size() > 0 && !std::isnan(session.now.held[joint.q_address + i]);
    if (is_held) value = session.now.held[joint.q_address + i];
    if (ui::Slider(name.c_str(), &value, lower, upper)) {
      session.simulation.Do([j, i, value, is_held](Player& player) {
        if (is_held)
          player.SetHeld(j, i, value);
        else
          MoveJoint(player, j, i, value);
      });
    }
    ShowDriven(session, joint.body, is_held ? "held: moves what holds it" : "puts it there, at rest");
    OfferPlot(session, name, {"q:" + name}, false);
    ImGui::PopID();
  }
}

// Of robots without actuators: servos at all joints, and the sliders move their goals.
void ShowHold(Session& session) {
  const Model& model = session.file->model;
  std::vector<int> joints;
  for (int j = 0; j < model.num_joints(); ++j)
    if (model.joints[static_cast<std::size_t>(j)].num_coordinates() > 0) joints.push_back(j);
  if (joints.empty() || session.now.is_playback) return;
  bool is_held = session.now.held.size() > 0;
  if (ui::Checkbox("Hold by servos", &is_held)) {
    session.simulation.Do([joints, is_held](Player& player) {
      if (is_held)
        player.Hold(joints);
      else
        player.Release(joints);
    });
  }
  ui::Hint(
      "Springs and dampers keep every joint where it is; the sliders then move where they hold it. One "
      "joint: right click on its body, Freeze its joint.");
}

void ShowJoints(Session& session) {
  ShowHold(session);
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
