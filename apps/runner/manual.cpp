#include "manual.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>

#include "manual_pages.h"

namespace stiction::runner {
namespace {

// "a", "b" of the check "{a,b}" that stands in a type's name.
std::vector<std::string> ListValueChoices(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{'), close = type.find('}');
  if (open == std::string::npos || close == std::string::npos) return {};
  return SplitCommas(type.substr(open + 1, close - open - 1));
}

// Words that are known here though the flag takes any text, for its command says more than "no".
std::vector<std::string> ListKnownWords(const std::string& flag) {
  std::vector<std::string> words;
  if (flag == "--solver") {
    for (const SolverEntry& entry : ListSolvers()) words.emplace_back(entry.name);
  }
  return words;
}

ManualOption DescribeOption(const CLI::Option& option) {
  ManualOption out;
  for (const std::string& name : option.get_snames()) out.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) out.names.push_back("--" + name);
  if (out.names.empty()) out.names.push_back(option.get_single_name());
  out.is_positional = option.get_positional();
  out.takes_value = option.get_items_expected_max() > 0;
  out.value = option.get_option_text();
  if (out.value.empty() && out.takes_value && !out.is_positional) out.value = "VALUE";
  out.description = option.get_description();
  out.choices = ListValueChoices(option);
  if (out.choices.empty()) out.choices = ListKnownWords(out.names.back());
  return out;
}

ManualCommand DescribeCommand(const CLI::App& app) {
  ManualCommand command{.name = app.get_name(), .description = app.get_description()};
  command.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty()) command.options.push_back(DescribeOption(*option));
  }
  // What stands in a place of its own comes first.
  std::stable_partition(command.options.begin(), command.options.end(),
                        [](const ManualOption& option) { return option.is_positional; });
  return command;
}

void WriteManualFile(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path.string());
}

}  // namespace

bool IsManualAskedFor(const std::vector<std::string>& arguments) {
  return arguments.size() == 2 && arguments[0] == "--write-manual";
}

void WriteManual(const CLI::App& program, const CLI::App* elsewhere, const std::filesystem::path& folder) {
  ManualProgram manual{.main = DescribeCommand(program)};
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
    manual.commands.push_back(
        DescribeCommand(elsewhere && elsewhere->get_name() == command->get_name() ? *elsewhere : *command));
  for (const SceneEntry& entry : ListScenes()) manual.inputs.push_back("scene:" + std::string(entry.name));
  const std::string& name = manual.main.name;
  WriteManualFile(folder / "man/man1" / (name + ".1"), MakeManPage(manual, nullptr));
  for (const ManualCommand& command : manual.commands)
    WriteManualFile(folder / "man/man1" / (name + "-" + command.name + ".1"), MakeManPage(manual, &command));
  WriteManualFile(folder / "bash-completion/completions" / name, MakeBashCompletion(manual));
  WriteManualFile(folder / "zsh/site-functions" / ("_" + name), MakeZshCompletion(manual));
  WriteManualFile(folder / "fish/vendor_completions.d" / (name + ".fish"), MakeFishCompletion(manual));
}

}  // namespace stiction::runner
