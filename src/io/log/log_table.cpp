#include "stiction/io/log_table.h"

#include <fstream>
#include <string_view>

#include "io/log/columns.h"
#include "io/log/csv_table.h"
#include "io/log/log_table_source.h"

namespace stiction {
namespace {

constexpr const char* kPoseEnds[] = {".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz"};

bool EndsWith(std::string_view text, std::string_view end) {
  return text.size() > end.size() && text.ends_with(end);
}

// A column of the log's own, phases and the energy's.
std::optional<LogSeries> FindKnownColumn(const std::string& title) {
  for (const LogColumn& column : kLogColumns)
    if (title == column.name) return LogSeries{title, column.unit, column.description};
  for (const LogColumn& column : kEnergyColumns)
    if (title == column.name) return LogSeries{title, column.unit, column.description};
  for (const LogColumn& column : kPullColumns)
    if (title == column.name) return LogSeries{title, column.unit, column.description};
  if (title == "step_us") return LogSeries{title, "µs", "wall time of the step"};
  if (title.ends_with("_us")) return LogSeries{title, "µs", "wall time of this part of the step"};
  return {};
}

bool IsOfModel(const std::string& title) {
  return IsEntryTitle(title, "q") || IsEntryTitle(title, "v") || IsEntryTitle(title, "ctrl") ||
         title.starts_with("sensor.");
}

// Whether the titles from i on are those of a pose.
bool IsPose(const std::vector<std::string>& titles, std::size_t i) {
  if (i + std::size(kPoseEnds) > titles.size() || !EndsWith(titles[i], kPoseEnds[0])) return false;
  const std::string body = titles[i].substr(0, titles[i].size() - 2);
  for (std::size_t k = 0; k < std::size(kPoseEnds); ++k)
    if (titles[i + k] != body + kPoseEnds[k]) return false;
  return !IsOfModel(titles[i]);
}

bool IsHdf5(const std::string& path) {
  char start[8] = {};
  return std::ifstream(path, std::ios::binary).read(start, sizeof start) &&
         std::string_view(start, sizeof start) == std::string_view("\x89HDF\r\n\x1a\n", 8);
}

}  // namespace

std::string UnitOfEntry(const std::string& name, const std::string& rate) {
  const auto is_one_of = [&](std::initializer_list<const char*> ends) {
    for (const char* end : ends)
      if (EndsWith(name, end)) return true;
    return false;
  };
  if (is_one_of({".qw", ".qx", ".qy", ".qz"})) return "1";
  if (is_one_of({".x", ".y", ".z", ".vx", ".vy", ".vz"})) return "m" + rate;
  if (is_one_of({".wx", ".wy", ".wz"})) return "rad" + rate;
  return "m" + rate + " or rad" + rate;
}

class LogTable::CsvSource final : public LogTable::Source {
 public:
  explicit CsvSource(const std::string& path) {
    CsvLogReader reader(path);
    titles_ = reader.titles();
    values_.resize(titles_.size());
    for (std::vector<double> row; reader.Next(row);)
      for (std::size_t i = 0; i < row.size(); ++i) values_[i].push_back(row[i]);
  }

  void Describe(LogTable& out) override {
    const std::vector<std::string>& titles = titles_;
    std::size_t pose_end = 0;
    for (std::size_t i = 0; i < titles.size(); ++i) {
      if (titles[i] == "time") {
        time(out) = values_[i];
        continue;
      }
      if (i >= pose_end && IsPose(titles, i)) pose_end = i + std::size(kPoseEnds);
      series(out).push_back(DescribeColumn(titles[i], i < pose_end));
      columns_.push_back(i);
      if (titles[i] == "kinetic_energy") kinetic_ = i;
      if (titles[i] == "potential_energy") potential_ = i;
    }
    if (kinetic_ && potential_) series(out).push_back({"energy", "J", "kinetic and potential energy"});
  }

  std::vector<double> Read(std::size_t i, std::size_t num_rows) override {
    if (i < columns_.size()) return values_[columns_[i]];
    std::vector<double> energy = values_[*kinetic_];
    for (std::size_t k = 0; k < num_rows; ++k) energy[k] += values_[*potential_][k];
    return energy;
  }

 private:
  static LogSeries DescribeColumn(const std::string& title, bool is_pose) {
    const auto entry = [&](const char* letter) { return std::string(EntryName(title, letter)); };
    if (is_pose) return {"body:" + title, UnitOfEntry(title, ""), "pose in world axes"};
    if (IsEntryTitle(title, "q")) return {"q:" + entry("q"), UnitOfEntry(title, ""), "position"};
    if (IsEntryTitle(title, "v")) return {"v:" + entry("v"), UnitOfEntry(title, "/s"), "velocity"};
    if (IsEntryTitle(title, "ctrl")) return {"ctrl:" + entry("ctrl"), "of the actuator", "control"};
    if (title.starts_with("sensor.")) return {"sensor:" + title.substr(7), "of the sensor", ""};
    return FindKnownColumn(title).value_or(LogSeries{title, "", ""});
  }

  std::vector<std::string> titles_;
  std::vector<std::vector<double>> values_;  // by column
  std::vector<std::size_t> columns_;
  std::optional<std::size_t> kinetic_, potential_;
};

std::unique_ptr<LogTable::Source> LogTable::Source::OpenCsv(const std::string& path) {
  return std::make_unique<CsvSource>(path);
}

LogTable::LogTable(const std::string& path) {
  if (!IsHdf5(path)) {
    source_ = Source::OpenCsv(path);
  } else {
#ifdef STICTION_WITH_HDF5
    source_ = Source::OpenHdf5(path);
#else
    throw LoadError(path, 0, "", "cannot be read: this build has no HDF5");
#endif
  }
  source_->Describe(*this);
}

LogTable::~LogTable() = default;
LogTable::LogTable(LogTable&&) noexcept = default;
LogTable& LogTable::operator=(LogTable&&) noexcept = default;

std::vector<double> LogTable::Read(std::size_t i) const {
  return source_->Read(i, time_.size());
}

}  // namespace stiction
