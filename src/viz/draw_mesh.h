// Triangles with normals, from what models hold. Private to viz.
#pragma once

#include <utility>
#include <vector>

#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/field_solid.h"
#include "stiction/geometry/triangle_mesh.h"
#include "stiction/viz/draw_list.h"

namespace stiction {

// Faces with their own normals.
DrawMesh MakeDrawMesh(const ConvexHull& hull);

// Normals are smoothed over edges that are not sharp, also where triangles repeat a vertex instead of sharing
// it.
DrawMesh MakeDrawMesh(const TriangleMesh& mesh);

// The same by the materials of its triangles, in the order in which these come first; -1: those without one.
std::vector<std::pair<int, DrawMesh>> SplitByMaterial(const TriangleMesh& mesh);

// The triangles of its surface with the normals that the field has there, creases left sharp.
DrawMesh MakeDrawMesh(const FieldSolid& solid);

}  // namespace stiction
