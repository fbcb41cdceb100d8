// Points on the surface of a distance field. Private to the library.
#pragma once

#include <span>

#include "stiction/geometry/distance_field.h"

namespace stiction {

struct SurfacePoint {
  Vector3d position;
  Vector3d normal;  // outward unit
};

// Where the segment from a point inside to one outside crosses φ = 0, to 1e-13 of its length.
SurfacePoint FindCrossing(const DistanceField& field, const Vector3d& inside, const Vector3d& outside);

// Newton along the gradient onto φ = 0.
SurfacePoint ProjectOntoSurface(const DistanceField& field, const Vector3d& p);

struct PolygonCenter {
  Vector3d position;
  bool is_feature;  // on a crease or a corner of the surface
};

// The vertex in the middle of a polygon of surface points, at most `reach` [m] from their mean if a feature.
PolygonCenter FindPolygonCenter(const DistanceField& field, std::span<const SurfacePoint> corners,
                                double reach);

}  // namespace stiction
