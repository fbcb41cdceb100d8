#include "terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

namespace stiction::runner {
namespace {

// Of UTF-8: bytes that begin a character.
int CountColumns(const std::string& text) {
  return static_cast<int>(
      std::count_if(text.begin(), text.end(), [](unsigned char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

int TerminalWidth() {
  winsize size{};
  if (isatty(STDOUT_FILENO) != 1 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col;
}

std::string Wrap(const std::string& line, int width, int indent) {
  if (width <= indent + 8 || CountColumns(line) <= width) return line;
  std::string out;
  int column = 0;
  for (std::size_t begin = 0; begin < line.size();) {
    std::size_t end = line.find_first_not_of(' ', begin);
    end = end == std::string::npos ? line.size() : std::min(line.find(' ', end), line.size());
    const std::string word = line.substr(begin, end - begin);  // with the blanks before it
    if (column > indent && column + CountColumns(word) > width) {
      out += "\n" + std::string(static_cast<std::size_t>(indent), ' ');
      const std::string bare = word.substr(std::min(word.find_first_not_of(' '), word.size()));
      out += bare;
      column = indent + CountColumns(bare);
    } else {
      out += word;
      column += CountColumns(word);
    }
    begin = end;
  }
  return out;
}

std::string ShortPath(const std::string& path) {
  std::error_code error;
  const std::string seen_from_here = std::filesystem::proximate(path, error).string();
  return !error && !seen_from_here.empty() && seen_from_here.size() < path.size() ? seen_from_here : path;
}

}  // namespace stiction::runner
