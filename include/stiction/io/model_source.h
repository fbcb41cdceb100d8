// Where a model came from: what logs and saved states say of it, so that they can be shown without being
// told.
#pragma once

#include <string>

#include "stiction/model/load_error.h"
#include "stiction/scenario/model_source.h"

namespace stiction {

// What a file is, told by what is in it, not by its name.
enum class FileKind {
  kUnknown,   // none of these, or not to be read
  kModel,     // URDF, MJCF, SDFormat
  kScenario,  // io/scenario.h
  kLog,       // io/log.h
  kState,     // io/state_file.h
  kProblem,   // io/problem_file.h
};

// Looks at the beginning of the file, and throws nothing: what is wrong with it is for its reader to say.
FileKind FindFileKind(const std::string& path);

// What a log or a saved state says of its model.
struct ModelMention {
  std::string name;    // of the model; empty: a CSV log, which says nothing
  ModelSource source;  // its file is where it was when this was written, or at the same place as seen from
                       // the log or state, if only there; as it was written if it is at neither
};
// Throws LoadError: neither a log nor a state, or not to be read.
ModelMention ReadModelMention(const std::string& path);

}  // namespace stiction
