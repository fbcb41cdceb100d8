#include "io/sdf/extrusion.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace stiction::sdformat {
namespace {

constexpr std::size_t kMaxPoints = 4000;

// Twice the area of the triangle, positive where it winds counter-clockwise.
double Cross(const Vector2d& a, const Vector2d& b, const Vector2d& c) {
  return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

double CalcArea(const Outline& outline) {
  double twice = 0.0;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Vector2d a = outline[i] - outline[0], b = outline[(i + 1) % outline.size()] - outline[0];
    twice += a.x() * b.y() - a.y() * b.x();
  }
  return 0.5 * twice;
}

bool IsInside(const Outline& outline, const Vector2d& p) {
  bool inside = false;
  for (std::size_t i = 0, j = outline.size() - 1; i < outline.size(); j = i++) {
    const Vector2d &a = outline[i], &b = outline[j];
    if ((a.y() > p.y()) != (b.y() > p.y()) &&
        p.x() < a.x() + (b.x() - a.x()) * (p.y() - a.y()) / (b.y() - a.y()))
      inside = !inside;
  }
  return inside;
}

// Whether p, on the line through a and b, is between them.
bool IsBetween(const Vector2d& a, const Vector2d& b, const Vector2d& p) {
  return (p.array() >= a.cwiseMin(b).array()).all() && (p.array() <= a.cwiseMax(b).array()).all();
}

bool Meet(const Vector2d& a, const Vector2d& b, const Vector2d& c, const Vector2d& d) {
  const double abc = Cross(a, b, c), abd = Cross(a, b, d), cda = Cross(c, d, a), cdb = Cross(c, d, b);
  if (((abc > 0.0) != (abd > 0.0)) && ((cda > 0.0) != (cdb > 0.0)) && abc != 0.0 && abd != 0.0 &&
      cda != 0.0 && cdb != 0.0)
    return true;
  return (abc == 0.0 && IsBetween(a, b, c)) || (abd == 0.0 && IsBetween(a, b, d)) ||
         (cda == 0.0 && IsBetween(c, d, a)) || (cdb == 0.0 && IsBetween(c, d, b));
}

void CheckCrossings(const std::vector<Outline>& outlines) {
  struct Edge {
    std::size_t outline, at;
    Vector2d a, b;
  };
  std::vector<Edge> edges;
  for (std::size_t k = 0; k < outlines.size(); ++k) {
    for (std::size_t i = 0; i < outlines[k].size(); ++i)
      edges.push_back({k, i, outlines[k][i], outlines[k][(i + 1) % outlines[k].size()]});
  }
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Edge& e = edges[i];
    for (std::size_t j = i + 1; j < edges.size(); ++j) {
      const Edge& f = edges[j];
      const std::size_t size = outlines[e.outline].size();
      if (e.outline == f.outline && (f.at == e.at + 1 || (e.at == 0 && f.at == size - 1))) {
        // Neighbours share a point, and may not lie on one another.
        const bool f_follows = f.at == e.at + 1;
        const Vector2d &before = f_follows ? e.a : f.a, &shared = f_follows ? e.b : e.a,
                       &after = f_follows ? f.b : e.b;
        if (Cross(before, shared, after) == 0.0 && (before - shared).dot(after - shared) > 0.0)
          throw std::invalid_argument("the outline goes back on itself");
      } else if (Meet(e.a, e.b, f.a, f.b)) {
        throw std::invalid_argument("outlines cross or touch themselves or one another; draw them apart");
      }
    }
  }
}

// Without points twice over, and without the last where it is the first.
Outline Clean(const Outline& outline) {
  Outline out;
  for (const Vector2d& p : outline) {
    if (!p.allFinite()) throw std::invalid_argument("a point is not finite");
    if (out.empty() || p != out.back()) out.push_back(p);
  }
  while (out.size() > 1 && out.back() == out.front()) out.pop_back();
  if (out.size() < 3) throw std::invalid_argument("an outline needs three points or more");
  return out;
}

std::vector<Outline> CleanAll(const std::vector<Outline>& outlines) {
  std::size_t count = 0;
  std::vector<Outline> out;
  for (const Outline& outline : outlines) {
    out.push_back(Clean(outline));
    count += out.back().size();
  }
  if (out.empty()) throw std::invalid_argument("there is no outline");
  if (count > kMaxPoints)
    throw std::invalid_argument("outlines of more than " + std::to_string(kMaxPoints) +
                                " points; leave some out, or export a mesh");
  CheckCrossings(out);
  for (const Outline& outline : out) {
    const double area = CalcArea(outline);
    if (!(std::isfinite(area) && area != 0.0)) throw std::invalid_argument("an outline has no area");
  }
  return out;
}

