#include "stiction_program.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "build_info.h"
#include "manual.h"
#include "program.h"
#include "suggestion.h"

namespace stiction::runner {
namespace {

void AddCommands(CLI::App& app, Command& command) {
  app.require_subcommand(1);
  app.set_version_flag("--version", DescribeBuild("stiction"), "Version, commit, compiler and options");
  app.footer(
      "Exit codes: 0 ok; 1 an expectation or the accuracy budget given was missed, or a solver that was "
      "named did not converge;\n"
      "2 usage; 3 bad input file; 4 the simulation diverged; "
      "130 interrupted by Ctrl-C.");
  AddRunCommand(app, command);
  AddInspectCommand(app, command);
  AddConvertCommand(app, command);
  AddSolveCommand(app, command);
  AddPlotCommand(app, command);
  AddListCommand(app, command);
  AddRenderCommand(app, command);
  AddBenchCommand(app, command);
  AddSweepCommand(app, command);
}

constexpr const char* kAbout = "Stiction: rigid multibody physics with certified contact.";

// What people type before they know the flags: nothing at all, or a word in their place.
std::vector<std::string> TakeWords(std::vector<std::string> arguments) {
  if (arguments.empty()) return arguments;
  if (arguments[0] == "version") arguments[0] = "--version";
  if (arguments[0] != "help") return arguments;
  arguments.erase(arguments.begin());
  arguments.resize(std::min<std::size_t>(arguments.size(), 1));
  arguments.push_back("--help");
  return arguments;
}

// Throws UsageError where the word is no command: CLI11 would only say that one is required.
void CheckCommand(const CLI::App& app, const std::string& word) {
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    known.push_back(command->get_name());
  if (word.starts_with('-') || std::find(known.begin(), known.end(), word) != known.end()) return;
  const bool is_view = word.starts_with("view");
  throw UsageError("there is no command '" + word + "'" +
                   (is_view ? "; `stiction-view FILE` opens a window" : DidYouMean(word, known)) +
                   " (see `stiction --help`)");
}

}  // namespace

void WriteProgramManual(const std::filesystem::path& folder, const CLI::App* render) {
  CLI::App app{kAbout, "stiction"};
  Command command;
  AddCommands(app, command);
  WriteManual(app, render, folder);
}

int RunProgram(int argc, char** argv) {
  CLI::App app{kAbout, "stiction"};
  Command command;
  AddCommands(app, command);
  std::vector<std::string> arguments = CompleteArguments(TakeWords({argv + 1, argv + argc}));
  if (arguments.empty()) {
    std::fputs(app.help().c_str(), stderr);
    return kUsage;
  }
  if (IsManualAskedFor(arguments)) {
    return Execute([&] {
      WriteProgramManual(arguments[1], nullptr);
      return kOk;
    });
  }
  const int code = Execute([&] {
    CheckCommand(app, arguments[0]);
    return kOk;
  });
  if (code != kOk) return code;
  return ParseAndExecute(app, std::move(arguments), command);
}

}  // namespace stiction::runner
