#include "geometry/crease_points.h"

#include <array>
#include <cmath>
#include <unordered_map>

#include "geometry/surface_points.h"

namespace stiction {
namespace {

constexpr int kMaxHalvings = 3;       // of an edge across faces in between
constexpr double kFromCorner = 0.05;  // of an edge: where the face that it leaves from has its own normal
// Of the way to the edge's end: beside the crease, and just beside it.
constexpr double kOnFace = 0.05, kAtFace = 1e-3;

// What is nearer to one that was kept than `apart` is left out, if it is of the same two faces.
class CreaseThinner {
 public:
  CreaseThinner(std::vector<CreasePoint>& kept, double apart) : kept_(kept), apart_(apart) {}

  void Offer(const CreasePoint& point) {
    const std::array<int, 3> cell = FindCell(point.position);
    for (int k = 0; k < 27; ++k) {
      const auto at = cells_.find(Hash({cell[0] + k % 3 - 1, cell[1] + k / 3 % 3 - 1, cell[2] + k / 9 - 1}));
      if (at == cells_.end()) continue;
      for (const int other : at->second)
        if (IsNear(kept_[other], point)) return;
    }
    cells_[Hash(cell)].push_back(static_cast<int>(kept_.size()));
    kept_.push_back(point);
  }

 private:
  std::array<int, 3> FindCell(const Vector3d& p) const {
    std::array<int, 3> cell;
    for (int i = 0; i < 3; ++i) cell[i] = static_cast<int>(std::floor(p[i] / apart_));
    return cell;
  }
  // Two cells with the same one are searched together.
  static std::size_t Hash(const std::array<int, 3>& cell) {
    std::size_t hash = 0;
    for (const int i : cell) hash = hash * 1000003u + static_cast<std::size_t>(i);
    return hash;
  }
  bool IsNear(const CreasePoint& a, const CreasePoint& b) const {
    if ((a.position - b.position).squaredNorm() >= apart_ * apart_) return false;
    const auto agree = [&](int i, int j) { return a.normals[i].dot(b.normals[j]) > kSmoothFaceCosine; };
    return (agree(0, 0) && agree(1, 1)) || (agree(0, 1) && agree(1, 0));
  }

  std::vector<CreasePoint>& kept_;
  double apart_;
  std::unordered_map<std::size_t, std::vector<int>> cells_;  // numbers of those kept
};

class CreaseFinder {
 public:
  CreaseFinder(const DistanceField& field, CreaseThinner& out) : field_(field), out_(out) {}

  void SearchEdge(const Vector3d& a, const Vector3d& b, double reach) {
    const Vector3d aside = kFromCorner * (b - a);
    Search(ProjectOntoSurface(field_, a + aside), ProjectOntoSurface(field_, b - aside), reach, 0);
  }

 private:
  void Search(const SurfacePoint& a, const SurfacePoint& b, double reach, int depth) {
    if (a.normal.dot(b.normal) > kSmoothFaceCosine) return;
    const std::array<SurfacePoint, 2> ends{a, b};
    const double length = (b.position - a.position).norm();
    const PolygonCenter center = FindPolygonCenter(field_, ends, length);
    if (center.is_feature) {
      Offer(center.position, ends, reach);
    } else if (depth < kMaxHalvings) {
      const SurfacePoint middle = ProjectOntoSurface(field_, 0.5 * (a.position + b.position));
      Search(a, middle, reach, depth + 1);
      Search(middle, b, reach, depth + 1);
    }
  }

  // Unless it is where other faces meet: those of the ends are to begin at it.
  void Offer(const Vector3d& p, const std::array<SurfacePoint, 2>& ends, double reach) {
    CreasePoint point{p, {}, {}, reach};
    for (int i = 0; i < 2; ++i) {
      point.toward[i] = ends[i].position - p;
      point.normals[i] = ProjectOntoSurface(field_, p + kAtFace * point.toward[i]).normal;
      if (point.normals[i].dot(ProjectOntoSurface(field_, p + kOnFace * point.toward[i]).normal) <=
          kSmoothFaceCosine)
        return;
    }
    if (point.normals[0].dot(point.normals[1]) <= kSmoothFaceCosine) out_.Offer(point);
  }

  const DistanceField& field_;
  CreaseThinner& out_;
};

}  // namespace

std::vector<CreasePoint> FindCreasePoints(const DistanceField& field, const MeshSurface& surface,
                                          const std::vector<double>& reaches) {
  std::vector<CreasePoint> points;
  double apart = 0.0;
  for (const double reach : reaches) apart += reach / static_cast<double>(reaches.size());
  CreaseThinner thinner(points, apart);
  CreaseFinder finder(field, thinner);
  std::vector<Vector3d> normals;
  normals.reserve(surface.mesh.vertices.size());
  for (const Vector3d& p : surface.mesh.vertices) normals.push_back(field.Evaluate(p).gradient);
  for (int t = 0; t < static_cast<int>(surface.mesh.triangles.size()); ++t) {
    for (int k = 0; k < 3; ++k) {
      const int v = surface.mesh.triangles[t][k], w = surface.mesh.triangles[t][(k + 1) % 3];
      // Each edge is one of two triangles, once in either direction.
      if (v < w && normals[v].dot(normals[w]) <= kSmoothFaceCosine)
        finder.SearchEdge(surface.mesh.vertices[v], surface.mesh.vertices[w], reaches[t]);
    }
  }
  return points;
}

}  // namespace stiction
