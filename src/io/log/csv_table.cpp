#include "io/log/csv_table.h"

#include <algorithm>
#include <charconv>

#include "stiction/model/load_error.h"

namespace stiction {
namespace {

std::vector<std::string> ParseTitles(std::string_view line) {
  std::vector<std::string> titles(1);
  bool is_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && is_quoted && i + 1 < line.size() && line[i + 1] == '"')
      titles.back() += line[++i];
    else if (line[i] == '"')
      is_quoted = !is_quoted;
    else if (line[i] == ',' && !is_quoted)
      titles.emplace_back();
    else if (line[i] != '\r')
      titles.back() += line[i];
  }
  return titles;
}

// Empty if the line holds anything but numbers.
void ParseNumberLine(std::string_view line, std::vector<double>& numbers) {
  numbers.clear();
  const char* at = line.data();
  const char* const end = at + line.size();
  while (at < end) {
    double value = 0.0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || (next < end && *next != ',')) return numbers.clear();
    numbers.push_back(value);
    at = next + 1;
  }
}

}  // namespace

bool IsEntryTitle(std::string_view title, std::string_view letter) {
  if (title.size() <= letter.size() || !title.starts_with(letter)) return false;
  return title[letter.size()] == ':' ||
         title.find_first_not_of("0123456789", letter.size()) == std::string_view::npos;
}

std::string_view EntryName(std::string_view title, std::string_view letter) {
  title.remove_prefix(letter.size());
  if (title.starts_with(':')) title.remove_prefix(1);
  return title;
}

CsvLogReader::CsvLogReader(const std::string& path) : path_(path), file_(path, std::ios::binary) {
  if (!file_ || !std::getline(file_, line_)) throw LoadError(path, 0, "", "cannot be read, or is empty");
  titles_ = ParseTitles(line_);
  if (std::find(titles_.begin(), titles_.end(), "time") == titles_.end())
    throw LoadError(path, 1, "",
                    "not a log: neither HDF5 nor a table with a column \"time\" in its first line");
}

bool CsvLogReader::Next(std::vector<double>& numbers) {
  if (!std::getline(file_, line_)) return false;
  ++line_number_;
  ParseNumberLine(line_, numbers);
  if (numbers.size() == titles_.size()) return true;
  if (file_.eof()) return false;
  throw LoadError(path_, line_number_, "",
                  "not a row of " + std::to_string(titles_.size()) + " numbers separated by commas");
}

}  // namespace stiction
