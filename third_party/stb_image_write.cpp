// What the programs and tests write pictures with: Debian's library of stb packs them with stb's own
// compressor.
#include "stb_deflate.h"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBIW_ZLIB_COMPRESS stiction::third_party::Deflate
#include <stb_image_write.h>
