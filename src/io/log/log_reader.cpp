#include "stiction/io/log_reader.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <string_view>
#include <utility>

#include "io/log/columns.h"
#include "io/log/csv_table.h"

#ifdef STICTION_WITH_HDF5
#include "io/hdf5/group.h"
#include "io/log/hdf5.h"
#endif

namespace stiction {
namespace {

constexpr double kMicrosecond = 1e-6;
constexpr double kLargestInteger = 2e9;  // that is read from a log: within int
const std::string kTotal = "total";

// Where the columns of a CSV log go.
struct Columns {
  std::size_t num_columns = 0;
  std::optional<std::size_t> time;
  std::optional<std::size_t> q, v, ctrl;  // the first of each
  std::size_t nq = 0, nv = 0, nu = 0;     // as many as the file has
  std::vector<std::pair<std::size_t, const LogColumn*>> numbers;
  std::vector<std::pair<std::size_t, std::string>> phases;  // by name, their total last
  bool has_pulls = false;
};

// Entries stand side by side: a column elsewhere only looks like one.
void CountEntry(const std::string& title, const char* letter, std::size_t i,
                std::optional<std::size_t>& first, std::size_t& count) {
  if (!IsEntryTitle(title, letter)) return;
  if (!first) first = i;
  if (i == *first + count) ++count;
}

void AddColumn(const std::string& title, Columns& columns) {
  const std::size_t i = columns.num_columns++;
  if (title == "time" && !columns.time) columns.time = i;
  CountEntry(title, "q", i, columns.q, columns.nq);
  CountEntry(title, "v", i, columns.v, columns.nv);
  CountEntry(title, "ctrl", i, columns.ctrl, columns.nu);
  for (const LogColumn& column : kLogColumns)
    if (title == column.name) columns.numbers.emplace_back(i, &column);
  for (const LogColumn& column : kEnergyColumns)
    if (title == column.name) columns.numbers.emplace_back(i, &column);
  for (const LogColumn& column : kPullColumns) {
    if (title != column.name) continue;
    columns.numbers.emplace_back(i, &column);
    columns.has_pulls = true;
  }
  if (title == "step_us")
    columns.phases.emplace_back(i, kTotal);
  else if (title.ends_with("_us"))
    columns.phases.emplace_back(i, title.substr(0, title.size() - 3));
}

Columns FindColumns(const std::vector<std::string>& titles) {
  Columns columns;
  for (const std::string& title : titles) AddColumn(title, columns);
  std::stable_partition(columns.phases.begin(), columns.phases.end(),
                        [](const auto& phase) { return phase.second != kTotal; });
  return columns;
}

// Integers that no log holds are none.
void SetNumber(const LogColumn& column, double value, LogRow& row) {
  column.set(column.is_integer && !(std::abs(value) < kLargestInteger) ? kNotLogged : value, row);
}

// Of which nothing is known.
LogRow MakeUnknownRow() {
  LogRow row;
  const auto forget = [&row](const LogColumn& column) {
    column.set(column.is_integer ? kNotLogged : std::numeric_limits<double>::quiet_NaN(), row);
  };
  std::for_each(kLogColumns.begin(), kLogColumns.end(), forget);
  std::for_each(kEnergyColumns.begin(), kEnergyColumns.end(), forget);
  return row;
}

void CheckSizes(const std::string& path, const Model& model, std::size_t nq, std::size_t nv, std::size_t nu) {
  const auto fits = [](std::size_t a, int b) { return a == static_cast<std::size_t>(b); };
  if (fits(nq, model.nq()) && fits(nv, model.nv()) && fits(nu, model.nu())) return;
  throw LoadError(path, 1, "",
                  "a log of another model: it has " + std::to_string(nq) + " q, " + std::to_string(nv) +
                      " v and " + std::to_string(nu) + " ctrl, the model " + std::to_string(model.nq()) +
                      ", " + std::to_string(model.nv()) + " and " + std::to_string(model.nu()));
}

LogRow MakeRow(const Columns& columns, const Model& model, const std::vector<double>& numbers) {
  const auto vector = [&](const std::optional<std::size_t>& first, int size) {
    VectorXd out(size);
    for (int i = 0; i < size; ++i) out[i] = numbers[*first + static_cast<std::size_t>(i)];
    return out;
  };
  LogRow row = MakeUnknownRow();
  row.time = numbers[*columns.time];
  row.q = vector(columns.q, model.nq());
  row.v = vector(columns.v, model.nv());
  row.ctrl = vector(columns.ctrl, model.nu());
  for (const auto& [i, column] : columns.numbers) SetNumber(*column, numbers[i], row);
  for (const auto& [i, name] : columns.phases) row.phases.push_back(kMicrosecond * numbers[i]);
  return row;
}

Log ReadCsv(const std::string& path, const Model& model) {
  CsvLogReader reader(path);
  const Columns columns = FindColumns(reader.titles());
  CheckSizes(path, model, columns.nq, columns.nv, columns.nu);
  Log log;
  log.has_pulls = columns.has_pulls;
  for (const auto& phase : columns.phases) log.phases.push_back(phase.second);
  for (std::vector<double> numbers; reader.Next(numbers);)
    log.rows.push_back(MakeRow(columns, model, numbers));
  return log;
}

#ifdef STICTION_WITH_HDF5
void ReadContacts(const Hdf5Group& file, const Model& model, std::vector<LogRow>& rows) {
  if (!file.Has("contacts")) return;
  const Hdf5Group group = file.GetGroup("contacts");
  const int last_geom = model.num_geoms() - 1;
  const VectorXd gap = group.GetVector("gap");
  const int size = static_cast<int>(gap.size());
  const std::vector<int> first = group.GetIntegers("first", 0, size),
                         count = group.GetIntegers("count", 0, size);
  const std::vector<int> a = group.GetIntegers("geom_a", 0, last_geom),
                         b = group.GetIntegers("geom_b", 0, last_geom);
  const MatrixXd pos = group.GetTable("pos"), normal = group.GetTable("normal"),
                 impulse = group.GetTable("impulse");
  // Logs of versions without friction moments, or without areas, have none.
  const MatrixXd moment = group.Has("moment") ? group.GetTable("moment") : MatrixXd::Zero(size, 3);
  const VectorXd area = group.Has("area") ? group.GetVector("area") : VectorXd::Zero(size);
  for (const MatrixXd* table : {&pos, &normal, &impulse, &moment})
    if (table->rows() != size || table->cols() != 3)
      group.Fail("pos", "the tables of contacts have other sizes");
  const auto fits = [&](const std::vector<int>& list) {
    return list.size() == static_cast<std::size_t>(size);
  };
  if (!fits(a) || !fits(b) || area.size() != size || first.size() < rows.size() || count.size() < rows.size())
    group.Fail("geom_a", "the datasets of contacts differ in length");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (first[i] > size - count[i]) group.Fail("first", "a row's contacts end beyond the last one");
    for (int k = first[i]; k < first[i] + count[i]; ++k) {
      const auto at = static_cast<std::size_t>(k);
      rows[i].contacts.push_back(
          {a[at], b[at], pos.row(k), normal.row(k), gap[k], impulse.row(k), moment.row(k), area[k]});
    }
  }
}

// The group of "/solver/sweeps" and the name within it; of "/penetration" the file itself.
std::optional<std::pair<Hdf5Group, std::string>> FindDataset(const Hdf5Group& file, std::string path) {
  path.erase(0, 1);
  const std::size_t slash = path.find('/');
  if (slash == std::string::npos)
    return file.Has(path.c_str()) ? std::optional(std::pair(file, path)) : std::nullopt;
  const std::string group_name = path.substr(0, slash), name = path.substr(slash + 1);
  if (!file.Has(group_name.c_str())) return {};
  const Hdf5Group group = file.GetGroup(group_name.c_str());
  return group.Has(name.c_str()) ? std::optional(std::pair(group, name)) : std::nullopt;
}

// As many numbers as there are rows: a log that still grows has rows that /time does not count yet.
std::vector<double> ReadNumbers(const Hdf5Group& group, const std::string& key, std::size_t num_rows) {
  std::vector<double> values = group.GetNumbers(key.c_str());
  if (values.size() < num_rows) group.Fail(key, "shorter than /time");
  return values;
}

void ReadNumbers(const Hdf5Group& file, std::vector<LogRow>& rows) {
  const auto read = [&](const LogColumn& column) {
    const auto found = FindDataset(file, column.path);
    if (!found) return;
    const std::vector<double> values = ReadNumbers(found->first, found->second, rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) SetNumber(column, values[i], rows[i]);
  };
  std::for_each(kLogColumns.begin(), kLogColumns.end(), read);
  std::for_each(kEnergyColumns.begin(), kEnergyColumns.end(), read);
  std::for_each(kPullColumns.begin(), kPullColumns.end(), read);
}

void ReadPhases(const Hdf5Group& file, Log& log) {
  if (!file.Has("phases")) return;
  const Hdf5Group group = file.GetGroup("phases");
  log.phases = group.ListDatasets();
  for (const std::string& phase : log.phases) {
    const std::vector<double> values = ReadNumbers(group, phase, log.rows.size());
    for (std::size_t i = 0; i < log.rows.size(); ++i) log.rows[i].phases.push_back(values[i]);
  }
}

Log ReadHdf5(const std::string& path, const Model& model) {
  const Hdf5Group file(path);
  if (!file.Has("time") || !file.Has("q")) throw LoadError(path, 0, "", "not a log: it has no /time and /q");
  file.CheckVersion(kLogVersion);
  Log log;
  log.model = file.GetAttribute("model");
  log.solver = file.GetAttribute("solver");
  log.timestep = file.GetNumberAttribute("timestep");
  if (const std::optional<double> budget = file.GetNumberAttribute("budget"))
    log.budget = Budget(*budget, file.GetNumberAttribute("budget_relative").value_or(0.0));
  log.has_contacts = file.Has("contacts");
  log.has_pulls = file.Has("pull");
  const VectorXd time = file.GetVector("time");
  const Eigen::Index n = time.size();
  if (n == 0) return log;
  const auto read_table = [&](const char* key) {
    MatrixXd values = file.GetTable(key);
    if (values.cols() > 0 && values.rows() < n) file.Fail(key, "shorter than /time");
    return values;
  };
  const MatrixXd q = read_table("q"), v = read_table("v"), ctrl = read_table("ctrl");
  const auto width = [](const MatrixXd& table) { return static_cast<std::size_t>(table.cols()); };
  CheckSizes(path, model, width(q), width(v), width(ctrl));
  log.rows.assign(static_cast<std::size_t>(n), MakeUnknownRow());
  for (Eigen::Index i = 0; i < n; ++i) {
    LogRow& row = log.rows[static_cast<std::size_t>(i)];
    row.time = time[i];
    row.q = q.row(i);
    row.v = v.row(i);
    row.ctrl = model.nu() > 0 ? VectorXd(ctrl.row(i)) : VectorXd();
  }
  ReadNumbers(file, log.rows);
  ReadPhases(file, log);
  ReadContacts(file, model, log.rows);
  return log;
}
#endif

bool StartsAsHdf5(const std::string& path) {
  char start[8] = {};
  return std::ifstream(path, std::ios::binary).read(start, sizeof start) &&
         std::string_view(start, sizeof start) == std::string_view("\x89HDF\r\n\x1a\n", 8);
}

}  // namespace

Log ReadLog(const std::string& path, const Model& model) {
  if (!StartsAsHdf5(path)) return ReadCsv(path, model);
#ifdef STICTION_WITH_HDF5
  return ReadHdf5(path, model);
#else
  throw LoadError(path, 0, "", "cannot be read: this build has no HDF5");
#endif
}

}  // namespace stiction
