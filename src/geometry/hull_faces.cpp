#include "geometry/hull_faces.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace stiction::hull {
namespace {

constexpr double kFlatness = 1e-6;           // of the extent
constexpr double kSinglePrecision = 2.4e-7;  // of the coordinates: four roundings of a 24-bit mantissa

// Works on groups of triangles, each to become a face.
class FaceMerger {
 public:
  explicit FaceMerger(const TriangleMesh& surface) : mesh_(surface) {
    const int count = static_cast<int>(mesh_.triangles.size());
    for (int t = 0; t < count; ++t) {
      const auto& v = mesh_.triangles[t];
      for (int k = 0; k < 3; ++k) triangle_of_side_[{v[k], v[(k + 1) % 3]}] = t;
      const Vector3d cross =
          (mesh_.vertices[v[1]] - mesh_.vertices[v[0]]).cross(mesh_.vertices[v[2]] - mesh_.vertices[v[0]]);
      area_.push_back(0.5 * cross.norm());
      normal_.push_back(cross.normalized());
    }
    Vector3d lower = mesh_.vertices[0], upper = lower;
    double largest = 0.0;
    for (const Vector3d& p : mesh_.vertices) {
      lower = lower.cwiseMin(p), upper = upper.cwiseMax(p);
      largest = std::max(largest, p.cwiseAbs().maxCoeff());
    }
    flatness_ = std::max(kFlatness * (upper - lower).norm(), kSinglePrecision * largest);
  }

  ConvexHull Merge() {
    GroupTriangles();
    while (AbsorbSlivers()) {
    }
    ConvexHull hull;
    // Where round-off has left something that is not a polytope, the triangles themselves are one.
    if (!BuildFaces(hull)) {
      std::iota(group_.begin(), group_.end(), 0);
      hull = {};
      if (!BuildFaces(hull)) hull = {};
    }
    return hull;
  }

 private:
  using Side = std::pair<int, int>;

  int Across(int triangle, int k) const {
    const auto& v = mesh_.triangles[triangle];
    return triangle_of_side_.at({v[(k + 1) % 3], v[k]});
  }

