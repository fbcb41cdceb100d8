// The motion of a step without impulses, by each integrator: A, its factor, v*, and where v* alone would
// lead.
//
//   euler      v* = v + A⁻¹ dt (τ − h − dt K v), A = M + dt D + dt² K, at the start; positions follow v⁺.
//              K of those springs alone that would be unstable explicitly (sim/springs.h)
//   implicit   M(q^θ)(v* − v) = dt k(q^θ, v^θ), θ = 1, A = M + dt D + dt² K; positions follow v⁺
//   midpoint   the same with θ = 1/2, A = M + dt/2 D + dt²/4 K; positions follow (v + v⁺)/2
//   rk4        v* by Runge-Kutta's stages, A = M: springs and dampers are explicit
//
//   q^θ = q ⊕ θ dt v^θ,   v^θ = θ v* + (1 − θ) v,   k = τ − h
//
// by Newton's method with A for the slope. D and K are dynamics/forces.h's slopes, so that stiff joints are
// implicit. A single free body turns by the midpoint rule with every integrator but rk4
// (sim/free_body.h). A is that of q^θ, and is not computed again when impulses change the velocity
// [Castro 2021, Algorithm 1]. With rk4 orientations of ball and free joints are advanced by the mean of the
// stages' angular velocities, which is of second order where the axis turns.
//
// References: [Castro 2021] A. Castro, F. Permenter, X. Han, An unconstrained convex formulation of compliant
// contact, eqs. (6), (7), (13)-(18). E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, 2006.
#pragma once

#include "sim/step_workspace.h"

namespace stiction {

// Share of an impulse's change of velocity that the step's displacement sees: θ_vq. By rk4 it is that of
// bilateral rows; of all others the displacement sees half (sim/step.cpp), as of a force that acts all
// through the step: with all of it a body at rest would rise by g dt²/2. What an impact then lacks is the
// position stage's affair, by the midpoint rule too (GapRow::may_overshoot).
double CalcImpulseShare(Integrator integrator);

// What slopes of forces are multiplied with in A: A = M + damping D + stiffness K.
struct SlopeFactors {
  double damping = 0.0;    // [s]
  double stiffness = 0.0;  // [s²]
};
SlopeFactors CalcSlopeFactors(Integrator scheme, double dt);

// The rate at v of the length that these slope blocks are of: SlopeRow's or LimitedForce's [m/s].
double CalcSlopeRate(const JointForces& forces, int first_block, int num_blocks, const VectorXd& v);

// Limited forces are held where v* finds them (sim/effort_limits.h).
// Fills ws.problem.A and v_star, ws.factor, ws.free_advance, ws.flights, and ws.middle, where the scheme
// evaluates bilateral rows. False if the mass matrix is singular; `bad_body` then moves with the offending
// dof.
[[nodiscard]] bool CalcFreeVelocity(const Model& model, const Input& input, const State& state,
                                    StepWorkspace& ws, int& bad_body);

// Symplectic Euler's problem.A, v_star, factor, free_advance and flights again, with the forces on the sides
// that ws.forces.sides has, and M and bias as they are. False as above.
[[nodiscard]] bool RepeatEuler(const Model& model, const Input& input, const State& state, StepWorkspace& ws,
                               int& bad_body);

// The same again at the velocity that the impulses of ws.solution lead to: forces and inertia of the middle
// depend on them, and without this a mechanism with loops is of first order by any scheme. Changes nothing
// where there is nothing to gain: an explicit scheme, no impulses, free bodies alone.
enum class Refinement { kNotNeeded, kDone, kSingularMass };
[[nodiscard]] Refinement RefineFreeVelocity(const Model& model, const Input& input, const State& state,
                                            StepWorkspace& ws, int& bad_body);

}  // namespace stiction
