#include "program.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <new>

#include "suggestion.h"

namespace stiction::runner {

int Fail(const std::string& message, int code) {
  std::fprintf(stderr, "error: %s\n", message.c_str());
  return code;
}

void WarnOfLosses(const ImportReport& report) {
  for (const std::string& line : DescribeLosses(report)) std::fprintf(stderr, "warning: %s\n", line.c_str());
}

namespace {

// Of a file that is not there: a like name that is, or the scene that was meant.
std::string SuggestFile(const std::string& file) {
  std::error_code error;
  if (file.empty() || std::filesystem::exists(file, error)) return "";
  if (const std::size_t colon = file.find(':'); colon != std::string::npos)
    if (const std::string kind = FindNearest(file.substr(0, colon), {"scene"}); !kind.empty())
      return "; did you mean '" + kind + file.substr(colon) + "'?";
  const std::string nearest = FindNearestFile(file);
  return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

// The command whose arguments were parsed; the program itself where there is none.
const CLI::App& FindParsed(const CLI::App& app) {
  const std::vector<CLI::App*> parsed = app.get_subcommands();
  return parsed.empty() ? app : *parsed.front();
}

std::string FullName(const CLI::App& app) {
  return app.get_parent() ? app.get_parent()->get_name() + " " + app.get_name() : app.get_name();
}

// What was left over: a flag that the command does not know, or else what CLI11 says.
std::string DescribeExtras(const CLI::App& app, const std::string& message) {
  std::vector<std::string> known;
  for (const CLI::Option* option : FindParsed(app).get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  for (const std::string& word : app.remaining(true)) {
    if (!word.starts_with('-') || word == "--") continue;
    const std::string flag = word.substr(0, word.find('='));
    return "there is no flag '" + flag + "'" + DidYouMean(flag, known);
  }
  return message;
}

}  // namespace

int Execute(const Command& command) {
  try {
    return command();
  } catch (const UsageError& error) {
    return Fail(error.what(), kUsage);
  } catch (const LoadError& error) {
    return Fail(error.what() + SuggestFile(error.file()), kBadInput);
  } catch (const std::bad_alloc&) {
    return Fail("not enough memory for this input", kBadInput);
  } catch (const std::exception& error) {
    return Fail(error.what(), kUsage);
  }
}

namespace {

// --log "" or --log=: what was asked for would not be done, and nobody told. The values of a model may be
// none.
std::string DescribeEmpty(const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    const std::string& text = arguments[i];
    const bool is_flag = text.starts_with("--") && text.find('=') == text.size() - 1;
    if (!text.empty() && !is_flag) continue;
    const std::string name = is_flag ? text.substr(0, text.size() - 1) : i > 0 ? arguments[i - 1] : "";
    if (name == "--qpos" || name == "--qvel") continue;
    return (name.starts_with("-") ? name + ": is empty" : "an argument is empty") +
           "; is a variable of the shell not set?";
  }
  return "";
}

}  // namespace

int ParseAndExecute(CLI::App& app, std::vector<std::string> arguments, const Command& command) {
  if (const std::string empty = DescribeEmpty(arguments); !empty.empty()) return Fail(empty, kUsage);
  try {
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
    app.parse(std::move(arguments));
  } catch (const CLI::ExtrasError& error) {
    return Fail(DescribeExtras(app, error.what()) + " (see `" + FullName(FindParsed(app)) + " --help`)",
                kUsage);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return Fail(std::string(error.what()) + " (see `" + FullName(FindParsed(app)) + " --help`)", kUsage);
  }
  return Execute(command);
}

}  // namespace stiction::runner
