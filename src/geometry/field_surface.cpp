#include "geometry/field_surface.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "geometry/cube_polygons.h"
#include "geometry/sign_grid.h"
#include "geometry/surface_points.h"

namespace stiction {
namespace {

// Where the polygons of the cubes seen so far cross the edges of the grid: of one layer of cubes, the edges
// from its lower nodes and those between its upper ones.
class CrossedEdges {
 public:
  static constexpr int kNone = -1;

  explicit CrossedEdges(const SignGrid& grid) : nx_(grid.count(0)), ny_(grid.count(1)) {
    for (auto& layer : corners_) layer.assign(3 * static_cast<std::size_t>(nx_) * ny_, kNone);
  }

  // To the layer of cubes above node k.
  void Enter(int k) { std::ranges::fill(corners_[(k + 1) % 2], kNone); }

  // The corner on the edge from this node along an axis.
  int& At(const std::array<int, 3>& node, int axis) {
    return corners_[node[2] % 2][3 * (static_cast<std::size_t>(node[1]) * nx_ + node[0]) + axis];
  }

 private:
  int nx_, ny_;
  std::array<std::vector<int>, 2> corners_;
};

// Collects vertices and fans cube by cube; a fan's triangle is made when its neighbour across the face is
// known.
class SurfaceBuilder {
 public:
  SurfaceBuilder(const DistanceField& field, double spacing)
      : field_(field), grid_(field, spacing), crossed_(grid_) {}

  TriangleMesh Build() && {
    for (int k = 0; k + 1 < grid_.count(2); ++k) {
      crossed_.Enter(k);
      for (int j = 0; j + 1 < grid_.count(1); ++j) AddRow(j, k);
    }
    return std::move(mesh_);
  }

 private:
  // One side of a polygon, waiting for the cube on the other side of its face.
  struct Side {
    int center;
    bool is_feature;
  };
  // A point on a grid edge. A face has two cubes, and an edge four faces: at most four sides wait.
  struct Corner {
    int vertex;
    SurfacePoint point;
    int num_waiting = 0;
    std::array<std::pair<int, Side>, 4> waiting{};  // to which other corner
  };
  // The features to which one is joined by a flipped side, as a list that ends with -1.
  struct Crease {
    int other;
    int next;
  };

  void AddRow(int j, int k) {
    // Corners of the face that a cube shares with the next: bits 1, 3, 5 and 7 of the one are 0, 2, 4 and 6
    // of the other.
    const std::int64_t rows[4] = {grid_.Index(0, j, k), grid_.Index(0, j + 1, k), grid_.Index(0, j, k + 1),
                                  grid_.Index(0, j + 1, k + 1)};
    const auto upper_face = [&](int i) {
      unsigned bits = 0;
      for (int r = 0; r < 4; ++r) bits |= unsigned{grid_.IsInside(rows[r] + i)} << (2 * r + 1);
      return bits;
    };
    unsigned inside = upper_face(0);
    for (int i = 0; i + 1 < grid_.count(0); ++i) {
      inside = (inside >> 1 & 0b01010101u) | upper_face(i + 1);
      if (inside != 0 && inside != 255) AddCube({i, j, k}, inside);
    }
  }

  void AddCube(const std::array<int, 3>& cube, unsigned inside) {
    const CubePolygons& polygons = FindCubePolygons(inside);
    for (int p = 0; p < polygons.count; ++p) {
      AddPolygon(
          cube, inside,
          {polygons.edges.data() + polygons.starts[p], polygons.edges.data() + polygons.starts[p + 1]});
    }
  }

  void AddPolygon(const std::array<int, 3>& cube, unsigned inside, std::span<const int> edges) {
    std::array<SurfacePoint, 12> points;
    std::array<int, 12> corners;
    const int size = static_cast<int>(edges.size());
    for (int n = 0; n < size; ++n) {
      corners[n] = FindOrAddCorner(cube, inside, kCubeEdges[edges[n]]);
      points[n] = corners_[corners[n]].point;
    }
    // A feature may lie in a neighbouring cube, but not beyond.
    const PolygonCenter center =
        FindPolygonCenter(field_, {points.data(), points.data() + size}, 1.5 * grid_.spacing());
    const Side side{AddVertex(center.position), center.is_feature};
    for (int n = 0; n < size; ++n) AddSide(corners[n], corners[(n + 1) % size], side);
  }

  int FindOrAddCorner(const std::array<int, 3>& cube, unsigned inside, const CubeEdge& edge) {
    const auto node = [&](int c) {
      return std::array{cube[0] + (c & 1), cube[1] + (c >> 1 & 1), cube[2] + (c >> 2)};
    };
    const std::array<int, 3> low = node(edge.corner), high = node(edge.corner | 1 << edge.axis);
    int& corner = crossed_.At(low, edge.axis);
    if (corner != CrossedEdges::kNone) return corner;
    Vector3d from = grid_.Node(low[0], low[1], low[2]), to = grid_.Node(high[0], high[1], high[2]);
    if ((inside >> edge.corner & 1u) == 0) std::swap(from, to);
    const SurfacePoint point = FindCrossing(field_, from, to);
    corner = static_cast<int>(corners_.size());
    corners_.push_back({AddVertex(point.position), point});
    return corner;
  }

  // From corner a to b, seen from outside.
  void AddSide(int a, int b, const Side& side) {
    Corner& keeper = corners_[std::min(a, b)];
    const int other = std::max(a, b);
    const auto end = keeper.waiting.begin() + keeper.num_waiting;
    const auto found =
        std::find_if(keeper.waiting.begin(), end, [&](const auto& one) { return one.first == other; });
    if (found == end) {
      keeper.waiting[keeper.num_waiting++] = {other, side};
      return;
    }
    const Side neighbor = found->second;
    *found = keeper.waiting[--keeper.num_waiting];
    AddTriangles(corners_[a].vertex, corners_[b].vertex, side, neighbor);
  }

  void AddTriangles(int a, int b, const Side& side, const Side& neighbor) {
    if (side.is_feature && neighbor.is_feature && AddCrease(side.center, neighbor.center)) {
      mesh_.triangles.push_back({side.center, a, neighbor.center});
      mesh_.triangles.push_back({neighbor.center, b, side.center});
    } else {
      mesh_.triangles.push_back({side.center, a, b});
      mesh_.triangles.push_back({neighbor.center, b, a});
    }
  }

  // Two fans may share two sides; only one can be flipped, as the other would repeat the edge. False then.
  bool AddCrease(int a, int b) {
    int& newest = newest_crease_[std::min(a, b)];
    const int other = std::max(a, b);
    for (int c = newest; c >= 0; c = creases_[c].next) {
      if (creases_[c].other == other) return false;
    }
    creases_.push_back({other, newest});
    newest = static_cast<int>(creases_.size()) - 1;
    return true;
  }

  int AddVertex(const Vector3d& p) {
    mesh_.vertices.push_back(p);
    newest_crease_.push_back(-1);
    return static_cast<int>(mesh_.vertices.size()) - 1;
  }

  const DistanceField& field_;
  SignGrid grid_;
  CrossedEdges crossed_;
  TriangleMesh mesh_;
  std::vector<Corner> corners_;
  std::vector<int> newest_crease_;  // of each vertex, in creases_; -1: none
  std::vector<Crease> creases_;
};

}  // namespace

TriangleMesh CalcSurface(const DistanceField& field, double spacing) {
  return SurfaceBuilder(field, spacing).Build();
}

}  // namespace stiction
