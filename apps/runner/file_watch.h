// --watch: a command again whenever its files change.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "command.h"

namespace stiction::runner {

// Tells by size and time of change; of files that are not there, that they came.
class FileWatch {
 public:
  // From now on these, as they are now.
  void Watch(const std::vector<std::string>& files);
  // Whether any has changed since Watch(), and is no more being written. Looks at the files four times a
  // second at most, and says no in between.
  bool HasChanged();
  std::size_t num_files() const { return files_.size(); }

 private:
  using Clock = std::chrono::steady_clock;
  struct Stamp {
    std::int64_t time = 0, size = -1;
    bool operator==(const Stamp&) const = default;
  };
  std::vector<Stamp> ReadStamps() const;

  std::vector<std::string> files_;
  std::vector<Stamp> before_, last_;
  Clock::time_point next_{};
};

// Runs the command, which says which files it read, then again whenever one of them changes, until Ctrl-C.
// What is wrong with a file is told, and waits for the next change; a usage error of the first run ends it.
//   command  receives the watch, whose files it sets; that may be before it throws
int RunWatching(const std::function<int(FileWatch&)>& command);

// --watch, and what it cannot do.
inline constexpr const char* kNothingToWatch = "--watch: a scene built in code has no file";
void AddWatchFlag(CLI::App& command, bool& watches);

// The file, those that `inputs` names, and those that the report speaks of: what was read, as far as it is
// known.
std::vector<std::string> ListReadFiles(const std::string& file, const std::vector<std::string>& inputs,
                                       const ImportReport& report);

}  // namespace stiction::runner
