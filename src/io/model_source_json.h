// How logs and states write down where their model came from. Private to io.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "stiction/io/model_source.h"

namespace stiction {

// Under this name: an attribute of HDF5 logs, with the JSON as text; a key of states.
inline constexpr const char* kModelSourceKey = "model_source";

// `path` is that of the log or state: the file is also named as seen from there.
nlohmann::ordered_json ToJson(const ModelSource& source, const std::string& path);

// The opposite, with `file` where it is found: ReadModelMention says which. What is damaged is left out.
ModelSource ReadModelSource(const nlohmann::json& object, const std::string& path);

}  // namespace stiction
