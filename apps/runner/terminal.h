// Text for people: how wide, and where its lines break.
#pragma once

#include <string>

namespace stiction::runner {

// Columns of the terminal on standard output; 0 where it is none, as in a file or a pipe.
int TerminalWidth();

// Breaks a line at its blanks so that none is wider than `width` columns, the further ones indented; whole
// where width is 0. UTF-8, a column a character.
std::string Wrap(const std::string& line, int width, int indent);

// The path as seen from the present folder where that is shorter, else as it is.
std::string ShortPath(const std::string& path);

}  // namespace stiction::runner
