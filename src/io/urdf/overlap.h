// Do shapes overlap?
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "stiction/geometry/shape.h"

namespace stiction::urdf {

// True if the shapes overlap by more than a micrometre.
bool ShapesOverlap(const Shape& a, const RigidTransform& X_WA, const Shape& b, const RigidTransform& X_WB);

// A shape on a body, and where it stands in the first configuration.
struct PlacedShape {
  int body = -1;
  int part = -1;  // of the body, which is the body but for the world's
  const Shape* shape = nullptr;
  RigidTransform X_WG = {};
  double radius = 0.0;  // of the bounding sphere [m]
};

// Pairs of shapes on two bodies that overlap: one for each two parts, by the shapes' places in the list, the
// smaller first, sorted. More than `max_pairs`: nothing beyond the first one too many.
//   but_for  pairs of parts that are not asked about, the smaller first
std::vector<std::pair<int, int>> FindOverlapping(const std::vector<PlacedShape>& placed,
                                                 std::set<std::pair<int, int>> but_for,
                                                 std::size_t max_pairs);

}  // namespace stiction::urdf
