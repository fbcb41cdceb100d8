// Turns joint limits and dry friction into constraint rows; contacts have theirs in sim/contact_rows.h,
// equalities in sim/equality_rows.h.
#pragma once

#include "sim/detection.h"
#include "stiction/contact/problem.h"
#include "stiction/dynamics/forces.h"
#include "stiction/sim/contact.h"

namespace stiction {

// A limit of a joint or a tendon within reach of the step.
struct LimitRow {
  int joint = -1;  // or
  int tendon = -1;
  int memory = -1;  // into State::limits
  bool is_upper = false;
  double gap = 0.0;  // [m or rad], negative when passed
  // Of a joint: the gap opens at the rate slope · v over these dofs, of which the last is beyond the others.
  int first_dof = -1;
  int num_dofs = 0;
  Vector3d slope = Vector3d::Zero();
};

// What a constraint of the problem stands for.
struct RowSource {
  int contact = -1;       // index into the detected contacts, or
  int moment = -1;        // the same, of torsional or rolling friction, or
  int limit = -1;         // into the limit rows, or
  int equality_row = -1;  // into State::equality_impulses, or
  int friction = -1;      // into State::friction_impulses, or
  int effort = -1;        // into JointForces::limited
};

// Adds limits with a gap below 0.2 (rad or m), or that the speed of v reaches in `time`, but for those that
// are there; their order is that of State::limits, lower before upper. Returns whether there are any.
//   trees    of which limits are looked for; a tendon counts to the first that it touches
//   tendons  at q, where the model has any
bool AddLimits(const Model& model, const TreeSet& trees, const VectorXd& q, const VectorXd& v,
               const TendonWorkspace& tendons, double time, std::vector<LimitRow>& limits);
// Those to begin a step of dt with, by its first velocity: within reach of two steps.
void FindLimits(const Model& model, const TreeSet& trees, const VectorXd& q, const VectorXd& v,
                const TendonWorkspace& tendons, double dt, std::vector<LimitRow>& limits);

// Subsystems, pattern of A and nothing else.
void InitializeProblem(const Model& model, const BranchPattern& pattern, ContactProblem& problem);

// Appends the row of a limit: positive velocity opens the gap.
void AddLimitRow(const Model& model, const BranchPattern& pattern, const TendonWorkspace& tendons,
                 const LimitRow& limit, ContactProblem& problem);

// Appends the bounded row of dry friction in one dof: v = 0 unless an impulse beyond ±bound is needed.
void AddFrictionRow(const Model& model, const BranchPattern& pattern, int dof, double bound,
                    ContactProblem& problem);

// The same along a tendon.
void AddTendonFrictionRow(const TendonWorkspace& tendons, int tendon, double bound, ContactProblem& problem);

// Appends the soft row of slopes that do not fit the pattern of A: λ = −(damping) (ℓ̇⁺ − rate).
//   damping  of the step, dt² k + dt b [kg]
void AddSlopeRow(const JointForces& forces, const SlopeRow& row, double damping, double rate,
                 ContactProblem& problem);

// Appends the bounded row of a force whose side is open: its rate ℓ̇ and the impulse along it, by the law of
// sim/effort_limits.h. With s = b + dt k a spring in series, of the compliance 1/(dt s), and
//
//   λ = clamp(dt (c − s ℓ̇⁺), dt lower, dt upper),   c = f₀ + b ℓ̇₀
void AddEffortRow(const Model& model, const BranchPattern& pattern, const JointForces& forces,
                  const LimitedForce& limited, double dt, ContactProblem& problem);

}  // namespace stiction
