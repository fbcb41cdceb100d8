#include "stiction_program.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "program.h"

namespace stiction::runner {
namespace {

// CLI11 would only say that a command is required.
bool IsOptionOrCommand(const CLI::App& app, const std::string& word) {
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  return word.starts_with('-') || std::any_of(commands.begin(), commands.end(), [&](const CLI::App* command) {
           return command->check_name(word);
         });
}

}  // namespace

int RunProgram(int argc, char** argv) {
  CLI::App app{"Stiction: rigid multibody physics with certified contact.", "stiction"};
  app.require_subcommand(1);
  app.set_version_flag("--version", "stiction " STICTION_VERSION);
  app.footer(
      "Exit codes: 0 ok; 1 an expectation or the accuracy budget given was missed, or a solver that was "
      "named did not converge;\n"
      "2 usage; 3 bad input file; 4 the simulation diverged; "
      "130 interrupted by Ctrl-C.");
  Command command;
  AddRunCommand(app, command);
  AddInspectCommand(app, command);
  AddConvertCommand(app, command);
  AddSolveCommand(app, command);
  AddListCommand(app, command);
  AddRenderCommand(app, command);
  AddBenchCommand(app, command);
  AddSweepCommand(app, command);

  std::vector<std::string> arguments = CompleteArguments({argv + 1, argv + argc});
  if (!arguments.empty() && !IsOptionOrCommand(app, arguments[0]))
    return Fail("there is no command '" + arguments[0] + "' (see `stiction --help`)", kUsage);
  return ParseAndExecute(app, std::move(arguments), command);
}

}  // namespace stiction::runner
