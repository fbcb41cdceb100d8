// What the programs' main functions share: one place decides which exit code an error has.
#pragma once

#include "command.h"

namespace stiction::runner {

// "error: MESSAGE" on standard error; returns `code`.
int Fail(const std::string& message, int code);

// Says on standard error, a line each, what physical parts of the file the simulation goes without.
void WarnOfLosses(const ImportReport& report);

// Runs the command; errors become messages and exit codes.
int Execute(const Command& command);

// Parses the arguments, without the program's name, and runs what they ask for.
int ParseAndExecute(CLI::App& app, std::vector<std::string> arguments, const Command& command);

}  // namespace stiction::runner
