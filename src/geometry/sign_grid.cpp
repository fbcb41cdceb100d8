#include "geometry/sign_grid.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>
#include <stdexcept>

namespace stiction {
namespace {

constexpr int kBlock = 8;  // nodes along the side of a block that one sample may decide
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
      for (int i = 0; i < counts_[0]; i += kBlock) FillBlock(field, {i, j, k});
    }
  }
}

void SignGrid::FillBlock(const DistanceField& field, const std::array<int, 3>& first) {
  const double half_side = 0.5 * (kBlock - 1) * spacing_;
  const Vector3d center = Node(first[0], first[1], first[2]) + Vector3d::Constant(half_side);
  // A quarter more than the block's radius, as interpolated and threaded fields are distances only nearly.
  const double value = field.CalcValue(center);
  const bool decided = std::abs(value) > 1.25 * std::numbers::sqrt3 * half_side;
  for (int k = first[2]; k < std::min(first[2] + kBlock, counts_[2]); ++k) {
    for (int j = first[1]; j < std::min(first[1] + kBlock, counts_[1]); ++j) {
      for (int i = first[0]; i < std::min(first[0] + kBlock, counts_[0]); ++i) {
        inside_[Index(i, j, k)] = (decided ? value : field.CalcValue(Node(i, j, k))) < 0.0;
      }
    }
  }
}

}  // namespace stiction
