// Poses, velocities and Jacobians of the model's named frames: sites, and links that a fixed joint fused into
// their parent (Model::FindFrame). F is the frame, B the body that carries it; world axes, angular first.
//
// For bodies themselves see Kinematics::X_WB, CalcSpatialVelocity and dynamics/jacobian.h.
#pragma once

#include "stiction/dynamics/kinematics.h"

namespace stiction {

// X_WF. Needs position kinematics.
RigidTransform CalcFramePose(const Model& model, const Kinematics& kin, int frame);

// (ω_WF, v_WF): angular velocity [rad/s] and velocity of the frame's origin [m/s]. Needs position and
// velocity kinematics. Zero on a mocap body, which has poses and no velocity.
Vector6d CalcFrameVelocity(const Model& model, const Kinematics& kin, int frame);

// (ω_WF, v_WF) = J v. Needs position kinematics.
//   J  out, 6 x nv, every column written
void CalcFrameJacobian(const Model& model, const Kinematics& kin, int frame, Matrix6Xd& J);

// (ω_WB, v_WQ) of the material point of `body` at p_WQ [rad/s, m/s]. Needs position and velocity kinematics.
Vector6d CalcSpatialVelocity(const Model& model, const Kinematics& kin, int body, const Vector3d& p_WQ);

}  // namespace stiction
