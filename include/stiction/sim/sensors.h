// Sensors of a model (model/sensor.h), evaluated after a step into one flat vector: sensor s has the numbers
// values[s.first ... s.first + s.size). World::sensors() owns all of this.
//
// F is the sensor's frame, on body B; R its reference frame, the world where it has none. "Of the step" are
// quantities that exist only where time passes; they are means over the last step, taken at its middle:
//
//   q̄ = q₀ ⊕ dt v̄/2,   v̄ = (v₀ + v₁)/2,   v̇ = (v₁ − v₀)/dt,   A = J(q̄) v̇ + J̇(q̄, v̄) v̄
//
// with v₀ and v₁ the velocities before and after it, so that what contacts and limits did is in v̇. All else
// is that of the state at the end of the step.
//
//   type                          size  unit         what, in which axes
//   kJointPosition                1     m, rad       q of a joint of one coordinate
//   kJointVelocity                1     m/s, rad/s   its v
//   kJointActuatorForce           1     N, N·m       generalised force of all actuators on it, of the step
//   kBallQuaternion               4     1            w, x, y, z
//   kBallAngularVelocity          3     rad/s        child's axes
//   kJointLimitPosition           1     m, rad       how far a limit is passed, negative; 0 within the range
//   kJointLimitVelocity           1     m/s, rad/s   rate of that gap while a limit is passed or presses,
//                                                    positive out of it; else 0
//   kJointLimitForce              1     N, N·m       of both limits, >= 0, of the step
//   kTendon...                    1                  as the joint's, of its length
//   kActuatorPosition             1     m, rad       transmission length ℓ, gear included (model/actuator.h)
//   kActuatorVelocity             1     m/s, rad/s   its rate
//   kActuatorForce                1     N, N·m       f, clamped, as at the start of the step; the bound where
//                                                    the step held it there (sim/effort_limits.h)
//   kFramePosition                3     m            p_RF, axes of R
//   kFrameQuaternion              4     1            R_RF as w, x, y, z, with w >= 0
//   kFrame{X,Y,Z}Axis             3     1            axis of F, axes of R
//   kFrameLinearVelocity          3     m/s          of F's origin as seen from R, axes of R
//   kFrameAngularVelocity         3     rad/s        of F against R, axes of R
//   kFrameLinearAcceleration      3     m/s²         of F's origin minus gravity, world axes, of the step: at
//                                                    rest it points up (MJCF's convention). R plays no role
//   kFrameAngularAcceleration     3     rad/s²       world axes, of the step. R plays no role
//   kInsideRegion                 1     1            1 while F's origin is in the region, which is R's;
//                                                    else 0
//   kAccelerometer                3     m/s²         of F's origin minus gravity, axes of F, of the step:
//                                                    at rest +g along up, in free fall 0
//   kVelocimeter                  3     m/s          of F's origin, axes of F
//   kGyro                         3     rad/s        axes of F
//   kMagnetometer                 3     G            Options::magnetic_field, axes of F
//   kForce                        3     N            that B's parent exerts on B, axes of F, of the step:
//                                                    what hangs on B reads its weight, upwards. In MJCF's
//                                                    words it points from the child to the parent
//   kTorque                       3     N·m          the same, moment about F's origin, axes of F
//   kTouch                        1     N            normal forces of B's contacts that are in the region, or
//                                                    whose normal meets it on its way into B, of the step
//   kRangefinder                  1     m            along z of F to the first geom that is entered, those
//                                                    of B left out; -1: none
//   kSubtreeCenterOfMass          3     m            world axes; NaN without mass (dynamics/center_of_mass.h)
//   kSubtreeLinearVelocity        3     m/s          of the mass centre, world axes
//   kSubtreeAngularMomentum       3     N·m·s        about the mass centre, world axes
//   kContactCount                 1     1            contacts of sides a and b, in the region where there is
//                                                    one, that carry load, of the step
//   kContactForce                 3     N            their sum on b, world axes, of the step
//   kContactSlots                 any                of so many of them what is asked for (ContactSlots); the
//                                                    place and depth at the start of the step
//   kNearestDistance              1     m            signed, of sides a and b (geometry/distance.h);
//                                                    the cutoff where it is not below that
//   kNearestNormal                3     1            from p_WA to p_WB, world axes, and so from b to a where
//                                                    these overlap; 0 beyond the cutoff
//   kNearestPoints                6     m            p_WA and p_WB; 0 beyond the cutoff
//   kCameraProjection             2     pixel        of F's origin in the camera's picture, from its left
//   upper
//                                                    corner to the right and down, behind the camera too
//                                                    (model/camera.h)
//   kPotentialEnergy              1     J            gravity, zero at the world's origin, and springs
//   kKineticEnergy                1     J            armature included
//   kUser                         any                0: for programs that put in what they measure
//   kClock                        1     s            time
//
// The force between parent and child follows from the motion of all bodies below the joint (Newton-Euler,
// from the leaves) and the forces that act on them from outside: gravity and its compensation, drag of the
// fluid, contacts, FrameLock and PointDistance, actuators on frames, all that pulls along spatial tendons,
// Input::applied_wrench. All else (actuators on joints and fixed tendons, springs, limits, damping, couplings
// of joints) acts through the joints and is part of it. A sensor between rigidly joined bodies sits on the
// child: give it a body without joints. MuJoCo's sensors leave out actuators on sites, drag and the
// compensation of gravity: of two bodies of 1 kg that are one, with a thruster of 2 N on the second, 1 N pushes
// the first, and there the sign is the other.
//
// Where no step was taken since the state was set, sensors read as if one had passed without any change:
// velocities stay, nothing touches, no actuator, limit or applied force acts.
#pragma once

