// Joint springs and dampers, tendons, actuators and applied forces, with the slopes that the step treats
// implicitly.
#pragma once

#include <optional>
#include <vector>

#include "stiction/dynamics/muscle.h"
#include "stiction/dynamics/tendon.h"

namespace stiction {

// What an actuator's force takes from the model at q0.
struct ActuatorConstants {
  double damping = 0.0;                // instead of −bias2, of an actuator with a damping ratio
  MuscleScale gain_scale, bias_scale;  // of its muscles
};

// On which bound of its range a force is held. kOpen: the solver finds out, and neither the force nor its
// slopes are in JointForces.
enum class Saturation : signed char { kLower = -1, kNone = 0, kUpper = 1, kOpen = 2 };

// A force with a range and a slope: of an actuator, or of all actuators of a joint of one coordinate or of a
// tendon together. Over a step it would be f⁺ = force − damping (ℓ̇⁺ − ℓ̇) − dt stiffness ℓ̇⁺, if it were not
// for its range.
struct LimitedForce {
  int actuator = -1;  // or
  int joint = -1;     // or
  int tendon = -1;
  double share = 1.0;  // of a tendon: what a unit of the sum of its forces pulls with, gears included
  double lower = 0.0, upper = 0.0;  // [N or N·m]
  double force = 0.0;               // at (q, v)
  double stiffness = 0.0;           // as in SlopeRow
  double damping = 0.0;
  double rate = 0.0;  // ℓ̇
  int dof = -1;       // ℓ̇ = gear v of this dof, or
  double gear = 1.0;
  int first_block = 0;  // as in SlopeRow
  int num_blocks = 0;
};

// A force along a length ℓ whose slopes couple several dofs: a tendon's spring and damper, or an actuator on
// a tendon, a frame, a ball or a free joint. The force itself is in JointForces already.
struct SlopeRow {
  int first_block = 0;         // into JointForces::slope_blocks
  int num_blocks = 0;          // one per tree, as ContactProblem::AddBlock takes them
  double stiffness = 0.0;      // −∂f/∂ℓ ≥ 0 [N/m]
  double damping = 0.0;        // −∂f/∂ℓ̇ ≥ 0 [N·s/m]
  double rate = 0.0;           // ℓ̇ [m/s]
  bool is_one_branch = false;  // its dofs are one chain: JᵀJ fits the pattern of M
};

// What the actuators on a tendon have of slopes: of the sum of their forces by the tendon's length and rate,
// and with their gears of the pull along it.
struct TendonServo {
  double stiffness = 0.0, damping = 0.0;
  double pull_stiffness = 0.0, pull_damping = 0.0;
};

// Springs and servos of which the step takes no slope: flags by joint, tendon and actuator. Empty: none.
struct ExplicitSprings {
  std::vector<char> joints, tendons, actuators;

  bool HasJoint(int joint) const { return !joints.empty() && joints[joint]; }
  bool HasTendon(int tendon) const { return !tendons.empty() && tendons[tendon]; }
  bool HasActuator(int actuator) const { return !actuators.empty() && actuators[actuator]; }
};

// Which elements of a model exert forces of their own: the others cost nothing.
struct ForceSources {
  std::vector<int> passive_joints;      // with springs or dampers
  std::vector<int> compensated_bodies;  // part of whose weight is taken off them
  bool any = false;                     // these, fluids, tendons, actuators, or ranges of their forces
};

// Generalised forces at (q, v) and their diagonal slopes. Belongs to one model.
struct JointForces {
  VectorXd passive;    // size nv: springs and dampers [N or N·m]
  VectorXd actuation;  // size nv: actuators
  VectorXd applied;    // size nv: of applied_generalized with its slopes, plus Jᵀ applied_wrench
  // Slopes, size nv: -∂τ/∂q ≥ 0 from joint springs, of ball and free joints at small angles, and from
  // unsaturated actuators of scalar joints [N/m or N·m/rad],, and -∂τ/∂v ≥ 0, from dampers too [N·s/m or
  // N·m·s/rad].
  VectorXd stiffness;
  VectorXd damping;
  VectorXd passive_stiffness;  // size nv: what of them is of joint springs
  VectorXd passive_damping;    // and of dampers
  VectorXd actuator_force;     // size nu: f of each actuator, clamped; where has_sides: held as they say
  VectorXd actuator_length;    // size nu: ℓ
  VectorXd actuator_rate;      // size nu: ℓ̇

