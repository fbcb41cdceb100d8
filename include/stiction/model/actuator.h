// Actuators: a scalar force along a transmission.
//
//   w     the control, or the activation of an actuator that has dynamics
//   ℓ, ℓ̇  length of the transmission, times the gear, and its rate
//   f = (gain0 + gain1 ℓ + gain2 ℓ̇) w + bias0 + bias1 ℓ + bias2 ℓ̇, clamped to the force range
//   τ = (∂ℓ/∂q)ᵀ f
//
// motor:    gain (k,0,0),  bias 0
// position: gain (kp,0,0), bias (0,-kp,-kv)
// velocity: gain (kv,0,0), bias (0,0,-kv)
//
// The slopes of f over ℓ and ℓ̇ enter the step implicitly, as stiffness and damping, unless the force is
// saturated (sim/step.h), or by symplectic Euler a stiffness so soft that it needs not be (sim/springs.h).
//
// Transmissions:
//   joint         ℓ = gear · q; ball: gear · rotation vector; free: 0, and the force is a wrench
//   tendon        gear times its length
//   frame         a wrench of the six gears, force first, in the frame's axes at its origin; with a reference
//                 frame ℓ is the gear times the relative pose, without one 0
//   slider-crank  a rod joins the frame's origin, the crank's pin, to a slider on the z axis of the reference
//                 frame: ℓ is the gear times the slider's place s on it, the one behind the pin,
//                     |p_S + s z − p_F| = crank_length,   s = c − √(c² + crank_length² − |d|²),
//                     d = p_F − p_S, c = z·d;  out of the rod's reach s = c
//   body          adhesion: f, shared equally by the body's contacts that are closed, pulls at each along the
//                 normal the two bodies together; ℓ = 0 (sim/adhesion.h)
//
// Dynamics: ȧ = ctrl (integrator), ȧ = (ctrl − a)/τ (filter; filterexact integrates it exactly over a step),
// and of muscles, with u = ctrl clamped to [0, 1],
//   ȧ = (u − a)/τ,   τ = τ_act (0.5 + 1.5 a) where u > a, else τ_deact / (0.5 + 1.5 a),
// blended over a width of u − a where the width is positive.
//
// A muscle's force replaces the affine gain, bias or both (struct Muscle):
//   f = −F₀ FL(L) FV(V) w − F₀ FP(L),  L and V the length and rate in units of the optimal fibre length
//
// A DC motor's force replaces gain, bias and dynamics (struct DcMotor).
//
// References: MuJoCo's documentation: "Modeling", sections "Actuators" and "Muscles", and the XML reference,
// "actuator" (names and meaning of the attributes; the muscle's curves; the motor).
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>

#include "stiction/model/body.h"

namespace stiction {

enum class ActuatorDynamics { kNone, kIntegrator, kFilter, kFilterExact, kMuscle };

// Curves of a muscle, with lengths in units of the optimal fibre length L₀ and forces in units of the peak
// active force F₀ at rest.
//
//   L₀ = (length_range[1] − length_range[0]) / (range[1] − range[0])
//   L  = range[0] + (ℓ − length_range[0]) / L₀,    V = ℓ̇ / (L₀ vmax)
//   FL   active force over length: 0 up to lmin, 1 at L = 1, 0 from lmax on; quadratic splines between
//   FV   active force over rate: 0 for V ≤ −1, 1 at rest, fvmax for V ≥ fvmax − 1; quadratic between
//   FP   passive force: 0 up to L = 1, then quadratic to fpmax / 2 in the middle of 1 and lmax, then linear
//   on
//        the tangent
struct Muscle {
  std::array<double, 2> range{0.75, 1.05};  // L at the ends of Actuator::length_range
  double force = -1.0;                      // F₀ [N]; < 0: scale / a₀
  // a₀ [m/s² or rad/s²] is the norm of the joint accelerations that a unit of force causes at q0.
  double scale = 200.0;
  double lmin = 0.5;
  double lmax = 1.6;
  double vmax = 1.5;  // [L₀/s]
  double fpmax = 1.3;
  double fvmax = 1.2;
};

// A DC motor with what a data sheet has of it, and a controller before it.
//
//   v  voltage: the control u, or a controller's (R/K) τ + K ℓ̇, |v| <= voltage_max, for the torque
//        τ = kp (u_p − ℓ) + kd (u_v − ℓ̇) + ki x + u_t,   ẋ = u_p − ℓ,  |x| <= integral_max
//      of which u is one, at most as steep as slew_max, and the other two are 0
//   i  current: (v − K ℓ̇)/R, or with a lag L/R of the winding  L i̇ = v − R i − K ℓ̇,  |i̇| <= current_rate
//   T  temperature of the winding: τ_T Ṫ = R_T i² R − (T − ambient),  R = R₀ (1 + α (T − reference))
//   z  deflection of the bristle in between, LuGre's friction: ż = ℓ̇ − σ₀ |ℓ̇| z / g,
//        g = F_c + (F_s − F_c) exp(−(ℓ̇/v_s)²)
//   f = K i + A sin(N ℓ + φ) − σ₀ z − σ₁ ż
struct DcMotor {
  // What the control is: v, u_p, u_v, u_t, or of no effect: then v = 0.
  enum class Input { kVoltage, kPosition, kVelocity, kTorque, kNone };

