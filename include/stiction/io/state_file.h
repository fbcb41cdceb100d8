// States in files: JSON with every bit of every number, so that loading continues the simulation exactly.
#pragma once

#include <string>

#include "stiction/io/model_source.h"
#include "stiction/model/state.h"

namespace stiction {

// With where the model came from, if that is known: ReadModelMention (io/model_source.h) finds it again.
// Throws std::runtime_error if the file cannot be written.
void WriteState(const std::string& path, const Model& model, const State& state,
                const ModelSource& source = {});

// Throws LoadError: not a state, or one of a model of another size.
State ReadState(const std::string& path, const Model& model);

}  // namespace stiction
