#include <cctype>
#include <cstdlib>
#include <limits>

#include "io/urdf/limits.h"
#include "io/urdf/robot.h"

namespace stiction::urdf {
namespace {

// Those of the format, and Bullet's "spherical".
JointType TypeOf(xml::Element& element) {
  std::string word;
  if (!element.ReadWord("type",
                        {"fixed", "revolute", "continuous", "prismatic", "floating", "planar", "spherical"},
                        word)) {
    element.Fail("needs the attribute \"type\"");
  }
  if (word == "revolute") return JointType::kRevolute;
  if (word == "continuous") return JointType::kContinuous;
  if (word == "prismatic") return JointType::kPrismatic;
  if (word == "floating") return JointType::kFloating;
  if (word == "planar") return JointType::kPlanar;
  if (word == "spherical") return JointType::kSpherical;
  return JointType::kFixed;
}

// Drake's, of kinds that the format does not have, in elements of their own.
bool IsOfDrake(const xml::Element& element) {
  return element.name() == "drake:joint";
}
JointType DrakeTypeOf(xml::Element& element) {
  std::string word;
  if (!element.ReadWord("type", {"ball", "planar", "screw", "universal"}, word))
    element.Fail("needs the attribute \"type\"");
  if (word == "ball") return JointType::kSpherical;
  if (word == "planar") return JointType::kPlanar;
  return word == "screw" ? JointType::kScrew : JointType::kUniversal;
}

void ReadPitch(const xml::Element& element, JointEntry& entry) {
  xml::Element* pitch = element.FindChild("drake:screw_thread_pitch");
  if (!pitch) element.Fail("is a screw without a <drake:screw_thread_pitch value=...>");
  entry.pitch = pitch->RequireNumber("value");
  if (entry.pitch == 0.0)
    pitch->Fail("value", "a screw without a pitch is no screw; write type=\"continuous\"");
}

// The plane of Drake's planar joint is the joint's own x and y, each with a damping of its own.
void ReadPlane(const xml::Element& element, JointEntry& entry) {
  entry.axis = Vector3d::UnitZ();
  xml::Element* dynamics = element.FindChild("dynamics");
  Vector3d damping;
  if (!dynamics || !dynamics->Read("damping", damping)) return;
  if (damping.minCoeff() < 0.0) dynamics->Fail("damping", "damping must not be negative");
  entry.damping_by_dof = damping;
}

void ReadAxis(const xml::Element& element, Vector3d& axis_B) {
  xml::Element* axis = element.FindChild("axis");
  if (!axis) return;
  axis->Read("xyz", axis_B);
  if (axis_B.norm() < 1e-10) axis->Fail("xyz", "the axis has zero length");
  if (!(axis_B.norm() < 1e100)) axis->Fail("xyz", "the axis is too long; only its direction counts");
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A number of a <limit>, or "inf" in any spelling, as ROS and Drake write what has no limit.
bool ReadLimit(xml::Element& limit, const char* attribute, double& value) {
  if (const std::string* text = limit.Peek(attribute)) {
    std::string word;
    for (const char c : *text) {
      if (std::isalpha(static_cast<unsigned char>(c)) || c == '-') word += static_cast<char>(std::tolower(c));
    }
    const bool is_negative = word.starts_with('-');
    if (is_negative) word.erase(0, 1);
    if (word == "inf" || word == "infinity") {
      limit.Note(attribute, ImportStatus::kHonoured, "as no limit");
      value = is_negative ? -kInfinity : kInfinity;
      return true;
    }
  }
  return limit.Read(attribute, value);
}

void ReadLimits(xml::Element& element, JointEntry& entry) {
  Joint& joint = entry.joint;
  const bool is_limited = entry.type == JointType::kRevolute || entry.type == JointType::kPrismatic;
  xml::Element* limit = element.FindChild("limit");
  if (!limit) {
    if (is_limited) {
      element.Note(ImportStatus::kApproximated,
                   entry.type == JointType::kPrismatic
                       ? "has no <limit>: moves without limits"
                       : "has no <limit>: moves without limits; write type=\"continuous\" if that is meant");
    }
    return;
  }
  // Many files write 0 for "not known", which would forbid every force.
  if (ReadLimit(*limit, "effort", entry.effort) && entry.effort < 0.0)
    limit->Fail("effort", "effort must not be negative");
  if (entry.effort >= kNoLimit) entry.effort = 0.0;
  limit->Note("effort", ImportStatus::kIgnored, "no actuator drives the joint", ImportLoss::kHarmless);
  const std::string* speed = limit->Peek("velocity");
  if (speed && std::strtod(speed->c_str(), nullptr) >= kNoLimit) {
    limit->Note("velocity", ImportStatus::kHonoured, "as no limit");
  } else {
    limit->Note("velocity", ImportStatus::kIgnored, "the speed of joints is not limited");
  }
  const bool has_range = limit->Has("lower") || limit->Has("upper");
  if (!is_limited) {
    // MuJoCo, too, lets a continuous joint turn whatever its <limit> says.
    limit->Note("lower", ImportStatus::kIgnored, "this type of joint has no limits", ImportLoss::kHarmless);
    limit->Note("upper", ImportStatus::kIgnored, "this type of joint has no limits", ImportLoss::kHarmless);
    return;
  }
  if (!has_range) {
    limit->Note(ImportStatus::kApproximated, "gives neither lower nor upper: the joint moves without limits");
    return;
  }
  // The format's default for the end that is left out.
  joint.lower = joint.upper = 0.0;
  ReadLimit(*limit, "lower", joint.lower);
  ReadLimit(*limit, "upper", joint.upper);
  if (joint.lower > joint.upper || joint.lower == kInfinity || joint.upper == -kInfinity) {
    limit->Fail("lower is above upper; exchange them");
  }
  if (joint.lower <= -kNoLimit) joint.lower = -kInfinity;
  if (joint.upper >= kNoLimit) joint.upper = kInfinity;
}

void ReadDynamics(const xml::Element& element, Joint& joint) {
  xml::Element* dynamics = element.FindChild("dynamics");
  if (!dynamics) return;
  if (dynamics->Read("damping", joint.damping) && joint.damping < 0.0) {
    dynamics->Fail("damping", "damping must not be negative");
  }
  if (dynamics->Read("friction", joint.friction_loss) && joint.friction_loss < 0.0)
    dynamics->Fail("friction", "friction must not be negative");
}

}  // namespace

bool IsScalar(JointType type) {
  return type == JointType::kRevolute || type == JointType::kContinuous || type == JointType::kPrismatic ||
         type == JointType::kScrew;
}

JointEntry ReadJoint(xml::Element& element) {
  element.Visit();
  JointEntry entry{.element = &element};
  entry.joint.name = element.RequireString("name");
  entry.type = IsOfDrake(element) ? DrakeTypeOf(element) : TypeOf(element);
  entry.X_PJ = ReadOrigin(element);
  if (entry.type == JointType::kFixed) {
    // Exporters write these for every joint; they say nothing about one that does not move.
    for (const auto& child : element.children()) {
      if (child->name() == "axis" || child->name() == "limit" || child->name() == "dynamics") {
        child->Note(ImportStatus::kHonoured, "without meaning for a fixed joint");
        for (const xml::Attribute& attribute : child->attributes()) {
          child->Note(attribute.name, ImportStatus::kHonoured, "without meaning for a fixed joint");
        }
      }
    }
    return entry;
  }
  ReadLimits(element, entry);
  if (entry.type == JointType::kPlanar && IsOfDrake(element)) {
    ReadPlane(element, entry);
    return entry;
  }
  ReadAxis(element, entry.axis);
  if (entry.type == JointType::kScrew) ReadPitch(element, entry);
  ReadDynamics(element, entry.joint);
  return entry;
}

}  // namespace stiction::urdf