// Cuts ears off one simple path, that goes twice along each bridge.
class EarClipper {
 public:
  EarClipper(const std::vector<Vector2d>& points, std::vector<int> path)
      : points_(points), path_(std::move(path)) {}

  void Clip(std::vector<std::array<int, 3>>& triangles) {
    while (path_.size() > 3) {
      const std::size_t ear = FindEar();
      triangles.push_back({At(ear + path_.size() - 1), At(ear), At(ear + 1)});
      path_.erase(path_.begin() + static_cast<std::ptrdiff_t>(ear));
    }
    triangles.push_back({path_[0], path_[1], path_[2]});
  }

 private:
  int At(std::size_t i) const { return path_[i % path_.size()]; }

  // The best shaped one: its height over its longest side is the largest.
  std::size_t FindEar() const {
    std::size_t best = 0;
    double best_quality = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < path_.size(); ++i) {
      const Vector2d &a = points_[At(i + path_.size() - 1)], &b = points_[At(i)], &c = points_[At(i + 1)];
      const double longest = std::max({(a - b).squaredNorm(), (b - c).squaredNorm(), (c - a).squaredNorm()});
      const double quality = longest > 0.0 ? Cross(a, b, c) / longest : 0.0;
      if (quality > best_quality && (quality <= 0.0 || IsEmpty(i))) best = i, best_quality = quality;
    }
    return best;
  }

  // Whether no other point of the path is in the triangle; those at its corners are ends of bridges.
  bool IsEmpty(std::size_t ear) const {
    const Vector2d &a = points_[At(ear + path_.size() - 1)], &b = points_[At(ear)], &c = points_[At(ear + 1)];
    return std::none_of(path_.begin(), path_.end(), [&](int other) {
      const Vector2d& p = points_[other];
      return p != a && p != b && p != c && Cross(a, b, p) >= 0.0 && Cross(b, c, p) >= 0.0 &&
             Cross(c, a, p) >= 0.0;
    });
  }

  const std::vector<Vector2d>& points_;
  std::vector<int> path_;
};

class Figure {
 public:
  explicit Figure(std::vector<Outline> outlines) : outlines_(std::move(outlines)) {
    const std::size_t count = outlines_.size();
    for (std::size_t k = 0; k < count; ++k) {
      first_.push_back(static_cast<int>(points_.size()));
      depth_.push_back(0);
      for (std::size_t other = 0; other < count; ++other)
        if (other != k && IsInside(outlines_[other], outlines_[k][0])) ++depth_[k];
      const bool is_hole = depth_[k] % 2 == 1;
      if ((CalcArea(outlines_[k]) < 0.0) != is_hole) std::reverse(outlines_[k].begin(), outlines_[k].end());
      points_.insert(points_.end(), outlines_[k].begin(), outlines_[k].end());
    }
  }

  TriangleMesh Raise(double height) const {
    TriangleMesh mesh;
    const int n = static_cast<int>(points_.size());
    for (const double z : {0.0, height})
      for (const Vector2d& p : points_) mesh.vertices.emplace_back(p.x(), p.y(), z);
    for (const auto& [a, b, c] : Triangulate()) {
      mesh.triangles.push_back({a, c, b});
      mesh.triangles.push_back({n + a, n + b, n + c});
    }
    for (std::size_t k = 0; k < outlines_.size(); ++k) {
      const int size = static_cast<int>(outlines_[k].size());
      for (int i = 0; i < size; ++i) {
        const int a = first_[k] + i, b = first_[k] + (i + 1) % size;
        mesh.triangles.push_back({a, b, n + b});
        mesh.triangles.push_back({a, n + b, n + a});
      }
    }
    return mesh;
  }

 private:
  std::vector<std::array<int, 3>> Triangulate() const {
    std::vector<std::array<int, 3>> triangles;
    for (std::size_t k = 0; k < outlines_.size(); ++k) {
      if (depth_[k] % 2 == 1) continue;
      std::vector<int> path = PathOf(k);
      // Those furthest to the right first: what they can see is a part of the path already.
      std::vector<std::vector<int>> holes;
      for (std::size_t h = 0; h < outlines_.size(); ++h)
        if (depth_[h] == depth_[k] + 1 && IsInside(outlines_[k], outlines_[h][0])) holes.push_back(PathOf(h));
      const auto rightmost = [&](const std::vector<int>& hole) {
        return *std::max_element(hole.begin(), hole.end(),
                                 [&](int a, int b) { return points_[a].x() < points_[b].x(); });
      };
      std::stable_sort(holes.begin(), holes.end(), [&](const auto& a, const auto& b) {
        return points_[rightmost(a)].x() > points_[rightmost(b)].x();
      });
      for (std::vector<int>& hole : holes) {
        std::rotate(hole.begin(), std::find(hole.begin(), hole.end(), rightmost(hole)), hole.end());
        Bridge(hole, path);
      }
      EarClipper(points_, std::move(path)).Clip(triangles);
    }
    return triangles;
  }

