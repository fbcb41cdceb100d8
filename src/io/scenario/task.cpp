#include "io/scenario/task.h"

#include <numbers>

#include "io/mjcf/orientation.h"
#include "io/scenario/controller.h"
#include "io/scenario/expect.h"

namespace stiction::scenario {
namespace {

constexpr double kRadiansPerDegree = std::numbers::pi / 180.0;

// At least `least`; absent: as it was.
void ReadAtLeast(xml::Element& element, const char* attribute, double least, double& value) {
  if (element.Read(attribute, value) && !(value >= least))
    element.Fail(attribute, std::string(attribute) + " must not be negative");
}

void ReadGoal(xml::Element& element, MoveDescription& move) {
  Vector3d to;
  if (element.Read("to", to)) move.to = to;
  Matrix3d rotation;
  if (mjcf::ReadOrientation(element, {}, rotation)) move.rotation = rotation;
  element.Read("in", move.in);
  element.Read("by", move.by);
  if (element.Read("turn", move.turn)) move.turn *= kRadiansPerDegree;
  move.values = element.ReadList("values");
  element.Read("keyframe", move.keyframe);
  double force = 0.0;
  if (!element.Read("force", force)) return;
  if (!move.values.empty()) element.Fail("force", "gives both force and values; keep one");
  move.values = {force};
}

MoveDescription ReadMove(xml::Element& element) {
  MoveDescription move{.what = element.RequireString("what"), .line = element.line()};
  ReadGoal(element, move);
  ReadAtLeast(element, "duration", 0.0, move.duration);
  ReadInterpolation(element, move.interpolation);
  return move;
}

ConditionDescription ReadUntil(xml::Element& element) {
  ConditionDescription until{
      .what = ReadQuantity(element, true), .min = {}, .max = {}, .line = element.line()};
  element.Read("of", until.of);
  element.Read("in", until.in);
  element.Read("by", until.by);
  ReadAxis(element, until.axis);
  ReadBounds(element, until.min, until.max);
  return until;
}

PhaseDescription ReadPhase(xml::Element& element) {
  PhaseDescription phase{.name = element.RequireString("name"), .line = element.line()};
  ReadAtLeast(element, "hold", 0.0, phase.hold);
  if (element.Read("timeout", phase.timeout) && !(phase.timeout > 0.0))
    element.Fail("timeout", "the timeout must be positive");
  element.Read("back_to", phase.back_to);
  element.Read("times", phase.times);
  for (const auto& child : element.children()) {
    if (child->name() == "move") phase.moves.push_back(ReadMove(*child));
    if (child->name() == "until") phase.until.push_back(ReadUntil(*child));
  }
  return phase;
}

}  // namespace

TaskDescription ReadTask(xml::Element& element) {
  TaskDescription task{.name = element.RequireString("name"), .file = element.file(), .line = element.line()};
  element.Read("model", task.model);
  for (const auto& child : element.children()) {
    if (child->name() == "controller") {
      ControllerDescription controller = ReadController(*child, true);
      if (controller.model.empty()) controller.model = task.model;
      task.controllers.push_back(controller);
    }
    if (child->name() == "phase") task.phases.push_back(ReadPhase(*child));
  }
  if (task.phases.empty()) element.Fail("has no phases; add <phase name=\"...\">");
  return task;
}

}  // namespace stiction::scenario
