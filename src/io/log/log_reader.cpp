#include "stiction/io/log_reader.h"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>

#ifdef STICTION_WITH_HDF5
#include "io/hdf5/group.h"
#endif

namespace stiction {
namespace {

// Which columns of a CSV log are read.
struct Columns {
  std::size_t num_columns = 0;
  std::optional<std::size_t> time, contacts, iterations, ncp_max, penetration, ncp_mean;
  std::optional<std::size_t> q, v, ctrl;  // the first of as many as the model has
  std::size_t nq = 0, nv = 0, nu = 0;     // as many as the file has
};

// "q12" is number 12 of "q".
bool IsNumbered(std::string_view name, std::string_view letter) {
  return name.size() > letter.size() && name.starts_with(letter) &&
         name.find_first_not_of("0123456789", letter.size()) == std::string_view::npos;
}

// The cells of a title line; quotes as in RFC 4180 hold names of bodies alone, which are not looked up.
Columns FindColumns(std::string_view title) {
  Columns columns;
  bool is_quoted = false;
  std::size_t start = 0;
  const auto add = [&](std::string_view name) {
    const std::size_t i = columns.num_columns++;
    const auto take = [&](const char* wanted, std::optional<std::size_t>& column) {
      if (name == wanted && !column) column = i;
    };
    take("time", columns.time);
    take("contacts", columns.contacts);
    take("iterations", columns.iterations);
    take("ncp_max", columns.ncp_max);
    take("penetration", columns.penetration);
    take("ncp_mean", columns.ncp_mean);
    take("q0", columns.q);
    take("v0", columns.v);
    take("ctrl0", columns.ctrl);
    columns.nq += IsNumbered(name, "q");
    columns.nv += IsNumbered(name, "v");
    columns.nu += IsNumbered(name, "ctrl");
  };
  for (std::size_t i = 0; i <= title.size(); ++i) {
    if (i < title.size() && title[i] == '"') is_quoted = !is_quoted;
    if (i < title.size() && (title[i] != ',' || is_quoted)) continue;
    add(title.substr(start, i - start));
    start = i + 1;
  }
  return columns;
}

// The numbers of a line; empty if it holds anything else.
std::vector<double> ParseLine(std::string_view line) {
  std::vector<double> numbers;
  const char* at = line.data();
  const char* const end = at + line.size();
  while (at < end) {
    double value = 0.0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || (next < end && *next != ',')) return {};
    numbers.push_back(value);
    at = next + 1;
  }
  return numbers;
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
  const auto number = [&](const std::optional<std::size_t>& column) {
    return column ? numbers[*column] : 0.0;
  };
  const auto vector = [&](const std::optional<std::size_t>& first, int size) {
    VectorXd out(size);
    for (int i = 0; i < size; ++i) out[i] = numbers[*first + static_cast<std::size_t>(i)];
    return out;
  };
  LogRow row;
  row.time = number(columns.time);
  row.q = vector(columns.q, model.nq());
  row.v = vector(columns.v, model.nv());
  row.ctrl = vector(columns.ctrl, model.nu());
  row.num_contacts = static_cast<int>(number(columns.contacts));
  row.solve.iterations = static_cast<int>(number(columns.iterations));
  row.certificate.ncp_max = number(columns.ncp_max);
  row.certificate.ncp_mean = number(columns.ncp_mean);
  row.penetration = number(columns.penetration);
  return row;
}

std::vector<LogRow> ReadCsv(const std::string& path, const Model& model) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  if (!file || !std::getline(file, line)) throw LoadError(path, 0, "", "cannot be read, or is empty");
  const Columns columns = FindColumns(line);
  if (!columns.time) throw LoadError(path, 1, "", "not a log: its first line names no column \"time\"");
  CheckSizes(path, model, columns.nq, columns.nv, columns.nu);
  std::vector<LogRow> rows;
  for (int number = 2; std::getline(file, line); ++number) {
    const std::vector<double> numbers = ParseLine(line);
    if (numbers.size() == columns.num_columns) {
      rows.push_back(MakeRow(columns, model, numbers));
    } else if (!file.eof()) {
      throw LoadError(path, number, "",
                      "not a row of " + std::to_string(columns.num_columns) + " numbers separated by commas");
    }
  }
  return rows;
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
  // Logs of versions without friction moments have none.
  const MatrixXd moment = group.Has("moment") ? group.GetTable("moment") : MatrixXd::Zero(size, 3);
  for (const MatrixXd* table : {&pos, &normal, &impulse, &moment})
    if (table->rows() != size || table->cols() != 3)
      group.Fail("pos", "the tables of contacts have other sizes");
  const auto fits = [&](const std::vector<int>& list) {
    return list.size() == static_cast<std::size_t>(size);
  };
  if (!fits(a) || !fits(b) || first.size() < rows.size() || count.size() < rows.size())
    group.Fail("geom_a", "the datasets of contacts differ in length");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (first[i] > size - count[i]) group.Fail("first", "a row's contacts end beyond the last one");
    for (int k = first[i]; k < first[i] + count[i]; ++k) {
      const auto at = static_cast<std::size_t>(k);
      rows[i].contacts.push_back(
          {a[at], b[at], pos.row(k), normal.row(k), gap[k], impulse.row(k), moment.row(k)});
    }
  }
}

