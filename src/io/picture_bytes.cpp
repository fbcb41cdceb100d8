#include "io/picture_bytes.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>

#include "stiction/geometry/mesh_surface.h"

namespace {

// The most pixels of heights, of four channels of 16 bits each, are 8 MiB, those of textures 64 MiB, and the
// decoder doubles its buffers. A file that unpacks to more lies about its size: it is refused rather than
// left to fill the memory.
constexpr std::size_t kMaxGrayBlock = std::size_t{32} << 20, kMaxColorBlock = std::size_t{192} << 20;
thread_local std::size_t max_block = kMaxGrayBlock;

void* Allocate(std::size_t bytes) {
  return bytes <= max_block ? std::malloc(bytes) : nullptr;
}

void* Reallocate(void* block, std::size_t bytes) {
  return bytes <= max_block ? std::realloc(block, bytes) : nullptr;
}

}  // namespace

// The decoder is compiled in here: the library then links to nothing more than zlib.
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_ONLY_TGA
#define STBI_ONLY_BMP
#define STBI_NO_STDIO
#define STBI_MALLOC(bytes) Allocate(bytes)
#define STBI_REALLOC(block, bytes) Reallocate(block, bytes)
#define STBI_FREE(block) std::free(block)
#include <stb_deflate.h>
#if defined(__clang__)
// It copies an empty chunk of a PNG, nothing of it, to a null pointer.
#pragma clang attribute push(__attribute__((no_sanitize("nonnull-attribute"))), apply_to = function)
#endif
#include <stb_image.h>
#if defined(__clang__)
#pragma clang attribute pop
#endif
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#define STBIW_ZLIB_COMPRESS stiction::third_party::Deflate
#include <stb_image_write.h>

namespace stiction {
namespace {

// Both have 32 bits at most: the product does not overflow.
void CheckColorSize(std::uint64_t width, std::uint64_t height) {
  if (width * height <= kMaxTexturePixels) return;
  throw std::invalid_argument("a picture of " + std::to_string(width) + " by " + std::to_string(height) +
                              " pixels has more than " + std::to_string(kMaxTexturePixels) +
                              "; make it smaller");
}

}  // namespace

std::optional<PictureSize> ReadPngSize(std::string_view head) {
  constexpr unsigned char kSignature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(head[at]); };
  if (head.size() < kPngHeadBytes || head.substr(12, 4) != "IHDR") return std::nullopt;
  for (std::size_t k = 0; k < std::size(kSignature); ++k) {
    if (byte(k) != kSignature[k]) return std::nullopt;
  }
  const auto number = [&](std::size_t at) {
    return std::uint32_t{byte(at)} << 24 | std::uint32_t{byte(at + 1)} << 16 |
           std::uint32_t{byte(at + 2)} << 8 | byte(at + 3);
  };
  return PictureSize{number(16), number(20)};
}

std::vector<double> ReadPngGray(std::string_view bytes) {
  const std::optional<PictureSize> size = ReadPngSize(bytes);
  if (!size) throw std::invalid_argument("not a PNG picture");
  if (std::uint64_t{size->width} * size->height > kMaxHeightSamples || bytes.size() > kMaxGrayBlock)
    throw std::invalid_argument("the picture has more than " + std::to_string(kMaxHeightSamples) + " pixels");
  max_block = kMaxGrayBlock;
  int width = 0, height = 0, channels = 0;
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  // Pictures of 8 bits come out as multiples of 257, which normalising undoes.
  const std::unique_ptr<stbi_us, decltype(&std::free)> pixels(
      stbi_load_16_from_memory(data, static_cast<int>(bytes.size()), &width, &height, &channels, 0),
      &std::free);
  if (!pixels) throw std::invalid_argument("damaged PNG picture: " + std::string(stbi_failure_reason()));
  std::vector<double> gray(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  for (std::size_t k = 0; k < gray.size(); ++k)
    gray[k] = pixels.get()[k * static_cast<std::size_t>(channels)];
  return gray;
}

ColorPicture ReadColorPicture(std::string_view bytes) {
  if (bytes.size() > kMaxColorBlock)
    throw std::invalid_argument("the file is larger than any picture that is read");
  // What a PNG claims is looked at first: the decoder has no words for what is too large.
  if (const std::optional<PictureSize> size = ReadPngSize(bytes)) CheckColorSize(size->width, size->height);
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  const int length = static_cast<int>(bytes.size());
  max_block = kMaxColorBlock;
  ColorPicture picture;
  int channels = 0;
  if (!stbi_info_from_memory(data, length, &picture.width, &picture.height, &channels))
    throw std::invalid_argument("no PNG, JPEG, TGA or BMP picture, or a damaged one");
  CheckColorSize(static_cast<std::uint64_t>(picture.width), static_cast<std::uint64_t>(picture.height));
  const std::unique_ptr<stbi_uc, decltype(&std::free)> pixels(
      stbi_load_from_memory(data, length, &picture.width, &picture.height, &channels, 4), &std::free);
  if (!pixels) {
    const std::string reason = stbi_failure_reason();
    throw std::invalid_argument("damaged picture" + (reason.empty() ? ", which ends early" : ": " + reason));
  }
  const std::size_t size =
      4 * static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height);
  picture.pixels.assign(pixels.get(), pixels.get() + size);
  return picture;
}

std::string MakePng(const ColorPicture& picture) {
  std::string bytes;
  const auto append = [](void* to, void* data, int size) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
  };
  if (!stbi_write_png_to_func(append, &bytes, picture.width, picture.height, 4, picture.pixels.data(),
                              4 * picture.width))
    throw std::invalid_argument("a picture cannot be packed as PNG");
  return bytes;
}

}  // namespace stiction
