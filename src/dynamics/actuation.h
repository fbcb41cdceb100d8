// Forces of actuators along their transmissions.
#pragma once

#include "stiction/dynamics/forces.h"

namespace stiction {

// Adds all actuators to forces.actuation and to the slopes. Needs the tendons in `forces`.
void AddActuators(const Model& model, const Kinematics& kin, const VectorXd& q, const VectorXd& v,
                  const VectorXd& activation, const Input& input, JointForces& forces);

// Appends the slopes of a force along a tendon; nothing if both are zero.
void AddTendonSlope(const Model& model, int tendon, double stiffness, double damping, double rate,
                    JointForces& forces);

}  // namespace stiction
