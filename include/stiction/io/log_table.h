// A log as columns by name, whatever model it is of: for plots, tables and comparisons.
//
//   q:elbow, q:cup_joint.x      generalised position, an entry each         [m, rad or 1]
//   v:elbow, ctrl:motor         velocity, control                           [m/s or rad/s; of the actuator]
//   sensor:gyro.x               value of a sensor                           [of the sensor]
//   body:cup.x ... body:cup.qz  pose of a recorded body in world axes       [m; 1]
//   force:finger                norm of the sum of the contact forces on the body of that name, in HDF5 logs
//                               with contacts                               [N]
//   energy                      kinetic and potential energy, where logged  [J]
//   ncp_max, contacts, ...      the other columns of CSV logs (io/log.h), phases as "solve_us" [µs]
//
// Entries of CSV logs from before they went by name are q:0, q:1, ...
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "stiction/contact/budget.h"
#include "stiction/model/load_error.h"

namespace stiction {

struct LogSeries {
  std::string name;
  std::string unit;         // SI but for times of steps [µs]; "1" without dimension
  std::string description;  // may be empty
};

class LogTable {
 public:
  // Reads what columns there are, and the times; of CSV everything. Throws LoadError: not a log.
  explicit LogTable(const std::string& path);
  ~LogTable();
  LogTable(LogTable&&) noexcept;
  LogTable& operator=(LogTable&&) noexcept;

  const std::vector<LogSeries>& series() const { return series_; }
  // Of every row, at the end of its step [s].
  const std::vector<double>& time() const { return time_; }
  // The column series()[i], a number a row. Throws LoadError: the file is damaged.
  std::vector<double> Read(std::size_t i) const;

  // Of the file; empty or without a value: not in the log, as always in CSV.
  const std::string& model() const { return model_; }
  const std::string& solver() const { return solver_; }
  const std::optional<Budget>& budget() const { return budget_; }

 private:
  class Source;
  class CsvSource;
  class Hdf5Source;

  std::unique_ptr<Source> source_;
  std::vector<LogSeries> series_;
  std::vector<double> time_;
  std::string model_, solver_;
  std::optional<Budget> budget_;
};

}  // namespace stiction
