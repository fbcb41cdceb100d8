// What becomes of meshes as collision shapes, for the import report.
#pragma once

#include "io/mesh/mesh_file.h"
#include "io/xml/element.h"

namespace stiction {

// Notes at `element` the hull's vertices and how much of it the mesh fills: honoured if that is all of it.
//   part  what the user would split: "collision", "geom"
void NoteMeshShape(const MeshShape& shape, const std::string& part, xml::Element& element);

// Notes at `element` what the surface is made of: honoured unless it had to be mended or cannot be right.
void NoteMeshSurface(const MeshSurface& surface, xml::Element& element);

}  // namespace stiction
