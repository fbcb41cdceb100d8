// Triangles of the unit shapes of DrawPrimitive.
#pragma once

#include "stiction/viz/draw_list.h"

namespace stiction::viewer {

// `segments` around the axis; spheres have half as many from pole to pole.
DrawMesh MakePrimitive(DrawPrimitive primitive, int segments);

}  // namespace stiction::viewer
