#include "line_breaks.h"

namespace stiction::viewer {

std::string BreakAtSpaces(const std::string& text, float width,
                          const std::function<float(const std::string&)>& measure) {
  std::string out = text;
  std::size_t line = 0;                   // where the present line begins
  std::size_t space = std::string::npos;  // its last space, at which it may end
  for (std::size_t i = 0; i <= out.size(); ++i) {
    if (i < out.size() && out[i] != ' ' && out[i] != '\n') continue;
    if (space != std::string::npos && measure(out.substr(line, i - line)) > width) {
      out[space] = '\n';
      line = space + 1;
    }
    space = i;
    if (i < out.size() && out[i] == '\n') line = i + 1, space = std::string::npos;
  }
  return out;
}

}  // namespace stiction::viewer
