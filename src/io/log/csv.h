// Logs as comma-separated values. Private to io.
#pragma once

#include <chrono>
#include <vector>

#include "io/log/columns.h"
#include "io/log/file.h"

namespace stiction {

class CsvLogWriter final : public LogWriter {
 public:
  CsvLogWriter(const std::string& path, const LogHeader& header);
  ~CsvLogWriter() override;

  void Append(const LogRow& row) override;
  void Flush() override;
  void Close() override { Flush(); }

 private:
  using Clock = std::chrono::steady_clock;
  void Add(double value);
  void AddAll(const VectorXd& values);
  void EndRow();

  LogFile file_;
  bool has_energy_, has_pulls_;
  std::size_t max_row_;       // longest possible row [bytes]
  std::vector<char> buffer_;  // of its final size: the rows, then room for one more
  std::size_t used_ = 0;
  Clock::time_point last_flush_ = Clock::now();
};

}  // namespace stiction
