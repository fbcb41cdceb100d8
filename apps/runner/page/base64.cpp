#include "base64.h"

#include <cstdint>

namespace stiction::runner {

std::string EncodeBase64(const void* bytes, std::size_t size) {
  static constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto* in = static_cast<const unsigned char*>(bytes);
  std::string out;
  out.reserve((size + 2) / 3 * 4);
  for (std::size_t i = 0; i < size; i += 3) {
    std::uint32_t block = static_cast<std::uint32_t>(in[i]) << 16;
    if (i + 1 < size) block |= static_cast<std::uint32_t>(in[i + 1]) << 8;
    if (i + 2 < size) block |= in[i + 2];
    out += kLetters[block >> 18 & 63];
    out += kLetters[block >> 12 & 63];
    out += i + 1 < size ? kLetters[block >> 6 & 63] : '=';
    out += i + 2 < size ? kLetters[block & 63] : '=';
  }
  return out;
}

}  // namespace stiction::runner
