#include "sweep_record.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "command.h"

namespace stiction::runner {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCase = "case";
constexpr const char* kSuffix = ".jsonl";

std::string RecordPath(const std::string& table, SweepPart part) {
  if (part.count == 1) return table + ".cases" + kSuffix;
  return table + ".cases-" + std::to_string(part.number) + "-of-" + std::to_string(part.count) + kSuffix;
}

// Of all parts, in the order of their names.
std::vector<std::string> FindRecords(const std::string& table) {
  const std::string prefix = fs::path(table).filename().string() + ".cases";
  const fs::path folder = fs::path(table).parent_path();
  std::vector<std::string> records;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, error)) {
    const std::string name = entry.path().filename();
    if (name.starts_with(prefix) && name.ends_with(kSuffix)) records.push_back(folder / name);
  }
  std::sort(records.begin(), records.end());
  return records;
}

std::string ReadWhole(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(text).str();
}

// The lines that are finished.
std::vector<std::string> ReadLines(const std::string& path) {
  const std::string text = ReadWhole(path);
  std::vector<std::string> lines;
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines.push_back(text.substr(begin, end - begin));
  return lines;
}

Json ParseLine(const std::string& path, std::size_t number, const std::string& line) {
  Json object = Json::parse(line, nullptr, false);
  if (object.is_object()) return object;
  throw UsageError(path + ":" + std::to_string(number) +
                   ": not a line of a sweep's record; repair it or take it out");
}

void CheckSweep(const std::string& path, const Json& found, const Json& sweep) {
  if (found == sweep) return;
  for (const auto& [key, value] : sweep.items()) {
    if (found.contains(key) && found[key] == value) continue;
    throw UsageError(path + " is the record of another run: `" + key + "` was " +
                     (found.contains(key) ? found[key].dump() : "nothing") + " and is " + value.dump() +
                     "; name another --out, or delete the record to begin anew");
  }
  throw UsageError(path + " is the record of another run; name another --out, or delete it to begin anew");
}

bool IsLocked(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool is_locked = flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close(file);
  return is_locked;
}

[[noreturn]] void FailLocked(const std::string& path) {
  throw UsageError(path + ": another process is writing it; wait for it, or name another --out");
}

}  // namespace

FinishedCases ReadRecords(const std::string& table, const Json& sweep) {
  FinishedCases cases;
  for (const std::string& path : FindRecords(table)) {
    const std::vector<std::string> lines = ReadLines(path);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      Json line = ParseLine(path, i + 1, lines[i]);
      if (i == 0) {
        CheckSweep(path, line, sweep);
        continue;
      }
      if (!line.contains(kCase) || !line[kCase].is_number_integer())
        throw UsageError(path + ":" + std::to_string(i + 1) + ": there is no number of a case");
      const long long number = line[kCase];
      cases.insert_or_assign(number, std::move(line));
    }
  }
  return cases;
}

SweepRecord::SweepRecord(const std::string& table, const Json& sweep, SweepPart part)
    : path_(RecordPath(table, part)) {
  if (part.count == 1) {
    for (const std::string& record : FindRecords(table)) {
      if (IsLocked(record)) FailLocked(record);
    }
  }
  file_ = open(path_.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) throw UsageError("--out: cannot write " + path_ + ": " + std::strerror(errno));
  if (flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    close(file_);
    FailLocked(path_);
  }
  const std::string text = ReadWhole(path_);
  const bool has_cases = std::count(text.begin(), text.end(), '\n') > 1;
  const std::size_t finished = has_cases ? text.rfind('\n') + 1 : 0;
  if (finished < text.size() && ftruncate(file_, static_cast<off_t>(finished)) != 0) {
    close(file_);
    throw UsageError("--out: cannot cut the last line of " + path_ + ": " + std::strerror(errno));
  }
  if (finished == 0) Write(sweep);
}

SweepRecord::~SweepRecord() {
  if (file_ >= 0) close(file_);
}

void SweepRecord::Append(long long index, const Json& row) {
  Json line{{kCase, index}};
  line.update(row);
  const std::lock_guard lock(mutex_);
  Write(line);
}

void SweepRecord::Write(const Json& line) {
  const std::string text = line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  const ssize_t written = write(file_, text.data(), text.size());
  if (written == static_cast<ssize_t>(text.size())) return;
  throw std::runtime_error("cannot write " + path_ + ": " +
                           (written < 0 ? std::strerror(errno) : "there is no more room"));
}

}  // namespace stiction::runner
