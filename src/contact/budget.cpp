#include "stiction/contact/budget.h"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace stiction {
namespace {

// Takes a finite number off the front of the text. std::from_chars takes no leading plus.
std::optional<double> TakeNumber(std::string_view& text) {
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !std::isfinite(number)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

}  // namespace

const char* const kBudgetWords =
    "a number > 0 [m/s] as 1e-8, one with a part relative to the approach speed as 1e-8+1e-6v, or none";

std::optional<Budget> ParseBudget(std::string_view text) {
  if (text == "none") return kNoBudget;
  if (text.starts_with("+")) text.remove_prefix(1);
  Budget budget;
  const std::optional<double> absolute = TakeNumber(text);
  if (!absolute) return std::nullopt;
  budget.absolute = *absolute;
  if (!text.empty()) {
    if (!text.starts_with("+")) return std::nullopt;
    text.remove_prefix(1);
    const std::optional<double> relative = TakeNumber(text);
    if (!relative || text != "v") return std::nullopt;
    budget.relative = *relative;
  }
  return budget.is_valid() ? std::optional(budget) : std::nullopt;
}

std::string ToString(const Budget& budget) {
  if (budget.is_none()) return "none";
  char text[64];
  if (budget.relative > 0.0)
    std::snprintf(text, sizeof text, "%g+%gv", budget.absolute, budget.relative);
  else
    std::snprintf(text, sizeof text, "%g", budget.absolute);
  return text;
}

}  // namespace stiction
