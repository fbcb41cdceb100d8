// Inverse dynamics by the recursive Newton-Euler algorithm (Featherstone 2008, ch. 5).
#pragma once

#include "stiction/dynamics/kinematics.h"

namespace stiction {

struct RneaWorkspace {
  std::vector<Vector6d> acceleration;    // one per body
  std::vector<Vector6d> force;           // one per body
  std::vector<double> tendon_gradients;  // of tendons with an armature
};

// Bias force h(q, v): Coriolis, centrifugal and gravity, so that M v̇ + h = τ. Needs position and velocity
// kinematics.
//   gravity  [m/s²]
//   h        out, size nv
void CalcBias(const Model& model, const Kinematics& kin, const VectorXd& v, const Vector3d& gravity,
              RneaWorkspace& ws, VectorXd& h);

// The same for some trees; h of the others stays.
void CalcBias(const Model& model, const TreeSet& trees, const Kinematics& kin, const VectorXd& v,
              const Vector3d& gravity, RneaWorkspace& ws, VectorXd& h);

// τ = M(q) v̇ + h(q, v), armature included. Needs position and velocity kinematics.
void CalcInverseDynamics(const Model& model, const Kinematics& kin, const VectorXd& v, const VectorXd& vdot,
                         const Vector3d& gravity, RneaWorkspace& ws, VectorXd& tau);

// The same while wrenches act on the bodies: τ = M v̇ + h − Σ J_Bcmᵀ F_B, what the joints have to add.
//   applied_wrench  6 x num_bodies, as Input::applied_wrench: moment and force at each centre of mass, world
//                   axes [N·m, N]; on bodies that cannot move they are without effect
void CalcInverseDynamics(const Model& model, const Kinematics& kin, const VectorXd& v, const VectorXd& vdot,
                         const Vector3d& gravity, const Matrix6Xd& applied_wrench, RneaWorkspace& ws,
                         VectorXd& tau);

}  // namespace stiction
