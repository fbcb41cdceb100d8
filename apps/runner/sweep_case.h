// Runs one case of `stiction sweep`.
#pragma once

#include <functional>
#include <optional>

#include "json_output.h"
#include "sweep_parameters.h"

namespace stiction::runner {

// The World of the case, at its start, and how it is simulated. Throws UsageError and LoadError.
struct CaseStart {
  RunPlan plan;
  World world;
};
CaseStart MakeStart(const SweepCase& sweep_case, ImportReport& report);

// Reads, simulates and measures. The answer has the same keys, in the same order, for all cases of a sweep:
//
//   status          ok; budget_missed, as `run` would exit with 1; expectation_failed; diverged,
//   singular_mass,
//                   invalid_input
//   steps, sim_time_s, contacts_mean, contacts_max, iterations_mean, iterations_max, ncp_max, ncp_mean [m/s],
//   loop_max [m or rad], penetration_max_m, budget_misses, energy_start, energy_end [J], state_hash
//   expect1_position, expect1_met, ...   of a scenario: what was measured, and whether it is as expected
//   wall_time_s     of the steps
//
// Nothing if `stop` became true before its end. Throws UsageError and LoadError.
std::optional<Json> RunCase(const SweepCase& sweep_case, const std::function<bool()>& stop);

}  // namespace stiction::runner
