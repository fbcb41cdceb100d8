#include "axis.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace stiction::runner {
namespace {

constexpr double kRounding = 1e-9;  // of a step
constexpr int kMostDigits = 6;      // of a label, after which an offset is taken off

std::string FormatFixed(double number, int decimals) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, number);
  return text;
}

std::string FormatShort(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", number);
  return text;
}

// "10⁻⁸"; 0.1, 1, 10 and 100 as they are.
std::string FormatDecade(int exponent) {
  static const char* const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  if (exponent >= -1 && exponent <= 2) return FormatShort(std::pow(10.0, exponent));
  std::string text = exponent < 0 ? "10⁻" : "10";
  for (const char digit : std::to_string(std::abs(exponent))) text += digits[digit - '0'];
  return text;
}

}  // namespace

double FindRoundStep(double span, int count) {
  double step = std::pow(10.0, std::floor(std::log10(std::max(span, 1e-300))) - 2.0);
  for (int i = 0; span / step > count * (1.0 + kRounding); ++i) step *= i % 3 == 1 ? 2.5 : 2.0;
  return step;
}

PlotAxis::PlotAxis(const std::vector<double>& numbers, PlotScale scale, int max_ticks, bool is_tight)
    : is_logarithmic_(scale == PlotScale::kLogarithmic) {
  double least = std::numeric_limits<double>::infinity(), largest = -least;
  for (const double number : numbers) {
    if (!Holds(number)) continue;
    least = std::min(least, number), largest = std::max(largest, number);
  }
  const bool is_empty = least > largest;
  if (is_logarithmic_) {
    SpanDecades(is_empty ? 1.0 : least, is_empty ? 10.0 : largest, max_ticks);
    return;
  }
  if (is_empty) least = 0.0, largest = 1.0;
  if (scale == PlotScale::kLinearFromZero) least = std::min(least, 0.0), largest = std::max(largest, 0.0);
  SpanLinearly(least, largest, max_ticks, is_tight);
}

bool PlotAxis::Holds(double number) const {
  return std::isfinite(number) && (!is_logarithmic_ || number > 0.0);
}

double PlotAxis::Place(double number) const {
  return ((is_logarithmic_ ? std::log10(number) : number) - lower_) / (upper_ - lower_);
}

void PlotAxis::SpanDecades(double least, double largest, int max_ticks) {
  lower_ = std::floor(std::log10(least) + kRounding);
  upper_ = std::max(lower_ + 1.0, std::ceil(std::log10(largest) - kRounding));
  const int first = static_cast<int>(lower_), decades = static_cast<int>(upper_ - lower_);
  const int every = 1 + decades / std::clamp(2 * max_ticks, 3, 12);
  for (int k = 0; k <= decades; ++k) {
    const double decade = std::pow(10.0, first + k);
    ticks_.push_back({decade, k % every == 0 ? FormatDecade(first + k) : ""});
    for (int digit = 2; digit < 10 && k < decades && decades <= 4; ++digit)
      ticks_.push_back({digit * decade, ""});
  }
}

void PlotAxis::SpanLinearly(double least, double largest, int max_ticks, bool is_tight) {
  // Numbers that are all the same, or differ by round-off alone, stand in the middle of something.
  const double size = std::max(std::abs(least), std::abs(largest));
  if (!(largest - least > 1e-13 * size)) {
    const double room = size > 0.0 ? 1e-3 * size : 1.0;
    least -= room, largest += room;
  }
  const double step = FindRoundStep(largest - least, max_ticks);
  const double first = is_tight ? std::ceil(least / step - kRounding) : std::floor(least / step + kRounding);
  const double last =
      is_tight ? std::floor(largest / step + kRounding) : std::ceil(largest / step - kRounding);
  lower_ = is_tight ? least : first * step;
  upper_ = is_tight ? largest : last * step;
  const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + kRounding)));
  // Of 0.4000001 and 0.4000002 the labels are what comes after 0.4.
  double base = 0.0;
  const double leading = std::max(std::abs(lower_), std::abs(upper_));
  if (leading / step > std::pow(10.0, kMostDigits)) {
    const double round = FindRoundStep(upper_ - lower_, 1) * 10.0;
    base = std::floor(lower_ / round) * round;
    offset_ = FormatShort(base) + " + ";
  }
  const double shown = std::max(std::abs(lower_ - base), std::abs(upper_ - base));
  const bool is_plain = shown < 1e6 && decimals <= kMostDigits;
  // Counted, not added up, so that zero is zero.
  for (double i = first; i <= last + 0.5; i += 1.0) {
    const double number = i * step;
    if (number < lower_ - kRounding * step || number > upper_ + kRounding * step) continue;
    const double rest = std::abs(number - base) < 0.5 * step ? 0.0 : number - base;
    ticks_.push_back({number, is_plain ? FormatFixed(rest, decimals) : FormatShort(rest)});
  }
}

}  // namespace stiction::runner
