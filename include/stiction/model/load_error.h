// A file that cannot be loaded: what() is one line, "file:line: <element>: what is wrong; what to do".
#pragma once

#include <stdexcept>
#include <string>

namespace stiction {

class LoadError : public std::runtime_error {
 public:
  // line 0: the file as a whole; element empty: none.
  LoadError(const std::string& file, int line, const std::string& element, const std::string& message);
  const std::string& file() const { return file_; }
  int line() const { return line_; }
  const std::string& message() const { return message_; }  // without file, line and element

 private:
  std::string file_;
  int line_;
  std::string message_;
};

}  // namespace stiction
