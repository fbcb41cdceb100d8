#include "io/trajectory_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>

namespace stiction {
namespace {

std::string_view Trim(std::string_view text) {
  constexpr const char* kBlanks = " \t\r";
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::vector<std::string_view> SplitCells(std::string_view line) {
  std::vector<std::string_view> cells;
  for (size_t begin = 0;;) {
    const size_t comma = std::min(line.find(',', begin), line.size());
    cells.push_back(Trim(line.substr(begin, comma - begin)));
    if (comma == line.size()) return cells;
    begin = comma + 1;
  }
}

// A hostile cell may be megabytes long.
std::string Quote(std::string_view cell) {
  constexpr size_t kMaxShown = 40;
  return "\"" + std::string(cell.substr(0, kMaxShown)) + (cell.size() > kMaxShown ? "...\"" : "\"");
}

// Reads the file line by line into a table.
class Reader {
 public:
  explicit Reader(const std::string& path) { table_.file = path; }

  TrajectoryTable Read() {
    std::ifstream file(table_.file, std::ios::binary);
    if (!file) Fail(0, "cannot be read");
    std::string text;
    int line = 0;
    while (std::getline(file, text)) {
      ++line;
      // The byte order mark that spreadsheets write.
      if (line == 1 && text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
      const std::string_view content = Trim(text);
      if (content.empty() || content.front() == '#') continue;
      if (num_titles_ == 0) {
        ReadTitles(line, content);
      } else {
        ReadNumbers(line, content);
      }
    }
    if (num_titles_ == 0) Fail(0, "is empty; its first line has to name the columns: time, then the others");
    if (table_.times.empty()) Fail(0, "holds titles and no numbers; add a line per time");
    const auto num_times = static_cast<Eigen::Index>(table_.times.size());
    table_.values = Eigen::Map<const MatrixXd>(numbers_.data(), num_titles_ - 1, num_times);
    return std::move(table_);
  }

 private:
  [[noreturn]] void Fail(int line, const std::string& message) const {
    throw LoadError(table_.file, line, "", message);
  }

  void ReadTitles(int line, std::string_view content) {
    constexpr int kMaxColumns = 10000;  // looked for one by one
    for (std::string_view cell : SplitCells(content)) {
      if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') {
        cell = Trim(cell.substr(1, cell.size() - 2));
      }
      if (num_titles_++ == 0) {
        if (cell != "time")
          Fail(line, "the first column is " + Quote(cell) + "; it has to be \"time\", in seconds");
        continue;
      }
      if (num_titles_ > kMaxColumns) Fail(line, "more than " + std::to_string(kMaxColumns) + " columns");
      if (cell.empty()) Fail(line, "column " + std::to_string(num_titles_) + " has no title; name it");
      if (table_.FindColumn(cell) >= 0) Fail(line, "two columns are called " + Quote(cell) + "; keep one");
      table_.columns.emplace_back(cell);
    }
    if (num_titles_ < 2) Fail(line, "there is no column beside the time; add one");
  }

  void ReadNumbers(int line, std::string_view content) {
    const std::vector<std::string_view> cells = SplitCells(content);
    if (static_cast<int>(cells.size()) != num_titles_) {
      Fail(line, "a row of " + std::to_string(cells.size()) + " cells where the titles are " +
                     std::to_string(num_titles_) + "; separate the numbers by commas");
    }
    const double time = ReadNumber(line, 0, cells[0]);
    if (!table_.times.empty() && !(time > table_.times.back())) {
      Fail(line, "the time " + std::string(cells[0]) +
                     " is not later than the one before; the times have to ascend");
    }
    table_.times.push_back(time);
    for (int i = 1; i < num_titles_; ++i) numbers_.push_back(ReadNumber(line, i, cells[i]));
  }

  double ReadNumber(int line, int column, std::string_view cell) const {
    // std::from_chars takes no leading plus, spreadsheets write it.
    std::string_view digits = cell;
    if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
    double value = 0.0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value);
    if (error == std::errc() && stop == end && std::isfinite(value)) return value;
    const std::string title = column == 0 ? "time" : table_.columns[column - 1];
    Fail(line, (cell.empty() ? "an empty cell" : Quote(cell)) + " in the column " + Quote(title) +
                   " is not a finite number");
  }

  TrajectoryTable table_;
  int num_titles_ = 0;           // the time's included
  std::vector<double> numbers_;  // without the times, row by row of the file
};

}  // namespace

TrajectoryTable ReadTrajectoryFile(const std::string& path) {
  return Reader(path).Read();
}

}  // namespace stiction
