// Poses, motion columns and velocities of all bodies at one configuration.
//
// Every spatial quantity of tree T is expressed in world axes at the point p_WT, the origin of the tree's
// root body, taken as a world-fixed point at this instant (math/conventions.h). Column k of S is the spatial
// velocity (angular, linear) of the bodies beyond dof k for a unit v_k.
//
// References: Featherstone, Rigid Body Dynamics Algorithms, 2008, ch. 4 and 5.
#pragma once

#include <vector>

#include "stiction/math/spatial_inertia.h"
#include "stiction/model/input.h"
#include "stiction/model/model.h"

namespace stiction {

struct Kinematics {
  // From CalcPositionKinematics.
  std::vector<RigidTransform> X_WB;   // one per body
  std::vector<RigidTransform> X_WG;   // one per geom
  std::vector<Vector3d> p_WT;         // one per tree: reference point of its spatial vectors [m]
  std::vector<Vector3d> p_WBcm;       // one per body: centre of mass [m]
  std::vector<SpatialInertia> M_B_W;  // one per body: at p_WT of its tree; zero for static bodies
  Matrix6Xd S;                        // 6 x nv

  // From CalcVelocityKinematics.
  std::vector<Vector6d> V_WB;  // one per body: spatial velocity at p_WT of its tree; zero for static bodies
  Matrix6Xd dS;                // 6 x nv: time derivative of S seen from the world

  // Sizes everything for the model; allocates.
  void Resize(const Model& model);
};

// Fills X_WB, X_WG, p_WT, p_WBcm and S. Mocap bodies stand where the input says.
//   mocap  as Input::mocap
void CalcPositionKinematics(const Model& model, const VectorXd& q, const VectorXd& mocap, Kinematics& kin);

// Fills V_WB and dS from v; needs the position part.
void CalcVelocityKinematics(const Model& model, const VectorXd& v, Kinematics& kin);

// The same of some trees and of what is fixed to the world; the rest of kin stays.
void CalcPositionKinematics(const Model& model, const TreeSet& trees, const VectorXd& q,
                            const VectorXd& mocap, Kinematics& kin);
void CalcVelocityKinematics(const Model& model, const TreeSet& trees, const VectorXd& v, Kinematics& kin);

// X_WB of these trees' bodies alone, where nothing else is asked for: p_WT, S and what stands on them are
// lost.
void CalcBodyPoses(const Model& model, const TreeSet& trees, const VectorXd& q, const VectorXd& mocap,
                   Kinematics& kin);

// Velocity in world axes of the material point of `body` that is at p_WQ. [m/s]
Vector3d CalcPointVelocity(const Model& model, const Kinematics& kin, int body, const Vector3d& p_WQ);

// Angular velocity of `body` in world axes. [rad/s]
Vector3d CalcAngularVelocity(const Kinematics& kin, int body);

}  // namespace stiction
