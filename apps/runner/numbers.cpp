// Numbers on a command line.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "command.h"

namespace stiction::runner {

std::vector<std::string> SplitCommas(const std::string& text) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::optional<double> ParseNumber(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

VectorXd ParseNumbers(const std::string& option, const std::string& text, int size) {
  const std::vector<std::string> parts = text.empty() ? std::vector<std::string>{} : SplitCommas(text);
  if (static_cast<int>(parts.size()) != size)
    throw UsageError(option + ": " + std::to_string(parts.size()) + " values, and the model has " +
                     std::to_string(size));
  VectorXd numbers(size);
  for (int i = 0; i < size; ++i) {
    const std::optional<double> number = ParseNumber(parts[i]);
    if (!number) throw UsageError(option + ": '" + parts[i] + "' is not a finite number");
    numbers[i] = *number;
  }
  return numbers;
}

}  // namespace stiction::runner
