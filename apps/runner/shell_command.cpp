#include "shell_command.h"

#include <sys/wait.h>

#include <cstdio>

namespace stiction::runner {

std::string QuoteForShell(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

CommandAnswer RunCommand(const std::string& folder, const std::vector<std::string>& words) {
  std::string line = "cd " + QuoteForShell(folder) + " &&";
  for (const std::string& word : words) line += " " + QuoteForShell(word);
  std::FILE* pipe = popen((line + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return {-1, "no process could be started"};
  std::string text;
  char buffer[4096];
  for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text};
}

}  // namespace stiction::runner