#include <string>
#include <vector>

#include "stiction/dynamics/forces.h"
#include "stiction/dynamics/kinematics.h"
#include "stiction/model/state.h"
#include "stiction/sim/contact.h"

namespace stiction {

// The last step, as sensors see it.
struct SensedStep {
  double dt = 0.0;                       // over which impulses are forces [s]
  double duration = 0.0;                 // dt, or that of its last part where it was divided [s]
  const VectorXd& q_start;               // before that, size nq
  const VectorXd& v_start;               // size nv
  const Matrix6Xd& applied_wrench;       // as in Input, while it was taken
  const std::vector<Contact>& contacts;  // with their impulses
  const JointForces& forces;
};

// Scratch, sized for one model; allocates.
struct SensorWorkspace {
  explicit SensorWorkspace(const Model& model);

  bool has_acceleration = false;  // whether any sensor needs A
  bool has_force = false;         // whether any needs the forces between bodies
  bool has_length = false;        // whether any needs tendons or transmissions
  JointForces forces;             // at the state, of which lengths and rates count
  Input input;                    // the default
  VectorXd q, v, vdot;            // q̄, v̄ and v̇
  Kinematics middle;              // at q̄ and v̄
  std::vector<Vector6d> A;  // one per body: spatial acceleration at p_WT of its tree, zero for static ones
  std::vector<Vector6d> F;  // one per body: moment and force from its parent, at its mass centre
};

// All sensors of the model. Does not allocate once `values` has its size.
//   kin     position and velocity kinematics at the state
//   mocap   as in Input
//   step    null: none was taken since the state was set
//   values  out, size num_sensor_values
void CalcSensors(const Model& model, const State& state, const Kinematics& kin, const VectorXd& mocap,
                 const SensedStep* step, SensorWorkspace& ws, VectorXd& values);

// The sensor's name, or "sensor3" for one without.
std::string SensorDisplayName(const Model& model, int sensor);

// One name a value: "touch", or "gyro.x" ... where a sensor has several; quaternions have .qw .qx .qy .qz,
// the points of kNearestPoints .ax to .bz, numbers of kUser .0 .1 and so on.
std::vector<std::string> SensorValueNames(const Model& model);

}  // namespace stiction
