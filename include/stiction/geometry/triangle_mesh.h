// Triangles that share vertices: what a mesh file holds.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "stiction/geometry/mass_properties.h"

namespace stiction {

struct Material;  // model/material.h

// What is made of a mesh (hulls, surfaces to collide with) has no looks.
struct TriangleMesh {
  std::vector<Vector3d> vertices{};             // [m]
  std::vector<std::array<int, 3>> triangles{};  // counter-clockwise seen from outside

  // Looks, each empty or one entry per triangle: where its corners are in a picture, (0, 0) being the
  // picture's lower left corner; and which of the materials it has, -1: none.
  using Corners = std::array<std::array<float, 2>, 3>;
  std::vector<Corners> texture_corners{};
  std::vector<int> material_of{};
  std::vector<std::shared_ptr<const Material>> materials{};
};

// How a mesh becomes a mass.
enum class MeshSolid {
  kExact,   // the volume that the triangles enclose: signed tetrahedra to the origin; needs a closed mesh
  kLegacy,  // absolute tetrahedra, as MJCF means where it does not say: about the area centroid for the
            // centre of mass, about that centre for volume and moments; overcounts concave meshes
  kConvex,  // the convex hull
  kShell,   // mass spread over the surface
};

// Volume enclosed by the triangles, negative if they wind inwards; meaningless for an open mesh. [m³]
double CalcSignedVolume(const TriangleMesh& mesh);

// Sum of the triangles' areas. [m²]
double CalcArea(const TriangleMesh& mesh);

// The volume that `solid` means (kShell: the area) [m³ or m²]: density times this is the mass.
double CalcSolidMeasure(const TriangleMesh& mesh, MeshSolid solid);

// Mass properties of the given mass, uniform density, in the mesh's frame. Zeros in, zeros out: a mesh whose
// measure is not positive has no mass properties, and the caller must check CalcSolidMeasure first.
MassProperties CalcSolidMassProperties(const TriangleMesh& mesh, MeshSolid solid, double mass);

}  // namespace stiction
