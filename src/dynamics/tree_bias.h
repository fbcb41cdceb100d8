// The bias force of one tree at another velocity than that of the kinematics: Coriolis, centrifugal and
// gravity, by the recursive Newton-Euler algorithm (stiction/dynamics/rnea.h).
#pragma once

#include "stiction/dynamics/kinematics.h"

namespace stiction {

struct TreeBiasWorkspace {
  explicit TreeBiasWorkspace(int num_bodies)
      : velocity(num_bodies), acceleration(num_bodies), force(num_bodies) {}
  std::vector<Vector6d> velocity, acceleration, force;  // one per body
};

// h(q, v) without the inertia of tendons. Of `kin` position kinematics are enough. Trees may be worked on
// side by side.
//   h  size nv; only that of the tree is written
void CalcTreeBias(const Model& model, int tree, const Kinematics& kin, const VectorXd& v,
                  const Vector3d& gravity, TreeBiasWorkspace& ws, VectorXd& h);

}  // namespace stiction
