// What an actuator acts along: its length, the rate of it, and the gradient as blocks of JointForces.
#pragma once

#include "stiction/dynamics/forces.h"

namespace stiction {

// ℓ, ℓ̇, and ∂ℓ/∂v as blocks at the end of JointForces' slopes; no blocks: on what cannot move.
struct Transmission {
  double length = 0.0;
  double rate = 0.0;
  int first_block = 0;
  int num_blocks = 0;
};

// Appends the actuator's blocks. Needs position kinematics, and the tendons in `forces` for one on a tendon.
Transmission AddTransmission(const Model& model, const Kinematics& kin, const Actuator& actuator,
                             const VectorXd& q, const VectorXd& v, JointForces& forces);

// What a unit of the force of an actuator on a frame exerts: a moment and a force at a point of the frame's
// body, and against it at a point of the reference's.
struct FrameWrench {
  Vector6d on_frame = Vector6d::Zero(), on_reference = Vector6d::Zero();  // world axes
  Vector3d p_WF = Vector3d::Zero(), p_WR = Vector3d::Zero();              // where
  double length = 0.0;                                                    // ℓ
};
FrameWrench CalcFrameWrench(const Kinematics& kin, const Actuator& actuator);

// That of a tendon, times the gear; the rate stays zero.
Transmission AddTendonTransmission(int tendon, double gear, JointForces& forces);

// Forgets the blocks from this one on.
void DropBlocks(int first_block, JointForces& forces);

// Where the blocks' entries begin and end in slope_dofs and slope_values.
struct BlockEntries {
  int begin = 0, end = 0;
};
BlockEntries FindEntries(const JointForces& forces, int first_block, int num_blocks);

}  // namespace stiction
