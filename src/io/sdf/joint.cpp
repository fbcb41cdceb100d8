// <joint>: what moves the links, and what closes their loops.
#include <Eigen/Geometry>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>

#include "io/sdf/assembly.h"
#include "io/sdf/values.h"
#include "stiction/math/rotation.h"

namespace stiction::sdformat {
namespace {

constexpr double kNone = 1e10;  // ends, efforts and speeds from here on are none; the format's own are 1e16
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// "inf" in any case, signed or not, is a word of the format for no limit.
void ReadLimitNumber(const xml::Element& limit, std::string_view name, double& value) {
  const xml::Element* child = limit.FindChild(name);
  if (!child) return;
  std::string word = child->text();
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const bool is_negative = word.starts_with('-');
  if (is_negative || word.starts_with('+')) word.erase(0, 1);
  if (word == "inf" || word == "infinity")
    value = is_negative ? -kInfinity : kInfinity;
  else
    ReadChild(limit, name, value);
}

void ReadLimit(const xml::Element& axis, Joint& joint) {
  const xml::Element* limit = axis.FindChild("limit");
  if (!limit) return;
  double lower = -kInfinity, upper = kInfinity, speed = -1.0;
  ReadLimitNumber(*limit, "lower", lower);
  ReadLimitNumber(*limit, "upper", upper);
  if (lower > upper || lower == kInfinity || upper == -kInfinity)
    limit->Fail("lower is above upper; exchange them");
  if (lower > -kNone) joint.lower = lower;
  if (upper < kNone) joint.upper = upper;
  NoteChild(*limit, "effort", ImportStatus::kIgnored, "no actuator drives the joint", ImportLoss::kHarmless);
  ReadLimitNumber(*limit, "velocity", speed);
  if (speed >= 0.0 && speed < kNone)
    NoteChild(*limit, "velocity", ImportStatus::kIgnored, "the speed of joints is not limited");
  for (const char* word : {"stiffness", "dissipation"})
    NoteChild(*limit, word, ImportStatus::kIgnored, "limits are hard", ImportLoss::kHarmless);
}

void ReadDynamics(const xml::Element& axis, Joint& joint) {
  const xml::Element* dynamics = axis.FindChild("dynamics");
  if (!dynamics) return;
  ReadChild(*dynamics, "damping", joint.damping);
  ReadChild(*dynamics, "friction", joint.friction_loss);
  ReadChild(*dynamics, "spring_stiffness", joint.stiffness);
  ReadChild(*dynamics, "spring_reference", joint.spring_reference);
}

// Of Drake's words: what a rotor behind its gear adds to the inertia that the joint moves.
double ReadRotor(const xml::Element& joint) {
  double inertia = 0.0, ratio = 1.0;
  ReadChild(joint, "drake:rotor_inertia", inertia);
  ReadChild(joint, "drake:gear_ratio", ratio);
  if (inertia < 0.0)
    joint.FindChild("drake:rotor_inertia")->Fail("the inertia of a rotor must not be negative");
  return ratio * ratio * inertia;
}

// Metres per revolution; the older word is radians per metre, of a left-handed thread.
double ReadPitch(const xml::Element& joint) {
  double pitch = 0.0, turns = 0.0;
  if (ReadChild(joint, "thread_pitch", turns) && turns != 0.0) pitch = -2.0 * std::numbers::pi / turns;
  ReadChild(joint, "screw_thread_pitch", pitch);
  if (pitch == 0.0) joint.Fail("has no <screw_thread_pitch>");
  return pitch;
}

// A rotation whose z axis is this one.
Matrix3d RotationWithZ(const Vector3d& axis) {
  return Quaterniond::FromTwoVectors(Vector3d::UnitZ(), axis.normalized()).toRotationMatrix();
}

}  // namespace

void Assembly::AddAxisJoint(const JointEntry& entry, const Axis& axis, const std::string& name, int body,
                            const RigidTransform& X_WC) {
  Joint joint{.name = name};
  const Vector3d axis_B = X_WC.R.transpose() * axis.axis_W;
  const Vector3d p_BJ = X_WC.Inverse() * entry.X_WJ.p;
  if (entry.type == "prismatic") {
    joint.kind = SlideJoint{.axis_B = axis_B, .p_BJ = p_BJ};
  } else if (entry.type == "screw") {
    joint.kind = ScrewJoint{.axis_B = axis_B, .p_BJ = p_BJ, .pitch = ReadPitch(*entry.element)};
  } else {
    joint.kind = HingeJoint{.axis_B = axis_B, .p_BJ = p_BJ};
  }
  if (entry.type != "continuous") ReadLimit(*axis.element, joint);
  if (entry.type == "continuous")
    NoteChild(*axis.element, "limit", ImportStatus::kIgnored, "a continuous joint has none",
              ImportLoss::kHarmless);
  ReadDynamics(*axis.element, joint);
  joint.armature = ReadRotor(*entry.element);
  if (xml::Element* mimic = axis.element->FindChild("mimic")) {
    double multiplier = 1.0, offset = 0.0, reference = 0.0;
    ReadChild(*mimic, "multiplier", multiplier);
    ReadChild(*mimic, "offset", offset);
    ReadChild(*mimic, "reference", reference);
    const std::size_t scope = entry.name.rfind("::");
    const std::string prefix = scope == std::string::npos ? "" : entry.name.substr(0, scope + 2);
    std::string word = "axis";
    mimic->ReadWord("axis", {"axis", "axis2"}, word);
    mimics_.push_back({mimic, name, prefix + mimic->RequireString("joint"), word == "axis2", multiplier,
                       offset - multiplier * reference});
  }
  table_.current = axis.element;
  joints_by_name_.emplace_back(name, builder_.AddJoint(body, joint));
  table_.joints.push_back(axis.element);
}

void Assembly::AddJoints(const JointEntry& entry, int body, const RigidTransform& X_WC) {
  const std::string& type = entry.type;
  if (type == "fixed") return;
  if (type == "ball") {
    table_.current = entry.element;
    builder_.AddJoint(body, {.name = entry.name, .kind = BallJoint{.p_BJ = X_WC.Inverse() * entry.X_WJ.p}});
    table_.joints.push_back(entry.element);
    return;
  }
  const bool has_two = type == "universal" || type == "revolute2";
  const bool is_known =
      has_two || type == "revolute" || type == "continuous" || type == "prismatic" || type == "screw";
  if (!is_known)
    entry.element->Fail("there is no joint of the type \"" + type +
                        "\" here; write revolute, continuous, prismatic, screw, ball, universal or fixed");
  if (entry.axes.size() < (has_two ? 2 : 1))
    entry.element->Fail(has_two ? "needs an <axis> and an <axis2>" : "has no <axis>");
  // Two axes with numbers of their own are two joints: the first is the parent's, the second the child's.
  AddAxisJoint(entry, entry.axes[0], has_two ? entry.name + "_1" : entry.name, body, X_WC);
  if (has_two) AddAxisJoint(entry, entry.axes[1], entry.name + "_2", body, X_WC);
}

void Assembly::AddClosure(const JointEntry& entry) {
  const auto stands = [&](int link) { return link == kWorld || stands_[link]; };
  if (stands(entry.parent) && stands(entry.child))
    return entry.element->Note(ImportStatus::kHonoured, "joins what stands still anyway");
  if (BodyOf(entry.parent) == BodyOf(entry.child)) entry.element->Fail("joins a link to itself");
  FrameLock lock;
  Matrix3d R_WF = entry.X_WJ.R;
  const auto axis = [&](std::size_t i) {
    if (entry.axes.size() <= i) entry.element->Fail("has no <axis>");
    return entry.axes[i].axis_W.normalized();
  };
  const std::string& type = entry.type;
  if (type == "revolute" || type == "continuous" || type == "prismatic") {
    R_WF = RotationWithZ(axis(0));
    lock.locked[type == "prismatic" ? 5 : 2] = false;
  } else if (type == "ball") {
    lock.locked = {false, false, false, true, true, true};
  } else if (type == "universal" && std::abs(axis(0).dot(axis(1))) < 1e-6) {
    R_WF.col(0) = axis(0), R_WF.col(1) = axis(1), R_WF.col(2) = axis(0).cross(axis(1));
    lock.locked[0] = lock.locked[1] = false;
  } else if (type != "fixed") {
    return entry.element->Note(
        ImportStatus::kIgnored,
        "closes a loop; only revolute, continuous, prismatic, ball, universal and fixed joints can");
  }
  lock.a = {.body = BodyOf(entry.parent),
            .X_BF = PoseOf(entry.parent).Inverse() * RigidTransform{R_WF, entry.X_WJ.p}};
  lock.b = {.body = BodyOf(entry.child),
            .X_BF = PoseOf(entry.child).Inverse() * RigidTransform{R_WF, entry.X_WJ.p}};
  entry.element->Note(ImportStatus::kHonoured, "closes a loop: an equality");
  for (const Axis& words : entry.axes)
    for (const char* word : {"limit", "dynamics"})
      NoteChild(*words.element, word, ImportStatus::kIgnored, "of a joint that closes a loop");
  table_.current = entry.element;
  builder_.AddEquality({.name = entry.name, .kind = lock});
  table_.equalities.push_back(entry.element);
}

void Assembly::AddMimics() {
  const auto look_up = [&](const std::string& name) {
    const auto found = std::find_if(joints_by_name_.begin(), joints_by_name_.end(),
                                    [&](const auto& entry) { return entry.first == name; });
    return found == joints_by_name_.end() ? -1 : found->second;
  };
  // A joint of two axes has become two.
  const auto find_leader = [&](const Mimic& mimic) {
    const int single = mimic.is_second_axis ? -1 : look_up(mimic.leader);
    const int joint = single >= 0 ? single : look_up(mimic.leader + (mimic.is_second_axis ? "_2" : "_1"));
    if (joint < 0)
      mimic.element->Fail("joint", mimic.is_second_axis && look_up(mimic.leader) >= 0
                                       ? "joint \"" + mimic.leader + "\" has no second axis"
                                       : "mimics the unknown joint \"" + mimic.leader + "\"");
    return joint;
  };
  for (const Mimic& mimic : mimics_) {
    table_.current = mimic.element;
    JointPolynomial couple{.joint = look_up(mimic.follower), .of_joint = find_leader(mimic)};
    couple.coefficients = {mimic.offset, mimic.multiplier, 0.0, 0.0, 0.0};
    builder_.AddEquality({.name = mimic.follower + "_mimic", .kind = couple});
    table_.equalities.push_back(mimic.element);
  }
}

}  // namespace stiction::sdformat
