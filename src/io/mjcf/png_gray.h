// Pictures as grids of grey values: height fields are drawn so. PNG only, decoded by stb_image, which stays
// inside png_gray.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace stiction {

struct PictureSize {
  std::uint32_t width = 0, height = 0;
};

// What the header of a PNG file claims, by its first 24 bytes; none if it is no PNG.
inline constexpr std::size_t kPngHeadBytes = 24;
std::optional<PictureSize> ReadPngSize(std::string_view head);

// The first channel, red or grey, of each pixel, in [0, 65535]; row after row from the top. Memory is
// bounded whatever the file claims: it may have as many pixels as a height field has samples. Throws
// std::invalid_argument: damaged, truncated, larger than that.
std::vector<double> ReadPngGray(std::string_view bytes);

}  // namespace stiction
