// Shapes of SDFormat that are made here out of others: cones, outlines that are raised, pictures of heights.
#pragma once

#include <filesystem>
#include <optional>

#include "io/xml/element.h"
#include "stiction/geometry/shape.h"

namespace stiction::sdformat {

// A shape and where its own frame stands.
struct PlacedShape {
  Shape shape;
  Vector3d p = Vector3d::Zero();
};

// <cone>: a hull, about its middle. Throws LoadError.
PlacedShape MakeCone(xml::Element& cone);
// All <polyline> of a geometry, of which those within others are holes: a hull where that is all of it, else
// a surface. Throws LoadError.
PlacedShape MakeExtrusion(const xml::Element& geometry);
// <heightmap>: a surface with a base, as Gazebo has it: black is 0, the brightest point the height that
// `size` gives; the first row of the picture lies at +y. Throws LoadError, and MeshError for a file that is
// none.
PlacedShape MakeHeightMap(xml::Element& heightmap, const std::filesystem::path& picture);

}  // namespace stiction::sdformat
