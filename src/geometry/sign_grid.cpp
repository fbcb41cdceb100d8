#include "geometry/sign_grid.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>
#include <stdexcept>

namespace stiction {
namespace {

constexpr int kBlock = 8;  // nodes along the side of the largest block that one sample may decide
// By how much a distance must exceed a block's radius to decide it, as interpolated and threaded fields are
// distances only nearly: times the radius, and cells, of which an interpolated field may be wrong.
constexpr double kRadii = 1.25, kCells = 0.5;
constexpr int kMargin = 3;

Eigen::Array3d CountCells(const Vector3d& sizes, double spacing) {
  return (sizes / spacing).array().ceil() + kMargin;
}

void Check(const Eigen::AlignedBox3d& bounds, double spacing) {
  if (bounds.isEmpty()) throw std::invalid_argument("surface of a distance field: the solid is empty");
  const Vector3d sizes = bounds.sizes();
  if (!sizes.allFinite()) {
    throw std::invalid_argument("surface of a distance field: the solid has no end; intersect it with a box");
  }
  if (!(spacing > 0.0 && std::isfinite(spacing))) {
    throw std::invalid_argument("surface of a distance field: the spacing must be positive and finite, got " +
                                std::to_string(spacing));
  }
  if (CountGridNodes(sizes, spacing) <= kMaxGridNodes) return;
  double fitting = spacing;
  while (CountGridNodes(sizes, fitting) > kMaxGridNodes) fitting *= 1.05;
  std::ostringstream message;
  message << "surface of a distance field: a spacing of " << spacing << " m takes "
          << CountGridNodes(sizes, spacing) << " nodes, and 2^24 is the limit; a spacing of " << fitting
          << " m fits";
  throw std::invalid_argument(message.str());
}

}  // namespace

double CountGridNodes(const Vector3d& sizes, double spacing) {
  return (CountCells(sizes, spacing) + 1.0).prod();
}

SignGrid::SignGrid(const DistanceField& field, double spacing) : spacing_(spacing) {
  const Eigen::AlignedBox3d& bounds = field.bounds();
  Check(bounds, spacing);
  const Eigen::Array3d cells = CountCells(bounds.sizes(), spacing);
  // Off the middle by an odd fraction, so that the faces of common solids do not fall onto grid planes, where
  // triangles would degenerate.
  origin_ = bounds.center().array() - spacing * (0.5 * cells + Eigen::Array3d(0.1372, -0.1618, 0.1141));
  for (int i = 0; i < 3; ++i) counts_[i] = static_cast<int>(cells[i]) + 1;
  inside_.resize(Index(0, 0, counts_[2]));
  for (int k = 0; k < counts_[2]; k += kBlock) {
    for (int j = 0; j < counts_[1]; j += kBlock) {
      for (int i = 0; i < counts_[0]; i += kBlock) FillBlock(field, {i, j, k}, kBlock);
    }
  }
}

// What its middle does not decide is asked of its eight halves, down to the nodes.
void SignGrid::FillBlock(const DistanceField& field, const std::array<int, 3>& first, int size) {
  if (first[0] >= counts_[0] || first[1] >= counts_[1] || first[2] >= counts_[2]) return;
  const double half_side = 0.5 * (size - 1) * spacing_;
  const double value = field.CalcValue(Node(first[0], first[1], first[2]) + Vector3d::Constant(half_side));
  if (size == 1 || std::abs(value) > kRadii * std::numbers::sqrt3 * half_side + kCells * spacing_) {
    SetBlock(first, size, value < 0.0);
    return;
  }
  const int half = size / 2;
  for (int c = 0; c < 8; ++c) {
    FillBlock(field, {first[0] + (c & 1) * half, first[1] + (c >> 1 & 1) * half, first[2] + (c >> 2) * half},
              half);
  }
}

void SignGrid::SetBlock(const std::array<int, 3>& first, int size, bool inside) {
  const int end = std::min(first[0] + size, counts_[0]);
  for (int k = first[2]; k < std::min(first[2] + size, counts_[2]); ++k) {
    for (int j = first[1]; j < std::min(first[1] + size, counts_[1]); ++j) {
      const auto row = inside_.begin() + Index(0, j, k);
      std::fill(row + first[0], row + end, static_cast<char>(inside));
    }
  }
}

}  // namespace stiction
