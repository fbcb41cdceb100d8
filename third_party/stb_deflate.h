// What stb_image_write packs PNG pictures with (STBIW_ZLIB_COMPRESS) in place of its own compressor: zlib at
// its quickest, in a third of the time; textures take three quarters of the bytes, drawn pictures a few
// percent more.
#pragma once

#include <zlib.h>

#include <cstdlib>

namespace stiction::third_party {

// A block from malloc, and its length; nullptr if there is no memory. The quality that stb asks for has no
// meaning here.
inline unsigned char* Deflate(unsigned char* data, int size, int* packed_size, int /*quality*/) {
  uLongf packed = compressBound(static_cast<uLong>(size));
  auto* out = static_cast<unsigned char*>(std::malloc(packed));
  if (out != nullptr && compress2(out, &packed, data, static_cast<uLong>(size), Z_BEST_SPEED) == Z_OK) {
    *packed_size = static_cast<int>(packed);
    return out;
  }
  std::free(out);
  return nullptr;
}

}  // namespace stiction::third_party
