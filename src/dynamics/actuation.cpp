#include "dynamics/actuation.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

// What an actuator acts along: ℓ, ℓ̇, and ∂ℓ/∂v as blocks at the end of JointForces' slopes.
struct Transmission {
  double length = 0.0;
  double rate = 0.0;
  int first_block = 0;
  int num_blocks = 0;
};

// Appends the dofs at and above `dof`, ascending, with zero values; returns the block.
TendonWorkspace::Block& AppendChain(const Model& model, int dof, JointForces& forces) {
  TendonWorkspace::Block& block = forces.slope_blocks.emplace_back();
  block.tree = model.dof_tree[dof];
  block.first = static_cast<int>(forces.slope_dofs.size());
  for (int k = dof; k >= 0; k = model.dof_parent[k]) forces.slope_dofs.push_back(k);
  std::reverse(forces.slope_dofs.begin() + block.first, forces.slope_dofs.end());
  block.num_dofs = static_cast<int>(forces.slope_dofs.size()) - block.first;
  forces.slope_values.resize(forces.slope_dofs.size(), 0.0);
  return block;
}

// The gear of a joint along its dofs. In the parent's axes the gear of a ball or free joint is turned to the
// child's first.
struct JointLength {
  const Actuator& actuator;
  const double* q;

  double operator()(const FreeJoint&, Vector6d& gear) const {
    if (actuator.in_parent) gear.tail<3>() = QuaternionFromWxyz(q + 3).conjugate() * gear.tail<3>().eval();
    return 0.0;
  }
  double operator()(const BallJoint&, Vector6d& gear) const {
    const Quaterniond quat = QuaternionFromWxyz(q);
    if (actuator.in_parent) gear.head<3>() = quat.conjugate() * gear.head<3>().eval();
    return gear.head<3>().dot(QuaternionLog(quat));
  }
  double operator()(const SlideJoint&, Vector6d& gear) const { return gear[0] * *q; }
  double operator()(const HingeJoint&, Vector6d& gear) const { return gear[0] * *q; }
};

Transmission OfJoint(const Model& model, const Actuator& actuator, const VectorXd& q, JointForces& forces) {
  const Joint& joint = model.joints[actuator.joint];
  Vector6d gear = Eigen::Map<const Vector6d>(actuator.gear.data());
  Transmission out{.first_block = static_cast<int>(forces.slope_blocks.size()), .num_blocks = 1};
  const JointLength length{actuator, q.data() + joint.q_address};
  out.length = std::visit([&](const auto& kind) { return length(kind, gear); }, joint.kind);
  const TendonWorkspace::Block& block = AppendChain(model, joint.v_address + joint.nv() - 1, forces);
  double* values = forces.slope_values.data() + block.first + block.num_dofs - joint.nv();
  for (int i = 0; i < joint.nv(); ++i) values[i] = gear[i];
  return out;
}

Transmission OfTendon(int tendon, double gear, JointForces& forces) {
  const TendonWorkspace& tendons = forces.tendons;
  Transmission out{.length = gear * tendons.length[tendon],
                   .first_block = static_cast<int>(forces.slope_blocks.size())};
  for (int b = tendons.first_block[tendon]; b < tendons.first_block[tendon + 1]; ++b) {
    const TendonWorkspace::Block& from = tendons.blocks[b];
    TendonWorkspace::Block& block = forces.slope_blocks.emplace_back(from);
    block.first = static_cast<int>(forces.slope_dofs.size());
    for (int k = from.first; k < from.first + from.num_dofs; ++k) {
      forces.slope_dofs.push_back(tendons.dofs[k]);
      forces.slope_values.push_back(gear * tendons.values[k]);
    }
    ++out.num_blocks;
  }
  return out;
}

// Adds sign Sᵀ F of the dofs that move `body`; F the moment and force at the point Q, world axes.
void AddWrenchColumns(const Model& model, const Kinematics& kin, int body, double sign, const Vector3d& p_WQ,
                      const Vector6d& F_Q, Transmission& out, JointForces& forces) {
  const Body& b = model.bodies[body];
  if (b.tree < 0) return;
  const TendonWorkspace::Block& block = AppendChain(model, b.last_dof, forces);
  ++out.num_blocks;
  Vector6d F = F_Q;
  F.head<3>() += (p_WQ - kin.p_WT[b.tree]).cross(F_Q.tail<3>());
  for (int k = block.first; k < block.first + block.num_dofs; ++k)
    forces.slope_values[k] += sign * kin.S.col(forces.slope_dofs[k]).dot(F);
}

// A wrench on the frame, force first in the gear; with a reference frame in its axes, and against it.
Transmission OfFrame(const Model& model, const Kinematics& kin, const Actuator& actuator,
                     JointForces& forces) {
  const RigidTransform X_WF = kin.X_WB[actuator.frame->body] * actuator.frame->X_BF;
  const Vector3d force(actuator.gear[0], actuator.gear[1], actuator.gear[2]);
  const Vector3d moment(actuator.gear[3], actuator.gear[4], actuator.gear[5]);
  Transmission out{.first_block = static_cast<int>(forces.slope_blocks.size())};
  Matrix3d R_WR = X_WF.R;
  Vector6d F;
  if (actuator.reference) {
    const RigidTransform X_WR = kin.X_WB[actuator.reference->body] * actuator.reference->X_BF;
    R_WR = X_WR.R;
    const RigidTransform X_RF = X_WR.Inverse() * X_WF;
    out.length = force.dot(X_RF.p) + moment.dot(QuaternionLog(Quaterniond(X_RF.R)));
  }
  F << R_WR * moment, R_WR * force;
  AddWrenchColumns(model, kin, actuator.frame->body, 1.0, X_WF.p, F, out, forces);
  if (actuator.reference)
    AddWrenchColumns(model, kin, actuator.reference->body, -1.0, X_WF.p, F, out, forces);
  return out;
}

