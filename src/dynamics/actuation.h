// Forces of actuators along their transmissions.
#pragma once

#include "stiction/dynamics/forces.h"

namespace stiction {

// Adds all actuators to forces.actuation and to the slopes. Needs the tendons in `forces`.
void AddActuators(const Model& model, const Kinematics& kin, const VectorXd& q, const VectorXd& v,
                  const VectorXd& activation, const Input& input, JointForces& forces);

// What all actuators together exert on a tendon is held within its range, and their slopes are added: of the
// pull on such a tendon AddActuators adds none. After AddActuators.
void LimitTendons(const Model& model, JointForces& forces);

// What all actuators together exert on a joint is held within its own range; slopes of a force that is held
// do not count. After AddActuators, before other slopes than the joints' own are added.
void LimitActuation(const Model& model, const VectorXd& v, JointForces& forces);

// Appends the slopes of a force along a tendon; nothing if both are zero.
void AddTendonSlope(const Model& model, int tendon, double stiffness, double damping, double rate,
                    JointForces& forces);

}  // namespace stiction
