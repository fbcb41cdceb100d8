// Textures that are made from words.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "io/mjcf/texture.h"

namespace stiction::mjcf {
namespace {

constexpr int kUp = 2, kDown = 3;  // pictures of a cube

std::uint8_t ToByte(double part) {
  return static_cast<std::uint8_t>(std::lround(255.0 * std::clamp(part, 0.0, 1.0)));
}

// 0: rgb1, 1: rgb2, at the middle of a pixel; x to the right and y up, in [-1, 1].
double GradientAt(const Texture& texture, int picture, double x, double y) {
  if (texture.kind == Texture::Kind::kPlane) return std::sqrt(0.5 * (x * x + y * y));
  // The height above the horizon of where the pixel is seen from the middle of the cube.
  const double height = picture == kUp ? 1.0 : picture == kDown ? -1.0 : y;
  const double flat = picture == kUp || picture == kDown ? std::hypot(x, y) : std::hypot(x, 1.0);
  return 0.5 - std::atan2(height, flat) / std::numbers::pi;
}

double ShareOfSecond(const BuiltinTexture& words, const Texture& texture, int picture, int row, int column) {
  const double x = (2.0 * column + 1.0) / texture.width - 1.0, y = 1.0 - (2.0 * row + 1.0) / texture.height;
  switch (words.pattern) {
    case BuiltinTexture::Pattern::kChecker:
      return (x < 0.0) == (y > 0.0) ? 0.0 : 1.0;
    case BuiltinTexture::Pattern::kGradient:
      return GradientAt(texture, picture, x, y);
    case BuiltinTexture::Pattern::kFlat:
      break;
  }
  return texture.kind != Texture::Kind::kPlane && picture == kDown ? 1.0 : 0.0;
}

// The same pixels in every run.
bool IsStruck(std::uint32_t pixel, double share) {
  std::uint32_t h = pixel * 0x9E3779B9u;
  h = (h ^ (h >> 16)) * 0x85EBCA6Bu;
  h = (h ^ (h >> 13)) * 0xC2B2AE35u;
  return (h ^ (h >> 16)) < share * 4294967296.0;
}

bool IsMarked(const BuiltinTexture& words, const Texture& texture, int picture, int row, int column) {
  const int w = texture.width, h = texture.height;
  switch (words.mark) {
    case BuiltinTexture::Mark::kEdge:
      return row == 0 || column == 0 || row == h - 1 || column == w - 1;
    case BuiltinTexture::Mark::kCross:
      return row == h / 2 || column == w / 2;
    case BuiltinTexture::Mark::kRandom:
      return IsStruck(static_cast<std::uint32_t>((picture * h + row) * w + column), words.random);
    case BuiltinTexture::Mark::kNone:
      break;
  }
  return false;
}

}  // namespace

void PaintTexture(const BuiltinTexture& words, Texture& texture) {
  texture.pixels.clear();
  texture.pixels.reserve(std::size_t{4} * texture.width * texture.height * texture.num_pictures());
  for (int picture = 0; picture < texture.num_pictures(); ++picture) {
    for (int row = 0; row < texture.height; ++row) {
      for (int column = 0; column < texture.width; ++column) {
        const bool is_marked = IsMarked(words, texture, picture, row, column);
        const double share = ShareOfSecond(words, texture, picture, row, column);
        for (int k = 0; k < 3; ++k) {
          const double part =
              is_marked ? words.mark_rgb[k] : (1.0 - share) * words.rgb1[k] + share * words.rgb2[k];
          texture.pixels.push_back(ToByte(part));
        }
        texture.pixels.push_back(255);
      }
    }
  }
}

}  // namespace stiction::mjcf
