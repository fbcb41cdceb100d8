#include "stiction/geometry/convex_hull.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "geometry/hull_faces.h"
#include "geometry/hull_triangles.h"
#include "geometry/point_range.h"

namespace stiction {
namespace {

constexpr double kThinnest = 1e-6;  // least thickness of a solid, of its extent
// A centre nearer to the origin, of the radius, is there but for round-off. Then nothing is moved, so that a
// hull whose vertices are given again is the same again.
constexpr double kCentred = 1e-13;

void CheckPoints(std::span<const Vector3d> points) {
  if (points.size() < 4) {
    throw std::invalid_argument("a convex hull needs at least 4 points, got " +
                                std::to_string(points.size()));
  }
  CheckPointRange(points, "a point of the hull");
}

// Compressed lists: of(v) for every vertex v, filled from pairs (vertex, value) sorted by vertex.
void Compress(std::vector<std::pair<int, int>>& pairs, int num_vertices, std::vector<int>& first,
              std::vector<int>& values) {
  std::sort(pairs.begin(), pairs.end());
  first.assign(num_vertices + 1, 0);
  values.clear();
  for (const auto& [vertex, value] : pairs) {
    ++first[vertex + 1];
    values.push_back(value);
  }
  for (int v = 0; v < num_vertices; ++v) first[v + 1] += first[v];
}

void FindEdges(ConvexHull& hull) {
  std::vector<std::pair<std::pair<int, int>, int>> sides;  // (ascending vertices, face)
  std::vector<std::pair<int, int>> neighbors, faces;
  for (int f = 0; f < static_cast<int>(hull.faces.size()); ++f) {
    const auto loop = hull.VerticesOf(hull.faces[f]);
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const int a = loop[k], b = loop[(k + 1) % loop.size()];
      sides.push_back({{std::min(a, b), std::max(a, b)}, f});
      faces.push_back({a, f});
    }
  }
  std::sort(sides.begin(), sides.end());
  for (std::size_t k = 0; k + 1 < sides.size(); k += 2) {
    const auto& [ends, face] = sides[k];
    hull.edges.push_back({{ends.first, ends.second}, {face, sides[k + 1].second}});
    neighbors.push_back({ends.first, ends.second});
    neighbors.push_back({ends.second, ends.first});
  }
  const int count = static_cast<int>(hull.vertices.size());
  Compress(neighbors, count, hull.first_neighbor, hull.neighbors);
  Compress(faces, count, hull.first_face, hull.vertex_faces);
}

void CalcSizes(ConvexHull& hull) {
  hull.lower = hull.upper = hull.vertices[0];
  hull.radius = 0.0;
  for (const Vector3d& p : hull.vertices) {
    hull.lower = hull.lower.cwiseMin(p);
    hull.upper = hull.upper.cwiseMax(p);
    hull.radius = std::max(hull.radius, p.norm());
  }
  hull.thickness = std::numeric_limits<double>::infinity();
  for (ConvexHull::Face& face : hull.faces) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const Vector3d& p : hull.vertices) {
      low = std::min(low, face.normal.dot(p));
      high = std::max(high, face.normal.dot(p));
    }
    face.offset = high;
    hull.thickness = std::min(hull.thickness, high - low);
  }
}

}  // namespace

TriangleMesh Triangulate(const ConvexHull& hull) {
  TriangleMesh mesh{hull.vertices, {}};
  for (const ConvexHull::Face& face : hull.faces) {
    const auto loop = hull.VerticesOf(face);
    for (std::size_t k = 1; k + 1 < loop.size(); ++k)
      mesh.triangles.push_back({loop[0], loop[k], loop[k + 1]});
  }
  return mesh;
}

ConvexHull MakeConvexHull(std::span<const Vector3d> points) {
  constexpr const char* kFlat =
      "the points lie in one plane and enclose no volume; give the shape some thickness, or use a box";
  CheckPoints(points);
  const TriangleMesh surface = hull::MakeTriangles(points);
  if (surface.triangles.empty()) throw std::invalid_argument(kFlat);
  ConvexHull hull = hull::MergeFaces(surface);
  if (hull.faces.empty()) throw std::invalid_argument(kFlat);
  CalcSizes(hull);
  if (!(hull.thickness > kThinnest * (hull.upper - hull.lower).norm())) throw std::invalid_argument(kFlat);
  FindEdges(hull);
  const TriangleMesh triangles = Triangulate(hull);
  hull.unit_density = CalcSolidMassProperties(triangles, MeshSolid::kExact, CalcSignedVolume(triangles));
  return hull;
}

PlacedHull MakeHull(std::span<const Vector3d> points) {
  ConvexHull hull = MakeConvexHull(points);
  Vector3d p_PG = hull.unit_density.p_BBcm;
  if (p_PG.norm() <= kCentred * hull.radius) p_PG.setZero();
  for (Vector3d& p : hull.vertices) p -= p_PG;
  CalcSizes(hull);
  hull.unit_density.p_BBcm.setZero();
  return {Hull{std::make_shared<const ConvexHull>(std::move(hull))}, p_PG};
}

int FindSupport(const ConvexHull& hull, const Vector3d& d, int start) {
  int best = start;
  double height = d.dot(hull.vertices[best]);
  for (bool climbs = true; climbs;) {
    climbs = false;
    const int here = best;
    for (int k = hull.first_neighbor[here]; k < hull.first_neighbor[here + 1]; ++k) {
      const int vertex = hull.neighbors[k];
      const double candidate = d.dot(hull.vertices[vertex]);
      if (candidate > height) height = candidate, best = vertex, climbs = true;
    }
  }
  return best;
}

}  // namespace stiction
