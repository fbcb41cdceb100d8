// Force of a muscle over its length and rate, and the dynamics of its activation (model/actuator.h has the
// quantities).
//
//   FL(L)  with a = (lmin + 1)/2 and b = (1 + lmax)/2 the middles of the two flanks:
//            x²/2      from lmin to a,   x = (L − lmin)/(a − lmin)
//            1 − x²/2  from a to b,      x = (1 − L)/(1 − a), and (L − 1)/(b − 1) beyond L = 1
//            x²/2      from b to lmax,   x = (lmax − L)/(lmax − b),   0 elsewhere
//   FV(V)  with y = fvmax − 1: 0 up to V = −1, (V + 1)² up to 0, fvmax − (y − V)²/y up to y, then fvmax
//   FP(L)  fpmax x²/2 from 1 to b, x = (L − 1)/(b − 1), then on the tangent: fpmax (x − 1/2)
//
// All have continuous slopes. Of F = −F₀ (FL FV w + FP) over ℓ and ℓ̇ only what resists enters the step
// implicitly (dynamics/forces.h): the passive spring and the damping of the active force, which is large.
//
// Reference: MuJoCo's documentation, "Modeling", section "Muscles"; the curves are those of its simulation.
#pragma once

#include "stiction/model/actuator.h"

namespace stiction {

struct CurvePoint {
  double value = 0.0;
  double slope = 0.0;
};
CurvePoint EvaluateActiveLength(const Muscle& muscle, double L);
CurvePoint EvaluateVelocity(const Muscle& muscle, double V);
CurvePoint EvaluatePassiveLength(const Muscle& muscle, double L);

// A muscle in its model: L = L_start + (ℓ − ℓ_start)/L₀.
struct MuscleScale {
  double fibre_length = 1.0;  // L₀ [m or rad]
  double start = 0.0;         // ℓ at the beginning of its length range
  double peak_force = 0.0;    // F₀ [N or N·m]
};

// A force or gain, and its slopes over ℓ and ℓ̇.
struct ActuatorForce {
  double value = 0.0;
  double length_slope = 0.0;
  double rate_slope = 0.0;
};
// −F₀ FL FV, which the activation multiplies.
ActuatorForce CalcMuscleGain(const Muscle& muscle, const MuscleScale& scale, double length, double rate);
// −F₀ FP.
ActuatorForce CalcMuscleBias(const Muscle& muscle, const MuscleScale& scale, double length);

// ȧ [1/s] for the control u, which is clamped to [0, 1], as the time constants are evaluated for a in [0, 1].
double CalcMuscleActivationRate(const Actuator& actuator, double u, double activation);

}  // namespace stiction
