// The quantities of a log row that are one number, for both formats. Private to io.
#pragma once

#include <array>
#include <string_view>

#include "stiction/io/log.h"

namespace stiction {

struct LogColumn {
  std::string_view name;  // the column in CSV
  const char* path;       // the dataset in HDF5
  const char* unit;       // SI; "1" without dimension
  const char* description;
  double (*value)(const LogRow&);
  bool is_integer = false;
};

// To log another quantity: a member of LogRow, its line here, and where the Recorder fills it.
inline constexpr std::array<LogColumn, 19> kLogColumns{{
    {"contacts", "/counts/contacts", "1", "contact constraints, open ones included",
     [](const LogRow& r) -> double { return r.num_contacts; }, true},
    {"iterations", "/solver/iterations", "1", "Newton steps plus sweeps, or what the method counts",
     [](const LogRow& r) -> double { return r.solve.iterations; }, true},
    {"ncp_max", "/certificate/ncp_max", "m/s", "largest natural-map residual of the exact laws",
     [](const LogRow& r) { return r.certificate.ncp_max; }},
    {"penetration", "/penetration", "m", "deepest overlap at the start of the step",
     [](const LogRow& r) { return r.penetration; }},
    {"ncp_mean", "/certificate/ncp_mean", "m/s", "mean natural-map residual of the exact laws",
     [](const LogRow& r) { return r.certificate.ncp_mean; }},
    {"canal", "/certificate/canal", "m/s", "residual of the CANAL paper",
     [](const LogRow& r) { return r.certificate.canal; }},
    {"own_law", "/certificate/own_law", "m/s", "residual of the law that the solver set out to solve",
     [](const LogRow& r) { return r.certificate.own_law; }},
    {"momentum", "/certificate/momentum", "1", "relative momentum error",
     [](const LogRow& r) { return r.certificate.momentum; }},
    {"loop", "/certificate/loop", "m or rad", "largest residual of an equality at the end of the step",
     [](const LogRow& r) { return r.loop; }},
    {"worst_constraint", "/certificate/worst_constraint", "1",
     "constraint with the largest residual, -1: none",
     [](const LogRow& r) -> double { return r.certificate.worst_constraint; }, true},
    {"step_status", "/solver/step_status", "1", "outcome of the step",
     [](const LogRow& r) -> double { return r.step_status; }, true},
    {"solve_status", "/solver/status", "1", "outcome of the solver's own stopping test",
     [](const LogRow& r) -> double { return static_cast<int>(r.solve.status); }, true},
    {"newton_steps", "/solver/newton_steps", "1", "Newton steps",
     [](const LogRow& r) -> double { return r.solve.newton_steps; }, true},
    {"sweeps", "/solver/sweeps", "1", "Gauss-Seidel sweeps",
     [](const LogRow& r) -> double { return r.solve.sweeps; }, true},
    {"factorizations", "/solver/factorizations", "1", "matrix factorizations",
     [](const LogRow& r) -> double { return r.solve.factorizations; }, true},
    {"stage", "/solver/stage", "1", "auto: 0 warm start accepted, 1 sweeps, 2 Newton, 3 retry",
     [](const LogRow& r) -> double { return r.solve.stage; }, true},
    {"limits", "/counts/limits", "1", "joint limits within reach of the step",
     [](const LogRow& r) -> double { return r.num_limits; }, true},
    {"islands", "/counts/islands", "1", "groups of trees coupled by constraints",
     [](const LogRow& r) -> double { return r.num_islands; }, true},
    {"correction", "/correction", "m or rad", "largest displacement that removed penetration",
     [](const LogRow& r) { return r.correction; }},
}};
// The columns that CSV logs had first, and that stand before ctrl.
inline constexpr int kNumLeadingColumns = 4;

// Only with RecordOptions::energy.
inline constexpr std::array<LogColumn, 2> kEnergyColumns{{
    {"kinetic_energy", "/energy/kinetic", "J", "kinetic energy at the end of the step, armature included",
     [](const LogRow& r) { return r.kinetic; }},
    {"potential_energy", "/energy/potential", "J", "of gravity (zero at the world origin) and joint springs",
     [](const LogRow& r) { return r.potential; }},
}};

}  // namespace stiction
