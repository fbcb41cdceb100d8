// <texture>: pictures of an MJCF file, made from words or read from files. Nothing that is wrong with one
// stops the load: it is noted, and what would show it is plain.
#pragma once

#include "io/mjcf/context.h"

namespace stiction::mjcf {

// Into context.assets.textures; the first sky into the builder's surroundings.
void ReadTexture(Context& context, xml::Element& element);

// What a file says of a texture that it does not hold itself.
struct BuiltinTexture {
  enum class Pattern { kFlat, kChecker, kGradient } pattern = Pattern::kFlat;
  enum class Mark { kNone, kEdge, kCross, kRandom } mark = Mark::kNone;
  double rgb1[3] = {0.8, 0.8, 0.8}, rgb2[3] = {0.5, 0.5, 0.5}, mark_rgb[3] = {0.0, 0.0, 0.0};
  double random = 0.01;  // share of the pixels that are marked
};

// Fills the pictures of a texture whose kind and size are set.
//   flat      rgb1; the picture below of a cube rgb2
//   checker   two by two squares
//   gradient  of a plane from rgb1 in the middle to rgb2 in the corners; of a cube by elevation, from rgb1 at
//   the top
void PaintTexture(const BuiltinTexture& words, Texture& texture);

}  // namespace stiction::mjcf
