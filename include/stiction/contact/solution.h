// What a contact solver returns, and how its work went.
#pragma once

#include <vector>

#include "stiction/math/growing_vector.h"

namespace stiction {

enum class [[nodiscard]] SolveStatus{
    kConverged,      // the solver's own stopping test was met
    kMaxIterations,  // or the end of the solver budget: the best iterate is returned
    kStalled,        // no further progress; the best iterate is returned
    kInfeasible,     // opposing constraints: impulses grow without bound; the least-violation iterate is
                     // returned
    kNonFinite,      // numbers overflowed; the last finite iterate is returned
    kUnsupported,    // the solver cannot take one of the row types; nothing was computed
};

// "converged", "max_iterations", "stalled", "infeasible", "non_finite", "unsupported".
const char* ToString(SolveStatus status);

struct [[nodiscard]] SolveReport {
  SolveStatus status = SolveStatus::kConverged;
  int iterations = 0;      // Newton steps plus sweeps, or what the method counts; of the island with the most
  int iterations_sum = 0;  // the same over all islands; 0 in the report of a single island
  int newton_steps = 0;
  int sweeps = 0;
  int factorizations = 0;
  int back_solves = 0;     // of the ADMM methods: solutions by those factors
  int inner_problems = 0;  // of methods with an inner iteration: how many it was to solve,
  int inner_failures = 0;  // and how many of them missed their own tolerance
  int stage = 0;     // auto: 0 warm start accepted, 1 sweeps, 2 Newton, 3 retry, 4 walk, 5 sweeps and Newton
  int num_cut = 0;   // islands that the solver budget (solver_budget.h) cut short
  int num_left = 0;  // islands left to smaller steps (ContactSolver::may_leave); of a step in all its parts
  double penalty = 0.0;  // with which the solve ended, where the method has one, in its own unit

  // Adds the counts of further work on the same islands, and keeps the worse status and stage; num_cut and
  // num_left become those of the later work.
  void Merge(const SolveReport& other);
  // The same of a solver's report on another island, whose iterations run beside the others: the larger
  // number is that of the whole.
  void MergeIsland(const SolveReport& island);
};

// The answer of a solve, and the warm start of the next.
struct Solution {
  VectorXd v;                     // size nv
  GrowingVector lambda;           // size num_rows
  std::vector<double> penalty{};  // one per subsystem: SolveReport::penalty of its island; 0: not known
  // How lambda changed in the step before, if it is an answer of then: where the solver begins may be as much
  // further on. Size num_rows; empty: not known.
  GrowingVector trend{};
};

}  // namespace stiction
