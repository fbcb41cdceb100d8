// Runs command lines: for tests of what is around the programs (building, installing, documenting).
#pragma once

#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <string>

namespace stiction {

namespace fs = std::filesystem;

struct ShellOutcome {
  int code = -1;
  std::string out;  // and stderr
};

inline ShellOutcome RunShell(const std::string& command) {
  ShellOutcome outcome;
  FILE* pipe = popen(("(" + command + ") 2>&1").c_str(), "r");
  if (!pipe) return outcome;
  char buffer[4096];
  for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) outcome.out.append(buffer, n);
  const int status = pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

inline std::string Quote(const fs::path& path) {
  return "'" + path.string() + "'";
}

}  // namespace stiction
