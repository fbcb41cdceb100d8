#include "stiction/geometry/mesh_surface.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tuple>

#include "geometry/point_range.h"

namespace stiction {
namespace {

constexpr std::size_t kMaxTriangles = std::size_t{1} << 24;
constexpr double kFlatSine = 1e-4;           // between the normals of one plane
constexpr double kStraightSine = 1e-4;       // between the two halves of one edge
constexpr double kThinnestTriangle = 1e-10;  // a triangle's least height, of the mesh's extent
// A middle nearer to the origin, of the extent, is there but for round-off. Then nothing is moved, so that a
// surface that is given again is the same again.
constexpr double kCentredMesh = 1e-13;

void CheckSurfaceMesh(const TriangleMesh& mesh) {
  if (mesh.triangles.size() > kMaxTriangles) {
    throw std::invalid_argument(
        "the mesh has " + std::to_string(mesh.triangles.size()) +
        " triangles, more than the 16777216 that a collision mesh may have; simplify it");
  }
  CheckPointRange(mesh.vertices, "a vertex of the mesh");
  const int count = static_cast<int>(mesh.vertices.size());
  for (const auto& triangle : mesh.triangles) {
    for (const int vertex : triangle) {
      if (vertex < 0 || vertex >= count)
        throw std::invalid_argument("a triangle names vertex " + std::to_string(vertex) + " of " +
                                    std::to_string(count));
    }
  }
}

// Of each point, the first one that is equal to it.
std::vector<int> FindFirstEqual(const std::vector<Vector3d>& points) {
  std::size_t capacity = 2;
  while (capacity < 2 * points.size()) capacity *= 2;
  std::vector<int> slots(capacity, -1), first(points.size());  // open addressing: the next free one
  for (int v = 0; v < static_cast<int>(points.size()); ++v) {
    std::uint64_t hash = 0;
    for (const double x : points[v]) {
      // -0 is 0.
      hash = (hash ^ std::bit_cast<std::uint64_t>(x + 0.0)) * 0x9E3779B97F4A7C15u;
      hash ^= hash >> 32;
    }
    std::size_t slot = hash & (capacity - 1);
    while (slots[slot] >= 0 && points[slots[slot]] != points[v]) slot = (slot + 1) & (capacity - 1);
    if (slots[slot] < 0) slots[slot] = v;
    first[v] = slots[slot];
  }
  return first;
}

// Equal vertices become one; triangles without area go. Looks stay behind.
void Weld(const TriangleMesh& mesh, double extent, TriangleMesh& welded, int& num_dropped) {
  const std::vector<int> first = FindFirstEqual(mesh.vertices);
  std::vector<int> renamed(first.size(), -1);
  const double least_height = kThinnestTriangle * extent;
  for (const auto& triangle : mesh.triangles) {
    const std::array<int, 3> corners{first[triangle[0]], first[triangle[1]], first[triangle[2]]};
    const Vector3d u = mesh.vertices[corners[1]] - mesh.vertices[corners[0]],
                   v = mesh.vertices[corners[2]] - mesh.vertices[corners[0]];
    const double longest = std::max({u.norm(), v.norm(), (v - u).norm()});
    if (!(u.cross(v).norm() > least_height * longest)) {
      ++num_dropped;
      continue;
    }
    std::array<int, 3> out;
    for (int k = 0; k < 3; ++k) {
      int& name = renamed[corners[k]];
      if (name < 0) {
        name = static_cast<int>(welded.vertices.size());
        welded.vertices.push_back(mesh.vertices[corners[k]]);
      }
      out[k] = name;
    }
    welded.triangles.push_back(out);
  }
}

struct Side {
  int low, high;  // vertices
  int face, k;    // it runs from vertex k to k + 1 of the face
  bool is_ascending;
  bool IsAlong(const Side& other) const { return low == other.low && high == other.high; }
};

// By lower vertex, by the higher one, and as they come: by face and k. Few sides share their lower vertex, so
// that counting leaves little to sort.
std::vector<Side> SortSides(const TriangleMesh& mesh) {
  std::vector<int> next(mesh.vertices.size() + 1, 0);
  const auto for_each = [&](const auto& visit) {
    for (int f = 0; f < static_cast<int>(mesh.triangles.size()); ++f) {
      for (int k = 0; k < 3; ++k) {
        const int from = mesh.triangles[f][k], to = mesh.triangles[f][(k + 1) % 3];
        visit(Side{std::min(from, to), std::max(from, to), f, k, from < to});
      }
    }
  };
  for_each([&](const Side& side) { ++next[side.low + 1]; });
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<Side> sides(next.back());
  for_each([&](const Side& side) { sides[next[side.low]++] = side; });
  // Now `next` of a vertex is where those of the vertex after it begin.
  for (std::size_t v = 0, begin = 0; v < mesh.vertices.size(); begin = next[v++]) {
    std::sort(sides.data() + begin, sides.data() + next[v], [](const Side& a, const Side& b) {
      return std::tie(a.high, a.face, a.k) < std::tie(b.high, b.face, b.k);
    });
  }
  return sides;
}

MeshEdge Classify(const MeshSurface& s, const Side& one, const Side& two) {
  const MeshSurface::Face &a = s.faces[one.face], &b = s.faces[two.face];
  const double sine = a.normal.cross(b.normal).norm();
  const bool faces_same_way = a.normal.dot(b.normal) > 0.0;
  if (sine < kFlatSine && faces_same_way) return MeshEdge::kFlat;
  // Where b's third corner lies, seen from a. Two sides of one sheet make a ridge.
  const double height = a.normal.dot(s.vertex(two.face, (two.k + 2) % 3)) - a.offset;
  const double size = (s.vertex(two.face, (two.k + 2) % 3) - s.vertex(two.face, two.k)).norm();
  if (!faces_same_way && std::abs(height) < kFlatSine * size) return MeshEdge::kConvex;
  return height < 0.0 ? MeshEdge::kConvex : MeshEdge::kConcave;
}

// Edges along which more than two of the sorted sides run.
int CountCrowdedEdges(const std::vector<Side>& sides) {
  int count = 0;
  for (std::size_t i = 0; i + 2 < sides.size(); ++i) {
    const bool is_first = i == 0 || !sides[i].IsAlong(sides[i - 1]);
    if (is_first && sides[i + 2].IsAlong(sides[i])) ++count;
  }
  return count;
}

// Joins, of the sides along one edge, each with the next one that runs the other way.
void JoinFaces(MeshSurface& s) {
  const std::vector<Side> sides = SortSides(s.mesh);
  std::vector<char> is_joined(sides.size(), 0);
  s.num_crowded_edges = CountCrowdedEdges(sides);
  s.is_closed = true;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (is_joined[i]) continue;
    std::size_t j = i + 1;
    while (j < sides.size() && sides[j].IsAlong(sides[i]) &&
           (is_joined[j] || sides[j].is_ascending == sides[i].is_ascending))
      ++j;
    if (j == sides.size() || !sides[j].IsAlong(sides[i])) {
      s.is_closed = false;
      continue;
    }
    is_joined[i] = is_joined[j] = 1;
    const Side &one = sides[i], &two = sides[j];
    MeshSurface::Face &a = s.faces[one.face], &b = s.faces[two.face];
    a.neighbor[one.k] = two.face;
    b.neighbor[two.k] = one.face;
    a.edge[one.k] = b.edge[two.k] = Classify(s, one, two);
    b.owns_edge[two.k] = false;
  }
}

void SetPlanes(MeshSurface& s) {
  for (std::size_t f = 0; f < s.faces.size(); ++f) {
    const int face = static_cast<int>(f);
    const Vector3d &a = s.vertex(face, 0), &b = s.vertex(face, 1), &c = s.vertex(face, 2);
    s.faces[f].normal = (b - a).cross(c - a).normalized();
    s.faces[f].offset = s.faces[f].normal.dot((a + b + c) / 3.0);
  }
}

void FindRings(MeshSurface& s) {
  const int count = static_cast<int>(s.mesh.vertices.size());
  // Where the neighbours of each vertex begin, those that it has by two faces twice.
  std::vector<int> begin(count + 1, 0);
  for (const auto& triangle : s.mesh.triangles) {
    for (const int v : triangle) begin[v + 1] += 2;
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<int> neighbors(begin.back()), end(begin.begin(), begin.end() - 1);
  for (const auto& triangle : s.mesh.triangles) {
    for (int k = 0; k < 3; ++k) {
      neighbors[end[triangle[k]]++] = triangle[(k + 1) % 3];
      neighbors[end[triangle[k]]++] = triangle[(k + 2) % 3];
    }
  }
  s.first_ring.assign(count + 1, 0);
  for (int v = 0; v < count; ++v) {
    const auto of_v = neighbors.begin() + begin[v], last = neighbors.begin() + end[v];
    std::sort(of_v, last);
    s.ring.insert(s.ring.end(), of_v, std::unique(of_v, last));
    s.first_ring[v + 1] = static_cast<int>(s.ring.size());
  }
}

// What can touch with a vertex: those with a ridge or an open edge, unless all that meets there is the two
// halves of one straight edge.
void FindCorners(MeshSurface& s) {
  const std::size_t count = s.mesh.vertices.size();
  struct Edges {
    int num_ridges = 0, num_valleys = 0;
    Vector3d first = Vector3d::Zero(), second = Vector3d::Zero();  // of the ridges, unit, away
  };
  std::vector<Edges> at(count);
  for (std::size_t f = 0; f < s.faces.size(); ++f) {
    for (int k = 0; k < 3; ++k) {
      const MeshSurface::Face& face = s.faces[f];
      if (!face.owns_edge[k] || face.edge[k] == MeshEdge::kFlat) continue;
      for (const auto& [from, to] : {std::pair(k, (k + 1) % 3), std::pair((k + 1) % 3, k)}) {
        Edges& edges = at[s.mesh.triangles[f][from]];
        if (face.edge[k] == MeshEdge::kConcave) {
          ++edges.num_valleys;
          continue;
        }
        const Vector3d along =
            (s.vertex(static_cast<int>(f), to) - s.vertex(static_cast<int>(f), from)).normalized();
        if (edges.num_ridges == 0) edges.first = along;
        if (edges.num_ridges == 1) edges.second = along;
        ++edges.num_ridges;
      }
    }
  }
  s.is_corner.assign(count, 0);
  std::vector<char> is_owned(count, 0);
  for (std::size_t v = 0; v < count; ++v) {
    const Edges& edges = at[v];
    const bool is_straight = edges.num_ridges == 2 && edges.num_valleys == 0 &&
                             edges.first.dot(edges.second) < 0.0 &&
                             edges.first.cross(edges.second).norm() < kStraightSine;
    s.is_corner[v] = edges.num_ridges > 0 && !is_straight;
  }
  for (std::size_t f = 0; f < s.faces.size(); ++f) {
    for (int k = 0; k < 3; ++k) {
      char& owned = is_owned[s.mesh.triangles[f][k]];
      s.faces[f].owns_vertex[k] = !owned;
      owned = 1;
    }
  }
}

void TurnOver(TriangleMesh& mesh) {
  for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
}

}  // namespace

PlacedMesh MakeMesh(const TriangleMesh& input) {
  CheckSurfaceMesh(input);
  Eigen::AlignedBox3d all;
  for (const Vector3d& p : input.vertices) all.extend(p);
  auto surface = std::make_shared<MeshSurface>();
  MeshSurface& s = *surface;
  Weld(input, all.isEmpty() ? 0.0 : all.diagonal().norm(), s.mesh, s.num_dropped);
  if (s.mesh.triangles.empty())
    throw std::invalid_argument("the mesh has no triangle with an area; check its scale and format");

  Eigen::AlignedBox3d box;
  for (const Vector3d& p : s.mesh.vertices) box.extend(p);
  Vector3d p_MG = box.center();
  if (p_MG.norm() <= kCentredMesh * box.diagonal().norm()) p_MG.setZero();
  for (Vector3d& p : s.mesh.vertices) {
    p -= p_MG;
    s.radius = std::max(s.radius, p.norm());
  }
  s.lower = box.min() - p_MG;
  s.upper = box.max() - p_MG;
  s.faces.resize(s.mesh.triangles.size());
  SetPlanes(s);
  JoinFaces(s);
  if (s.is_closed && CalcSignedVolume(s.mesh) < 0.0) {
    TurnOver(s.mesh);
    s.was_turned = true;
    s.faces.assign(s.mesh.triangles.size(), {});
    SetPlanes(s);
    JoinFaces(s);
  }
  FindRings(s);
  FindCorners(s);
  s.tree = TriangleTree(s.mesh);
  if (s.is_closed) {
    s.thickness = (s.upper - s.lower).minCoeff();
    s.unit_density = CalcSolidMassProperties(s.mesh, MeshSolid::kExact, CalcSignedVolume(s.mesh));
  }
  return {{std::move(surface)}, p_MG};
}

double CalcWindingNumber(const TriangleMesh& mesh, const Vector3d& p) {
  // Solid angles by van Oosterom and Strackee, "The solid angle of a plane triangle", 1983.
  double angle = 0.0;
  for (const auto& [i, j, k] : mesh.triangles) {
    const Vector3d a = mesh.vertices[i] - p, b = mesh.vertices[j] - p, c = mesh.vertices[k] - p;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    angle +=
        2.0 * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return angle / (4.0 * std::numbers::pi);
}

}  // namespace stiction
