// Signs of a distance field on a regular grid that encloses the solid. Private to the library.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "stiction/geometry/distance_field.h"

namespace stiction {

class SignGrid {
 public:
  // Throws as CalcSurface does.
  SignGrid(const DistanceField& field, double spacing);

  double spacing() const { return spacing_; }
  int count(int axis) const { return counts_[axis]; }  // of nodes
  Vector3d Node(int i, int j, int k) const { return origin_ + spacing_ * Vector3d(i, j, k); }
  std::int64_t Index(int i, int j, int k) const {
    return (static_cast<std::int64_t>(k) * counts_[1] + j) * counts_[0] + i;
  }
  bool IsInside(std::int64_t node) const { return inside_[node] != 0; }

 private:
  // The nodes of a cube of `size`, a power of two, nodes along its sides; those beyond the grid are left out.
  void FillBlock(const DistanceField& field, const std::array<int, 3>& first, int size);
  void SetBlock(const std::array<int, 3>& first, int size, bool inside);

  Vector3d origin_;
  double spacing_;
  std::array<int, 3> counts_;
  std::vector<char> inside_;
};

// Nodes that CalcSurface would use for bounds of these sizes.
double CountGridNodes(const Vector3d& sizes, double spacing);

constexpr double kMaxGridNodes = 1 << 24;

}  // namespace stiction
