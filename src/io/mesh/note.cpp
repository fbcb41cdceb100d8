#include "io/mesh/note.h"

#include <cmath>
#include <cstdio>

namespace stiction {
namespace {

// Enough digits to tell a ratio that is honoured from one that is not.
std::string SixDigits(double number) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", number);
  return text;
}

}  // namespace

void NoteMeshShape(const MeshShape& shape, const std::string& part, xml::Element& element) {
  // Hulls of meshes that are convex as drawn differ by round-off of single precision at most.
  constexpr double kExact = 1e-6, kMuch = 1.3;
  const ConvexHull& hull = *shape.hull.polytope;
  std::string what = "convex hull of " + std::to_string(hull.vertices.size()) + " vertices";
  const double mesh_volume = std::abs(shape.mesh_volume);
  if (!shape.is_closed || !(mesh_volume > 0.0)) {
    return element.Note(ImportStatus::kApproximated, what + "; the mesh is open: its volume is unknown");
  }
  const double ratio = hull.unit_density.mass / mesh_volume;
  what += ", hull/mesh volume ratio " + SixDigits(ratio);
  if (ratio < 1.0 - kExact) {
    return element.Note(ImportStatus::kApproximated, what + ": parts of the mesh overlap one another");
  }
  if (ratio > kMuch) {
    what += "; WARNING: hollows and gaps are filled: write concave=\"true\" on the <" + part +
            "> to have the surface itself, or split the mesh into convex parts, one <" + part + "> each";
  }
  element.Note(ratio <= 1.0 + kExact ? ImportStatus::kHonoured : ImportStatus::kApproximated, what);
}

void NoteMeshSurface(const MeshSurface& surface, xml::Element& element) {
  std::string what = "surface of " + std::to_string(surface.faces.size()) + " triangles, ";
  what += surface.is_closed ? "closed" : "open: touches on the side from which they wind counter-clockwise";
  if (surface.num_dropped > 0)
    what += "; triangles without area, dropped: " + std::to_string(surface.num_dropped);
  if (surface.was_turned) what += "; all wound inwards and were turned over";
  if (surface.num_crowded_edges > 0) {
    what += "; WARNING: edges of more than two triangles: " + std::to_string(surface.num_crowded_edges) +
            "; inside and outside may be mixed up there: repair the mesh";
  }
  const bool is_as_drawn = !surface.was_turned && surface.num_crowded_edges == 0;
  element.Note(is_as_drawn ? ImportStatus::kHonoured : ImportStatus::kApproximated, what);
}

}  // namespace stiction
