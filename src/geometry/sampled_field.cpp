#include "geometry/sampled_field.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>

#include "geometry/field_program.h"
#include "geometry/winding_tree.h"

namespace stiction {
namespace {

constexpr int kMarginCells = 2;  // cells around the mesh's box: one, and one for rounding
constexpr double kMaxNodes = 1 << 24;

void CheckSampledMesh(const TriangleMesh& mesh) {
  if (mesh.triangles.empty()) throw std::invalid_argument("sampled field: the mesh has no triangle");
  const int num_vertices = static_cast<int>(mesh.vertices.size());
  for (const auto& triangle : mesh.triangles) {
    for (const int v : triangle) {
      if (v >= 0 && v < num_vertices && mesh.vertices[v].allFinite()) continue;
      throw std::invalid_argument("sampled field: a triangle's vertex " + std::to_string(v) +
                                  " is not among the mesh's, or is not finite");
    }
  }
}

Eigen::AlignedBox3d CalcBox(const TriangleMesh& mesh) {
  Eigen::AlignedBox3d box;
  for (const auto& triangle : mesh.triangles) {
    for (const int v : triangle) box.extend(mesh.vertices[v]);
  }
  return box;
}

double CountNodes(const Vector3d& sizes, double spacing) {
  return ((sizes / spacing).array().ceil() + (2 * kMarginCells + 1)).prod();
}

void CheckSpacing(const Vector3d& sizes, double spacing) {
  if (!(spacing > 0.0 && std::isfinite(spacing))) {
    throw std::invalid_argument("sampled field: the spacing must be positive and finite, got " +
                                std::to_string(spacing));
  }
  if (CountNodes(sizes, spacing) <= kMaxNodes) return;
  double fitting = spacing;
  while (CountNodes(sizes, fitting) > kMaxNodes) fitting *= 1.05;
  std::ostringstream message;
  message << "sampled field: a spacing of " << spacing << " m takes " << CountNodes(sizes, spacing)
          << " nodes, and 2^24 is the limit; a spacing of " << fitting << " m fits";
  throw std::invalid_argument(message.str());
}

SampledGrid LayOut(const Eigen::AlignedBox3d& box, double spacing) {
  SampledGrid grid;
  grid.spacing = spacing;
  grid.solid_bounds = box;
  for (int i = 0; i < 3; ++i) {
    const int cells = static_cast<int>(std::ceil(box.sizes()[i] / spacing)) + 2 * kMarginCells;
    grid.counts[i] = cells + 1;
    grid.origin[i] = box.center()[i] - 0.5 * cells * spacing;
  }
  grid.values.resize(static_cast<std::size_t>(grid.counts[0]) * grid.counts[1] * grid.counts[2]);
  return grid;
}

void Sample(const WindingTree& tree, SampledGrid& grid) {
  for (int k = 0; k < grid.counts[2]; ++k) {
    for (int j = 0; j < grid.counts[1]; ++j) {
      double distance = std::numeric_limits<double>::infinity();
      for (int i = 0; i < grid.counts[0]; ++i) {
        const Vector3d p = grid.Node(i, j, k);
        // The distance changes by at most the way from the last node, which bounds the search.
        distance = tree.CalcDistance(p, (distance + grid.spacing) * (1.0 + 1e-9));
        grid.values[grid.Index(i, j, k)] =
            static_cast<float>(tree.CalcWinding(p) > 0.5 ? -distance : distance);
      }
    }
  }
}

}  // namespace

SampledGrid SampleMesh(const TriangleMesh& mesh, double spacing) {
  CheckSampledMesh(mesh);
  const Eigen::AlignedBox3d box = CalcBox(mesh);
  CheckSpacing(box.sizes(), spacing);
  SampledGrid grid = LayOut(box, spacing);
  Sample(WindingTree(mesh), grid);
  grid.mesh = std::make_shared<const TriangleMesh>(mesh);
  return grid;
}

DistanceField MakeSampledField(SampledGrid grid) {
  const Eigen::AlignedBox3d bounds = grid.solid_bounds;
  return MakeField(SampledLeaf{std::make_shared<const SampledGrid>(std::move(grid))}, bounds);
}

DistanceField MakeSampledField(const TriangleMesh& mesh, double spacing) {
  return MakeSampledField(SampleMesh(mesh, spacing));
}

}  // namespace stiction
