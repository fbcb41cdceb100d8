// Where a model came from, as plain data: logs and saved states say it (io/model_source.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stiction/model/model_repairs.h"

namespace stiction {

// A file, and with which options it was read: those of a model (io/load.h), or those that take the place of a
// scenario's own.
struct ModelSource {
  std::string file;  // absolute; or a text that is none, as of a scene in code; empty: not known
  bool floating_base = false;
  std::optional<double> ground{};  // [m]
  std::vector<std::string> package_paths{};
  std::string contact{};  // "rigid" or "soft"; empty: as in the file
  ModelRepairs repairs{};
  std::vector<std::string> xacro_arguments{};

  bool operator==(const ModelSource&) const = default;
};

}  // namespace stiction
