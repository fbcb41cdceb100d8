// Logs in CSV as tables of numbers. Private to io.
#pragma once

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace stiction {

class CsvLogReader {
 public:
  // Reads the titles. Throws LoadError: cannot be read, or no column "time".
  explicit CsvLogReader(const std::string& path);

  // Quotes taken off (RFC 4180).
  const std::vector<std::string>& titles() const { return titles_; }
  // The numbers of the next row, one a title; false after the last. An incomplete last line, as a killed
  // writer leaves it, is left out. Throws LoadError: a line that is no row of numbers.
  bool Next(std::vector<double>& numbers);

 private:
  std::string path_;
  std::ifstream file_;
  int line_number_ = 1;
  std::string line_;
  std::vector<std::string> titles_;
};

// Whether this is the title of an entry of `letter` ("q", "v", "ctrl"): "q:elbow", or "q3" as logs had it
// before entries went by name; and that name, "elbow" or "3".
bool IsEntryTitle(std::string_view title, std::string_view letter);
std::string_view EntryName(std::string_view title, std::string_view letter);

}  // namespace stiction
