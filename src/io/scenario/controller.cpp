#include "io/scenario/controller.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "io/model_path.h"
#include "io/scenario/format.h"
#include "io/trajectory_file.h"

namespace stiction::scenario {
namespace {

// Which attributes a type takes, beside `type` and `model`.
struct ControllerFormat {
  ControllerType type;
  std::vector<std::string_view> attributes;
};

// In the order of ControllerType.
const std::vector<ControllerFormat>& ControllerFormats() {
  static const std::vector<ControllerFormat> formats{
      {ControllerType::kJointPd,
       {"joints", "kp", "kd", "effort", "compensation", "carries", "target", "keyframes", "values", "times",
        "interpolation"}},
      {ControllerType::kControl, {"actuators", "target", "keyframes", "values", "times", "interpolation"}},
      {ControllerType::kPose,
       {"of", "joints", "stiffness", "damping", "rotational_stiffness", "rotational_damping",
        "nullspace_damping", "max_force", "max_torque", "compensation", "carries", "target", "values",
        "times", "interpolation"}},
      {ControllerType::kReach,
       {"of", "joints", "kp", "kd", "effort", "compensation", "carries", "target", "values", "times",
        "interpolation"}},
      {ControllerType::kGrip, {"joints", "speed", "target", "values", "times", "interpolation"}},
      {ControllerType::kWrench, {"of", "force", "torque", "point", "axes", "from", "to"}},
      {ControllerType::kMocap, {"of", "target", "keyframes", "values", "times", "interpolation"}},
      {ControllerType::kEquality, {"of", "target", "values", "times", "interpolation"}}};
  return formats;
}

const ControllerFormat& ReadType(xml::Element& element) {
  std::vector<std::string_view> names;
  for (const ControllerFormat& format : ControllerFormats()) names.push_back(ToString(format.type));
  std::string name;
  element.RequireString("type");
  element.ReadWord("type", names, name);
  size_t i = 0;
  while (name != names[i]) ++i;
  return ControllerFormats()[i];
}

void CheckAttributes(xml::Element& element, const ControllerFormat& format, bool is_of_task) {
  for (const xml::Attribute& attribute : element.attributes()) {
    const auto& known = format.attributes;
    if (attribute.name == "type" || attribute.name == "model") continue;
    if (attribute.name == "name") {
      if (is_of_task) continue;
      element.Fail("name", "only a task's controllers have names; remove it");
    }
    if (std::find(known.begin(), known.end(), attribute.name) != known.end()) continue;
    element.Fail(attribute.name, "\"" + attribute.name + "\" means nothing for type=\"" +
                                     ToString(format.type) + "\", which takes " + List(known));
  }
}

std::vector<std::string> ReadNames(xml::Element& element, const char* attribute) {
  std::vector<std::string> names;
  std::string text;
  if (!element.Read(attribute, text)) return names;
  std::istringstream words(text);
  for (std::string name; words >> name;) names.push_back(name);
  if (names.empty()) element.Fail(attribute, std::string(attribute) + " names nothing; remove it");
  return names;
}

// One number for all three axes, or one per axis.
void ReadGains(xml::Element& element, const char* attribute, Vector3d& gains) {
  const int count = element.ReadNumbers(attribute, 1, 3, gains.data());
  if (count == 1) gains.setConstant(gains[0]);
  if (count == 2) element.Fail(attribute, std::string(attribute) + " takes one number, or one an axis");
  if ((gains.array() < 0.0).any()) element.Fail(attribute, std::string(attribute) + " must not be negative");
}

void ReadAboveZero(xml::Element& element, const char* attribute, double& value) {
  if (element.Read(attribute, value) && !(value > 0.0))
    element.Fail(attribute, std::string(attribute) + " must be positive");
}

void ReadTarget(xml::Element& element, ControllerTarget& target) {
  ReadInterpolation(element, target.interpolation);
  target.keyframes = ReadNames(element, "keyframes");
  target.values = element.ReadList("values");
  target.times = element.ReadList("times");
  if (element.Has("target")) {
    const auto folder = std::filesystem::path(element.file()).parent_path();
    const std::string written = element.RequireString("target");
    target.table = ReadTrajectoryFile(ResolveModelPath(folder, written, element).string());
  }
  const int count = element.Has("target") + element.Has("keyframes") + element.Has("values");
  if (count > 1) element.Fail("has several targets; give one of target, keyframes and values");
  if (element.Has("times") && (count == 0 || element.Has("target")))
    element.Fail("times", "times belong to keyframes or values; remove them");
  if (element.Has("interpolation") && count == 0)
    element.Fail("interpolation", "there is no target to interpolate; remove it");
  for (size_t i = 0; i < target.times.size(); ++i) {
    if (i > 0 && !(target.times[i] > target.times[i - 1])) element.Fail("times", "the times have to ascend");
  }
}

void ReadCompensation(xml::Element& element, ControllerDescription& d) {
  std::vector<std::string_view> words{"none", "gravity", "bias"};
  if (d.type != ControllerType::kPose) words.push_back("dynamics");
  std::string word;
  if (!element.ReadWord("compensation", words, word)) return;
  d.compensation = word == "gravity"    ? Compensation::kGravity
                   : word == "bias"     ? Compensation::kBias
                   : word == "dynamics" ? Compensation::kDynamics
                                        : Compensation::kNone;
}

void ReadPoseGains(xml::Element& element, ControllerDescription& d) {
  ReadGains(element, "stiffness", d.stiffness);
  ReadGains(element, "damping", d.damping);
  ReadGains(element, "rotational_stiffness", d.rotational_stiffness);
  ReadGains(element, "rotational_damping", d.rotational_damping);
  if (element.Read("nullspace_damping", d.nullspace_damping) && d.nullspace_damping < 0.0)
    element.Fail("nullspace_damping", "nullspace_damping must not be negative");
  ReadAboveZero(element, "max_force", d.max_force);
  ReadAboveZero(element, "max_torque", d.max_torque);
}

void ReadWrench(xml::Element& element, ControllerDescription& d) {
  if (!element.Has("force") && !element.Has("torque")) element.Fail("has neither force nor torque; give one");
  element.Read("force", d.force);
  element.Read("torque", d.torque);
  Vector3d point;
  if (element.Read("point", point)) d.point = point;
  if (d.point && !element.Has("force"))
    element.Fail("point", "a torque acts on the whole body; remove the point");
  std::string axes;
  if (element.ReadWord("axes", {"world", "body"}, axes)) d.in_body_axes = axes == "body";
  element.Read("from", d.from);
  element.Read("to", d.to);
}

}  // namespace

void ReadInterpolation(xml::Element& element, Interpolation& interpolation) {
  constexpr Interpolation kAll[] = {Interpolation::kHold, Interpolation::kLinear, Interpolation::kCubic,
                                    Interpolation::kMinimumJerk};
  std::vector<std::string_view> names;
  for (const Interpolation known : kAll) names.push_back(ToString(known));
  std::string name;
  if (!element.ReadWord("interpolation", names, name)) return;
  for (const Interpolation known : kAll) {
    if (name == ToString(known)) interpolation = known;
  }
}

const std::vector<std::string_view>& ControllerAttributes() {
  static const std::vector<std::string_view> all = [] {
    std::vector<std::string_view> names{"type", "model", "name"};
    for (const ControllerFormat& format : ControllerFormats()) {
      for (const std::string_view name : format.attributes) {
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      }
    }
    return names;
  }();
  return all;
}

ControllerDescription ReadController(xml::Element& element, bool is_of_task) {
  const ControllerFormat& format = ReadType(element);
  CheckAttributes(element, format, is_of_task);
  ControllerDescription d;
  d.is_of_task = is_of_task;
  if (is_of_task) d.name = element.RequireString("name");
  d.type = format.type;
  d.file = element.file();
  d.line = element.line();
  element.Read("model", d.model);
  const auto& attributes = format.attributes;
  if (std::find(attributes.begin(), attributes.end(), "of") != attributes.end())
    d.of = element.RequireString("of");
  d.joints = ReadNames(element, "joints");
  d.actuators = ReadNames(element, "actuators");
  d.kp = element.ReadList("kp");
  d.kd = element.ReadList("kd");
  d.effort = element.ReadList("effort");
  const bool has_gains = d.type == ControllerType::kJointPd || d.type == ControllerType::kReach;
  if (has_gains && d.kp.empty() && d.kd.empty() && !element.Has("compensation"))
    element.Fail("exerts nothing; give kp, kd or compensation");
  ReadCompensation(element, d);
  d.carries = ReadNames(element, "carries");
  ReadAboveZero(element, "speed", d.speed);
  if (d.type == ControllerType::kPose) ReadPoseGains(element, d);
  if (d.type == ControllerType::kWrench) ReadWrench(element, d);
  ReadTarget(element, d.target);
  return d;
}

}  // namespace stiction::scenario
