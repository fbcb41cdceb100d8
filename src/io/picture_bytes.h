// Pictures from the bytes of their files, decoded by stb_image, which stays inside picture_bytes.cpp: as
// grids of grey values, as height fields are drawn, and in colour, for textures. Memory is bounded whatever a
// file claims.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stiction {

struct PictureSize {
  std::uint32_t width = 0, height = 0;
};

// What the header of a PNG file claims, by its first 24 bytes; none if it is no PNG.
inline constexpr std::size_t kPngHeadBytes = 24;
std::optional<PictureSize> ReadPngSize(std::string_view head);

// The first channel, red or grey, of each pixel of a PNG, in [0, 65535]; row after row from the top. It may
// have as many pixels as a height field has samples. Throws std::invalid_argument: damaged, truncated, larger
// than that.
std::vector<double> ReadPngGray(std::string_view bytes);

struct ColorPicture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> pixels;  // red, green, blue, opacity; rows from the top
};

// Of a PNG, JPEG, TGA or BMP file. Throws std::invalid_argument: none of them, damaged, truncated, more than
// kMaxTexturePixels.
inline constexpr std::size_t kMaxTexturePixels = std::size_t{1} << 24;
ColorPicture ReadColorPicture(std::string_view bytes);

// The bytes of a PNG file. Throws std::invalid_argument where there is not enough memory.
std::string MakePng(const ColorPicture& picture);

}  // namespace stiction
