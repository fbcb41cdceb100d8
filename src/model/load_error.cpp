#include "stiction/model/load_error.h"

namespace stiction {
namespace {

std::string Compose(const std::string& file, int line, const std::string& element,
                    const std::string& message) {
  std::string text = file;
  if (line > 0) text.append(":").append(std::to_string(line));
  if (!text.empty()) text += ": ";
  if (!element.empty()) text += "<" + element + ">: ";
  return text + message;
}

}  // namespace

LoadError::LoadError(const std::string& file, int line, const std::string& element,
                     const std::string& message)
    : std::runtime_error(Compose(file, line, element, message)),
      file_(file),
      line_(line),
      message_(message) {}

}  // namespace stiction
