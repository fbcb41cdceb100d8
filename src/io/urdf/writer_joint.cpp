// <joint> and <transmission>.
#include <cmath>
#include <numbers>

#include "io/urdf/limits.h"
#include "io/urdf/planar.h"
#include "io/urdf/writer_class.h"
#include "math/settle.h"

namespace stiction::urdf {

using mjcf::Set;

// A joint mimics one at most, and none of those that mimic it.
void Writer::CollectMimics() {
  for (const Equality& equality : model_.equalities) {
    const auto* couple = std::get_if<JointPolynomial>(&equality.kind);
    if (!couple || !equality.is_active || couple->of_joint < 0) continue;
    const auto& c = couple->coefficients;
    const auto is_axis = [&](int j) {
      const JointKind& kind = model_.joints[j].kind;
      return std::holds_alternative<HingeJoint>(kind) || std::holds_alternative<SlideJoint>(kind);
    };
    const bool is_linear = c[2] == 0.0 && c[3] == 0.0 && c[4] == 0.0;
    bool goes_round = false;
    for (int j = couple->of_joint; !goes_round;) {
      goes_round = j == couple->joint;
      const auto next = mimics_.find(j);
      if (next == mimics_.end()) break;
      j = std::get<JointPolynomial>(next->second->kind).of_joint;
    }
    if (is_linear && !goes_round && is_axis(couple->joint) && is_axis(couple->of_joint))
      mimics_.try_emplace(couple->joint, &equality);
  }
}

namespace {

// Half the width of a range about zero; negative where it lies otherwise.
double HalfWidth(double lower, double upper) {
  return lower == -upper && upper > 0.0 ? upper : -1.0;
}

// τ = reduction · ctrl.
double FindReduction(const Actuator& actuator) {
  return actuator.gear[0] * actuator.gain[0];
}

}  // namespace

// A motor's force is its control times a gear. What limits the control limits the force as well.
void Writer::CollectMotors() {
  for (int a = 0; a < model_.nu(); ++a) {
    const Actuator& actuator = model_.actuators[a];
    if (actuator.joint < 0) continue;
    const Joint& joint = model_.joints[actuator.joint];
    const std::array<double, 3> none{};
    const bool is_motor = actuator.dynamics == ActuatorDynamics::kNone && !actuator.muscle_gain &&
                          !actuator.muscle_bias && actuator.bias == none && actuator.gain[1] == 0.0 &&
                          actuator.gain[2] == 0.0 && FindReduction(actuator) != 0.0;
    if (!is_motor || !joint.is_scalar() || std::holds_alternative<ScrewJoint>(joint.kind)) continue;
    const double of_force =
        HalfWidth(actuator.force_lower, actuator.force_upper) * std::abs(actuator.gear[0]);
    const double of_control =
        HalfWidth(actuator.ctrl_lower, actuator.ctrl_upper) * std::abs(FindReduction(actuator));
    double effort = std::min(of_force, of_control);
    // Goes through the reader's division and comes back.
    const double reduction = std::abs(FindReduction(actuator));
    if (effort > 0.0 && std::isfinite(effort))
      effort = Settle(effort, [reduction](double x) { return x / reduction * reduction; });
    Motors& motors = motors_[actuator.joint];
    const bool fits = effort > 0.0 && (motors.actuators.empty() || motors.effort == effort);
    if (!fits) {
      Note(ImportStatus::kApproximated, "actuator",
           "\"" + actuator.name + "\": limits of its own, or not alike on both sides, have no word");
    }
    if (effort > 0.0) motors.effort = motors.actuators.empty() ? effort : std::max(motors.effort, effort);
    motors.actuators.push_back(a);
  }
  for (auto& [j, motors] : motors_) {
    const Joint& joint = model_.joints[j];
    const double all = HalfWidth(joint.actuator_force_lower, joint.actuator_force_upper);
    if (motors.actuators.size() == 1 && all > 0.0) motors.effort = std::min(motors.effort, all);
  }
}

namespace {

// The pieces of one joint, in the order in which they move its body.
struct MakeKind {
  double limit;  // finite: there is one

  struct Part {
    const char* suffix;
    const char* type;
    Vector3d axis;
    Vector3d p_BJ;
  };
  const char* turning() const { return std::isfinite(limit) ? "revolute" : "continuous"; }

