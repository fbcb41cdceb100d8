#include "geometry/hull_triangles.h"

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

namespace stiction::hull {
namespace {

// Points without repetition, the first of equal ones kept, in the caller's order.
std::vector<Vector3d> RemoveDuplicates(std::span<const Vector3d> points) {
  std::vector<int> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  const auto less = [&](int i, int j) {
    const Vector3d &p = points[i], &q = points[j];
    return std::make_tuple(p.x(), p.y(), p.z(), i) < std::make_tuple(q.x(), q.y(), q.z(), j);
  };
  std::sort(order.begin(), order.end(), less);
  std::vector<int> kept;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k == 0 || points[order[k]] != points[order[k - 1]]) kept.push_back(order[k]);
  }
  std::sort(kept.begin(), kept.end());
  std::vector<Vector3d> distinct;
  for (const int i : kept) distinct.push_back(points[i]);
  return distinct;
}

// Owns Qhull's state. Qhull reports trouble by an exit code, and its messages go nowhere.
class QhullRun {
 public:
  QhullRun(std::vector<double>& coordinates, const char* options) : sink_(std::fopen("/dev/null", "w")) {
    qh_zero(&qh_, sink_);
    std::string command = std::string("qhull ") + options;
    exit_code_ = qh_new_qhull(&qh_, 3, static_cast<int>(coordinates.size() / 3), coordinates.data(), False,
                              command.data(), sink_, sink_);
  }
  ~QhullRun() {
    qh_freeqhull(&qh_, !qh_ALL);
    int current = 0, total = 0;
    qh_memfreeshort(&qh_, &current, &total);
    if (sink_) std::fclose(sink_);
  }
  QhullRun(const QhullRun&) = delete;
  QhullRun& operator=(const QhullRun&) = delete;

  // Empty after an error, or if a facet is not a triangle.
  std::vector<std::array<int, 3>> Triangles() {
    std::vector<std::array<int, 3>> triangles;
    if (exit_code_ != 0) return triangles;
    qhT* qh = &qh_;  // the macros below look for this name
    facetT* facet;
    FORALLfacets {
      if (qh_setsize(qh, facet->vertices) != 3) return {};
      std::array<int, 3> triangle;
      int k = 0;
      vertexT *vertex, **vertexp;
      FOREACHvertex_(facet->vertices) triangle[k++] = qh_pointid(qh, vertex->point);
      // Qhull's vertices run clockwise, seen from outside, where this flag is set.
      if (facet->toporient ^ qh_ORIENTclock) std::swap(triangle[1], triangle[2]);
      triangles.push_back(triangle);
    }
    return triangles;
  }

 private:
  qhT qh_;
  std::FILE* sink_;
  int exit_code_ = 0;
};

// Every directed edge once, and its reverse as well.
bool IsClosed(const std::vector<std::array<int, 3>>& triangles) {
  std::vector<std::pair<int, int>> sides;
  for (const auto& t : triangles) {
    for (int k = 0; k < 3; ++k) sides.push_back({t[k], t[(k + 1) % 3]});
  }
  std::sort(sides.begin(), sides.end());
  if (std::adjacent_find(sides.begin(), sides.end()) != sides.end()) return false;
  return !sides.empty() && std::all_of(sides.begin(), sides.end(), [&](const std::pair<int, int>& side) {
    return std::binary_search(sides.begin(), sides.end(), std::pair(side.second, side.first));
  });
}

}  // namespace

TriangleMesh MakeTriangles(std::span<const Vector3d> points) {
  const std::vector<Vector3d> distinct = RemoveDuplicates(points);
  TriangleMesh surface;
  if (distinct.size() < 4) return surface;
  // About the middle and of unit size, where Qhull's absolute thresholds are meant to work.
  Vector3d lower = distinct[0], upper = distinct[0];
  for (const Vector3d& p : distinct) lower = lower.cwiseMin(p), upper = upper.cwiseMax(p);
  const double size = (upper - lower).maxCoeff();
  if (!(size > 0.0)) return surface;
  std::vector<double> coordinates;
  for (const Vector3d& p : distinct) {
    const Vector3d scaled = (p - 0.5 * (lower + upper)) / size;
    coordinates.insert(coordinates.end(), scaled.data(), scaled.data() + 3);
  }
  // Merged facets, triangulated. Where merging leaves a surface that is not closed, joggled input gives
  // triangles at once.
  for (const char* options : {"Qt Pp", "QJ Pp"}) {
    std::vector<double> copy = coordinates;  // joggling writes into it
    std::vector<std::array<int, 3>> triangles = QhullRun(copy, options).Triangles();
    if (!IsClosed(triangles)) continue;
    surface.vertices = distinct;
    surface.triangles = std::move(triangles);
    if (CalcSignedVolume(surface) < 0.0) {
      for (auto& t : surface.triangles) std::swap(t[1], t[2]);
    }
    std::sort(surface.triangles.begin(), surface.triangles.end());
    return surface;
  }
  return surface;
}

}  // namespace stiction::hull
