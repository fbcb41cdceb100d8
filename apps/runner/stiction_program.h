// The program `stiction`, without its function main: compiled with the other files that need CLI11.
#pragma once

namespace stiction::runner {

// Parses the command line and runs the command. Returns an exit code.
int RunProgram(int argc, char** argv);

}  // namespace stiction::runner
