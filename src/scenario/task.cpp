// From the names of a task to indices.
#include <cmath>
#include <cstdio>

#include "scenario/touched_body.h"
#include "stiction/scenario/found_task.h"

namespace stiction {
namespace {

// Fails at a line of the task's file, or at the task's own where there is none.
[[noreturn]] void Fail(const TaskDescription& task, int line, const char* element,
                       const std::string& message) {
  throw LoadError(task.file, line > 0 ? line : task.line,
                  std::string(element) + " of task \"" + task.name + "\"", message);
}

std::string FullName(const TaskDescription& task, const std::string& name) {
  return task.model.empty() ? name : task.model + "/" + name;
}

// By the name in the task's model, or by the whole name: what a task moves meets other models.
Frame FindFrame(const TaskDescription& task, int line, const char* element, const std::string& name,
                const Model& model) {
  if (name.empty() || name == "world") return {.name = "", .body = -1, .X_BF = {}};
  for (const std::string& full : {FullName(task, name), name}) {
    const Frame frame = model.FindBodyOrFrame(full);
    if (frame.body >= 0) return frame;
  }
  Fail(task, line, element,
       "there is no body or frame \"" + name + "\"" +
           (task.model.empty() ? "" : ", nor \"" + FullName(task, name) + "\""));
}

int FindController(const TaskDescription& task, const MoveDescription& move) {
  std::string known;
  for (std::size_t c = 0; c < task.controllers.size(); ++c) {
    if (task.controllers[c].name == move.what) return static_cast<int>(c);
    known += (known.empty() ? "" : ", ") + task.controllers[c].name;
  }
  Fail(task, move.line, "move", "there is no controller \"" + move.what + "\" in the task; known: " + known);
}

std::vector<double> ReadGoalKeyframe(const TaskDescription& task, const MoveDescription& description,
                                     const ControllerTask& controller, const Model& model) {
  const std::string name = FullName(task, description.keyframe);
  const Keyframe* keyframe = model.FindKeyframe(name);
  if (!keyframe) Fail(task, description.line, "move", "there is no keyframe \"" + name + "\"");
  std::vector<double> values;
  for (const int j : controller.joints) values.push_back(keyframe->q[model.joints[j].q_address]);
  for (const int a : controller.actuators) values.push_back(keyframe->ctrl[a]);
  if (static_cast<int>(values.size()) != controller.num_values())
    Fail(task, description.line, "move", "only joint_pd and ctrl take a keyframe; give values");
  return values;
}

void FindValues(const TaskDescription& task, const MoveDescription& d, const ControllerTask& controller,
                const Model& model, Move& move) {
  if (d.to || d.rotation || !d.by.isZero(0.0) || !d.turn.isZero(0.0) || !d.in.empty())
    Fail(task, d.line, "move", "\"" + d.what + "\" has no pose to move; give values");
  if (d.values.empty() == d.keyframe.empty())
    Fail(task, d.line, "move",
         "has no goal; give values" + std::string(d.keyframe.empty() ? "" : " or a keyframe, not both"));
  move.values = d.keyframe.empty() ? d.values : ReadGoalKeyframe(task, d, controller, model);
  if (static_cast<int>(move.values.size()) != controller.num_values()) {
    Fail(task, d.line, "move",
         "has " + std::to_string(move.values.size()) + " values for the " +
             std::to_string(controller.num_values()) + " of \"" + d.what + "\"");
  }
}

void FindPoseGoal(const TaskDescription& task, const MoveDescription& d, const Model& model, Move& move) {
  if (!d.values.empty() || !d.keyframe.empty())
    Fail(task, d.line, "move", "\"" + d.what + "\" moves a pose; give to, or by and turn");
  const bool is_relative = !d.by.isZero(0.0) || !d.turn.isZero(0.0);
  if (is_relative && (d.to || d.rotation))
    Fail(task, d.line, "move", "gives both a goal and a way to go; keep one");
  if (!is_relative && !d.to && !d.rotation)
    Fail(task, d.line, "move", "goes nowhere; give to, or by and turn");
  move.in = FindFrame(task, d.line, "move", d.in, model);
}

Move FindMove(const TaskDescription& task, const MoveDescription& d,
              const std::vector<ControllerTask>& controllers, const Model& model) {
  Move move{.controller = FindController(task, d),
            .to = d.to,
            .rotation = d.rotation,
            .by = d.by,
            .turn = d.turn,
            .duration = d.duration,
            .interpolation = d.interpolation};
  if (!(d.duration >= 0.0) || !std::isfinite(d.duration))
    Fail(task, d.line, "move", "the duration must be 0 or more");
  const ControllerTask& controller = controllers[move.controller];
  if (controller.has_pose()) {
    FindPoseGoal(task, d, model, move);
  } else {
    FindValues(task, d, controller, model, move);
  }
  return move;
}

// The body of which a condition asks what contacts do.
Frame FindTouched(const TaskDescription& task, const ConditionDescription& d, const std::string& name,
                  const Model& model) {
  const Frame frame = FindFrame(task, d.line, "until", name, model);
  const std::string why = WhyNotTouched(model, frame);
  if (!why.empty()) Fail(task, d.line, "until", why);
  return frame;
}

// Contacts with the world count too: with what is fixed to it.
Frame FindBy(const TaskDescription& task, const ConditionDescription& d, const Model& model) {
  if (d.by.empty()) return {.name = "", .body = -1, .X_BF = {}};
  if (d.what != Quantity::kForce && d.what != Quantity::kContacts)
    Fail(task, d.line, "until", "only force and contacts are \"by\" a body; remove it");
  if (d.by == "world") return {};
  return FindTouched(task, d, d.by, model);
}

Condition FindCondition(const TaskDescription& task, const ConditionDescription& d, const Model& model) {
  switch (d.what) {
    case Quantity::kTime:
    case Quantity::kPosition:
    case Quantity::kDrift:
    case Quantity::kSpeed:
    case Quantity::kForce:
    case Quantity::kContacts:
      break;
    default:
      Fail(task, d.line, "until",
           std::string(ToString(d.what)) +
               " ends no phase; use time, position, drift, speed, force or contacts");
  }
  if (d.of.empty() != (d.what == Quantity::kTime))
    Fail(task, d.line, "until", d.of.empty() ? "needs an \"of\"" : "time is of no body; remove \"of\"");
  if (!d.min && !d.max) Fail(task, d.line, "until", "waits for nothing; give min, max or both");
  const bool is_of_contacts = d.what == Quantity::kForce || d.what == Quantity::kContacts;
  return {.description = d,
          .of = is_of_contacts ? FindTouched(task, d, d.of, model)
                               : FindFrame(task, d.line, "until", d.of, model),
          .in = FindFrame(task, d.line, "until", d.in, model),
          .by = FindBy(task, d, model)};
}

int FindEarlierPhase(const TaskDescription& task, std::size_t index) {
  const PhaseDescription& phase = task.phases[index];
  if (phase.back_to.empty()) {
    if (phase.times != 0)
      Fail(task, phase.line, "phase", "\"times\" counts how often it goes \"back_to\"; give that too");
    return -1;
  }
  if (phase.times < 1)
    Fail(task, phase.line, "phase", "goes back to \"" + phase.back_to + "\"; give how many \"times\"");
  for (std::size_t p = 0; p <= index; ++p) {
    if (task.phases[p].name == phase.back_to) return static_cast<int>(p);
  }
  Fail(task, phase.line, "phase", "there is no phase \"" + phase.back_to + "\" before it to go back to");
}

Phase FindPhase(const TaskDescription& task, std::size_t index,
                const std::vector<ControllerTask>& controllers, const Model& model) {
  const PhaseDescription& d = task.phases[index];
  for (std::size_t p = 0; p < index; ++p) {
    if (task.phases[p].name == d.name)
      Fail(task, d.line, "phase", "the name \"" + d.name + "\" stands twice");
  }
  Phase phase{.name = d.name,
              .hold = d.hold,
              .timeout = d.timeout,
              .back_to = FindEarlierPhase(task, index),
              .times = d.times};
  std::vector<bool> is_moved(controllers.size(), false);
  for (const MoveDescription& move : d.moves) {
    phase.moves.push_back(FindMove(task, move, controllers, model));
    if (is_moved[phase.moves.back().controller])
      Fail(task, move.line, "move",
           "\"" + move.what + "\" has a move in this phase already; make it two phases");
    is_moved[phase.moves.back().controller] = true;
  }
  for (const ConditionDescription& condition : d.until)
    phase.until.push_back(FindCondition(task, condition, model));
  if (phase.moves.empty() && phase.until.empty())
    Fail(task, d.line, "phase", "neither moves anything nor waits for anything");
  return phase;
}

}  // namespace

std::string Describe(const ConditionDescription& condition, double value) {
  std::string text = ToString(condition.what);
  if (!condition.of.empty()) text += " of " + condition.of;
  if (!condition.in.empty()) text += " in " + condition.in;
  if (!condition.by.empty()) text += " by " + condition.by;
  text += DescribeAxis(condition.axis);
  char number[64];
  if (!std::isnan(value)) {
    std::snprintf(number, sizeof number, ": %.6g", value);
    text += number;
    if (*UnitOf(condition.what)) text += std::string(" ") + UnitOf(condition.what);
  }
  for (const auto& [word, bound] : {std::pair{", min", condition.min}, std::pair{", max", condition.max}}) {
    if (!bound) continue;
    std::snprintf(number, sizeof number, "%s %.6g", word, *bound);
    text += number;
  }
  return text;
}

Task FindTask(const TaskDescription& description, const Model& model) {
  Task task{.name = description.name};
  if (description.phases.empty()) Fail(description, 0, "task", "has no phases");
  for (std::size_t c = 0; c < description.controllers.size(); ++c) {
    for (std::size_t other = 0; other < c; ++other) {
      if (description.controllers[other].name == description.controllers[c].name)
        Fail(description, description.controllers[c].line, "controller",
             "the name \"" + description.controllers[c].name + "\" stands twice");
    }
    task.controllers.push_back(FindControllerTask(description.controllers[c], model));
  }
  for (std::size_t p = 0; p < description.phases.size(); ++p)
    task.phases.push_back(FindPhase(description, p, task.controllers, model));
  return task;
}

}  // namespace stiction
