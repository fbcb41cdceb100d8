// Logs and saved states, which are shown with the model that they belong to.
#pragma once

#include <string>

#include "command.h"

namespace stiction::viewer {

// Whether the file is a log or a saved state.
bool IsRecorded(const std::string& path);

// How to load the model of the log or state `path`: the file `model`, or where that is empty the one that the
// log or state names, with the options with which it was read; over these go the ones of `arguments` that are
// given. Throws LoadError, which says what to do: there is no such file, or no file is named.
runner::ModelArguments FindModelOf(const std::string& path, const std::string& model,
                                   const runner::ModelArguments& arguments);

// Where `arguments` name a log or a state: returns its path, and puts its model there instead. Else returns
// nothing, and a `model` is a UsageError.
std::string TakeRecorded(const std::string& model, runner::ModelArguments& arguments);

}  // namespace stiction::viewer
