// Samples of a signed distance on a regular grid. Private to the library.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "stiction/geometry/distance_field.h"
#include "stiction/geometry/triangle_mesh.h"

namespace stiction {

struct SampledGrid {
  Vector3d origin;            // of sample (0, 0, 0) [m]
  double spacing;             // [m]
  std::array<int, 3> counts;  // samples an axis, at least 2
  std::vector<float> values;  // φ [m], x fastest; a float's 6e-8 is far below the interpolation's error
  Eigen::AlignedBox3d solid_bounds;          // of the sampled mesh [m]
  std::shared_ptr<const TriangleMesh> mesh;  // that was sampled, for who writes the field into a file

  // The trilinear interpolant; outside of the grid, sqrt(a² + b²) of the distance a to the grid and the value
  // b at the grid's nearest point: a lower bound of the distance, since the grid is convex and holds the
  // solid.
  FieldSample Evaluate(const Vector3d& p) const;

  Vector3d Node(int i, int j, int k) const { return origin + spacing * Vector3d(i, j, k); }
  std::size_t Index(int i, int j, int k) const {
    return (static_cast<std::size_t>(k) * counts[1] + j) * counts[0] + i;
  }
};

// What MakeSampledField (geometry/sampled_field.h) keeps, for those who store it.
SampledGrid SampleMesh(const TriangleMesh& mesh, double spacing);
DistanceField MakeSampledField(SampledGrid grid);

}  // namespace stiction
