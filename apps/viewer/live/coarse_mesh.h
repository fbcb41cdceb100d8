// A mesh of fewer triangles, for pictures that software draws while something moves.
#pragma once

#include "stiction/viz/draw_list.h"

namespace stiction::viewer {

// Vertex clustering (Rossignac and Borrel 1993, "Multi-resolution 3D approximations for rendering complex
// scenes", §3): corners in one cell of a cubic grid become their mean, and triangles that have two corners
// there vanish. Differs from it in two ways:
// 1. corners are apart, too, where their normals point along different axes or their places in a picture lie
//    in different cells of that, so that edges stay sharp and seams closed;
// 2. corners have no weights.
//   cell  [m]; the surface moves by less than its diagonal
DrawMesh CoarsenMesh(const DrawMesh& mesh, float cell);

}  // namespace stiction::viewer
