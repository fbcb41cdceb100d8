// Mass centres of subtrees, and of everything that moves.
//
//   p_WCcm = Σ m_b p_WBcm / Σ m_b,   v_WCcm = J v,   over the subtree of `root`: that body and all below it
//
// Root 0 is the world: then the sum is over all bodies that can move, and leaves out what is fixed to the
// world or follows mocap poses. A subtree without mass has no mass centre: NaN.
#pragma once

#include "stiction/dynamics/kinematics.h"

namespace stiction {

// [kg]
double CalcMass(const Model& model, int root = 0);

// p_WCcm, world axes [m]. Needs position kinematics.
Vector3d CalcCenterOfMass(const Model& model, const Kinematics& kin, int root = 0);

// Velocity of the mass centre, world axes: velocity = J v. Needs position kinematics.
//   J  out, 3 x nv, every column written
void CalcCenterOfMassJacobian(const Model& model, const Kinematics& kin, Matrix3Xd& J, int root = 0);

}  // namespace stiction
