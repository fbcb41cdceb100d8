// A signed distance field as a collision shape: the field for gaps and normals, and triangles on its surface
// for places.
#pragma once

#include "stiction/geometry/distance_field.h"
#include "stiction/geometry/mesh_surface.h"

namespace stiction {

struct SurfaceSamples;
class UnitDensityOnDemand;

struct FieldSolid {
  DistanceField field;                            // in the frame G
  Mesh surface;                                   // all vertices on φ = 0; the same frame
  double spacing = 0.0;                           // of the grid that the triangles come from [m]
  std::shared_ptr<const SurfaceSamples> samples;  // of the surface, for collision; never null
  std::shared_ptr<UnitDensityOnDemand> mass;      // never null

  // Of the solid with density 1, in the frame G; where the solid is too thin for that, of its surface. The
  // first call computes it, which takes longer than all else for most fields with operations, and which
  // nobody needs of what stands still. Several threads may call it.
  const MassProperties& CalcUnitDensity() const;
};

// The field as a collision shape: its frame G stands at the middle of its surface's bounding box, axes as the
// field's frame F.
struct PlacedField {
  Field shape;
  Vector3d p_FG;  // [m]
};

//   spacing  of the triangles; 0: a fortieth of the longest side of the bounds. What is finer than it
//   gives
//            gaps and normals, but no points of its own [m]
// Throws std::invalid_argument as CalcSurface does (geometry/field_surface.h).
PlacedField MakeField(const DistanceField& field, double spacing = 0.0);

}  // namespace stiction
