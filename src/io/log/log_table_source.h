// What LogTable reads its columns from. Private to io.
#pragma once

#include "stiction/io/log_table.h"

namespace stiction {

class LogTable::Source {
 public:
  virtual ~Source() = default;
  // Fills series, times and what the file says of itself.
  virtual void Describe(LogTable& table) = 0;
  // A number a row of the column i, in the order of Describe().
  virtual std::vector<double> Read(std::size_t i, std::size_t num_rows) = 0;

  static std::unique_ptr<Source> OpenCsv(const std::string& path);
  // Only in builds with HDF5.
  static std::unique_ptr<Source> OpenHdf5(const std::string& path);

 protected:
  static std::vector<LogSeries>& series(LogTable& table) { return table.series_; }
  static std::vector<double>& time(LogTable& table) { return table.time_; }
  static void SetFacts(LogTable& table, const std::string& model, const std::string& solver,
                       const std::optional<Budget>& budget) {
    table.model_ = model, table.solver_ = solver, table.budget_ = budget;
  }
};

// "m" of "cup.x", "1" of "cup.qw", else what an entry of q or v may be; `rate` is "/s" for v.
std::string UnitOfEntry(const std::string& name, const std::string& rate);

}  // namespace stiction
