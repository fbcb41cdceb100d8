#include "sim/array_size.h"

#include <stdexcept>

namespace stiction {
namespace {

// A double, whose rounding begins far beyond any memory.
double CountEntries(std::initializer_list<Dimension> dimensions) {
  double count = 1.0;
  for (const Dimension& d : dimensions) count *= d.count;
  return count;
}

std::string Join(std::initializer_list<Dimension> dimensions) {
  std::string text;
  for (const Dimension& d : dimensions)
    text += (text.empty() ? "" : ", ") + std::to_string(d.count) + " " + d.name;
  return text;
}

[[noreturn]] void RefuseSize(const char* name, std::size_t size, const std::string& expected) {
  throw std::invalid_argument(std::string(name) + " has " + std::to_string(size) + " entries; expected [" +
                              expected + "]");
}

}  // namespace

bool HasSize(std::size_t size, std::initializer_list<Dimension> dimensions) {
  return static_cast<double>(size) == CountEntries(dimensions);
}

void CheckSize(const char* name, std::size_t size, std::initializer_list<Dimension> dimensions) {
  if (!HasSize(size, dimensions)) RefuseSize(name, size, Join(dimensions));
}

void CheckSizeOrOne(const char* name, std::size_t size, const Dimension& first,
                    std::initializer_list<Dimension> rest) {
  if (HasSize(size, rest) || static_cast<double>(size) == first.count * CountEntries(rest)) return;
  RefuseSize(name, size, Join({first}) + ", or 1" + (rest.size() > 0 ? ", " : "") + Join(rest));
}

}  // namespace stiction