  std::vector<int> PathOf(std::size_t outline) const {
    std::vector<int> path;
    for (std::size_t i = 0; i < outlines_[outline].size(); ++i)
      path.push_back(first_[outline] + static_cast<int>(i));
    return path;
  }

  // Joins the hole, whose first point is the rightmost, to a point of the path that it sees to its right.
  void Bridge(const std::vector<int>& hole, std::vector<int>& path) const {
    const std::size_t at = FindVisible(points_[hole[0]], path);
    std::vector<int> detour(hole);
    detour.push_back(hole[0]);
    detour.push_back(path[at]);
    path.insert(path.begin() + static_cast<std::ptrdiff_t>(at) + 1, detour.begin(), detour.end());
  }

  std::size_t FindVisible(const Vector2d& m, const std::vector<int>& path) const {
    // The first edge that the ray from m along +x meets, and where.
    double nearest = std::numeric_limits<double>::infinity();
    std::size_t visible = 0;
    for (std::size_t i = 0; i < path.size(); ++i) {
      const std::size_t next = (i + 1) % path.size();
      const Vector2d &a = points_[path[i]], &b = points_[path[next]];
      // Seen from inside, edges on the right go upwards.
      if (!(a.y() <= m.y() && b.y() >= m.y() && a.y() < b.y())) continue;
      const double x = a.x() + (b.x() - a.x()) * (m.y() - a.y()) / (b.y() - a.y());
      if (x < m.x() || x >= nearest) continue;
      nearest = x;
      visible = a.x() > b.x() ? i : next;
      if (b.y() == m.y()) visible = next;
      if (a.y() == m.y()) visible = i;
    }
    return Unhide(m, {nearest, m.y()}, path, visible);
  }

  // Of the points in the triangle of m, where the ray ends and the visible one: the least steep as seen from
  // m. At a point that the path passes several times the corner must open towards m.
  std::size_t Unhide(const Vector2d& m, const Vector2d& hit, const std::vector<int>& path,
                     std::size_t visible) const {
    const Vector2d p = points_[path[visible]];
    double best = Steepness(m, p);
    double reach = (p - m).squaredNorm();
    const double turn = Cross(m, hit, p) >= 0.0 ? 1.0 : -1.0;
    for (std::size_t i = 0; i < path.size(); ++i) {
      const Vector2d& r = points_[path[i]];
      const bool is_within = r.x() >= m.x() && turn * Cross(m, hit, r) >= 0.0 &&
                             turn * Cross(hit, p, r) >= 0.0 && turn * Cross(p, m, r) >= 0.0;
      if (!(is_within || r == p) || !OpensTowards(path, i, m)) continue;
      const double steepness = Steepness(m, r), distance = (r - m).squaredNorm();
      const bool is_better = steepness < best || (steepness == best && distance < reach);
      const bool is_stuck = r == p && path[visible] == path[i] && !OpensTowards(path, visible, m);
      if (!is_better && !is_stuck) continue;
      best = steepness, reach = distance, visible = i;
    }
    return visible;
  }

  static double Steepness(const Vector2d& m, const Vector2d& p) {
    return p.x() > m.x() ? std::abs(p.y() - m.y()) / (p.x() - m.x())
                         : std::numeric_limits<double>::infinity();
  }

  bool OpensTowards(const std::vector<int>& path, std::size_t i, const Vector2d& m) const {
    const Vector2d &before = points_[path[(i + path.size() - 1) % path.size()]], &p = points_[path[i]],
                   &after = points_[path[(i + 1) % path.size()]];
    const bool left_of_in = Cross(before, p, m) > 0.0, left_of_out = Cross(p, after, m) > 0.0;
    return Cross(before, p, after) > 0.0 ? left_of_in && left_of_out : left_of_in || left_of_out;
  }

  std::vector<Outline> outlines_;  // counter-clockwise, holes clockwise
  std::vector<int> depth_;         // how many others it lies in
  std::vector<int> first_;         // of its points
  std::vector<Vector2d> points_;
};

}  // namespace

TriangleMesh Extrude(const std::vector<Outline>& outlines, double height) {
  if (!(height > 0.0 && std::isfinite(height))) throw std::invalid_argument("the height must be positive");
  return Figure(CleanAll(outlines)).Raise(height);
}

}  // namespace stiction::sdformat
