// Height fields as closed surfaces.
#include <cmath>
#include <stdexcept>
#include <string>

#include "stiction/geometry/mesh_surface.h"

namespace stiction {
namespace {

constexpr long kMaxSamples = 1L << 22;

void Check(const HeightGrid& grid) {
  const long samples = static_cast<long>(grid.num_rows) * grid.num_cols;
  if (grid.num_rows < 2 || grid.num_cols < 2)
    throw std::invalid_argument("a height field needs at least two rows and two columns");
  if (samples > kMaxSamples)
    throw std::invalid_argument("a height field of " + std::to_string(samples) +
                                " samples is larger than the 4194304 that are accepted; thin it out");
  if (static_cast<long>(grid.heights.size()) != samples)
    throw std::invalid_argument("a height field of " + std::to_string(grid.num_rows) + " rows and " +
                                std::to_string(grid.num_cols) + " columns has " +
                                std::to_string(grid.heights.size()) + " heights");
  if (!(grid.half_extents.array() > 0.0).all() || !(grid.base > 0.0) || !grid.half_extents.allFinite() ||
      !std::isfinite(grid.base))
    throw std::invalid_argument("the extents and the base of a height field must be positive and finite");
  for (const double height : grid.heights) {
    if (!std::isfinite(height)) throw std::invalid_argument("a height of the height field is not finite");
    if (height <= -grid.base) throw std::invalid_argument("a height lies below the height field's base");
  }
}

}  // namespace

TriangleMesh MakeHeightFieldMesh(const HeightGrid& grid) {
  Check(grid);
  const int rows = grid.num_rows, cols = grid.num_cols;
  TriangleMesh mesh;
  const auto place = [&](int row, int col) {
    return Vector2d(grid.half_extents.x() * (2.0 * col / (cols - 1) - 1.0),
                    grid.half_extents.y() * (2.0 * row / (rows - 1) - 1.0));
  };
  for (int row = 0; row < rows; ++row) {
    for (int col = 0; col < cols; ++col) {
      const Vector2d xy = place(row, col);
      mesh.vertices.emplace_back(xy.x(), xy.y(), grid.heights[static_cast<std::size_t>(row) * cols + col]);
    }
  }
  const auto quad = [&](int a, int b, int c, int d) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  };
  for (int row = 0; row + 1 < rows; ++row) {
    for (int col = 0; col + 1 < cols; ++col) {
      const int at = row * cols + col;
      quad(at, at + 1, at + cols + 1, at + cols);
    }
  }
  // Around the rim counter-clockwise, seen from above: each sample has one on the base below it.
  std::vector<int> rim;
  for (int col = 0; col < cols; ++col) rim.push_back(col);
  for (int row = 1; row < rows; ++row) rim.push_back(row * cols + cols - 1);
  for (int col = cols - 2; col >= 0; --col) rim.push_back((rows - 1) * cols + col);
  for (int row = rows - 2; row >= 1; --row) rim.push_back(row * cols);
  const int first_base = static_cast<int>(mesh.vertices.size()), count = static_cast<int>(rim.size());
  for (const int top : rim)
    mesh.vertices.emplace_back(mesh.vertices[top].x(), mesh.vertices[top].y(), -grid.base);
  for (int k = 0; k < count; ++k) {
    const int next = (k + 1) % count;
    quad(rim[k], first_base + k, first_base + next, rim[next]);
  }
  // The base, a fan from its middle: no triangle without area whatever the number of rows and columns.
  const int middle = static_cast<int>(mesh.vertices.size());
  mesh.vertices.emplace_back(0.0, 0.0, -grid.base);
  for (int k = 0; k < count; ++k)
    mesh.triangles.push_back({middle, first_base + (k + 1) % count, first_base + k});
  return mesh;
}

}  // namespace stiction
