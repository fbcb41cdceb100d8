// What happened in one step.
#pragma once

#include "stiction/contact/certificate.h"
#include "stiction/contact/solution.h"

namespace stiction {

enum class [[nodiscard]] StepStatus {
  kOk,
  kBudgetMissed,  // the certificate's ncp_max stayed above the budget; the best iterate was used
  kDiverged,      // a number stopped being finite; the state is the last good one
  kSingularMass,  // the mass matrix could not be factored; the state is the last good one
  kInvalidInput,  // a vector of the input has another size than the model; nothing was done
};

// "ok", "budget_missed", "diverged", "singular_mass", "invalid_input".
const char* ToString(StepStatus status);

// Wall time of each stage of the step [s].
struct PhaseTimes {
  double kinematics = 0.0;
  double collision = 0.0;
  double dynamics = 0.0;    // mass matrix, bias, forces, factor, free velocity
  double assembly = 0.0;    // contact tracker, problem
  double solve = 0.0;       // solver and certificate
  double correction = 0.0;  // position stage
  double integration = 0.0;
  double total = 0.0;
};

// The stages by name, in the order of the step; the total is not among them.
struct StepPhase {
  const char* name;
  double PhaseTimes::*time;
};
inline constexpr StepPhase kStepPhases[] = {{"kinematics", &PhaseTimes::kinematics},
                                            {"collision", &PhaseTimes::collision},
                                            {"dynamics", &PhaseTimes::dynamics},
                                            {"assembly", &PhaseTimes::assembly},
                                            {"solve", &PhaseTimes::solve},
                                            {"correction", &PhaseTimes::correction},
                                            {"integration", &PhaseTimes::integration}};
inline constexpr int kNumStepPhases = sizeof kStepPhases / sizeof *kStepPhases;

// A solve inside a step on which no certificate of the laws stands, judged by the natural map of its own
// rows.
struct [[nodiscard]] StageSolve {
  bool has_run = false;  // most steps need none
  SolveStatus status = SolveStatus::kConverged;
  double residual = 0.0;   // in the unit of the stage; NaN or infinite: the answer was not used
  double tolerance = 0.0;  // in the same unit
  bool missed() const { return has_run && !(residual <= tolerance); }
};

struct [[nodiscard]] StepReport {
  StepStatus status = StepStatus::kOk;
  // False only with kBudgetMissed: the solver did not meet the law that it set out to solve either. True
  // beside a miss says that its law is another one than the exact one of the certificate's ncp.
  bool is_converged = true;
  // Nothing but the time changes, as in the step before: all else is that step's, and was not computed again
  // (src/sim/stillness.h).
  bool is_still = false;
  // More than one: the step missed its budget as a whole and was taken in parts (src/sim/step_parts.h), the
  // last of them of a step over so many. Certificate and lengths then are the worst of any part, counts of
  // rows those of the last one, and work that of all, the miss's too.
  int num_parts = 1;
  SolveReport solve;
  // Of the rows in the problem; ncp_max is at least the residual with which any island that sleeps fell
  // asleep, or that is still was left out, and worst_constraint is -1 where it is one of these. ncp_mean is
  // over the rows of those that are still, too.
  Certificate certificate;
  // Of the problem, and of islands that were left out of it because they repeat themselves.
  int num_contacts = 0;       // contact constraints, open ones included
  int num_limits = 0;         // limit rows
  int num_equality_rows = 0;  // bilateral rows in the problem
  int num_islands = 0;        // groups of trees coupled by constraints
  int num_sleeping = 0;       // trees that sleep at the end of the step; no row above is theirs
  int num_still = 0;          // trees left out because they repeat themselves (WorldOptions::skips_still)
  int correction_newton = 0;  // Newton steps of the position stage
  StageSolve ghost_filter;    // which far contacts come about (sim/detection.h) [m/s]
  StageSolve position_stage;  // the removal of penetration (sim/position_stage.h) [m or rad]
  double penetration = 0.0;   // deepest overlap of a contact at the start of the step [m], >= 0
  double loop = 0.0;          // largest residual of an equality at the end of the step [m or rad]
  double correction = 0.0;    // largest displacement that the position stage applied to any dof [m or rad]
  int bad_body = -1;          // after divergence: the body whose state stopped being finite
  PhaseTimes phases;
};

}  // namespace stiction
