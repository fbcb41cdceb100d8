// From names to indices.
#include "stiction/scenario/controller.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "stiction/math/rotation.h"

namespace stiction {
namespace {

constexpr const char* kPoseColumns[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};

[[noreturn]] void Fail(const ControllerDescription& d, const std::string& message) {
  throw LoadError(d.file, d.line, std::string("controller type=\"") + ToString(d.type) + "\"", message);
}

std::string FullName(const ControllerDescription& d, const std::string& name) {
  return d.model.empty() ? name : d.model + "/" + name;
}

// "; known: a, b, c".
template <typename Elements>
std::string Known(const Elements& elements) {
  constexpr int kMaxShown = 30;
  std::string list;
  int count = 0;
  for (const auto& element : elements) {
    if (element.name.empty()) continue;
    if (count++ < kMaxShown) list += (list.empty() ? "" : ", ") + element.name;
  }
  if (count > kMaxShown) list += ", ...";
  return list.empty() ? "; there is none" : "; known: " + list;
}

// The row of the table, -1 if there is none: the column of this name, or of its whole name.
int FindColumn(const ControllerDescription& d, const TrajectoryTable& table, const std::string& name) {
  const int column = table.FindColumn(name);
  return column >= 0 ? column : table.FindColumn(FullName(d, name));
}

// ---- Joints ----

int FindScalarJoint(const ControllerDescription& d, const Model& model, const std::string& name) {
  const int j = model.FindJoint(FullName(d, name));
  if (j < 0) Fail(d, "there is no joint \"" + FullName(d, name) + "\"" + Known(model.joints));
  if (!model.joints[j].is_scalar()) {
    Fail(d, "joint \"" + FullName(d, name) + "\" is a " + model.joints[j].type_name() +
                " joint; name joints of one coordinate");
  }
  return j;
}

// Whether a joint is one of d.model's. One without a name belongs where the next body with a name above it
// does.
bool IsOfModel(const ControllerDescription& d, const Model& model, const Joint& joint) {
  if (d.model.empty()) return true;
  const std::string prefix = d.model + "/";
  if (!joint.name.empty()) return joint.name.starts_with(prefix);
  int b = joint.body;
  while (b > 0 && model.bodies[b].name.empty()) b = model.bodies[b].parent;
  if (b == 0)
    Fail(d,
         "a joint without a name may be one of its model; name the joints in its file, or list \"joints\"");
  return model.bodies[b].name.starts_with(prefix);
}

// Hinges and slides for which `is_wanted` holds, in the model's order.
template <typename Predicate>
std::vector<int> FindScalarJoints(const Model& model, const Predicate& is_wanted) {
  std::vector<int> joints;
  for (int j = 0; j < model.num_joints(); ++j) {
    if (model.joints[j].nq() == 1 && is_wanted(model.joints[j])) joints.push_back(j);
  }
  return joints;
}

void CheckTwice(const ControllerDescription& d, std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) Fail(d, "\"" + *twice + "\" stands twice; keep one");
}

// The names whose channels the target has: those that are listed, or else the columns of the table.
const std::vector<std::string>& ListedOrColumns(const ControllerDescription& d,
                                                const std::vector<std::string>& listed) {
  return listed.empty() && d.target.table ? d.target.table->columns : listed;
}

// ---- Targets ----

// What the target says about one channel at the keyframe.
using ReadKeyframe = std::function<double(const Keyframe& keyframe, int channel)>;

// `columns`: of the table, one per channel.
Trajectory TargetFromTable(const ControllerDescription& d, const std::vector<int>& columns) {
  const TrajectoryTable& table = *d.target.table;
  Trajectory target{.times = table.times, .values = {}, .interpolation = d.target.interpolation};
  target.values.resize(static_cast<Eigen::Index>(columns.size()), table.values.cols());
  for (std::size_t c = 0; c < columns.size(); ++c) target.values.row(c) = table.values.row(columns[c]);
  return target;
}

void CheckTimes(const ControllerDescription& d, std::size_t count, const char* of) {
  if (d.target.times.size() != count) {
    Fail(d, "has " + std::to_string(count) + " " + of + " and " + std::to_string(d.target.times.size()) +
                " times; give each its time");
  }
}

Trajectory TargetFromKeyframes(const ControllerDescription& d, const Model& model, int num_channels,
                               const ReadKeyframe& read) {
  CheckTimes(d, d.target.keyframes.size(), "keyframes");
  Trajectory target{.times = d.target.times, .values = {}, .interpolation = d.target.interpolation};
  target.values.resize(num_channels, static_cast<Eigen::Index>(d.target.keyframes.size()));
  for (std::size_t k = 0; k < d.target.keyframes.size(); ++k) {
    const std::string name = FullName(d, d.target.keyframes[k]);
    const Keyframe* keyframe = model.FindKeyframe(name);
    if (!keyframe) Fail(d, "there is no keyframe \"" + name + "\"" + Known(model.keyframes));
    for (int c = 0; c < num_channels; ++c) target.values(c, k) = read(*keyframe, c);
  }
  return target;
}

Trajectory TargetFromValues(const ControllerDescription& d, int num_channels) {
  const std::vector<double>& values = d.target.values;
  if (num_channels == 0 || values.size() != d.target.times.size() * num_channels) {
    Fail(d, "has " + std::to_string(values.size()) + " values for " + std::to_string(d.target.times.size()) +
                " times of " + std::to_string(num_channels) + " numbers each");
  }
  return {.times = d.target.times,
          .values = Eigen::Map<const MatrixXd>(values.data(), num_channels,
                                               static_cast<Eigen::Index>(d.target.times.size())),
          .interpolation = d.target.interpolation};
}

void CheckTarget(const ControllerDescription& d, const Trajectory& target) {
  const std::string fault = FindFault(target);
  if (!fault.empty()) Fail(d, fault);
}

// Of channels that go by names; the table has a column for each.
Trajectory TargetOfNames(const ControllerDescription& d, const Model& model,
                         const std::vector<std::string>& names, const ReadKeyframe& read) {
  const int num_channels = static_cast<int>(names.size());
  if (!d.target.keyframes.empty()) return TargetFromKeyframes(d, model, num_channels, read);
  if (!d.target.table) return TargetFromValues(d, num_channels);
  std::vector<int> columns;
  for (const std::string& name : names) {
    columns.push_back(FindColumn(d, *d.target.table, name));
    if (columns.back() < 0)
      Fail(d, d.target.table->file + " has no column \"" + name + "\"; add it, or list others");
  }
  return TargetFromTable(d, columns);
}

// x, y, z, and all of qw, qx, qy, qz or none.
std::vector<int> FindPoseColumns(const ControllerDescription& d) {
  const TrajectoryTable& table = *d.target.table;
  const bool has_rotation = table.FindColumn("qw") >= 0;
  const int count = has_rotation ? 7 : 3;
  if (static_cast<int>(table.columns.size()) != count)
    Fail(d, table.file + " has to have the columns time, x, y, z or time, x, y, z, qw, qx, qy, qz");
  std::vector<int> columns;
  for (int c = 0; c < count; ++c) {
    columns.push_back(table.FindColumn(kPoseColumns[c]));
    if (columns.back() < 0) Fail(d, table.file + " has no column \"" + kPoseColumns[c] + "\"; add it");
  }
  return columns;
}

Trajectory TargetOfPose(const ControllerDescription& d) {
  const std::size_t num_times = d.target.times.size();
  Trajectory target = d.target.table ? TargetFromTable(d, FindPoseColumns(d))
                                     : TargetFromValues(d, d.target.values.size() == 3 * num_times ? 3 : 7);
  for (Eigen::Index i = 0; target.num_channels() == 7 && i < target.values.cols(); ++i) {
    if (!(target.values.col(i).tail<4>().norm() > 1e-9))
      Fail(d, "a quaternion of its target is zero; no rotation is 1 0 0 0");
  }
  return target;
}

// Of one channel: a column of the table that bears the name of what it moves, or "value".
Trajectory TargetOfOne(const ControllerDescription& d) {
  if (!d.target.table) return TargetFromValues(d, 1);
  int column = d.of.empty() ? -1 : FindColumn(d, *d.target.table, d.of);
  if (column < 0) column = d.target.table->FindColumn("value");
  if (column >= 0) return TargetFromTable(d, {column});
  Fail(d, d.target.table->file + " has no column \"value\"" + (d.of.empty() ? "" : " or \"" + d.of + "\"") +
              "; add it");
}

// False of a task's controller, which has none.
bool NeedsTarget(const ControllerDescription& d, bool takes_keyframes) {
  if (d.is_of_task) {
    if (d.target.is_given()) Fail(d, "is moved by its task; remove its target");
    return false;
  }
  if (!takes_keyframes && !d.target.keyframes.empty()) Fail(d, "takes no keyframes; give target or values");
  if (!d.target.is_given())
    Fail(d, std::string("has no target; give target=\"file.csv\"") + (takes_keyframes ? ", keyframes" : "") +
                " or values");
  return true;
}

// ---- Types ----

// One number per joint from one for all, or from as many.
std::vector<double> PerJoint(const ControllerDescription& d, const std::vector<double>& numbers,
                             std::size_t count, const char* what, double otherwise) {
  if (numbers.empty()) return std::vector<double>(count, otherwise);
  if (numbers.size() == 1) return std::vector<double>(count, numbers[0]);
  if (numbers.size() != count) {
    Fail(d, std::string(what) + " has " + std::to_string(numbers.size()) + " numbers for " +
                std::to_string(count) + " joints; give one, or one a joint");
  }
  return numbers;
}

void CheckSign(const ControllerDescription& d, const std::vector<double>& numbers, bool may_be_zero,
               const char* what) {
  for (const double number : numbers) {
    if (!(may_be_zero ? number >= 0.0 : number > 0.0))
      Fail(d, std::string(what) + (may_be_zero ? " must not be negative" : " must be positive"));
  }
}

void FindJointGains(ControllerTask& task) {
  const ControllerDescription& d = task.description;
  CheckSign(d, d.kp, true, "kp");
  CheckSign(d, d.kd, true, "kd");
  CheckSign(d, d.effort, false, "effort");
  task.kp = PerJoint(d, d.kp, task.joints.size(), "kp", 0.0);
  task.kd = PerJoint(d, d.kd, task.joints.size(), "kd", 0.0);
  task.effort = PerJoint(d, d.effort, task.joints.size(), "effort", std::numeric_limits<double>::infinity());
}

void FindCarried(const Model& model, ControllerTask& task) {
  const ControllerDescription& d = task.description;
  if (d.carries.empty()) return;
  if (d.compensation == Compensation::kNone)
    Fail(d, "carries something and compensates nothing; give compensation=\"gravity\"");
  for (const std::string& name : d.carries) {
    int body = model.FindBodyOrFrame(name).body;
    if (body < 0) body = model.FindBodyOrFrame(FullName(d, name)).body;
    if (body < 0) Fail(d, "there is no body or frame \"" + name + "\" to carry" + Known(model.bodies));
    if (model.bodies[body].tree < 0) Fail(d, "\"" + name + "\" cannot move; there is nothing to carry");
    task.carried.push_back(body);
  }
}

void FindJointPd(const Model& model, ControllerTask& task) {
  const ControllerDescription& d = task.description;
  const std::vector<std::string>& listed = ListedOrColumns(d, d.joints);
  CheckTwice(d, listed);
  for (const std::string& name : listed) {
    // A column may bear the whole name.
    const bool is_whole = d.joints.empty() && !d.model.empty() && name.starts_with(d.model + "/");
    task.joints.push_back(FindScalarJoint(d, model, is_whole ? name.substr(d.model.size() + 1) : name));
  }
  if (listed.empty())
    task.joints = FindScalarJoints(model, [&](const Joint& joint) { return IsOfModel(d, model, joint); });
  if (task.joints.empty()) Fail(d, "there is no joint of one coordinate to act on");
  FindJointGains(task);
  FindCarried(model, task);
  if (d.is_of_task) {
    NeedsTarget(d, true);
    return;
  }
  const auto read = [&](const Keyframe& keyframe, int c) {
    return keyframe.q[model.joints[task.joints[c]].q_address];
  };
  if (d.target.is_given()) {
    std::vector<std::string> names = listed;
    names.resize(task.joints.size());
    task.target = TargetOfNames(d, model, names, read);
  } else {  // where the simulation starts
    const Keyframe* start = model.FindKeyframe("start");
    task.target = {.times = {0.0}, .values = MatrixXd(task.joints.size(), 1)};
    for (std::size_t c = 0; c < task.joints.size(); ++c) {
      task.target.values(c, 0) =
          start ? read(*start, static_cast<int>(c)) : model.q0[model.joints[task.joints[c]].q_address];
    }
  }
}

// By its name, or by that of a joint which it alone drives.
int FindDrive(const ControllerDescription& d, const Model& model, const std::string& name) {
  for (const std::string& full : {FullName(d, name), name}) {
    if (const int a = model.FindActuator(full); a >= 0) return a;
  }
  const int joint = model.FindJoint(FullName(d, name));
  int found = -1, count = 0;
  for (int a = 0; joint >= 0 && a < model.nu(); ++a) {
    if (model.actuators[a].joint != joint) continue;
    found = a;
    ++count;
  }
  if (count > 1)
    Fail(d, "joint \"" + FullName(d, name) + "\" has several actuators; name one" + Known(model.actuators));
  if (found < 0) {
    Fail(d, "there is no actuator \"" + FullName(d, name) + "\", and no joint of that name which one drives" +
                Known(model.actuators));
  }
  return found;
}

void FindControl(const Model& model, ControllerTask& task) {
  const ControllerDescription& d = task.description;
  const bool needs_target = NeedsTarget(d, true);
  const std::vector<std::string>& listed = ListedOrColumns(d, d.actuators);
  CheckTwice(d, listed);
  for (const std::string& name : listed) task.actuators.push_back(FindDrive(d, model, name));
  std::vector<std::string> names = listed;
  if (listed.empty()) {
    for (int a = 0; a < model.nu(); ++a) {
      const std::string& name = model.actuators[a].name;
      if (!d.model.empty() && name.empty())
        Fail(d, "an actuator without a name may be one of its model; list \"actuators\"");
      if (d.model.empty() || name.starts_with(d.model + "/")) task.actuators.push_back(a);
    }
    names.resize(task.actuators.size());
  }
  if (task.actuators.empty()) Fail(d, "there is no actuator to control");
  if (!needs_target) return;
  task.target = TargetOfNames(
      d, model, names, [&](const Keyframe& keyframe, int c) { return keyframe.ctrl[task.actuators[c]]; });
}

Frame FindFrame(const ControllerDescription& d, const Model& model) {
  const std::string name = FullName(d, d.of);
  const Frame frame = model.FindBodyOrFrame(name);
  if (frame.body < 0) Fail(d, "there is no body or frame \"" + name + "\"" + Known(model.bodies));
  return frame;
}

// A body on which forces have an effect.
Frame FindMovingFrame(const ControllerDescription& d, const Model& model) {
  const Frame frame = FindFrame(d, model);
  if (model.bodies[frame.body].tree < 0)
    Fail(d, "body \"" + model.DisplayName(frame.body) + "\" cannot move; a force on it has no effect");
  return frame;
}

// The frame of pose and reach, the joints that bring it there, and its target.
void FindReachingJoints(const Model& model, ControllerTask& task) {
  const ControllerDescription& d = task.description;
  const bool needs_target = NeedsTarget(d, false);
  task.frame = FindMovingFrame(d, model);
  CheckTwice(d, d.joints);
  for (const std::string& name : d.joints) task.joints.push_back(FindScalarJoint(d, model, name));
  std::vector<bool> moves(model.num_joints(), false);
  for (int k = model.bodies[task.frame.body].last_dof; k >= 0; k = model.dof_parent[k])
    moves[model.dof_joint[k]] = true;
  for (const int j : task.joints) {
    if (!moves[j]) Fail(d, "joint \"" + model.joints[j].name + "\" does not move \"" + d.of + "\"");
  }
  if (d.joints.empty()) {
    task.joints = FindScalarJoints(
        model, [&](const Joint& joint) { return moves[static_cast<int>(&joint - model.joints.data())]; });
  }
  if (task.joints.empty()) Fail(d, "no joint of one coordinate moves \"" + d.of + "\"");
  FindCarried(model, task);
  if (needs_target) task.target = TargetOfPose(d);
}

void FindPose(const Model& model, ControllerTask& task) {
  const ControllerDescription& d = task.description;
  if (d.compensation == Compensation::kDynamics)
    Fail(d, "does not know the joints' accelerations; use kBias");
  FindReachingJoints(model, task);
  const Vector3d rotational = d.rotational_stiffness + d.rotational_damping;
  if (!task.has_rotation() && !rotational.isZero(0.0))
    Fail(d, "its target has no rotation; give qw, qx, qy and qz, or no rotational stiffness and damping");
  for (const Vector3d* gains : {&d.stiffness, &d.damping, &d.rotational_stiffness, &d.rotational_damping})
    CheckSign(d, {gains->x(), gains->y(), gains->z()}, true, "a stiffness or damping");
  CheckSign(d, {d.nullspace_damping}, true, "nullspace_damping");
  CheckSign(d, {d.max_force, d.max_torque}, false, "max_force and max_torque");
}

void FindReach(const Model& model, ControllerTask& task) {
  FindReachingJoints(model, task);
  FindJointGains(task);
}

void FindGrip(const Model& model, ControllerTask& task) {
  const ControllerDescription& d = task.description;
  if (d.joints.empty()) Fail(d, "names no joints; list those that close");
  CheckTwice(d, d.joints);
  for (const std::string& name : d.joints) task.joints.push_back(FindScalarJoint(d, model, name));
  CheckSign(d, {d.speed}, false, "speed");
  if (NeedsTarget(d, false)) task.target = TargetOfOne(d);
}

void FindWrench(const Model& model, ControllerTask& task) {
  const ControllerDescription& d = task.description;
  task.frame = FindMovingFrame(d, model);
  if (!(d.to > d.from)) Fail(d, "ends before it begins; \"to\" has to be later than \"from\"");
}

void FindMocap(const Model& model, ControllerTask& task) {
  const ControllerDescription& d = task.description;
  const bool needs_target = NeedsTarget(d, true);
  task.frame = FindFrame(d, model);
  const Body& body = model.bodies[task.frame.body];
  if (!body.is_mocap)
    Fail(d,
         "\"" + FullName(d, d.of) + "\" is no mocap body; write mocap=\"true\" at it, or use type=\"pose\"");
  task.mocap_address = 0;
  for (int b = 0; b < task.frame.body; ++b) task.mocap_address += model.bodies[b].is_mocap ? 7 : 0;
  const int address = task.mocap_address;
  if (!needs_target) return;
  task.target = d.target.keyframes.empty()
                    ? TargetOfPose(d)
                    : TargetFromKeyframes(d, model, 7, [address](const Keyframe& keyframe, int c) {
                        return keyframe.mocap[address + c];
                      });
  if (!d.target.keyframes.empty()) task.frame.X_BF = {};  // keyframes hold the body's own pose
  if (task.target.num_channels() == 7) return;
  // Without a rotation it stays as in the file.
  const MatrixXd positions = task.target.values;
  const RigidTransform X_WF = body.X_PB * task.frame.X_BF;
  Eigen::Vector4d wxyz;
  QuaternionToWxyz(Quaterniond(X_WF.R), wxyz.data());
  task.target.values.resize(7, positions.cols());
  task.target.values.topRows(3) = positions;
  task.target.values.bottomRows(4).colwise() = wxyz;
}

void FindEquality(const Model& model, ControllerTask& task) {
  const ControllerDescription& d = task.description;
  const bool needs_target = NeedsTarget(d, false);
  const std::string name = FullName(d, d.of);
  task.equality = model.FindEquality(name);
  if (task.equality < 0) Fail(d, "there is no equality \"" + name + "\"" + Known(model.equalities));
  const Equality& equality = model.equalities[task.equality];
  if (std::holds_alternative<FrameLock>(equality.kind))
    Fail(d,
         "equality \"" + name + "\" locks frames and takes no number; lock to a mocap body, and move that");
  if (!equality.is_active) Fail(d, "equality \"" + name + "\" is not active in its file");
  if (needs_target) task.target = TargetOfOne(d);
}

}  // namespace

