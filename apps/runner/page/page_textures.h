// The pictures on shapes as data of a page.
#pragma once

#include <string>
#include <vector>

#include "json_output.h"
#include "stiction/model/material.h"

namespace stiction::runner {

// Of each texture {cube: whether, pictures: PNG files as base64, one or the six of a cube}, null of those
// that no shape shows. Where they are larger than what a page has room for, every second pixel is left out
// until they are not, and `note` says so.
Json PackTextures(const std::vector<SharedTexture>& textures, const std::vector<bool>& is_used,
                  std::string& note);

}  // namespace stiction::runner
