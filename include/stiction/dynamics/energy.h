// Mechanical energy and momentum.
#pragma once

#include "stiction/dynamics/kinematics.h"

namespace stiction {

struct Energy {
  double kinetic = 0.0;    // [J], armature included
  double potential = 0.0;  // [J], gravity (zero at the world origin) and joint springs; not of tendons
  double total() const { return kinetic + potential; }
};

// Needs position and velocity kinematics.
Energy CalcEnergy(const Model& model, const Kinematics& kin, const VectorXd& q, const VectorXd& v);

// Linear momentum [N·s] and angular momentum about the world origin [N·m·s] of all bodies, world axes;
// armature left out.
void CalcMomentum(const Model& model, const Kinematics& kin, Vector3d& linear, Vector3d& angular);

}  // namespace stiction