const char* ToString(ControllerType type) {
  switch (type) {
    case ControllerType::kJointPd:
      return "joint_pd";
    case ControllerType::kControl:
      return "ctrl";
    case ControllerType::kPose:
      return "pose";
    case ControllerType::kReach:
      return "reach";
    case ControllerType::kGrip:
      return "grip";
    case ControllerType::kWrench:
      return "wrench";
    case ControllerType::kMocap:
      return "mocap";
    case ControllerType::kEquality:
      return "equality";
  }
  return "";
}

ControllerTask FindControllerTask(const ControllerDescription& description, const Model& model) {
  ControllerTask task;
  task.description = description;
  switch (description.type) {
    case ControllerType::kJointPd:
      FindJointPd(model, task);
      break;
    case ControllerType::kControl:
      FindControl(model, task);
      break;
    case ControllerType::kPose:
      FindPose(model, task);
      break;
    case ControllerType::kReach:
      FindReach(model, task);
      break;
    case ControllerType::kGrip:
      FindGrip(model, task);
      break;
    case ControllerType::kWrench:
      if (description.is_of_task) Fail(description, "a task cannot move it; put it outside of the task");
      FindWrench(model, task);
      return task;
    case ControllerType::kMocap:
      FindMocap(model, task);
      break;
    case ControllerType::kEquality:
      FindEquality(model, task);
      break;
  }
  if (!description.is_of_task) CheckTarget(description, task.target);
  return task;
}

void CheckClaims(const std::vector<ControllerTask>& tasks, const Model& model) {
  std::set<std::pair<ControllerType, int>> driven;
  const auto claim = [&](const ControllerDescription& d, int index, const std::string& name) {
    if (!driven.emplace(d.type, index).second)
      Fail(d, "\"" + name + "\" is set by a controller above already; keep one of them");
  };
  for (const ControllerTask& task : tasks) {
    for (const int a : task.actuators) claim(task.description, a, model.actuators[a].name);
    if (task.mocap_address >= 0) claim(task.description, task.mocap_address, task.description.of);
    if (task.equality >= 0) claim(task.description, task.equality, task.description.of);
  }
}

std::vector<ControllerTask> FindControllerTasks(const std::vector<ControllerDescription>& descriptions,
                                                const Model& model) {
  std::vector<ControllerTask> tasks;
  for (const ControllerDescription& description : descriptions)
    tasks.push_back(FindControllerTask(description, model));
  CheckClaims(tasks, model);
  return tasks;
}

}  // namespace stiction
