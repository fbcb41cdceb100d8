// Forward dynamics by the articulated body algorithm (Featherstone 2008, ch. 7): v̇ = M⁻¹ (τ - h) in linear
// time, independent of CRBA and RNEA.
#pragma once

#include "stiction/dynamics/kinematics.h"

namespace stiction {

struct AbaWorkspace {
  std::vector<Matrix6d> articulated;   // one per body
  std::vector<Vector6d> bias_force;    // one per body
  std::vector<Vector6d> acceleration;  // one per body
  Matrix6Xd U;                         // 6 x nv
  VectorXd D, u;                       // size nv
};

// v̇ from τ; armature included. Needs position and velocity kinematics. Dofs of a multi-dof joint are treated
// as a chain of one-dof joints.
//   vdot  out, size nv
void CalcForwardDynamics(const Model& model, const Kinematics& kin, const VectorXd& v, const VectorXd& tau,
                         const Vector3d& gravity, AbaWorkspace& ws, VectorXd& vdot);

}  // namespace stiction
