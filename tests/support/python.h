// Runs Python scripts, for tests that read files the way users do.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace stiction::testing {

// The system's Python, for which Debian packages h5py; another one first in the path may lack it.
inline constexpr const char* kPython = "/usr/bin/python3";

struct PythonResult {
  int code = -1;
  std::string out;  // and stderr
};

// Runs `script` in `folder`, with words for sys.argv[1:].
inline PythonResult RunPython(const std::string& script, const std::filesystem::path& folder,
                              const std::string& arguments = "") {
  static int count = 0;
  const std::filesystem::path file =
      folder / ("script" + std::to_string(getpid()) + "_" + std::to_string(count++) + ".py");
  std::ofstream(file) << script;
  const std::string command =
      "cd '" + folder.string() + "' && " + kPython + " '" + file.string() + "' " + arguments + " 2>&1";
  PythonResult result;
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return result;
  char buffer[4096];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) result.out.append(buffer, n);
  const int status = pclose(pipe);
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

// "import h5py, matplotlib" works.
inline bool HasPythonModules(const std::string& modules) {
  return RunPython("import " + modules, ::testing::TempDir()).code == 0;
}

}  // namespace stiction::testing
