// What surfaces look like: colours, pictures on them, how they take the light. Of no effect on the
// simulation.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "stiction/model/color.h"

namespace stiction {

// A picture, or the six of a cube. Colours are as in files, encoded for the eye (sRGB).
struct Texture {
  // Of a cube, in the order of its pictures: those that are seen from inside looking along +x, -x, +y, -y, +z
  // and -z, in OpenGL's orientation. A sky is a cube around everything, its +y up.
  enum class Kind { kPlane, kCube, kSky };

  std::string name{};
  Kind kind = Kind::kPlane;
  int width = 0;  // of each picture [pixels]; those of cubes are square
  int height = 0;
  std::vector<std::uint8_t>
      pixels{};  // red, green, blue, opacity; rows from the top; size 4 width height (x 6)

  int num_pictures() const { return kind == Kind::kPlane ? 1 : 6; }
  bool operator==(const Texture&) const = default;
};
using SharedTexture = std::shared_ptr<const Texture>;  // one for all materials that show it; null: none

// MJCF's words. `specular` is the strength of highlights and `shininess` how small they are; where a file
// gives metallic and roughness, those count instead.
struct Material {
  std::string name{};
  Color color{1.0f, 1.0f, 1.0f, 1.0f};  // times the texture's
  SharedTexture texture{};
  // How often a picture is repeated over the whole shape, or, if uniform, over a metre. A uniform cube is
  // laid around the shape as it would be with half extents of 1. Both do not concern meshes with coordinates
  // of their own.
  std::array<float, 2> repeat{1.0f, 1.0f};
  bool is_uniform = false;
  float specular = 0.5f;     // in [0, 1]
  float shininess = 0.5f;    // in [0, 1]
  float reflectance = 0.0f;  // in [0, 1], of a mirror
  float emission = 0.0f;     // of its own colour, ≥ 0
  float metallic = -1.0f;    // in [0, 1]; negative: not given
  float roughness = -1.0f;   // in [0, 1]; negative: not given

  bool operator==(const Material&) const = default;  // of the same textures, not of equal ones
};
using SharedMaterial = std::shared_ptr<const Material>;  // null: nothing beyond the colour

}  // namespace stiction
