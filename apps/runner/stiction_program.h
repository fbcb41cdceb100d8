// The program `stiction`, without its function main: compiled with the other files that need CLI11.
#pragma once

#include <filesystem>

namespace CLI {
class App;
}

namespace stiction::runner {

// Parses the command line and runs the command. Returns an exit code.
int RunProgram(int argc, char** argv);

// Man pages and completions of `stiction` (manual.h).
//   render  the flags of `stiction render`, which the viewer declares; null: without them
void WriteProgramManual(const std::filesystem::path& folder, const CLI::App* render);

}  // namespace stiction::runner