// The slope row of a transmission whose blocks are there. Blocks of one tree are no chain together.
void AddRow(const Model& model, const Transmission& line, double stiffness, double damping,
            JointForces& forces) {
  SlopeRow& row = forces.slope_rows.emplace_back();
  row.first_block = line.first_block;
  row.num_blocks = line.num_blocks;
  row.stiffness = stiffness;
  row.damping = damping;
  row.rate = line.rate;
  row.is_one_branch = line.num_blocks == 1;
  if (!row.is_one_branch) return;
  const TendonWorkspace::Block& block = forces.slope_blocks[line.first_block];
  const int* dofs = forces.slope_dofs.data() + block.first;
  for (int k = 0; k < block.num_dofs; ++k)
    row.is_one_branch = row.is_one_branch && model.dof_parent[dofs[k]] == (k == 0 ? -1 : dofs[k - 1]);
}

// Forgets blocks that no row needs.
void DropBlocks(int first_block, JointForces& forces) {
  const int first = forces.slope_blocks[first_block].first;
  forces.slope_dofs.resize(first);
  forces.slope_values.resize(first);
  forces.slope_blocks.resize(first_block);
}

void AddActuator(const Model& model, const Kinematics& kin, int a, const VectorXd& q, const VectorXd& v,
                 const VectorXd& activation, double ctrl, JointForces& forces) {
  const Actuator& actuator = model.actuators[a];
  Transmission line = actuator.joint >= 0    ? OfJoint(model, actuator, q, forces)
                      : actuator.tendon >= 0 ? OfTendon(actuator.tendon, actuator.gear[0], forces)
                                             : OfFrame(model, kin, actuator, forces);
  if (line.num_blocks == 0) return;  // on what cannot move
  const int begin = forces.slope_blocks[line.first_block].first;
  const int end = static_cast<int>(forces.slope_dofs.size());
  for (int k = begin; k < end; ++k) line.rate += forces.slope_values[k] * v[forces.slope_dofs[k]];

  const double u = actuator.activation >= 0 ? activation[actuator.activation]
                                            : std::clamp(ctrl, actuator.ctrl_lower, actuator.ctrl_upper);
  const double length_slope = actuator.gain[1] * u + actuator.bias[1];
  const double rate_slope = actuator.gain[2] * u + actuator.bias[2];
  const double force =
      actuator.gain[0] * u + actuator.bias[0] + length_slope * line.length + rate_slope * line.rate;
  forces.actuator_length[a] = line.length;
  forces.actuator_rate[a] = line.rate;
  forces.actuator_force[a] = std::clamp(force, actuator.force_lower, actuator.force_upper);
  for (int k = begin; k < end; ++k)
    forces.actuation[forces.slope_dofs[k]] += forces.slope_values[k] * forces.actuator_force[a];

  const bool is_saturated = force != forces.actuator_force[a];
  const double stiffness = is_saturated ? 0.0 : std::max(0.0, -length_slope);
  const double damping = is_saturated ? 0.0 : std::max(0.0, -rate_slope);
  const bool is_scalar = actuator.joint >= 0 && model.joints[actuator.joint].nv() == 1;
  if (is_scalar) {
    // τ = gear f: per unit of ℓ̇ = gear v the slope counts twice with the gear.
    const int k = model.joints[actuator.joint].v_address;
    const double gear2 = actuator.gear[0] * actuator.gear[0];
    forces.stiffness[k] += gear2 * stiffness;
    forces.damping[k] += gear2 * damping;
  }
  if (is_scalar || (stiffness == 0.0 && damping == 0.0)) return DropBlocks(line.first_block, forces);
  AddRow(model, line, stiffness, damping, forces);
}

}  // namespace

void AddActuators(const Model& model, const Kinematics& kin, const VectorXd& q, const VectorXd& v,
                  const VectorXd& activation, const Input& input, JointForces& forces) {
  for (int a = 0; a < model.nu(); ++a) AddActuator(model, kin, a, q, v, activation, input.ctrl[a], forces);
}

void AddTendonSlope(const Model& model, int tendon, double stiffness, double damping, double rate,
                    JointForces& forces) {
  if (stiffness == 0.0 && damping == 0.0) return;
  Transmission transmission = OfTendon(tendon, 1.0, forces);
  transmission.rate = rate;
  if (transmission.num_blocks > 0) AddRow(model, transmission, stiffness, damping, forces);
}

void AdvanceActivations(const Model& model, const Input& input, double dt, VectorXd& activation) {
  for (int a = 0; a < model.nu(); ++a) {
    const Actuator& actuator = model.actuators[a];
    if (actuator.activation < 0) continue;
    double& value = activation[actuator.activation];
    const double u = std::clamp(input.ctrl[a], actuator.ctrl_lower, actuator.ctrl_upper);
    switch (actuator.dynamics) {
      case ActuatorDynamics::kNone:
      case ActuatorDynamics::kMuscle:
        break;
      case ActuatorDynamics::kIntegrator:
        value += dt * u;
        break;
      case ActuatorDynamics::kFilter:
        value += dt * (u - value) / actuator.time_constant;
        break;
      case ActuatorDynamics::kFilterExact:
        value -= (u - value) * std::expm1(-dt / actuator.time_constant);
        break;
    }
    value = std::clamp(value, actuator.activation_lower, actuator.activation_upper);
  }
}

}  // namespace stiction
