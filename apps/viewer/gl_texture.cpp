#include "gl_texture.h"

#include <algorithm>
#include <vector>

namespace stiction::viewer {
namespace {

// Every second pixel of every second row.
std::vector<std::uint8_t> Halve(const std::uint8_t* pixels, int width, int height) {
  const int half_width = std::max(1, width / 2), half_height = std::max(1, height / 2);
  std::vector<std::uint8_t> half;
  half.reserve(std::size_t{4} * half_width * half_height);
  for (int y = 0; y < half_height; ++y) {
    for (int x = 0; x < half_width; ++x) {
      const std::uint8_t* pixel = pixels + std::size_t{4} * (std::size_t{2} * y * width + std::size_t{2} * x);
      half.insert(half.end(), pixel, pixel + 4);
    }
  }
  return half;
}

void UploadPicture(GLenum target, const std::uint8_t* pixels, int width, int height, GLint most) {
  std::vector<std::uint8_t> smaller;
  while (std::max(width, height) > most) {
    smaller = Halve(smaller.empty() ? pixels : smaller.data(), width, height);
    width = std::max(1, width / 2), height = std::max(1, height / 2);
  }
  glTexImage2D(target, 0, GL_SRGB8_ALPHA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
               smaller.empty() ? pixels : smaller.data());
}

void SetFilters(GLenum target, GLint wrap) {
  glGenerateMipmap(target);
  glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  for (const GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R})
    glTexParameteri(target, axis, wrap);
}

GLuint MakeTexture(GLenum target) {
  GLuint texture = 0;
  glGenTextures(1, &texture);
  glBindTexture(target, texture);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  return texture;
}

}  // namespace

GLuint MakePlanePicture(const Texture& texture) {
  GLint most = 1024;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
  const GLuint out = MakeTexture(GL_TEXTURE_2D);
  UploadPicture(GL_TEXTURE_2D, texture.pixels.data(), texture.width, texture.height, most);
  SetFilters(GL_TEXTURE_2D, GL_REPEAT);
  return out;
}

GLuint MakeCubePicture(const Texture& texture) {
  GLint most = 1024;
  glGetIntegerv(GL_MAX_CUBE_MAP_TEXTURE_SIZE, &most);
  const GLuint out = MakeTexture(GL_TEXTURE_CUBE_MAP);
  const std::size_t bytes = std::size_t{4} * texture.width * texture.height;
  for (int k = 0; k < 6; ++k) {
    UploadPicture(GL_TEXTURE_CUBE_MAP_POSITIVE_X + static_cast<GLenum>(k), texture.pixels.data() + k * bytes,
                  texture.width, texture.height, most);
  }
  SetFilters(GL_TEXTURE_CUBE_MAP, GL_CLAMP_TO_EDGE);
  return out;
}

}  // namespace stiction::viewer
