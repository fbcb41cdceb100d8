// The options of a solver by name, for command lines, files and windows: each is a member of the solver's
// options struct, with its type, its range and what it does.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace stiction {

struct NumberOption {
  double* value;
  double minimum, maximum;
};

struct IntegerOption {
  int* value;
  int minimum, maximum;
};

struct FlagOption {
  bool* value;
};

// An enum whose values are 0, 1, ... in the order of their names.
struct ChoiceOption {
  void* value;
  int (*get)(const void* value);
  void (*set)(void* value, int index);
  std::vector<const char*> names;
  int index() const { return get(value); }
};

struct SolverOption {
  std::string name;
  std::variant<NumberOption, IntegerOption, FlagOption, ChoiceOption> target;
  std::string description;

  SolverOption(const char* option, double& value, double minimum, double maximum, const char* what);
  SolverOption(const char* option, int& value, int minimum, int maximum, const char* what);
  SolverOption(const char* option, bool& value, const char* what);
  SolverOption(const char* option, ChoiceOption choice, const char* what);
  template <typename Enum>
  requires std::is_enum_v<Enum> SolverOption(const char* option, Enum& value,
                                             std::initializer_list<const char*> names, const char* what)
      : SolverOption(
            option,
            ChoiceOption{
                &value, [](const void* from) { return static_cast<int>(*static_cast<const Enum*>(from)); },
                [](void* to, int index) { *static_cast<Enum*>(to) = static_cast<Enum>(index); }, names},
            what) {}

  // "number", "integer", "flag" or "choice".
  const char* type_name() const;
  // The present value, as Set would take it.
  std::string FormatValue() const;
  // "0 to 1"; "true or false"; "fixed, linear or spectral".
  std::string FormatRange() const;

  // Sets the value from text: a number; true, false, 1 or 0; a name, or its index. Returns an empty string,
  // or what is wrong, and then leaves the value: not of the type, out of range.
  [[nodiscard]] std::string Set(std::string_view text) const;
};

}  // namespace stiction
