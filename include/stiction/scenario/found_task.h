// Tasks as they concern one model: names of scenario/task.h became indices. What they do in a step stands in
// sim/task.h.
#pragma once

#include "stiction/model/model.h"
#include "stiction/scenario/task.h"

namespace stiction {

struct Move {
  int controller = 0;            // of the task's
  std::optional<Vector3d> to{};  // as in MoveDescription
  std::optional<Matrix3d> rotation{};
  Frame in{};  // body = -1: the world
  Vector3d by = Vector3d::Zero(), turn = Vector3d::Zero();
  std::vector<double> values{};  // of a controller without a pose: one per channel
  double duration = 0.0;
  Interpolation interpolation = Interpolation::kMinimumJerk;
};

struct Condition {
  ConditionDescription description{};
  Frame of{}, in{}, by{};  // body = -1: not given
};

struct Phase {
  std::string name;
  std::vector<Move> moves{};
  std::vector<Condition> until{};
  double hold = 0.0, timeout = 0.0;
  int back_to = -1, times = 0;
};

struct Task {
  std::string name;
  std::vector<ControllerTask> controllers{};
  std::vector<Phase> phases{};
};

// Throws LoadError with file and line: no phases, a name that stands twice or does not exist, a move that its
// controller cannot make, `back_to` a later phase, and what FindControllerTask throws.
Task FindTask(const TaskDescription& description, const Model& model);

}  // namespace stiction
