#include "stiction/scenario/quantity.h"

#include <cstddef>

namespace stiction {
namespace {

struct QuantityWords {
  const char* name;
  const char* unit;
};
// In the order of Quantity.
constexpr QuantityWords kQuantities[kNumQuantities] = {
    {"position", "m"},    {"drift", "m"},        {"speed", "m/s"}, {"penetration", "m"}, {"ncp", "m/s"},
    {"loop", "m or rad"}, {"energy_drift", "J"}, {"contacts", ""}, {"force", "N"},       {"time", "s"}};

const QuantityWords& WordsOf(Quantity quantity) {
  return kQuantities[static_cast<std::size_t>(quantity)];
}

}  // namespace

const char* ToString(Quantity quantity) {
  return WordsOf(quantity).name;
}

const char* UnitOf(Quantity quantity) {
  return WordsOf(quantity).unit;
}

const char* DescribeAxis(Axis axis) {
  constexpr const char* kNames[] = {" along x", " along y", " along z", ""};
  return kNames[static_cast<int>(axis)];
}

}  // namespace stiction
