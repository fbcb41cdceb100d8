// The names of the text form, what each takes and makes. Private to the library.
#pragma once

#include <limits>
#include <span>
#include <string_view>

#include "stiction/geometry/distance_field.h"

namespace stiction {

constexpr int kAnyCount = std::numeric_limits<int>::max();

struct FieldKeyword {
  std::string_view name;
  std::string_view usage;
  int min_numbers, max_numbers;
  int min_fields, max_fields;
  DistanceField (*make)(std::span<const double> numbers, std::span<const DistanceField> fields);
};

std::span<const FieldKeyword> GetFieldKeywords();

}  // namespace stiction
