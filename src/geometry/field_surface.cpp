#include "geometry/field_surface.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "geometry/cube_polygons.h"
#include "geometry/sign_grid.h"
#include "geometry/surface_points.h"

namespace stiction {
namespace {

// Grid edge: three times its lower node's index, plus its axis.
using EdgeId = std::int64_t;

struct PairHash {
  std::size_t operator()(const std::pair<std::int64_t, std::int64_t>& pair) const {
    return std::hash<std::int64_t>()(pair.first * 0x9E3779B97F4A7C15 + pair.second);
  }
};

// Collects vertices and fans cube by cube; a fan's triangle is made when its neighbour across the face is
// known. The hash tables are only looked up, never walked, so that the mesh does not depend on their order.
class SurfaceBuilder {
 public:
  SurfaceBuilder(const DistanceField& field, double spacing) : field_(field), grid_(field, spacing) {}

  TriangleMesh Build() && {
    for (int k = 0; k + 1 < grid_.count(2); ++k) {
      for (int j = 0; j + 1 < grid_.count(1); ++j) {
        for (int i = 0; i + 1 < grid_.count(0); ++i) AddCube(i, j, k);
      }
    }
    return std::move(mesh_);
  }

 private:
  struct Corner {
    int vertex;
    SurfacePoint point;
  };
  // One side of a polygon, waiting for the cube on the other side of its face.
  struct Side {
    int center;
    bool is_feature;
  };

  void AddCube(int i, int j, int k) {
    unsigned inside = 0;
    for (int c = 0; c < 8; ++c) {
      inside |= unsigned{grid_.IsInside(grid_.Index(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2)))} << c;
    }
    if (inside == 0 || inside == 255) return;
    const CubePolygons polygons = FindCubePolygons(inside);
    for (int p = 0; p < polygons.count; ++p) {
      AddPolygon(
          {i, j, k}, inside,
          {polygons.edges.data() + polygons.starts[p], polygons.edges.data() + polygons.starts[p + 1]});
    }
  }

  void AddPolygon(const std::array<int, 3>& cube, unsigned inside, std::span<const int> edges) {
    std::array<SurfacePoint, 12> points;
    std::array<int, 12> vertices;
    const int size = static_cast<int>(edges.size());
    for (int n = 0; n < size; ++n) {
      const Corner& corner = FindOrAddCorner(cube, inside, kCubeEdges[edges[n]]);
      points[n] = corner.point;
      vertices[n] = corner.vertex;
    }
    // A feature may lie in a neighbouring cube, but not beyond.
    const PolygonCenter center =
        FindPolygonCenter(field_, {points.data(), points.data() + size}, 1.5 * grid_.spacing());
    const Side side{AddVertex(center.position), center.is_feature};
    for (int n = 0; n < size; ++n) AddSide(vertices[n], vertices[(n + 1) % size], side);
  }

  const Corner& FindOrAddCorner(const std::array<int, 3>& cube, unsigned inside, const CubeEdge& edge) {
    const auto node = [&](int c) {
      return std::array{cube[0] + (c & 1), cube[1] + (c >> 1 & 1), cube[2] + (c >> 2)};
    };
    const std::array<int, 3> low = node(edge.corner), high = node(edge.corner | 1 << edge.axis);
    const EdgeId id = 3 * grid_.Index(low[0], low[1], low[2]) + edge.axis;
    const auto found = corners_.find(id);
    if (found != corners_.end()) return found->second;
    Vector3d from = grid_.Node(low[0], low[1], low[2]), to = grid_.Node(high[0], high[1], high[2]);
    if ((inside >> edge.corner & 1u) == 0) std::swap(from, to);
    const SurfacePoint point = FindCrossing(field_, from, to);
    return corners_.emplace(id, Corner{AddVertex(point.position), point}).first->second;
  }

  void AddSide(int a, int b, const Side& side) {
    const auto [other, is_first] = sides_.try_emplace({std::min(a, b), std::max(a, b)}, side);
    if (is_first) return;
    const Side neighbor = other->second;
    sides_.erase(other);  // a face has two cubes
    // Two fans may share two sides; only one can be flipped, as the other would repeat the edge.
    const bool flip =
        side.is_feature && neighbor.is_feature &&
        creases_.insert({std::min(side.center, neighbor.center), std::max(side.center, neighbor.center)})
            .second;
    if (flip) {
      mesh_.triangles.push_back({side.center, a, neighbor.center});
      mesh_.triangles.push_back({neighbor.center, b, side.center});
    } else {
      mesh_.triangles.push_back({side.center, a, b});
      mesh_.triangles.push_back({neighbor.center, b, a});
    }
  }

  int AddVertex(const Vector3d& p) {
    mesh_.vertices.push_back(p);
    return static_cast<int>(mesh_.vertices.size()) - 1;
  }

  const DistanceField& field_;
  SignGrid grid_;
  TriangleMesh mesh_;
  std::unordered_map<EdgeId, Corner> corners_;
  std::unordered_map<std::pair<std::int64_t, std::int64_t>, Side, PairHash> sides_;
  std::unordered_set<std::pair<std::int64_t, std::int64_t>, PairHash> creases_;
};

}  // namespace

TriangleMesh CalcSurface(const DistanceField& field, double spacing) {
  return SurfaceBuilder(field, spacing).Build();
}

}  // namespace stiction
