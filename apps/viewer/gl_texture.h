// Pictures on the graphics card.
#pragma once

#include "gl.h"
#include "stiction/model/material.h"

namespace stiction::viewer {

// With smaller versions of itself for what is far away. Pictures that are larger than the card takes become
// half as large, and so on. To be deleted by glDeleteTextures.
GLuint MakePlanePicture(const Texture& texture);
GLuint MakeCubePicture(const Texture& texture);

}  // namespace stiction::viewer
