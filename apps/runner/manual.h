// Man pages and shell completions, from the flags as the programs declare them.
#pragma once

#include <filesystem>
#include <string>

#include "command.h"

namespace stiction::runner {

// Writes below the folder, which is made, as an installation has it below share/:
//   man/man1/PROGRAM.1, PROGRAM-COMMAND.1          bash-completion/completions/PROGRAM
//   zsh/site-functions/_PROGRAM                    fish/vendor_completions.d/PROGRAM.fish
//   elsewhere  a command that another program carries out and declares, in the place of the one of its name;
//              null: none
// Throws std::runtime_error: a file cannot be written.
void WriteManual(const CLI::App& program, const CLI::App* elsewhere, const std::filesystem::path& folder);

// The flag, for builds, with which the programs write their manual: "--write-manual DIR" alone.
bool IsManualAskedFor(const std::vector<std::string>& arguments);

}  // namespace stiction::runner
