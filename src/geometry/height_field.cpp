// Height fields as closed surfaces.
#include <cmath>
#include <stdexcept>
#include <string>

#include "stiction/geometry/mesh_surface.h"

namespace stiction {
namespace {

void Check(const HeightGrid& grid) {
  if (grid.num_rows < 2 || grid.num_cols < 2)
    throw std::invalid_argument("a height field needs at least two rows and two columns");
  const std::size_t samples =
      static_cast<std::size_t>(grid.num_rows) * static_cast<std::size_t>(grid.num_cols);
  if (samples > kMaxHeightSamples)
    throw std::invalid_argument("a height field of " + std::to_string(samples) +
                                " samples is larger than the " + std::to_string(kMaxHeightSamples) +
                                " that are accepted; thin it out");
  if (grid.heights.size() != samples)
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

// Fills the strip between two chains along +x, the one at lower y first, with triangles that face down.
void FillStrip(const std::vector<int>& low, const std::vector<int>& high, TriangleMesh& mesh) {
  const std::size_t num_low = low.size() - 1, num_high = high.size() - 1;  // edges
  std::size_t i = 0, j = 0;
  while (i < num_low || j < num_high) {
    const bool takes_low = j == num_high || (i < num_low && (i + 1) * num_high <= (j + 1) * num_low);
    mesh.triangles.push_back({low[i], high[j], takes_low ? low[i + 1] : high[j + 1]});
    takes_low ? ++i : ++j;
  }
}

// Below each sample of the rim one vertex at the depth of the base. The bottom is cut into strips from side
// to side, which a search tree tells apart; triangles that meet in its middle would all lie in one another's
// boxes, and building the surface would take the square of their number.
void AddBase(const HeightGrid& grid, TriangleMesh& mesh) {
  const int rows = grid.num_rows, cols = grid.num_cols;
  // Around the rim counter-clockwise, seen from above.
  std::vector<int> rim;
  for (int col = 0; col < cols; ++col) rim.push_back(col);
  for (int row = 1; row < rows; ++row) rim.push_back(row * cols + cols - 1);
  for (int col = cols - 2; col >= 0; --col) rim.push_back((rows - 1) * cols + col);
  for (int row = rows - 2; row >= 1; --row) rim.push_back(row * cols);
  const int first = static_cast<int>(mesh.vertices.size()), count = static_cast<int>(rim.size());
  for (const int top : rim)
    mesh.vertices.emplace_back(mesh.vertices[top].x(), mesh.vertices[top].y(), -grid.base);
  for (int k = 0; k < count; ++k) {
    const int next = (k + 1) % count;
    mesh.triangles.push_back({rim[k], first + k, first + next});
    mesh.triangles.push_back({rim[k], first + next, rim[next]});
  }
  const auto chain = [&](int row) {
    if (row > 0 && row + 1 < rows) return std::vector<int>{first + count - row, first + cols - 1 + row};
    std::vector<int> all;
    for (int col = 0; col < cols; ++col)
      all.push_back(first + (row == 0 ? col : 2 * (cols - 1) + rows - 1 - col));
    return all;
  };
  for (int row = 0; row + 1 < rows; ++row) FillStrip(chain(row), chain(row + 1), mesh);
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
  AddBase(grid, mesh);
  return mesh;
}

}  // namespace stiction