  std::vector<Part> operator()(const FreeJoint&) const {
    return {{"", "floating", Vector3d::UnitX(), Vector3d::Zero()}};
  }
  std::vector<Part> operator()(const HingeJoint& j) const { return {{"", turning(), j.axis_B, j.p_BJ}}; }
  std::vector<Part> operator()(const SlideJoint& j) const { return {{"", "prismatic", j.axis_B, j.p_BJ}}; }
  std::vector<Part> operator()(const UniversalJoint& j) const {
    return {{"_1", turning(), j.axis1_B, j.p_BJ}, {"_2", turning(), j.axis2_B, j.p_BJ}};
  }
  std::vector<Part> operator()(const ScrewJoint& j) const {
    return {{"_travel", "prismatic", j.axis_B, j.p_BJ}, {"", turning(), j.axis_B, j.p_BJ}};
  }
  std::vector<Part> operator()(const BallJoint& j) const {
    return {{"_x", "continuous", Vector3d::UnitX(), j.p_BJ},
            {"_y", "continuous", Vector3d::UnitY(), j.p_BJ},
            {"_z", "continuous", Vector3d::UnitZ(), j.p_BJ}};
  }
};

}  // namespace

void Writer::AddPieces(int index, std::vector<Piece>& pieces) {
  const Joint& joint = model_.joints[index];
  const double limit = std::isfinite(joint.upper) ? joint.upper : joint.lower;
  for (const auto& part : std::visit(MakeKind{limit}, joint.kind)) {
    const bool is_whole = part.suffix[0] == '\0';
    Piece piece{.name = is_whole ? joint_names_[index] : ClaimJoint(joint_names_[index] + part.suffix),
                .type = part.type,
                .axis = part.axis,
                .p_BJ = part.p_BJ,
                .joint = &joint};
    if (const ScrewJoint* screw = std::get_if<ScrewJoint>(&joint.kind); screw && !is_whole) {
      piece.mimicked = joint_names_[index];
      piece.multiplier = screw->lead();
      piece.joint = nullptr;  // what it has belongs to the turning one
    }
    if (const auto found = mimics_.find(index); found != mimics_.end() && is_whole) {
      // y − y₀ = c₀ + c₁ (x − x₀), of angles that count from where the bodies stand in the file.
      const auto& couple = std::get<JointPolynomial>(found->second->kind);
      const double c1 = couple.coefficients[1];
      piece.mimicked = joint_names_[couple.of_joint];
      piece.multiplier = c1;
      piece.offset = couple.coefficients[0] + couple.reference - joint.reference() +
                     c1 * (model_.joints[couple.of_joint].reference() - couple.of_reference);
    }
    pieces.push_back(std::move(piece));
  }
}

// The three joints that are read from a planar one.
std::optional<Writer::Piece> Writer::MakePlanar(const Body& body) const {
  if (body.num_joints != 3) return std::nullopt;
  const Joint* joints = &model_.joints[body.first_joint];
  const HingeJoint* turn = std::get_if<HingeJoint>(&joints[2].kind);
  if (!turn || !joints[2].name.ends_with("_yaw")) return std::nullopt;
  const std::string name = joints[2].name.substr(0, joints[2].name.size() - 4);
  const PlanarAxes axes(turn->axis_B);
  const auto is_slide = [&](const Joint& joint, const char* suffix, const Vector3d& axis) {
    const SlideJoint* slide = std::get_if<SlideJoint>(&joint.kind);
    return slide && joint.name == name + suffix && slide->axis_B.isApprox(axis, 1e-15) &&
           slide->p_BJ.isZero(0.0) && slide->reference == 0.0;
  };
  const bool is_planar = turn->p_BJ.isZero(0.0) && turn->reference == 0.0 &&
                         is_slide(joints[0], "_x", axes.first) && is_slide(joints[1], "_y", axes.second);
  for (int i = 0; is_planar && i < 3; ++i) {
    const bool is_plain = !std::isfinite(joints[i].lower) && !std::isfinite(joints[i].upper) &&
                          joints[i].damping == joints[0].damping &&
                          joints[i].friction_loss == joints[0].friction_loss;
    if (!is_plain || mimics_.contains(body.first_joint + i)) return std::nullopt;
  }
  if (!is_planar || taken_joints_.contains(name)) return std::nullopt;
  return Piece{.name = name, .type = "planar", .axis = turn->axis_B, .joint = joints};
}

// None for the world.
std::vector<Writer::Piece> Writer::MakePieces(int index) {
  if (index == 0) return {};
  const Body& body = model_.bodies[index];
  if (body.num_joints == 0) return {{.name = ClaimJoint(link_names_[index] + "_fixed")}};
  if (const std::optional<Piece> planar = MakePlanar(body)) return {*planar};
  std::vector<Piece> pieces;
  for (int j = body.first_joint; j < body.first_joint + body.num_joints; ++j) AddPieces(j, pieces);
  return pieces;
}

void Writer::AddJoint(const Piece& piece, const RigidTransform& X_PJ, const std::string& parent,
                      const std::string& child) {
  Output& element = *root_->InsertNewChildElement("joint");
  Set(element, "name", piece.name);
  Set(element, "type", piece.type);
  Set(*element.InsertNewChildElement("parent"), "link", parent);
  Set(*element.InsertNewChildElement("child"), "link", child);
  SetOrigin(X_PJ, element);
  const std::string_view type = piece.type;
  if (type == "fixed") return;
  if (type != "floating") Set(*element.InsertNewChildElement("axis"), "xyz", mjcf::SettleAxis(piece.axis));
  if (type != "floating" && type != "planar") WriteLimit(piece, element);
  if (piece.joint && (piece.joint->damping != 0.0 || piece.joint->friction_loss != 0.0)) {
    Output& dynamics = *element.InsertNewChildElement("dynamics");
    mjcf::SetUnless(dynamics, "damping", piece.joint->damping, 0.0);
    mjcf::SetUnless(dynamics, "friction", piece.joint->friction_loss, 0.0);
  }
  if (piece.mimicked.empty()) return;
  Output& mimic = *element.InsertNewChildElement("mimic");
  Set(mimic, "joint", piece.mimicked);
  mjcf::SetUnless(mimic, "multiplier", piece.multiplier, 1.0);
  mjcf::SetUnless(mimic, "offset", piece.offset, 0.0);
}

// Other readers want effort and velocity of every limit, and a limit of every prismatic joint.
void Writer::WriteLimit(const Piece& piece, Output& element) {
  double effort = kNoLimit, lower = -kNoLimit, upper = kNoLimit;
  if (piece.joint) {
    const auto motors = motors_.find(static_cast<int>(piece.joint - model_.joints.data()));
    if (motors != motors_.end()) effort = std::min(effort, motors->second.effort);
    lower = std::max(lower, piece.joint->lower - piece.joint->reference());
    upper = std::min(upper, piece.joint->upper - piece.joint->reference());
  }
  const bool is_continuous = std::string_view(piece.type) == "continuous";
  if (is_continuous && effort == kNoLimit) return;
  Output& limit = *element.InsertNewChildElement("limit");
  if (!is_continuous) {
    Set(limit, "lower", lower);
    Set(limit, "upper", upper);
  }
  Set(limit, "effort", effort);
  Set(limit, "velocity", kNoLimit);
}

void Writer::WriteTransmissions() {
  std::map<int, int> joint_of;  // by actuator: in the model's order
  for (const auto& [j, motors] : motors_) {
    for (const int a : motors.actuators) joint_of[a] = j;
  }
  for (const auto& [a, j] : joint_of) {
    const Actuator& actuator = model_.actuators[a];
    const std::string name = actuator.name.empty() ? "actuator" + std::to_string(a) : actuator.name;
    Output& transmission = *root_->InsertNewChildElement("transmission");
    Set(transmission, "name", name + "_transmission");
    transmission.InsertNewChildElement("type")->SetText("transmission_interface/SimpleTransmission");
    Output& joint = *transmission.InsertNewChildElement("joint");
    Set(joint, "name", joint_names_[j]);
    joint.InsertNewChildElement("hardwareInterface")->SetText("hardware_interface/EffortJointInterface");
    Output& motor = *transmission.InsertNewChildElement("actuator");
    Set(motor, "name", name);
    motor.InsertNewChildElement("mechanicalReduction")
        ->SetText(mjcf::ToText(FindReduction(actuator)).c_str());
  }
}

}  // namespace stiction::urdf
