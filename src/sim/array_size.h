// Sizes of a caller's arrays, checked and named.
#pragma once

#include <initializer_list>
#include <string>

namespace stiction {

// An index of an array: what it counts, and how far.
struct Dimension {
  const char* name;
  int count;
};

// Whether an array has as many entries as its dimensions say.
bool HasSize(std::size_t size, std::initializer_list<Dimension> dimensions);

// Throws std::invalid_argument: "ncp has 7 entries; expected [4 worlds, 2 steps]".
void CheckSize(const char* name, std::size_t size, std::initializer_list<Dimension> dimensions);
// The same of an array that may be one for all of the first dimension.
void CheckSizeOrOne(const char* name, std::size_t size, const Dimension& first,
                    std::initializer_list<Dimension> rest);

}  // namespace stiction