std::vector<LogRow> ReadHdf5(const std::string& path, const Model& model) {
  const Hdf5Group file(path);
  if (!file.Has("time") || !file.Has("q")) throw LoadError(path, 0, "", "not a log: it has no /time and /q");
  const VectorXd time = file.GetVector("time");
  const Eigen::Index n = time.size();
  if (n == 0) return {};
  // A log that still grows has rows in other datasets that /time does not count yet.
  const auto read = [&](const Hdf5Group& group, const char* key) {
    VectorXd values = group.GetVector(key);
    if (values.size() < n) group.Fail(key, "shorter than /time");
    return values;
  };
  const auto read_table = [&](const char* key) {
    MatrixXd values = file.GetTable(key);
    if (values.cols() > 0 && values.rows() < n) file.Fail(key, "shorter than /time");
    return values;
  };
  const MatrixXd q = read_table("q"), v = read_table("v"), ctrl = read_table("ctrl");
  const auto width = [](const MatrixXd& table) { return static_cast<std::size_t>(table.cols()); };
  CheckSizes(path, model, width(q), width(v), width(ctrl));
  const Hdf5Group certificate = file.GetGroup("certificate"), counts = file.GetGroup("counts");
  const VectorXd ncp_max = read(certificate, "ncp_max"), ncp_mean = read(certificate, "ncp_mean");
  const VectorXd contacts = read(counts, "contacts"), penetration = read(file, "penetration");
  std::vector<LogRow> rows(static_cast<std::size_t>(n));
  for (Eigen::Index i = 0; i < n; ++i) {
    LogRow& row = rows[static_cast<std::size_t>(i)];
    row.time = time[i];
    row.q = q.row(i);
    row.v = v.row(i);
    row.ctrl = model.nu() > 0 ? VectorXd(ctrl.row(i)) : VectorXd();
    row.certificate.ncp_max = ncp_max[i];
    row.certificate.ncp_mean = ncp_mean[i];
    row.num_contacts = static_cast<int>(contacts[i]);
    row.penetration = penetration[i];
  }
  ReadContacts(file, model, rows);
  return rows;
}
#endif

}  // namespace

std::vector<LogRow> ReadLog(const std::string& path, const Model& model) {
  const std::string extension = std::filesystem::path(path).extension();
  if (extension == ".csv") return ReadCsv(path, model);
#ifdef STICTION_WITH_HDF5
  if (extension == ".h5" || extension == ".hdf5") return ReadHdf5(path, model);
  throw LoadError(path, 0, "", "not a log: it ends neither in .csv nor in .h5 or .hdf5");
#else
  throw LoadError(path, 0, "", "not a log that this build can read: it reads .csv, and has no HDF5");
#endif
}

}  // namespace stiction
