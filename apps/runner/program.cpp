#include "program.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <new>

namespace stiction::runner {

int Fail(const std::string& message, int code) {
  std::fprintf(stderr, "error: %s\n", message.c_str());
  return code;
}

void WarnOfLosses(const ImportReport& report) {
  for (const std::string& line : DescribeLosses(report)) std::fprintf(stderr, "warning: %s\n", line.c_str());
}

int Execute(const Command& command) {
  try {
    return command();
  } catch (const UsageError& error) {
    return Fail(error.what(), kUsage);
  } catch (const LoadError& error) {
    return Fail(error.what(), kBadInput);
  } catch (const std::bad_alloc&) {
    return Fail("not enough memory for this input", kBadInput);
  } catch (const std::exception& error) {
    return Fail(error.what(), kUsage);
  }
}

int ParseAndExecute(CLI::App& app, std::vector<std::string> arguments, const Command& command) {
  try {
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return Fail(std::string(error.what()) + " (see `" + app.get_name() + " --help`)", kUsage);
  }
  return Execute(command);
}

}  // namespace stiction::runner
