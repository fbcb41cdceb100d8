// Bytes as text, for data inside of a page.
#pragma once

#include <string>
#include <vector>

namespace stiction::runner {

// RFC 4648, padded.
std::string EncodeBase64(const void* bytes, std::size_t size);

template <typename Number>
std::string EncodeBase64(const std::vector<Number>& numbers) {
  return EncodeBase64(numbers.data(), numbers.size() * sizeof(Number));
}

}  // namespace stiction::runner
