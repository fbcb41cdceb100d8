// Controllers as they are described, in a scenario or in code, and as they concern one model. What they do in
// a step stands in sim/controller.h; plain data here.
//
// Names are those of the World's model. With `model` = "arm" they are short for arm/name, as they stand in
// that model's own file; CSV columns are read the same way.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "stiction/math/trajectory.h"
#include "stiction/model/load_error.h"
#include "stiction/model/model.h"
#include "stiction/scenario/trajectory_table.h"

namespace stiction {

enum class ControllerType {
  kJointPd,   // springs and dampers between joints and their targets
  kControl,   // controls of actuators
  kPose,      // spring and damper between a body or frame and a pose that moves
  kReach,     // springs and dampers between joints and where they bring a frame to a pose that moves
  kGrip,      // joints that close at a speed, until what they meet holds them against a force
  kWrench,    // a force and a torque on a body, for some time
  kMocap,     // the pose of a mocap body
  kEquality,  // the right-hand side of an equality constraint
};
// "joint_pd", "ctrl", "pose", "reach", "grip", "wrench", "mocap", "equality".
const char* ToString(ControllerType type);

// What the weight and the motion of the mechanism ask of its joints, added to what the controller exerts.
enum class Compensation {
  kNone,
  kGravity,   // g(q): what holds the mechanism at rest
  kBias,      // h(q, v): Coriolis and centrifugal forces too
  kDynamics,  // M(q) v̇_d + h(q, v): what the target's acceleration asks for, too; joint_pd
};

// Where a controller wants its channels to be: one of table, keyframes and values; before the first time the
// first row, behind the last time the last one.
struct ControllerTarget {
  std::optional<TrajectoryTable> table{};  // columns by name
  std::vector<std::string> keyframes{};    // with `times`
  std::vector<double> values{};            // with `times`: a row per time, row by row
  std::vector<double> times{};             // ascending [s]
  Interpolation interpolation = Interpolation::kLinear;

  bool is_given() const { return table || !keyframes.empty() || !values.empty(); }
};

struct ControllerDescription {
  ControllerType type = ControllerType::kJointPd;
  std::string model{};      // in which the names below are; empty: they are whole
  std::string name{};       // by which a task moves it
  bool is_of_task = false;  // moved by a task (scenario/task.h): it has no target of its own
  ControllerTarget target{};

  // joint_pd, pose, reach, grip: joints of one coordinate that exert the force. joint_pd without them: the
  // columns of the table, or all of the model; pose, reach: all that move the body.
  std::vector<std::string> joints{};
  Compensation compensation = Compensation::kNone;
  // joint_pd, pose, reach, with a compensation: bodies whose weight counts as the mechanism's own while they
  // are in contact with it.
  std::vector<std::string> carries{};

  // joint_pd, reach: one number for all joints or one per joint, in the order of `joints`.
  std::vector<double> kp{};      // ≥ 0 [N/m or N·m/rad]
  std::vector<double> kd{};      // ≥ 0 [N·s/m or N·m·s/rad]
  std::vector<double> effort{};  // bound on the size of the force, > 0; none: unbounded [N or N·m]

  // ctrl. Without them: the columns of the table.
  std::vector<std::string> actuators{};

  // grip: at which the joints move while nothing holds them, > 0 [m/s or rad/s].
  double speed = 0.05;

  // pose, reach, wrench: a body or frame; mocap: a mocap body; equality: its name.
  std::string of{};

  // pose: along and about the axes of the target [N/m, N·s/m, N·m/rad, N·m·s/rad], ≥ 0.
  Vector3d stiffness = Vector3d::Zero(), damping = Vector3d::Zero();
  Vector3d rotational_stiffness = Vector3d::Zero(), rotational_damping = Vector3d::Zero();
  double nullspace_damping = 0.0;  // of the joints' motion that leaves the frame at rest [N·m·s/rad or N·s/m]
  double max_force = std::numeric_limits<double>::infinity();   // > 0 [N]
  double max_torque = std::numeric_limits<double>::infinity();  // > 0 [N·m]

  // wrench
  Vector3d force = Vector3d::Zero();   // [N]
  Vector3d torque = Vector3d::Zero();  // [N·m]
  std::optional<Vector3d> point{};     // where the force acts, in the frame `of` [m]; its body's mass centre
  bool in_body_axes = false;           // force and torque turn with `of`; else they are in world axes
  double from = 0.0;                   // [s]
  double to = std::numeric_limits<double>::infinity();  // [s]

  std::string file{};  // where it is written
  int line = 0;
};

// A description that found its place in a model: names became indices, the target a trajectory.
struct ControllerTask {
  ControllerDescription description{};
  std::vector<int> joints{};  // joint_pd, pose, reach, grip
  std::vector<int> actuators{};
  Frame frame{};               // pose, reach, wrench, mocap: F on its body
  std::vector<int> carried{};  // bodies
  int mocap_address = -1;      // of the mocap body's numbers in Input::mocap
  int equality = -1;

  // Channels: joint_pd, ctrl: one per joint or actuator; pose, reach: 3 or 7, mocap: 7 as SamplePose takes
  // them; equality: 1; grip: 1, the force; wrench: none. Empty of a task's.
  Trajectory target{};
  std::vector<double> kp{}, kd{}, effort{};  // joint_pd, reach: one per joint; no effort: infinite

  bool has_pose() const {
    return description.type == ControllerType::kPose || description.type == ControllerType::kReach ||
           description.type == ControllerType::kMocap;
  }
  // How many numbers a goal without a pose has: one per joint (joint_pd) or actuator (ctrl), else one.
  int num_values() const {
    return static_cast<int>(description.type == ControllerType::kJointPd   ? joints.size()
                            : description.type == ControllerType::kControl ? actuators.size()
                                                                           : 1);
  }
  // pose, reach: whether the target speaks of a rotation.
  bool has_rotation() const { return description.is_of_task || target.num_channels() == 7; }
};

// Throws LoadError with the description's file and line: a joint, actuator, body, equality, keyframe or
// column that does not exist or does not suit the type, a body that cannot move, gains of another number
// than the joints, a target that is missing or malformed.
ControllerTask FindControllerTask(const ControllerDescription& description, const Model& model);

// All of them. Throws LoadError also as CheckClaims does.
std::vector<ControllerTask> FindControllerTasks(const std::vector<ControllerDescription>& descriptions,
                                                const Model& model);

// Throws LoadError where two set the same control, mocap body or equality. Forces of several controllers add
// up.
void CheckClaims(const std::vector<ControllerTask>& tasks, const Model& model);

}  // namespace stiction
