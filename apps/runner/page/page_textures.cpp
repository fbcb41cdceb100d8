#include "page_textures.h"

#include <stb_image_write.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "base64.h"

namespace stiction::runner {
namespace {

constexpr std::size_t kMostPixels = 1u << 20;  // of one picture; as a PNG file some 2 MB at most

struct PagePicture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb{};

  std::size_t num_pixels() const {
    return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  }
};

// Without its opacity, which no shape shows.
PagePicture TakePicture(const Texture& texture, int index) {
  PagePicture picture{texture.width, texture.height};
  const std::size_t count = picture.num_pixels();
  const std::uint8_t* pixel = texture.pixels.data() + 4 * count * static_cast<std::size_t>(index);
  for (std::size_t i = 0; i < count; ++i, pixel += 4) picture.rgb.insert(picture.rgb.end(), pixel, pixel + 3);
  return picture;
}

PagePicture HalvePicture(const PagePicture& from) {
  PagePicture half{std::max(1, from.width / 2), std::max(1, from.height / 2)};
  for (int y = 0; y < half.height; ++y) {
    for (int x = 0; x < half.width; ++x) {
      const std::size_t at = 3 * (2 * static_cast<std::size_t>(y) * static_cast<std::size_t>(from.width) +
                                  2 * static_cast<std::size_t>(x));
      half.rgb.insert(half.rgb.end(), from.rgb.begin() + static_cast<std::ptrdiff_t>(at),
                      from.rgb.begin() + static_cast<std::ptrdiff_t>(at + 3));
    }
  }
  return half;
}

std::string EncodePng(const PagePicture& picture) {
  std::vector<unsigned char> bytes;
  const auto write = [](void* context, void* data, int size) {
    auto& out = *static_cast<std::vector<unsigned char>*>(context);
    const auto* begin = static_cast<const unsigned char*>(data);
    out.insert(out.end(), begin, begin + size);
  };
  if (!stbi_write_png_to_func(write, &bytes, picture.width, picture.height, 3, picture.rgb.data(), 0))
    throw std::runtime_error("a picture of the model cannot be written into the page: no memory is left");
  return EncodeBase64(bytes);
}

}  // namespace

Json PackTextures(const std::vector<SharedTexture>& textures, const std::vector<bool>& is_used,
                  std::string& note) {
  Json out = Json::array();
  bool is_any_halved = false;
  for (std::size_t i = 0; i < textures.size(); ++i) {
    if (!is_used[i]) {
      out.push_back(nullptr);
      continue;
    }
    const Texture& texture = *textures[i];
    Json pictures = Json::array();
    for (int k = 0; k < texture.num_pictures(); ++k) {
      PagePicture picture = TakePicture(texture, k);
      for (; picture.num_pixels() > kMostPixels; is_any_halved = true) picture = HalvePicture(picture);
      pictures.push_back(EncodePng(picture));
    }
    out.push_back({{"cube", texture.kind != Texture::Kind::kPlane}, {"pictures", std::move(pictures)}});
  }
  if (is_any_halved)
    note +=
        (note.empty() ? "" : "; ") + std::string("pictures on shapes have fewer pixels than in the files");
  return out;
}

}  // namespace stiction::runner
