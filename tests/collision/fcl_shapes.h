// Our shapes as FCL's.
#pragma once

#include <fcl/geometry/shape/convex.h>

#include <memory>
#include <vector>

#include "stiction/geometry/convex_hull.h"

namespace stiction::test {

inline std::shared_ptr<fcl::CollisionGeometryd> MakeFclConvex(const ConvexHull& hull) {
  // A face is its number of vertices, then those.
  const auto vertices = std::make_shared<std::vector<Vector3d>>(hull.vertices);
  const auto faces = std::make_shared<std::vector<int>>();
  for (const ConvexHull::Face& face : hull.faces) {
    faces->push_back(face.num_vertices);
    for (const int vertex : hull.VerticesOf(face)) faces->push_back(vertex);
  }
  return std::make_shared<fcl::Convexd>(vertices, static_cast<int>(hull.faces.size()), faces);
}

}  // namespace stiction::test
