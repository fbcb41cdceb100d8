// Whether a mesh hides its own inside, so that triangles which face away need not be drawn.
#pragma once

#include "stiction/viz/draw_list.h"

namespace stiction::viewer {

// Every edge of a triangle is one of another in the other direction, and the volume that they enclose is
// positive: from outside all triangles that face away are behind others.
bool IsClosed(const DrawMesh& mesh);

}  // namespace stiction::viewer
