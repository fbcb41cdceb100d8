#include "collision/narrowphase/field_search.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace stiction::narrowphase {
namespace {

constexpr int kMaxSteps = 8;         // of Frank and Wolfe
constexpr int kMaxBisections = 8;    // of a search along one
constexpr double kFlatSlope = 1e-4;  // of φ along a step, at which the point is as good as any
constexpr int kMaxMoves = 40;        // along a surface
constexpr double kExact = 1e-9;      // of the distance
constexpr double kSameBasin = 0.3;
constexpr double kSmallPart = 0.35;  // of a patch

FieldPoint Evaluate(const DistanceField& field, const Vector3d& p) {
  const FieldSample at = field.Evaluate(p);
  return {p, at.value, at.gradient};
}

// Along the way d from `from`, on which φ falls at first: where its slope vanishes.
FieldPoint SearchAlong(const DistanceField& field, const FieldPoint& from, const Vector3d& d) {
  FieldPoint best = Evaluate(field, from.p + d);
  if (best.n.dot(d) <= 0.0 && best.value < from.value) return best;
  double low = 0.0, high = 1.0;
  for (int k = 0; k < kMaxBisections; ++k) {
    const double middle = 0.5 * (low + high);
    const FieldPoint at = Evaluate(field, from.p + middle * d);
    if (at.value < best.value) best = at;
    const double slope = at.n.dot(d);
    if (std::abs(slope) < kFlatSlope * d.norm()) break;
    (slope < 0.0 ? low : high) = middle;
  }
  return best;
}

}  // namespace

FieldPoint FindLeastOnTriangle(const DistanceField& field, const Vector3d& a, const Vector3d& b,
                               const Vector3d& c) {
  FieldPoint best = Evaluate(field, (a + b + c) / 3.0);
  for (const Vector3d* p : {&a, &b, &c}) {
    const FieldPoint at = Evaluate(field, *p);
    if (at.value < best.value) best = at;
  }
  for (int k = 0; k < kMaxSteps; ++k) {
    const double along[] = {best.n.dot(a), best.n.dot(b), best.n.dot(c)};
    const int least = along[0] <= along[1] ? (along[0] <= along[2] ? 0 : 2) : (along[1] <= along[2] ? 1 : 2);
    const Vector3d d = (least == 0 ? a : least == 1 ? b : c) - best.p;
    if (!(best.n.dot(d) < -kFlatSlope * d.norm())) break;
    const FieldPoint next = SearchAlong(field, best, d);
    if (!(next.value < best.value)) break;
    best = next;
  }
  return best;
}

FieldPoint FindNearestOnSurface(const DistanceField& field, const Vector3d& c, const Vector3d& p,
                                double slack) {
  // Where φ is the distance it says itself where the nearest point is; p may be near another one, though.
  const FieldPoint from_c = Evaluate(field, c);
  const Vector3d direct = c - from_c.value * from_c.n;
  const double distance = (c - p).norm();
  if (std::abs(field.CalcValue(direct)) < kExact * distance &&
      (direct - p).norm() < kSameBasin * distance + slack)
    return {direct, from_c.value, from_c.n};
  FieldPoint at = Evaluate(field, p);
  double step = 1.0, last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kMaxMoves; ++k) {
    const Vector3d to_c = c - at.p;
    const Vector3d along = to_c - at.n.dot(to_c) * at.n;
    const double miss = along.norm() + std::abs(at.value);
    if (miss < kExact * distance) break;
    // Where the surface bends towards c as much as c is far, whole steps go round in circles.
    if (miss > 0.7 * last) step = std::max(0.25, 0.5 * step);
    last = miss;
    at = Evaluate(field, at.p - at.value * at.n + step * along);
  }
  at.p -= at.value * at.n;
  return {at.p, at.n.dot(c - at.p), at.n};
}

PatchSearch::Entry PatchSearch::MakeEntry(int node) const {
  const TriangleTree::Node& at = surface_.tree.nodes()[node];
  const Vector3d middle = 0.5 * (at.lower + at.upper);
  const double value = field_.CalcValue(X_FM_ * middle);
  return {node, value, value - 0.5 * (at.upper - at.lower).norm()};
}

void PatchSearch::PushChildren(int node, bool both, Stack& stack) const {
  const int first = surface_.tree.nodes()[node].first;
  Entry near = MakeEntry(first), far = MakeEntry(first + 1);
  if (far.bound < near.bound) std::swap(near, far);
  if (both) stack.Push(far);
  stack.Push(near);
}

int PatchSearch::FindLeast(const Entry& patch) const {
  const TriangleTree& tree = surface_.tree;
  Stack stack;
  stack.Push(patch);
  int best = -1;
  double least = reach_ + patch_;  // a triangle may reach further than its middle
  while (!stack.is_empty()) {
    const Entry entry = stack.Pop();
    if (entry.bound >= least) continue;
    const TriangleTree::Node& node = tree.nodes()[entry.node];
    if (!node.is_leaf()) {
      // Within a small part of the patch the nearer half is as good as both.
      const double small = kSmallPart * patch_;
      PushChildren(entry.node, (node.upper - node.lower).squaredNorm() > small * small, stack);
      continue;
    }
    const Vector3d middle = 0.5 * (node.lower + node.upper);
    for (int k = 0; k < node.count; ++k) {
      const int t = tree.order()[node.first + k];
      const Vector3d center = surface_.CalcCenter(t);
      // φ changes by no more than the way from the box's middle, where it is known.
      if (entry.value - (center - middle).norm() >= least) continue;
      const double value = field_.CalcValue(X_FM_ * center);
      if (value < least) least = value, best = t;
    }
  }
  return best;
}

}  // namespace stiction::narrowphase