  // Where has_sides: on which bound the step holds each force, one per actuator, per joint and per tendon.
  // Else a force that is beyond its range at (q, v) is held there.
  bool has_sides = false;
  std::vector<Saturation> sides;
  bool has_open = false;  // one of them is kOpen
  std::vector<LimitedForce> limited;

  // Of the step that the forces are for, set by the caller: actuators that act early have the activation that
  // Input's control leads to by its end [s].
  double dt = 0.0;

  // Whose stiffness counts neither in `stiffness` nor in slope_rows and `limited`; their forces are as all
  // others'. Set by the caller (sim/springs.h).
  ExplicitSprings explicit_springs;

  std::optional<ForceSources> sources;       // of the model, from the first CalcJointForces
  bool is_written = true;                    // numbers above `applied` may be other than zero
  std::vector<ActuatorConstants> constants;  // one per actuator: of the model, from the first CalcJointForces
  TendonWorkspace tendons;
  TendonForces tendon_forces;
  std::vector<TendonServo> tendon_servos;  // one per tendon; of those with a range of force
  std::vector<SlopeRow> slope_rows;
  std::vector<TendonWorkspace::Block> slope_blocks;  // into slope_dofs and slope_values
  std::vector<int> slope_dofs;
  std::vector<double> slope_values;

  void Resize(const Model& model);
};

// Needs position kinematics. Controls and activations are clamped to their ranges. A slope that would be
// negative (a spring that pushes away) stays explicit: it enters the force and not `stiffness` or `damping`.
void CalcJointForces(const Model& model, const Kinematics& kin, const VectorXd& q, const VectorXd& v,
                     const VectorXd& activation, const Input& input, JointForces& forces);

// How activations advance: integrator, filter and muscle by Euler's rule as in MuJoCo, filterexact exactly;
// or all of them as well as integrators of second and higher order need it: linear ones exactly, muscles by
// Runge-Kutta's method.
enum class ActivationRule { kEuler, kAccurate };

// The activation of one actuator after a time dt: see AdvanceActivations.
double NextActivation(const Actuator& actuator, double ctrl, double activation, double dt,
                      ActivationRule rule = ActivationRule::kEuler);

// Activations after a time dt in which controls do not change.
//   activation  size na, overwritten
// Of motors see AdvanceMotors.
void AdvanceActivations(const Model& model, const Input& input, double dt, ActivationRule rule,
                        VectorXd& activation);

// The states of motors at the end of a step of dt (model/actuator.h, struct DcMotor).
//   forces      of the step: lengths and rates of transmissions that are no joint of one coordinate
//   q, v        at the start of the step; at its end
//   activation  size na, overwritten
void AdvanceMotors(const Model& model, const Input& input, const JointForces& forces, const VectorXd& q,
                   const VectorXd& v, double dt, VectorXd& activation);

// Adds the force f_W [N] that acts on `body` at the point p_WQ [m], both in world axes, to
// input.applied_wrench: the force, and its moment about the body's centre of mass. Needs position kinematics.
// On a body that cannot move it is without effect.
//
// An Input keeps what it holds: the wrench acts in every step until it is overwritten (set applied_wrench to
// zero first where the force is computed anew each step). It stays as it was computed, in world axes, while
// the body moves on. World::AddForce acts in one step only.
void AddForceAtPoint(const Kinematics& kin, int body, const Vector3d& p_WQ, const Vector3d& f_W,
                     Input& input);

}  // namespace stiction
