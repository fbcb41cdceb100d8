#include "stiction/io/table_file.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#ifdef STICTION_WITH_HDF5
#include "io/hdf5/output.h"
#endif

namespace stiction {
namespace {

std::string QuoteCell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// A whole number as such: 100000, not 1e+05.
std::string FormatNumber(double number) {
  char text[40];
  const bool is_whole = std::abs(number) < 1e15 && number == std::floor(number) &&
                        !(number == 0.0 && std::signbit(number));
  const auto end = is_whole ? std::to_chars(text, text + sizeof text, static_cast<long long>(number)).ptr
                            : std::to_chars(text, text + sizeof text, number).ptr;
  return {text, end};
}

std::size_t CountRows(const TableColumn& column) {
  return std::visit([](const auto& values) { return values.size(); }, column.values);
}

std::string FormatCell(const TableColumn& column, std::size_t row) {
  if (const auto* numbers = std::get_if<std::vector<double>>(&column.values))
    return FormatNumber((*numbers)[row]);
  return QuoteCell(std::get<std::vector<std::string>>(column.values)[row]);
}

void CheckColumns(const std::string& path, const std::vector<TableColumn>& columns) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string what = path + ": column '" + columns[i].name + "' ";
    if (CountRows(columns[i]) != CountRows(columns[0]))
      throw std::runtime_error(what + "has " + std::to_string(CountRows(columns[i])) + " rows, the first " +
                               std::to_string(CountRows(columns[0])));
    for (std::size_t j = 0; j < i; ++j) {
      if (columns[j].name == columns[i].name) throw std::runtime_error(what + "is there twice");
    }
  }
}

void WriteCsv(const std::string& path, const std::vector<TableColumn>& columns) {
  std::ofstream file(path, std::ios::binary);
  for (std::size_t c = 0; c < columns.size(); ++c) file << (c > 0 ? "," : "") << QuoteCell(columns[c].name);
  file << '\n';
  for (std::size_t row = 0; !columns.empty() && row < CountRows(columns[0]); ++row) {
    for (std::size_t c = 0; c < columns.size(); ++c)
      file << (c > 0 ? "," : "") << FormatCell(columns[c], row);
    file << '\n';
  }
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path);
}

void WriteHdf5([[maybe_unused]] const std::string& path,
               [[maybe_unused]] const std::vector<TableColumn>& columns) {
#ifdef STICTION_WITH_HDF5
  Hdf5Output file(path, Hdf5Output::Mode::kCreate);
  file.SetAttribute("format", "stiction table");
  for (const TableColumn& column : columns) {
    if (const auto* numbers = std::get_if<std::vector<double>>(&column.values))
      file.WriteNumbers(column.name, *numbers);
    else
      file.WriteTexts(column.name, std::get<std::vector<std::string>>(column.values));
  }
  file.Close();
#endif
}

}  // namespace

void CheckTableName(const std::string& path) {
  const std::filesystem::path extension = std::filesystem::path(path).extension();
  if (extension == ".csv") return;
  if (extension != ".h5" && extension != ".hdf5")
    throw std::runtime_error("cannot write " + path + ": the name of a table ends in .csv, .h5 or .hdf5");
#ifndef STICTION_WITH_HDF5
  throw std::runtime_error("cannot write " + path +
                           ": HDF5 is not built in; give a .csv file, or build with STICTION_WITH_HDF5=ON");
#endif
}

void WriteTable(const std::string& path, const std::vector<TableColumn>& columns) {
  CheckTableName(path);
  CheckColumns(path, columns);
  const std::string unfinished = path + "." + std::to_string(getpid()) + ".part";
  try {
    if (std::filesystem::path(path).extension() == ".csv")
      WriteCsv(unfinished, columns);
    else
      WriteHdf5(unfinished, columns);
    std::filesystem::rename(unfinished, path);
  } catch (...) {
    std::error_code error;
    std::filesystem::remove(unfinished, error);
    throw;
  }
}

}  // namespace stiction
