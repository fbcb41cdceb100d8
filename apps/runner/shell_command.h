// Other programs, run through the shell.
#pragma once

#include <string>
#include <vector>

namespace stiction::runner {

struct CommandAnswer {
  int code;          // -1: none could be started, or a signal ended it
  std::string text;  // standard output and standard error
};

// One word of a shell's command, whatever is in it.
std::string QuoteForShell(const std::string& text);

// Runs the words as a command in a folder.
CommandAnswer RunCommand(const std::string& folder, const std::vector<std::string>& words);

}  // namespace stiction::runner