  Input input = Input::kVoltage;
  double constant = 0.0;      // K [N·m/A]; 0: no current flows
  double resistance = 1.0;    // R₀ [Ω]
  double lag = 0.0;           // L/R₀ [s]; 0: the current follows at once
  double current_rate = 0.0;  // [A/s], of motors with a lag; 0: no bound
  double kp = 0.0, ki = 0.0, kd = 0.0;
  double slew_max = 0.0;                                             // [1/s of the control]; 0: no bound
  double integral_max = 0.0;                                         // [rad·s]; 0: no bound
  double voltage_max = 0.0;                                          // of the controller [V]; 0: no bound
  double thermal_resistance = 0.0;                                   // R_T [K/W]
  double thermal_time = 0.0;                                         // τ_T [s]; 0: T stays
  double temperature_coefficient = 0.0;                              // α [1/K]
  double reference_temperature = 0.0, ambient_temperature = 0.0;     // [°C]
  double cogging = 0.0, cogging_periods = 0.0, cogging_phase = 0.0;  // A [N·m], N, φ [rad]
  double bristle_stiffness = 0.0, bristle_damping = 0.0;  // σ₀ [N·m/rad], 0: none; σ₁ [N·m·s/rad]
  double coulomb = 0.0, static_friction = 0.0;            // F_c, F_s [N·m]
  double stribeck_speed = 0.0;                            // v_s [rad/s]; 0: F_s plays no role

  bool operator==(const DcMotor&) const = default;
};

// Where a motor's state has what, -1: not there: the control it follows, x, T − ambient, z, i.
struct DcMotorStates {
  int set_point = -1, integral = -1, temperature = -1, bristle = -1, current = -1;
  int count = 0;
};
DcMotorStates FindMotorStates(const DcMotor& motor);

struct Actuator {
  std::string name{};
  // Exactly one of them.
  int joint = -1;
  int tendon = -1;
  std::optional<Frame> frame{};
  int body = -1;  // of adhesion

  std::optional<Frame> reference{};  // of a frame
  double crank_length = 0.0;         // > 0: a slider-crank; the reference is its slider [m]
  bool in_parent = false;            // ball or free joint: the gear is in the parent's axes
  // Joint: one factor per dof; tendon: the first; frame: wrench.
  std::array<double, 6> gear{1, 0, 0, 0, 0, 0};
  std::array<double, 3> gain{1, 0, 0};
  std::array<double, 3> bias{0, 0, 0};
  // > 0: bias2 is instead −2 ratio √(gain0 m): 1 is critical damping of a position servo. m [kg or kg·m²] is
  // the inertia that ℓ moves at q0, tendons' armature left out; where several dofs move ℓ, the sum of what it
  // would be with each of them alone, as in MuJoCo.
  double damping_ratio = 0.0;
  std::optional<Muscle> muscle_gain{};  // instead of the gain
  std::optional<Muscle> muscle_bias{};  // instead of the bias
  // ℓ of a muscle at the ends of its range; equal: the extremes that the limits of joints allow.
  std::array<double, 2> length_range{0, 0};
  double ctrl_lower = -std::numeric_limits<double>::infinity();
  double ctrl_upper = std::numeric_limits<double>::infinity();
  double force_lower = -std::numeric_limits<double>::infinity();  // [N or N·m], on f
  double force_upper = std::numeric_limits<double>::infinity();

  ActuatorDynamics dynamics = ActuatorDynamics::kNone;
  double time_constant = 1.0;         // τ of a filter, τ_act of a muscle, > 0 [s]
  double deactivation_time = 0.04;    // τ_deact of a muscle, > 0 [s]
  double activation_smoothing = 0.0;  // width of u − a over which a muscle's τ are blended; 0: switched
  double activation_lower = -std::numeric_limits<double>::infinity();
  double activation_upper = std::numeric_limits<double>::infinity();
  bool acts_early = false;         // w is the activation at the end of the step, not at its start
  std::optional<DcMotor> motor{};  // instead of gain, bias and dynamics

  // Filled by ModelBuilder.
  int activation = -1;  // the first of NumStates in State::activation; -1: none
};

// How many activations it has: of a motor up to five.
int NumStates(const Actuator& actuator);

}  // namespace stiction
