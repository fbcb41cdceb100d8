// Tasks: what controllers are to do one after another, each thing until something has come about. A state
// machine over controllers (scenario/controller.h) that a scenario, or code, describes; sim/task.h runs it.
//
//   task       controllers that it moves, and phases in their order
//   phase      moves that begin with it, and conditions that end it
//   move       a new goal of one controller, and how long it takes to get there
//   condition  a quantity within bounds, as of expectations (scenario/scenario.h)
//
// A controller of a task holds where it is when the task begins, and after each move where that has led.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "stiction/scenario/controller.h"
#include "stiction/scenario/quantity.h"

namespace stiction {

// The goal of a controller, from where it was led last.
//   reach, pose, mocap   `to` with `rotation` in the frame `in` as that stands when the move begins; or `by`
//                        and `turn`, in the axes of `in`, from where the controller was led last
//   joint_pd, ctrl, equality   `values`, one per channel, or a keyframe
//   grip                 `values`: one force
struct MoveDescription {
  std::string what;                    // name of a controller of the task
  std::optional<Vector3d> to{};        // [m]
  std::optional<Matrix3d> rotation{};  // without it the rotation stays
  std::string in{};                    // a body or frame; the world
  Vector3d by = Vector3d::Zero();      // [m]
  Vector3d turn = Vector3d::Zero();    // axis times angle, which may be more than a turn [rad]
  std::vector<double> values{};
  std::string keyframe{};
  double duration = 0.0;  // ≥ 0 [s]
  Interpolation interpolation = Interpolation::kMinimumJerk;
  int line = 0;
};

struct ConditionDescription {
  Quantity what = Quantity::kTime;  // kTime, kPosition, kDrift, kSpeed, kForce or kContacts
  std::string of{}, in{};           // bodies or frames F and I; the world where `in` is empty
  std::string by{};                 // of contacts and force: only those with this body
  Axis axis = Axis::kNorm;
  std::optional<double> min{}, max{};  // at least one of them
  int line = 0;
};

// "position of nut in z: 0.1052 m, max 0.1"; without the number where it is NaN.
std::string Describe(const ConditionDescription& condition, double value);

struct PhaseDescription {
  std::string name;
  std::vector<MoveDescription> moves{};
  // It ends once all of them hold, and have held for `hold` [s]; without any, when its moves have ended.
  std::vector<ConditionDescription> until{};
  double hold = 0.0;
  double timeout = std::numeric_limits<double>::infinity();  // after which the task has failed [s]
  // Where it goes on, so often, instead of at the next phase: an earlier one, or itself.
  std::string back_to{};
  int times = 0;
  int line = 0;
};

struct TaskDescription {
  std::string name;
  std::string model{};                               // in which names are, as ControllerDescription::model
  std::vector<ControllerDescription> controllers{};  // each has a name
  std::vector<PhaseDescription> phases{};
  std::string file{};
  int line = 0;
};

}  // namespace stiction