  // Grows a group around each triangle, large ones first: their planes are known best.
  void GroupTriangles() {
    const int count = static_cast<int>(mesh_.triangles.size());
    group_.assign(count, -1);
    std::vector<int> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int s, int t) { return area_[s] > area_[t]; });
    std::vector<int> stack;
    for (const int seed : order) {
      if (group_[seed] >= 0) continue;
      group_[seed] = seed;
      stack.assign(1, seed);
      while (!stack.empty()) {
        const int triangle = stack.back();
        stack.pop_back();
        for (int k = 0; k < 3; ++k) {
          const int next = Across(triangle, k);
          if (group_[next] >= 0 || !LiesInPlane(next, seed)) continue;
          group_[next] = seed;
          stack.push_back(next);
        }
      }
    }
  }

  bool LiesInPlane(int triangle, int seed) const {
    const Vector3d& n = normal_[seed];
    const double offset = n.dot(mesh_.vertices[mesh_.triangles[seed][0]]);
    double longest = 0.0;
    for (int k = 0; k < 3; ++k) {
      const Vector3d& p = mesh_.vertices[mesh_.triangles[triangle][k]];
      if (std::abs(n.dot(p) - offset) > flatness_) return false;
      longest = std::max(longest, (p - mesh_.vertices[mesh_.triangles[triangle][(k + 1) % 3]]).norm());
    }
    // A sliver's normal means nothing.
    const bool is_sliver = 2.0 * area_[triangle] < flatness_ * longest;
    return is_sliver || normal_[triangle].dot(n) > 0.5;
  }

  // The groups that meet at each vertex.
  std::vector<std::set<int>> GroupsAtVertices() const {
    std::vector<std::set<int>> groups(mesh_.vertices.size());
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
      for (const int v : mesh_.triangles[t]) groups[v].insert(group_[t]);
    }
    return groups;
  }

  // A group with fewer than three corners is no polygon: it joins the neighbour with which it shares the
  // longest border. True if there was one.
  bool AbsorbSlivers() {
    const std::vector<std::set<int>> at_vertex = GroupsAtVertices();
    std::map<int, std::set<int>> corners;
    std::map<int, std::map<int, double>> border;
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
      const int group = group_[t];
      corners[group];
      for (int k = 0; k < 3; ++k) {
        const int a = mesh_.triangles[t][k], b = mesh_.triangles[t][(k + 1) % 3];
        if (at_vertex[a].size() >= 3) corners[group].insert(a);
        const int other = group_[Across(static_cast<int>(t), k)];
        if (other != group) border[group][other] += (mesh_.vertices[a] - mesh_.vertices[b]).norm();
      }
    }
    for (const auto& [group, vertices] : corners) {
      if (vertices.size() >= 3 || border[group].empty()) continue;
      int best = -1;
      double length = -1.0;
      for (const auto& [other, shared] : border[group]) {
        if (shared > length) length = shared, best = other;
      }
      std::replace(group_.begin(), group_.end(), group, best);
      return true;
    }
    return false;
  }

  // The border of each group without the vertices that only two groups share. False if a border is not one
  // loop, or Euler's V − E + F = 2 does not hold.
  bool BuildFaces(ConvexHull& hull) const {
    const std::vector<std::set<int>> at_vertex = GroupsAtVertices();
    std::map<int, std::map<int, int>> next;  // by group: border vertex -> the one after it
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
      for (int k = 0; k < 3; ++k) {
        if (group_[Across(static_cast<int>(t), k)] == group_[t]) continue;
        const int a = mesh_.triangles[t][k], b = mesh_.triangles[t][(k + 1) % 3];
        if (!next[group_[t]].emplace(a, b).second) return false;
      }
    }
    std::vector<int> index(mesh_.vertices.size(), -1);
    for (std::size_t v = 0; v < mesh_.vertices.size(); ++v) {
      if (at_vertex[v].size() < 3) continue;
      index[v] = static_cast<int>(hull.vertices.size());
      hull.vertices.push_back(mesh_.vertices[v]);
    }
    for (const auto& [group, border] : next) {
      ConvexHull::Face face;
      face.first_vertex = static_cast<int>(hull.face_vertices.size());
      const int start = border.begin()->first;
      std::size_t steps = 0;
      int v = start;
      do {
        if (index[v] >= 0) hull.face_vertices.push_back(index[v]);
        v = border.at(v);
      } while (v != start && ++steps < border.size());
      if (steps + 1 != border.size()) return false;
      face.num_vertices = static_cast<int>(hull.face_vertices.size()) - face.first_vertex;
      if (face.num_vertices < 3 || !FitNormal(hull, face)) return false;
      hull.faces.push_back(face);
    }
    return 2 * (hull.vertices.size() + hull.faces.size()) == hull.face_vertices.size() + 4;
  }

  // Newell's normal: the sum of the polygon's cross products, independent of any one vertex.
  static bool FitNormal(const ConvexHull& hull, ConvexHull::Face& face) {
    const auto loop = hull.VerticesOf(face);
    Vector3d sum = Vector3d::Zero();
    const Vector3d& origin = hull.vertices[loop[0]];
    for (std::size_t k = 1; k + 1 < loop.size(); ++k) {
      sum += (hull.vertices[loop[k]] - origin).cross(hull.vertices[loop[k + 1]] - origin);
    }
    face.normal = sum.normalized();
    return sum.norm() > 0.0;
  }

  const TriangleMesh& mesh_;
  std::map<Side, int> triangle_of_side_;
  std::vector<double> area_;
  std::vector<Vector3d> normal_;
  std::vector<int> group_;  // of each triangle: its seed
  double flatness_ = 0.0;
};

}  // namespace

ConvexHull MergeFaces(const TriangleMesh& surface) {
  return FaceMerger(surface).Merge();
}

}  // namespace stiction::hull
