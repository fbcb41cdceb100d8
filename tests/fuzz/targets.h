// The targets by themselves. `path` is where the bytes stand as a file, empty for those that take bytes
// alone.
#pragma once

#include <string>
#include <string_view>

#include "stiction/model/model.h"

namespace stiction::fuzz {

// What loads is written as MJCF, reads back, and is written again as the same text.
void FuzzUrdf(const std::string& path, std::string_view bytes);
void FuzzMjcf(const std::string& path, std::string_view bytes);
#ifdef STICTION_WITH_SDFORMAT
void FuzzSdf(const std::string& path, std::string_view bytes);
#endif
// And its models are built into one.
void FuzzScenario(const std::string& path, std::string_view bytes);

// What is read becomes a hull and a surface.
void FuzzStl(const std::string& path, std::string_view bytes);
void FuzzObj(const std::string& path, std::string_view bytes);
void FuzzMsh(const std::string& path, std::string_view bytes);
void FuzzCollada(const std::string& path, std::string_view bytes);
void FuzzGltf(const std::string& path, std::string_view bytes);

void FuzzPng(const std::string& path, std::string_view bytes);
// MuJoCo's binary height field, in a model.
void FuzzHeightField(const std::string& path, std::string_view bytes);
// What is read has a distance and a gradient everywhere.
void FuzzFieldText(const std::string& path, std::string_view bytes);

// What is read is written and reads back, and the default solver takes it.
void FuzzProblem(const std::string& path, std::string_view bytes);
// What is read steps, where the program has the simulation in it (STICTION_FUZZ_STEPS).
void FuzzState(const std::string& path, std::string_view bytes);
// As rows of the model, and as columns.
void FuzzLog(const std::string& path, std::string_view bytes);

// A small model with one of everything that a state remembers.
Model MakeStateModel();

}  // namespace stiction::fuzz
