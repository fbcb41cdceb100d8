// The force of a DC motor, and what its state becomes (struct DcMotor in model/actuator.h has the equations).
//
// Within a step of dt everything is taken at its end, where it resists most: with the rate ℓ̇ constant, the
// current, the temperature and the bristle have closed forms,
//
//   i₁ = i₀ + (i∞ − i₀)(1 − e^(−dt R/L)),   i∞ = (v − K ℓ̇)/R
//   z₁ = z₀ e^(−a dt) + ℓ̇ φ,   φ = (1 − e^(−a dt))/a,   a = σ₀ |ℓ̇| / g(ℓ̇)
//   f  = K i₁ + cogging − σ₀ z₁ − σ₁ (z₁ − z₀)/dt
//
// so that a lag or a bristle much faster than the step gives the algebraic motor and Coulomb's friction. The
// slopes of f enter the step implicitly; that of the bristle is of a held, −σ₀ φ − σ₁ e^(−a dt): while it
// slides the secant through rest, −g/|ℓ̇|, by which friction never turns a motion round. A load above g
// breaks it away late for that, by some tens of steps.
//
// Reference: C. Canudas de Wit, H. Olsson, K. J. Åström, P. Lischinsky, A new model for control of systems
// with friction, IEEE Transactions on Automatic Control 40 (3), 419-425, 1995 (LuGre).
#pragma once

#include "dynamics/actuation.h"
#include "stiction/dynamics/muscle.h"

namespace stiction {

//   ctrl    clamped to its range
//   dt      of the step; 0: the force as the state stands [s]
//   state   of FindMotorStates' size; not read where that is 0
//   next    the state at the end of the step; may be `state`, or null
ActuatorForce CalcMotor(const DcMotor& motor, double ctrl, double length, double rate, double dt,
                        const double* state, double* next);

}  // namespace stiction
