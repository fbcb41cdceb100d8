#include "stiction/contact/solver_option.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace stiction {
namespace {

template <typename... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};
// C++20 deduces it; clang 14 has to be told.
template <typename... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

std::optional<double> ReadNumber(std::string_view text) {
  double number = 0.0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end || !std::isfinite(number)) return {};
  return number;
}

// The shortest text that reads back as the same bits.
template <typename T>
std::string Format(T number) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

std::string JoinNames(const std::vector<const char*>& names) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i)
    list += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + std::string(names[i]);
  return list;
}

template <typename Option>
std::string CheckRange(const Option& option, double number, std::string_view text) {
  if (number >= option.minimum && number <= option.maximum) return "";
  return std::string(text) + " is outside its range, " + Format(option.minimum) + " to " +
         Format(option.maximum);
}

// Each returns what is wrong with the text.
std::string SetFrom(std::string_view text, const NumberOption& option) {
  const std::optional<double> number = ReadNumber(text);
  if (!number) return "'" + std::string(text) + "' is not a number";
  const std::string wrong = CheckRange(option, *number, text);
  if (wrong.empty()) *option.value = *number;
  return wrong;
}

std::string SetFrom(std::string_view text, const IntegerOption& option) {
  const std::optional<double> number = ReadNumber(text);
  if (!number) return "'" + std::string(text) + "' is not a number";
  if (*number != std::floor(*number)) return "'" + std::string(text) + "' is not an integer";
  const std::string wrong = CheckRange(option, *number, text);
  if (wrong.empty()) *option.value = static_cast<int>(*number);
  return wrong;
}

std::string SetFrom(std::string_view text, const FlagOption& option) {
  const std::optional<double> number = ReadNumber(text);
  const bool is_true = text == "true" || number == 1.0;
  if (!is_true && text != "false" && number != 0.0)
    return "'" + std::string(text) + "' is neither true nor false";
  *option.value = is_true;
  return "";
}

std::string SetFrom(std::string_view text, const ChoiceOption& option) {
  const std::optional<double> number = ReadNumber(text);
  for (std::size_t i = 0; i < option.names.size(); ++i) {
    if (text != option.names[i] && number != static_cast<double>(i)) continue;
    option.set(option.value, static_cast<int>(i));
    return "";
  }
  return "'" + std::string(text) + "' is not " + JoinNames(option.names);
}

}  // namespace

SolverOption::SolverOption(const char* option, double& value, double minimum, double maximum,
                           const char* what)
    : name(option), target(NumberOption{&value, minimum, maximum}), description(what) {}
SolverOption::SolverOption(const char* option, int& value, int minimum, int maximum, const char* what)
    : name(option), target(IntegerOption{&value, minimum, maximum}), description(what) {}
SolverOption::SolverOption(const char* option, bool& value, const char* what)
    : name(option), target(FlagOption{&value}), description(what) {}
SolverOption::SolverOption(const char* option, ChoiceOption choice, const char* what)
    : name(option), target(std::move(choice)), description(what) {}

const char* SolverOption::type_name() const {
  return std::visit(
      Overloaded{[](const NumberOption&) { return "number"; }, [](const IntegerOption&) { return "integer"; },
                 [](const FlagOption&) { return "flag"; }, [](const ChoiceOption&) { return "choice"; }},
      target);
}

std::string SolverOption::FormatValue() const {
  return std::visit(
      Overloaded{[](const NumberOption& option) { return Format(*option.value); },
                 [](const IntegerOption& option) { return Format(*option.value); },
                 [](const FlagOption& option) { return std::string(*option.value ? "true" : "false"); },
                 [](const ChoiceOption& option) { return std::string(option.names[option.index()]); }},
      target);
}

std::string SolverOption::FormatRange() const {
  const auto interval = [](const auto& option) {
    return Format(option.minimum) + " to " + Format(option.maximum);
  };
  return std::visit(Overloaded{[&](const NumberOption& option) { return interval(option); },
                               [&](const IntegerOption& option) { return interval(option); },
                               [](const FlagOption&) { return std::string("true or false"); },
                               [](const ChoiceOption& option) { return JoinNames(option.names); }},
                    target);
}

std::string SolverOption::Set(std::string_view text) const {
  const std::string wrong = std::visit([&](const auto& option) { return SetFrom(text, option); }, target);
  return wrong.empty() ? wrong : "option '" + name + "': " + wrong;
}

}  // namespace stiction
