// `stiction render`: hands its arguments to `stiction-view --render`, which stands beside this program.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "command.h"

namespace stiction::runner {
namespace {

int RunViewer(const std::vector<std::string>& arguments) {
  const std::filesystem::path viewer =
      std::filesystem::read_symlink("/proc/self/exe").parent_path() / "stiction-view";
  std::vector<char*> argv;
  std::string name = "stiction render", flag = "--render";
  argv.push_back(name.data());
  argv.push_back(flag.data());
  std::vector<std::string> copies = arguments;
  for (std::string& argument : copies) argv.push_back(argument.data());
  argv.push_back(nullptr);
  execv(viewer.c_str(), argv.data());
  throw UsageError(viewer.string() + ": " + std::strerror(errno) +
                   "; this build has no viewer (CMake option STICTION_WITH_VIEWER)");
}

}  // namespace

void AddRenderCommand(CLI::App& app, Command& command) {
  CLI::App* render = app.add_subcommand("render", "Write a picture or a video of a simulation");
  render->set_help_flag();
  render->prefix_command();
  render->callback(
      [&command, render] { command = [arguments = render->remaining()] { return RunViewer(arguments); }; });
}

}  // namespace stiction::runner
