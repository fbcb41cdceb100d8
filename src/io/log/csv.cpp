#include "io/log/csv.h"

#include <charconv>

namespace stiction {
namespace {

constexpr std::size_t kBlock = 1 << 16;     // [bytes]
constexpr std::size_t kLongestNumber = 25;  // "-1.7976931348623157e+308" and a comma
constexpr std::chrono::seconds kCsvFlushInterval{1};
constexpr double kMicroseconds = 1e6;

// A name that holds a separator is put into quotes (RFC 4180).
std::string Cell(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string MakeTitle(const LogHeader& header) {
  std::string title = "time";
  const auto add = [&title](const std::string& name) { (title += ',') += Cell(name); };
  const auto add_named = [&add](const char* letter, const std::vector<std::string>& names) {
    for (const std::string& name : names) add(letter + (":" + name));
  };
  add_named("q", header.coordinates);
  add_named("v", header.dofs);
  for (int i = 0; i < kNumLeadingColumns; ++i) add(std::string(kLogColumns[i].name));
  add("step_us");
  add_named("ctrl", header.actuators);
  for (std::size_t i = kNumLeadingColumns; i < kLogColumns.size(); ++i) add(std::string(kLogColumns[i].name));
  for (std::size_t i = 0; i + 1 < header.phases.size(); ++i) add(header.phases[i] + "_us");
  if (header.energy) {
    for (const LogColumn& column : kEnergyColumns) add(std::string(column.name));
  }
  if (header.pulls) {
    for (const LogColumn& column : kPullColumns) add(std::string(column.name));
  }
  for (const std::string& body : header.recorded_bodies) {
    for (const char* axis : {".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz"}) add(body + axis);
  }
  for (const std::string& sensor : header.sensors) add("sensor." + sensor);
  return title + '\n';
}

std::size_t CountColumns(const LogHeader& header) {
  return 1 + header.nq() + header.nv() + header.nu() + kLogColumns.size() + header.phases.size() +
         (header.energy ? kEnergyColumns.size() : 0) + (header.pulls ? kPullColumns.size() : 0) +
         7 * header.recorded_bodies.size() + header.sensors.size();
}

}  // namespace

CsvLogWriter::CsvLogWriter(const std::string& path, const LogHeader& header)
    : file_(path),
      has_energy_(header.energy),
      has_pulls_(header.pulls),
      max_row_(kLongestNumber * CountColumns(header)),
      buffer_(kBlock + max_row_) {
  const std::string title = MakeTitle(header);
  file_.Write(0, title.data(), title.size());
  file_.ThrowIfFailed();
}

CsvLogWriter::~CsvLogWriter() {
  try {
    Close();
  } catch (const std::exception&) {  // Close() is there to be told
  }
}

void CsvLogWriter::Add(double value) {
  char* const end = buffer_.data() + buffer_.size();
  char* const next = std::to_chars(buffer_.data() + used_, end, value).ptr;
  *next = ',';
  used_ = next + 1 - buffer_.data();
}

void CsvLogWriter::AddAll(const VectorXd& values) {
  for (const double value : values) Add(value);
}

void CsvLogWriter::EndRow() {
  buffer_[used_ - 1] = '\n';
  if (used_ + max_row_ > buffer_.size() || Clock::now() - last_flush_ > kCsvFlushInterval) Flush();
}

void CsvLogWriter::Append(const LogRow& row) {
  if (file_.failed()) return;
  Add(row.time);
  AddAll(row.q);
  AddAll(row.v);
  for (int i = 0; i < kNumLeadingColumns; ++i) Add(kLogColumns[i].value(row));
  Add(kMicroseconds * row.phases.back());
  AddAll(row.ctrl);
  for (std::size_t i = kNumLeadingColumns; i < kLogColumns.size(); ++i) Add(kLogColumns[i].value(row));
  for (std::size_t i = 0; i + 1 < row.phases.size(); ++i) Add(kMicroseconds * row.phases[i]);
  if (has_energy_) {
    for (const LogColumn& column : kEnergyColumns) Add(column.value(row));
  }
  if (has_pulls_) {
    for (const LogColumn& column : kPullColumns) Add(column.value(row));
  }
  for (const LogPose& pose : row.bodies) {
    for (const double x : pose.p_WB) Add(x);
    for (const double x : pose.quat_WB) Add(x);
  }
  AddAll(row.sensors);
  EndRow();
}

void CsvLogWriter::Flush() {
  if (file_.failed()) return;
  const std::int64_t begin = file_.end();
  file_.Write(begin, buffer_.data(), used_);
  if (file_.failed()) {
    // Cut the row that was only partly written.
    std::int64_t whole = file_.end() - begin;
    while (whole > 0 && buffer_[whole - 1] != '\n') --whole;
    file_.Resize(begin + whole);
  }
  used_ = 0;
  last_flush_ = Clock::now();
  file_.ThrowIfFailed();
}

}  // namespace stiction
