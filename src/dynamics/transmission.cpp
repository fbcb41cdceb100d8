#include "dynamics/transmission.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "stiction/math/rotation.h"

namespace stiction {
namespace {

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

Transmission OfJoint(const Model& model, const Actuator& actuator, const VectorXd& q, JointForces& forces) {
  const Joint& joint = model.joints[actuator.joint];
  Vector6d gear = Eigen::Map<const Vector6d>(actuator.gear.data());
  Transmission out{.first_block = static_cast<int>(forces.slope_blocks.size()), .num_blocks = 1};
  const double* joint_q = q.data() + joint.q_address;
  out.length = std::visit(
      [&](const auto& kind) { return kind.CalcTransmission(joint_q, actuator.in_parent, gear); }, joint.kind);
  const TendonWorkspace::Block& block = AppendChain(model, joint.v_address + joint.nv() - 1, forces);
  double* values = forces.slope_values.data() + block.first + block.num_dofs - joint.nv();
  for (int i = 0; i < joint.nv(); ++i) values[i] = gear[i];
  return out;
}

// Adds Sᵀ F of the dofs that move `body`; F the moment and force at the point Q, world axes.
void AddWrenchColumns(const Model& model, const Kinematics& kin, int body, const Vector3d& p_WQ,
                      const Vector6d& F_Q, Transmission& out, JointForces& forces) {
  const Body& b = model.bodies[body];
  if (b.tree < 0) return;
  const TendonWorkspace::Block& block = AppendChain(model, b.last_dof, forces);
  ++out.num_blocks;
  Vector6d F = F_Q;
  F.head<3>() += (p_WQ - kin.p_WT[b.tree]).cross(F_Q.tail<3>());
  for (int k = block.first; k < block.first + block.num_dofs; ++k)
    forces.slope_values[k] += kin.S.col(forces.slope_dofs[k]).dot(F);
}

// A wrench on the frame, force first in the gear; with a reference frame in its axes, and against it.
FrameWrench CalcThrust(const Kinematics& kin, const Actuator& actuator) {
  const RigidTransform X_WF = kin.X_WB[actuator.frame->body] * actuator.frame->X_BF;
  const Vector3d force(actuator.gear[0], actuator.gear[1], actuator.gear[2]);
  const Vector3d moment(actuator.gear[3], actuator.gear[4], actuator.gear[5]);
  FrameWrench out{.p_WF = X_WF.p, .p_WR = X_WF.p};
  Matrix3d R_WR = X_WF.R;
  if (actuator.reference) {
    const RigidTransform X_WR = kin.X_WB[actuator.reference->body] * actuator.reference->X_BF;
    R_WR = X_WR.R;
    const RigidTransform X_RF = X_WR.Inverse() * X_WF;
    out.length = force.dot(X_RF.p) + moment.dot(QuaternionLog(Quaterniond(X_RF.R)));
  }
  out.on_frame << R_WR * moment, R_WR * force;
  out.on_reference = -out.on_frame;
  return out;
}

// The place s of a slider S on the axis z through the reference's origin R, joined by a rod to the frame's
// origin F. With d = p_RF and c = z·d:
//
//   |d − s z|² = r²,   s = c − w,   w = √(c² + r² − |d|²),
//   ∂s/∂d = z + (d − c z)/w,   ∂s/∂z = (1 − c/w) d
//
// d changes by v_F − v_R, and z by ω_R × z, so that the reference feels the moment z × ∂s/∂z. Out of reach
// the slider stands at the foot of the perpendicular: s = c.
FrameWrench CalcRod(const Kinematics& kin, const Actuator& actuator) {
  const RigidTransform X_WF = kin.X_WB[actuator.frame->body] * actuator.frame->X_BF;
  const RigidTransform X_WR = kin.X_WB[actuator.reference->body] * actuator.reference->X_BF;
  const Vector3d d = X_WF.p - X_WR.p, z = X_WR.R.col(2);
  const double gear = actuator.gear[0], c = z.dot(d);
  const double w2 = c * c + actuator.crank_length * actuator.crank_length - d.squaredNorm();
  double s = c;
  Vector3d by_d = z, by_z = d;
  if (w2 > 0.0) {
    const double w = std::sqrt(w2);
    s = c - w;
    by_d += (d - c * z) / w;
    by_z *= 1.0 - c / w;
  }
  FrameWrench out{.p_WF = X_WF.p, .p_WR = X_WR.p, .length = gear * s};
  out.on_frame << Vector3d::Zero(), gear * by_d;
  out.on_reference << gear * z.cross(by_z), -gear * by_d;
  return out;
}

Transmission OfFrame(const Model& model, const Kinematics& kin, const Actuator& actuator,
                     JointForces& forces) {
  const FrameWrench wrench = CalcFrameWrench(kin, actuator);
  Transmission out{.length = wrench.length, .first_block = static_cast<int>(forces.slope_blocks.size())};
  AddWrenchColumns(model, kin, actuator.frame->body, wrench.p_WF, wrench.on_frame, out, forces);
  if (actuator.reference)
    AddWrenchColumns(model, kin, actuator.reference->body, wrench.p_WR, wrench.on_reference, out, forces);
  return out;
}

}  // namespace

FrameWrench CalcFrameWrench(const Kinematics& kin, const Actuator& actuator) {
  return actuator.crank_length > 0.0 ? CalcRod(kin, actuator) : CalcThrust(kin, actuator);
}

Transmission AddTendonTransmission(int tendon, double gear, JointForces& forces) {
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

Transmission AddTransmission(const Model& model, const Kinematics& kin, const Actuator& actuator,
                             const VectorXd& q, const VectorXd& v, JointForces& forces) {
  Transmission line = actuator.joint >= 0 ? OfJoint(model, actuator, q, forces)
                      : actuator.tendon >= 0
                          ? AddTendonTransmission(actuator.tendon, actuator.gear[0], forces)
                          : OfFrame(model, kin, actuator, forces);
  const auto [begin, end] = FindEntries(forces, line.first_block, line.num_blocks);
  for (int k = begin; k < end; ++k) line.rate += forces.slope_values[k] * v[forces.slope_dofs[k]];
  return line;
}

void DropBlocks(int first_block, JointForces& forces) {
  const int first = forces.slope_blocks[first_block].first;
  forces.slope_dofs.resize(first);
  forces.slope_values.resize(first);
  forces.slope_blocks.resize(first_block);
}

BlockEntries FindEntries(const JointForces& forces, int first_block, int num_blocks) {
  if (num_blocks == 0) return {};
  const TendonWorkspace::Block& last = forces.slope_blocks[first_block + num_blocks - 1];
  return {forces.slope_blocks[first_block].first, last.first + last.num_dofs};
}

}  // namespace stiction
