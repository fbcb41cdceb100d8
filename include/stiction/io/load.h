// Loads model files. The kind of a file is its root element: <robot> is URDF, <mujoco> is MJCF.
#pragma once

#include <optional>
#include <string>

#include "stiction/io/import_report.h"
#include "stiction/io/load_error.h"
#include "stiction/model/model.h"

namespace stiction {

struct LoadOptions {
  // URDF: the root link moves freely. With `ground`, the model is lifted so that its lowest point is 1 mm
  // above it. A URDF whose root link is called "world" keeps it fixed, and it is its children that are
  // freed... which is refused with a LoadError when there are several.
  bool floating_base = false;
  // Adds the plane z = *ground with friction 1.
  std::optional<double> ground;
};

// Throws LoadError. `report`, where given, receives what was approximated and ignored (and what was
// honoured).
Model LoadModel(const std::string& path, const LoadOptions& options = {}, ImportReport* report = nullptr);

}  // namespace stiction
