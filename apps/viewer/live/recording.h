// A log as the viewer plays it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "history.h"
#include "snapshot.h"

namespace stiction::viewer {

// What a log does not hold is NaN, and kNotLogged where it is a count or a status (io/log_reader.h). Energies
// that it does not hold are computed from its q and v, and impacts from its contacts; the poses of mocap
// bodies are those that it recorded.
struct Recording {
  std::string solver;  // empty: not in the log
  std::optional<double> timestep;
  std::optional<Budget> budget;
  bool has_contacts = false;      // their points and forces
  long long budget_misses = 0;    // steps; kNotLogged
  std::vector<Moment> moments{};  // a row each
  std::vector<Sample> samples{};  // the same, for plots
};

// Throws LoadError (io/log_reader.h).
Recording ReadRecording(const std::string& path, const Model& model);

}  // namespace stiction::viewer
