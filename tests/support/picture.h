// Pictures that a test reads back.
#pragma once

#include <gtest/gtest.h>
#include <stb_image.h>

#include <array>
#include <cstdlib>
#include <string>
#include <vector>

namespace stiction::testing {

struct PictureFile {
  int width = 0, height = 0;
  std::vector<unsigned char> pixels;  // rows from the top, three bytes per pixel

  explicit PictureFile(const std::string& path) {
    int channels = 0;
    unsigned char* data = stbi_load(path.c_str(), &width, &height, &channels, 3);
    if (data == nullptr) return;
    pixels.assign(data, data + 3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    stbi_image_free(data);
  }

  // Red, green, blue.
  std::array<int, 3> at(int x, int y) const {
    const std::size_t i =
        3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
    return {pixels[i], pixels[i + 1], pixels[i + 2]};
  }

  // The number of pixels for which is_wanted(red, green, blue).
  template <typename Predicate>
  int Count(const Predicate& is_wanted) const {
    int count = 0;
    for (std::size_t i = 0; i + 2 < pixels.size(); i += 3)
      count += is_wanted(static_cast<int>(pixels[i]), static_cast<int>(pixels[i + 1]),
                         static_cast<int>(pixels[i + 2]));
    return count;
  }
};

}  // namespace stiction::testing
