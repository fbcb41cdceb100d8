#include "geometry/winding_tree.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {
namespace {

constexpr int kTrianglesPerLeaf = 4;
// Deep enough for any tree that halves its triangles: 2^62 of them.
constexpr int kMaxDepth = 64;
// With 3 the error of w stays below 0.02 on a ball, far from the 1/2 that decides a sign.
constexpr double kFar = 3.0;

// Squared distance to the triangle: to its plane where the foot lies within, else to the nearest edge.
double CalcSquaredDistance(const Vector3d& p, const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  const auto to_segment = [&p](const Vector3d& from, const Vector3d& to) {
    const Vector3d along = to - from, offset = p - from;
    const double length2 = along.squaredNorm();
    const double s = length2 > 0.0 ? std::clamp(offset.dot(along) / length2, 0.0, 1.0) : 0.0;
    return (offset - s * along).squaredNorm();
  };
  const Vector3d normal = (b - a).cross(c - a);
  const double area2 = normal.squaredNorm();
  const bool within = area2 > 0.0 && normal.cross(b - a).dot(p - a) >= 0.0 &&
                      normal.cross(c - b).dot(p - b) >= 0.0 && normal.cross(a - c).dot(p - c) >= 0.0;
  if (within) {
    const double height = normal.dot(p - a);
    return height * height / area2;
  }
  return std::min({to_segment(a, b), to_segment(b, c), to_segment(c, a)});
}

// Signed solid angle, positive seen from inside [Van Oosterom, Strackee 1983].
double CalcSolidAngle(const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  const double volume = a.dot(b.cross(c));
  const double scale = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
  // In the triangle's own plane either sign is right; none keeps the sum over a closed mesh balanced.
  return volume == 0.0 ? 0.0 : 2.0 * std::atan2(volume, scale);
}

}  // namespace

WindingTree::WindingTree(const TriangleMesh& mesh) {
  triangles_.reserve(mesh.triangles.size());
  for (const auto& t : mesh.triangles) {
    triangles_.push_back({mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]});
  }
  nodes_.reserve(2 * triangles_.size());
  nodes_.emplace_back();
  Build(0, 0, static_cast<int>(triangles_.size()));
}

void WindingTree::Summarize(Node& node, int first, int count) const {
  node.dipole.setZero();
  Vector3d moment = Vector3d::Zero();
  double area = 0.0;
  for (int i = first; i < first + count; ++i) {
    const Triangle& t = triangles_[i];
    const Vector3d normal = 0.5 * (t.b - t.a).cross(t.c - t.a);
    node.dipole += normal;
    area += normal.norm();
    moment += normal.norm() / 3.0 * (t.a + t.b + t.c);
    node.box.extend(t.a).extend(t.b).extend(t.c);
  }
  node.center = area > 0.0 ? Vector3d(moment / area) : Vector3d(node.box.center());
  double radius2 = 0.0;
  for (int i = first; i < first + count; ++i) {
    for (const Vector3d* v : {&triangles_[i].a, &triangles_[i].b, &triangles_[i].c}) {
      radius2 = std::max(radius2, (*v - node.center).squaredNorm());
    }
  }
  node.radius = std::sqrt(radius2);
}

void WindingTree::Build(int node, int first, int count) {
  Summarize(nodes_[node], first, count);
  nodes_[node].first = first;
  nodes_[node].count = count;
  if (count <= kTrianglesPerLeaf) return;
  int axis;
  nodes_[node].box.sizes().maxCoeff(&axis);
  const auto centroid = [axis](const Triangle& t) { return t.a[axis] + t.b[axis] + t.c[axis]; };
  const auto begin = triangles_.begin() + first;
  const int half = count / 2;
  std::nth_element(begin, begin + half, begin + count,
                   [&centroid](const Triangle& s, const Triangle& t) { return centroid(s) < centroid(t); });
  const int left = static_cast<int>(nodes_.size());
  nodes_[node].first = left;
  nodes_[node].count = 0;
  nodes_.emplace_back();
  nodes_.emplace_back();
  Build(left, first, half);
  Build(left + 1, first + half, count - half);
}

double WindingTree::CalcDistance(const Vector3d& p, double bound) const {
  double best2 = bound * bound;
  int stack[kMaxDepth], size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const Node& node = nodes_[stack[--size]];
    if (node.box.squaredExteriorDistance(p) >= best2) continue;
    for (int i = node.first; i < node.first + node.count; ++i) {
      best2 = std::min(best2, CalcSquaredDistance(p, triangles_[i].a, triangles_[i].b, triangles_[i].c));
    }
    if (node.count > 0) continue;
    // The nearer child is taken first, as it narrows the search of the other.
    const bool left_first = nodes_[node.first].box.squaredExteriorDistance(p) <=
                            nodes_[node.first + 1].box.squaredExteriorDistance(p);
    stack[size++] = node.first + (left_first ? 1 : 0);
    stack[size++] = node.first + (left_first ? 0 : 1);
  }
  return std::sqrt(best2);
}

double WindingTree::CalcWinding(const Vector3d& p) const {
  double angle = 0.0;
  int stack[kMaxDepth], size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const Node& node = nodes_[stack[--size]];
    const Vector3d to_center = node.center - p;
    const double distance2 = to_center.squaredNorm();
    if (distance2 > kFar * kFar * node.radius * node.radius) {
      angle += node.dipole.dot(to_center) / (distance2 * std::sqrt(distance2));
      continue;
    }
    for (int i = node.first; i < node.first + node.count; ++i) {
      const Triangle& t = triangles_[i];
      angle += CalcSolidAngle(t.a - p, t.b - p, t.c - p);
    }
    if (node.count > 0) continue;
    stack[size++] = node.first;
    stack[size++] = node.first + 1;
  }
  return angle / (4.0 * std::numbers::pi);
}

}  // namespace stiction
