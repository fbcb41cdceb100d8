// A convex polygon in space, and its piece on one side of a plane.
#pragma once

#include <array>

#include "collision/aligned_box.h"

namespace stiction::patch {

// The part of space with n · x >= offset.
struct HalfSpace {
  Vector3d n = Vector3d::Zero();  // of any length
  double offset = 0.0;

  double Height(const Vector3d& x) const { return n.dot(x) - offset; }
};

struct ConvexPolygon {
  // A quadrilateral gains at most one vertex a plane: four and a seam of each of two cells, four of a bin.
  static constexpr int kMaxVertices = 20;

  int size = 0;
  std::array<Vector3d, kMaxVertices> p;  // [m]

  void Add(const Vector3d& vertex) { p[size++] = vertex; }

  // Leaves what lies in the half-space; size 0 if that is no area.
  void Clip(const HalfSpace& half_space);

  AlignedBox CalcBox() const {
    AlignedBox box{p[0], p[0]};
    for (int i = 1; i < size; ++i) {
      box.lower = box.lower.cwiseMin(p[i]);
      box.upper = box.upper.cwiseMax(p[i]);
    }
    return box;
  }
};

}  // namespace stiction::patch
