// Adhesion: actuators that pull a body and whatever touches it together (Actuator::body).
//
//   at each of the body's n closed contacts   f_W = −(f/n) n_W on B,  +(f/n) n_W on A
//
// A contact is closed where its gap is within the margin of either geom, at least 1 µm. The pull is an
// applied force, constant over the step: contact then carries as much more, and friction with it, so that a
// contact holds until it is pulled off with more than f/n. Impulses of contacts are those of the contact law
// alone; the force between the bodies is theirs less the pull.
//
// Reference: MuJoCo's XML reference, "adhesion" (meaning of the actuator).
#pragma once

#include "sim/detection.h"
#include "stiction/dynamics/forces.h"

namespace stiction {

// Adds Jᵀ f_W of all adhesion to forces.actuation.
//   kin     that of the contacts
//   forces  its actuator_force is that of the step
void AddAdhesion(const Model& model, const Kinematics& kin, const std::vector<DetectedContact>& contacts,
                 JointForces& forces);

}  // namespace stiction
