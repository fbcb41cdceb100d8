// Reads logs back: what io/log.h writes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stiction/io/log.h"
#include "stiction/model/load_error.h"
#include "stiction/model/model.h"

namespace stiction {

// What the log does not hold is not made up: a number is NaN, a count, status or index kNotLogged.
inline constexpr int kNotLogged = -1;

struct Log {
  // Of the file; empty or without a value: not in the log, as always in CSV.
  std::string model, solver;
  std::optional<double> timestep;  // [s]
  std::optional<Budget> budget;
  bool has_contacts = false;        // LogRow::contacts: not only their number
  bool has_pulls = false;           // LogRow::pull; else nothing is known of them
  std::vector<std::string> phases;  // of LogRow::phases, "total" among them
  std::vector<LogRow> rows;         // in order; without sensors and poses
};

// A log of this model. Its format is told by what is in it; geoms are as the model numbers them. An
// incomplete last line of a CSV file, as a killed writer leaves it, is left out. Throws LoadError: not a log,
// or one of a model of other sizes.
Log ReadLog(const std::string& path, const Model& model);

}  // namespace stiction
