#include "sweep_cases.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "command.h"

namespace stiction::runner {
namespace {

constexpr long long kMaxCases = 1'000'000'000;

[[noreturn]] void Refuse(const std::string& text, const std::string& why) {
  throw UsageError("--vary " + text + ": " + why +
                   "; expected NAME=a,b,..., NAME=A:B (whole numbers), NAME=A:B:N[:log], or with --sample "
                   "NAME=A:B:uniform or NAME=A:B:loguniform");
}

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

// Twelve digits: 0.3 for what steps of 0.1 lead to. The text is the value; the number is read from it.
std::string Format(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.12g", number);
  return text;
}

double ParseEnd(const std::string& text, const std::string& part) {
  const std::optional<double> number = ParseNumber(part);
  if (!number) Refuse(text, "'" + part + "' is not a finite number");
  return *number;
}

std::vector<std::string> CountUp(const std::string& text, double first, double last) {
  if (first != std::floor(first) || last != std::floor(last) || std::max(-first, last) > 1e15)
    Refuse(text, "'A:B' are whole numbers from A to B");
  if (last < first) Refuse(text, "there are no numbers from A up to B");
  if (last - first >= static_cast<double>(kMaxCases)) Refuse(text, "these are too many");
  std::vector<std::string> values;
  for (auto i = static_cast<long long>(first); i <= static_cast<long long>(last); ++i)
    values.push_back(std::to_string(i));
  return values;
}

std::vector<std::string> Space(const std::string& text, double first, double last,
                               const std::string& count_text, bool is_logarithmic) {
  const std::optional<double> count = ParseNumber(count_text);
  if (!count || *count != std::floor(*count) || *count < 1.0 || *count > static_cast<double>(kMaxCases))
    Refuse(text, "'" + count_text + "' is no number of values");
  if (is_logarithmic && !(first > 0.0 && last > 0.0)) Refuse(text, "equal ratios need ends > 0");
  std::vector<std::string> values;
  for (int i = 0; i < static_cast<int>(*count); ++i) {
    const double share = *count > 1.0 ? i / (*count - 1.0) : 0.0;
    values.push_back(
        Format(is_logarithmic ? first * std::pow(last / first, share) : first + share * (last - first)));
  }
  return values;
}

// Of a number, 53 bits that look random (splitmix64, S. Vigna).
double Draw(std::uint64_t seed, std::uint64_t index, std::uint64_t variation) {
  std::uint64_t x = seed;
  for (const std::uint64_t part : {index, variation}) {
    x += 0x9e3779b97f4a7c15 * (part + 1);
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    x ^= x >> 31;
  }
  return std::ldexp(static_cast<double>(x >> 11), -53);
}

std::string DrawValue(const Variation& variation, double share) {
  if (!variation.values.empty()) {
    const auto count = static_cast<double>(variation.values.size());
    return variation.values[static_cast<std::size_t>(std::min(share * count, count - 1.0))];
  }
  return Format(variation.is_logarithmic
                    ? variation.lower * std::pow(variation.upper / variation.lower, share)
                    : variation.lower + share * (variation.upper - variation.lower));
}

}  // namespace

Variation ParseVariation(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
    Refuse(text, "this is not NAME=VALUES");
  Variation variation{.name = text.substr(0, equals), .text = text};
  const std::string range = text.substr(equals + 1);
  const std::vector<std::string> parts = Split(range, ':');
  if (parts.size() == 1) {
    variation.values = SplitCommas(range);
    if (std::find(variation.values.begin(), variation.values.end(), "") != variation.values.end())
      Refuse(text, "a value is missing");
    return variation;
  }
  const double first = ParseEnd(text, parts[0]), last = ParseEnd(text, parts[1]);
  const bool is_drawn = parts.size() == 3 && (parts[2] == "uniform" || parts[2] == "loguniform");
  if (is_drawn) {
    variation.lower = first, variation.upper = last;
    variation.is_logarithmic = parts[2] == "loguniform";
    if (!(first <= last) || (variation.is_logarithmic && !(first > 0.0)))
      Refuse(text, variation.is_logarithmic ? "A has to be > 0, and B >= A" : "B has to be >= A");
  } else if (parts.size() == 2) {
    variation.values = CountUp(text, first, last);
  } else if (parts.size() == 3 || (parts.size() == 4 && parts[3] == "log")) {
    variation.values = Space(text, first, last, parts[2], parts.size() == 4);
  } else {
    Refuse(text, "there are too many ':'");
  }
  return variation;
}

void SweepCases::Check() const {
  double total = 1.0;
  for (std::size_t i = 0; i < variations.size(); ++i) {
    const Variation& variation = variations[i];
    for (std::size_t j = 0; j < i; ++j) {
      if (variations[j].name == variation.name)
        throw UsageError("--vary " + variation.name + ": given twice");
    }
    if (samples == 0 && variation.values.empty())
      Refuse(variation.text, "values are drawn, and --sample does not say how often");
    total *= static_cast<double>(variation.values.size());
  }
  if (samples == 0 && total > static_cast<double>(kMaxCases))
    throw UsageError("--vary: a grid of more than 1e9 cases; --sample takes some of them");
}

long long SweepCases::count() const {
  if (samples > 0) return samples;
  long long count = 1;
  for (const Variation& variation : variations) count *= static_cast<long long>(variation.values.size());
  return count;
}

std::vector<std::string> SweepCases::ValuesOf(long long index) const {
  std::vector<std::string> values(variations.size());
  for (std::size_t i = variations.size(); i-- > 0;) {
    const Variation& variation = variations[i];
    if (samples > 0) {
      values[i] = DrawValue(variation, Draw(seed, static_cast<std::uint64_t>(index), i));
      continue;
    }
    const auto count = static_cast<long long>(variation.values.size());
    values[i] = variation.values[static_cast<std::size_t>(index % count)];
    index /= count;
  }
  return values;
}

}  // namespace stiction::runner
