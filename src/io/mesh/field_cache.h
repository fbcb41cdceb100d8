// Sampled distance fields, kept on disk between runs beside the hulls of meshes (mesh/cache.h).
#pragma once

#include "stiction/geometry/distance_field.h"
#include "stiction/geometry/triangle_mesh.h"

namespace stiction {

// As MakeSampledField (geometry/sampled_field.h), from the cache if the mesh was sampled before with this
// spacing. Throws what it throws.
DistanceField LoadSampledField(const TriangleMesh& mesh, double spacing);

}  // namespace stiction
