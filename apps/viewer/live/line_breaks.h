// Where lines of text end.
#pragma once

#include <functional>
#include <string>

namespace stiction::viewer {

// The text with line breaks in place of spaces, so that no line is wider than `width` where words allow it:
// numbers such as 1,096 and 0.5 stay whole, which who breaks after commas and points tears apart. A word
// that is wider than a line stands on one of its own.
//   measure  width of a piece of text
std::string BreakAtSpaces(const std::string& text, float width,
                          const std::function<float(const std::string&)>& measure);

}  // namespace stiction::viewer
