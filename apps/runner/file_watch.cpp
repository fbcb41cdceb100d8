#include "file_watch.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <thread>

#include "program.h"

namespace stiction::runner {
namespace {

constexpr std::chrono::milliseconds kPollInterval{250};

std::string ClockTime() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char text[16];
  std::strftime(text, sizeof text, "%H:%M:%S", &local);
  return text;
}

}  // namespace

std::vector<FileWatch::Stamp> FileWatch::ReadStamps() const {
  std::vector<Stamp> stamps;
  for (const std::string& file : files_) {
    std::error_code error;
    Stamp stamp;
    const auto time = std::filesystem::last_write_time(file, error);
    if (!error) stamp.time = time.time_since_epoch().count();
    const auto size = std::filesystem::file_size(file, error);
    if (!error) stamp.size = static_cast<std::int64_t>(size);
    stamps.push_back(stamp);
  }
  return stamps;
}

void FileWatch::Watch(const std::vector<std::string>& files) {
  files_ = files;
  before_ = last_ = ReadStamps();
}

bool FileWatch::HasChanged() {
  const Clock::time_point now = Clock::now();
  if (now < next_) return false;
  next_ = now + kPollInterval;
  const std::vector<Stamp> stamps = ReadStamps();
  const bool is_settled = stamps == last_;
  last_ = stamps;
  return is_settled && stamps != before_;
}

int RunWatching(const std::function<int(FileWatch&)>& command) {
  for (bool is_first = true;; is_first = false) {
    FileWatch watch;
    const int code = Execute([&] { return command(watch); });
    if (code == kInterrupted || code == kTerminated || (is_first && code == kUsage)) return code;
    std::fflush(stdout);
    for (const int taken : {SIGINT, SIGTERM}) std::signal(taken, SIG_DFL);  // a command may have taken it
    std::fprintf(stderr, "watching %zu file%s; Ctrl-C ends\n", watch.num_files(),
                 watch.num_files() == 1 ? "" : "s");
    while (!watch.HasChanged()) std::this_thread::sleep_for(kPollInterval / 2);
    std::fprintf(stderr, "\n--- changed at %s ---\n", ClockTime().c_str());
  }
}

void AddWatchFlag(CLI::App& command, bool& watches) {
  command.add_flag("--watch", watches, "Do it again whenever a file that was read changes, until Ctrl-C");
}

std::vector<std::string> ListReadFiles(const std::string& file, const std::vector<std::string>& inputs,
                                       const ImportReport& report) {
  std::vector<std::string> files{file};
  files.insert(files.end(), inputs.begin(), inputs.end());
  for (const ImportItem& item : report.items) files.push_back(item.file);
  for (std::string& each : files) {
    std::error_code error;
    const auto path = std::filesystem::weakly_canonical(each, error);
    if (!error) each = path.string();
  }
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  files.erase(std::remove(files.begin(), files.end(), ""), files.end());
  return files;
}

}  // namespace stiction::runner
