// The quantities of a log row that are one number, for both formats. Private to io.
#pragma once

#include <array>
#include <string_view>
#include <type_traits>
#include <utility>

#include "stiction/io/log.h"

namespace stiction {

struct LogColumn {
  std::string_view name;  // the column in CSV
  const char* path;       // the dataset in HDF5
  const char* unit;       // SI; "1" without dimension
  const char* description;
  double (*value)(const LogRow&);
  void (*set)(double, LogRow&);
  bool is_integer;  // or the number of an enumerator
};

// The member of a row to which the chain of members leads: <&LogRow::solve, &SolveReport::sweeps>.
template <auto... members>
constexpr LogColumn MakeLogColumn(std::string_view name, const char* path, const char* unit,
                                  const char* description) {
  using Value = std::remove_reference_t<decltype((std::declval<LogRow&>().*....*members))>;
  return {name,
          path,
          unit,
          description,
          [](const LogRow& row) { return static_cast<double>((row.*....*members)); },
          [](double value, LogRow& row) { (row.*....*members) = static_cast<Value>(value); },
          !std::is_floating_point_v<Value>};
}

// To log another quantity: a member of LogRow, its line here, and where the Recorder fills it.
inline constexpr std::array<LogColumn, 21> kLogColumns{{
    MakeLogColumn<&LogRow::num_contacts>("contacts", "/counts/contacts", "1",
                                         "contact constraints, open ones included"),
    MakeLogColumn<&LogRow::solve, &SolveReport::iterations>(
        "iterations", "/solver/iterations", "1",
        "Newton steps plus sweeps, or what the method counts, of the island with the most"),
    MakeLogColumn<&LogRow::certificate, &Certificate::ncp_max>(
        "ncp_max", "/certificate/ncp_max", "m/s", "largest natural-map residual of the exact laws"),
    MakeLogColumn<&LogRow::penetration>("penetration", "/penetration", "m",
                                        "deepest overlap at the start of the step"),
    MakeLogColumn<&LogRow::certificate, &Certificate::ncp_mean>(
        "ncp_mean", "/certificate/ncp_mean", "m/s", "mean natural-map residual of the exact laws"),
    MakeLogColumn<&LogRow::certificate, &Certificate::canal>("canal", "/certificate/canal", "m/s",
                                                             "residual of the CANAL paper"),
    MakeLogColumn<&LogRow::certificate, &Certificate::own_law>(
        "own_law", "/certificate/own_law", "m/s", "residual of the law that the solver set out to solve"),
    MakeLogColumn<&LogRow::certificate, &Certificate::momentum>("momentum", "/certificate/momentum", "1",
                                                                "relative momentum error"),
    MakeLogColumn<&LogRow::loop>("loop", "/certificate/loop", "m or rad",
                                 "largest residual of an equality at the end of the step"),
    MakeLogColumn<&LogRow::certificate, &Certificate::worst_constraint>(
        "worst_constraint", "/certificate/worst_constraint", "1",
        "constraint with the largest residual, -1: none"),
    MakeLogColumn<&LogRow::step_status>("step_status", "/solver/step_status", "1", "outcome of the step"),
    MakeLogColumn<&LogRow::solve, &SolveReport::status>("solve_status", "/solver/status", "1",
                                                        "outcome of the solver's own stopping test"),
    MakeLogColumn<&LogRow::solve, &SolveReport::newton_steps>("newton_steps", "/solver/newton_steps", "1",
                                                              "Newton steps"),
    MakeLogColumn<&LogRow::solve, &SolveReport::sweeps>("sweeps", "/solver/sweeps", "1",
                                                        "Gauss-Seidel sweeps"),
    MakeLogColumn<&LogRow::solve, &SolveReport::factorizations>("factorizations", "/solver/factorizations",
                                                                "1", "matrix factorizations"),
    MakeLogColumn<&LogRow::solve, &SolveReport::iterations_sum>("iterations_sum", "/solver/iterations_sum",
                                                                "1", "iterations over all islands"),
    MakeLogColumn<&LogRow::solve, &SolveReport::stage>(
        "stage", "/solver/stage", "1", "auto: 0 warm start accepted, 1 sweeps, 2 Newton, 3 retry, 4 walk"),
    MakeLogColumn<&LogRow::num_limits>("limits", "/counts/limits", "1",
                                       "joint limits within reach of the step"),
    MakeLogColumn<&LogRow::num_islands>("islands", "/counts/islands", "1",
                                        "groups of trees coupled by constraints"),
    MakeLogColumn<&LogRow::correction>("correction", "/correction", "m or rad",
                                       "largest displacement that removed penetration"),
    MakeLogColumn<&LogRow::num_parts>("parts", "/counts/parts", "1",
                                      "into which the step was divided; the certificate is the worst of all"),
}};
// The columns that CSV logs had first, and that stand before ctrl.
inline constexpr int kNumLeadingColumns = 4;

// Only with RecordOptions::energy.
inline constexpr std::array<LogColumn, 2> kEnergyColumns{{
    MakeLogColumn<&LogRow::kinetic>("kinetic_energy", "/energy/kinetic", "J",
                                    "kinetic energy at the end of the step, armature included"),
    MakeLogColumn<&LogRow::potential>("potential_energy", "/energy/potential", "J",
                                      "of gravity (zero at the world origin) and joint springs"),
}};

// An entry of a vector of the row's pull.
template <Vector3d LogPull::*member, int axis>
constexpr LogColumn MakePullColumn(std::string_view name, const char* path, const char* unit,
                                   const char* description) {
  return {name,
          path,
          unit,
          description,
          [](const LogRow& row) { return (row.pull.*member)[axis]; },
          [](double value, LogRow& row) { (row.pull.*member)[axis] = value; },
          false};
}

// Only with RecordOptions::pulls.
inline constexpr std::array<LogColumn, 10> kPullColumns{{
    MakeLogColumn<&LogRow::pull, &LogPull::body>("pull_body", "/pull/body", "1",
                                                 "body at which a user pulled, of /names/bodies; -1: none"),
    MakePullColumn<&LogPull::p_W, 0>("pull_x", "/pull/x", "m", "where, in world axes"),
    MakePullColumn<&LogPull::p_W, 1>("pull_y", "/pull/y", "m", "where, in world axes"),
    MakePullColumn<&LogPull::p_W, 2>("pull_z", "/pull/z", "m", "where, in world axes"),
    MakePullColumn<&LogPull::force_W, 0>("pull_fx", "/pull/fx", "N", "force of the pull"),
    MakePullColumn<&LogPull::force_W, 1>("pull_fy", "/pull/fy", "N", "force of the pull"),
    MakePullColumn<&LogPull::force_W, 2>("pull_fz", "/pull/fz", "N", "force of the pull"),
    MakePullColumn<&LogPull::torque_W, 0>("pull_mx", "/pull/mx", "N.m", "moment of the pull"),
    MakePullColumn<&LogPull::torque_W, 1>("pull_my", "/pull/my", "N.m", "moment of the pull"),
    MakePullColumn<&LogPull::torque_W, 2>("pull_mz", "/pull/mz", "N.m", "moment of the pull"),
}};

}  // namespace stiction
