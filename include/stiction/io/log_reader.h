// Reads logs back: what io/log.h writes.
#pragma once

#include <string>
#include <vector>

#include "stiction/io/load_error.h"
#include "stiction/io/log.h"
#include "stiction/model/model.h"

namespace stiction {

// The rows of a log of this model, in order: time, q, v, ctrl, counts, certificate and penetration; from HDF5
// also the contacts where they were recorded, with geoms as the model numbers them. All else keeps its
// default. An incomplete last line of a CSV file, as a killed writer leaves it, is left out. Throws
// LoadError: not a log, or one of a model of other sizes.
std::vector<LogRow> ReadLog(const std::string& path, const Model& model);

}  // namespace stiction
