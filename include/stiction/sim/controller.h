// Controllers that follow what a scenario says (scenario/controller.h): they write a World's Input in every
// step.
//
//   World world(model);
//   AttachControllers(world, {{.type = ControllerType::kJointPd, .kp = {200}, .kd = {10}}});
//
// They depend on the World's time, q and v, and on State::memory, where tasks (sim/task.h) and `reach` keep
// theirs: a state that is saved and loaded goes on as it would have. Times are the World's. Targets x_d are
// those of the step's end, t + dt; their rates v_d those of its middle, since the velocity at a step's end is
// what carries q over the whole of it. By the midpoint rule and rk4 forces act at the middle of the step or
// on their mean over it: there x_d is the mean of the target over the step (of both ends; by Simpson's rule
// for rk4), v_d its mean rate, c is that of the configuration and velocity to which v leads by then, and dt
// below is half of it. Of a mocap body or an equality the target is always that of the end.
//
//   joint_pd  τ = kp (q_d − q⁺) + kd (v_d − v⁺) + c(q, v, v̇_d), on joints of one coordinate
//   ctrl      ctrl = x_d
//   pose      τ = Jᵀ F + c(q, v) − d_n N v on joints of one coordinate, with F = (m, f) at the origin of
//   frame F,
//               f = K (p_d − p_WF − dt v_WF) + D (v_d − v_WF)
//               m = K_r (log(R_d R_WFᵀ) − dt ω_WF) + D_r (ω_d − ω_WF)
//             stiffness and damping along the axes of the target, N = 1 − J⁺ J: motion of the joints that the
//             frame does not feel. Impedance, so that contact forces stay what K and D make of the error
//             (Hogan 1985); J⁺ is damped, and fades near singular configurations.
//   reach     joint_pd whose q_d brings frame F to X_d (dynamics/inverse_kinematics.h), from where it was in
//             the last step, in joints that F does not feel with a pull towards where they began
//   grip      τ = f − |f|/s v⁺ on each of its joints, x_d = f: a motor of stall force f and no-load speed s,
//             which presses with f against what holds it
//   wrench    force and torque on a body from one time to another: a step that lies there in part has that
//             part of the wrench, so that the impulse is force times duration, to rounding
//   mocap     X_WB of a mocap body; equality: its target
//
// q⁺ and v⁺: joint_pd enters the step implicitly, as springs, dampers and position actuators do. The result
// is that of a joint's own spring and damper, with every integrator and in contact too; stable for any gains
// but with rk4, which is explicit. A force at its `effort` is constant over the step.
//
// `pose` has no diagonal slopes. The step gets a diagonal bound of them instead,
//   d_i = Σ_j |Jᵀ (D + dt K) J|_ij + d_n ≥ Jᵀ (D + dt K) J + d_n N (as matrices: Gershgorin),
// which makes it stable for any gains too and leaves every state of rest as it is; accelerations are those of
// joints with an armature of dt d_i more.
//
// c is what holds or accompanies the motion: the weight of all that the joints carry, without what
// Body::gravity_compensation carries and without what is grasped; with kBias Coriolis and centrifugal forces;
// with kDynamics M v̇_d too, v̇_d from the rates of this step and the last one, zero at joints of other
// controllers. The weight of a body that it `carries` is part of c while contacts with the mechanism press on
// it. Forces of several controllers add up.
// Entries of Input that controllers write belong to them: generalised forces of their joints, wrenches of
// their bodies, controls, mocap poses and equality targets are overwritten in every step.
//
// Reference: N. Hogan, Impedance control: an approach to manipulation, J. Dyn. Sys., Meas., Control, 1985.
#pragma once

#include <vector>

#include "stiction/scenario/controller.h"
#include "stiction/scenario/task.h"
#include "stiction/sim/world.h"

namespace stiction {

// From now on the World's controller is made of these; none where there are no descriptions. Replaces what
// set_controller set. Throws LoadError as FindControllerTasks and FindTask do.
void AttachControllers(World& world, const std::vector<ControllerDescription>& descriptions,
                       const std::vector<TaskDescription>& tasks = {});

}  // namespace stiction
