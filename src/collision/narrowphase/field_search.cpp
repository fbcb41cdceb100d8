#include "collision/narrowphase/field_search.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace stiction::narrowphase {
namespace {

constexpr int kMaxSteps = 8;         // of Frank and Wolfe
constexpr int kMaxTrials = 8;        // of a search along one
constexpr double kLeastPart = 0.02;  // of the rest of the way, that each leaves out
constexpr double kExactPart = 1e-3;  // of what φ varies by over a triangle
constexpr int kMaxMoves = 40;        // along a surface
constexpr double kExact = 1e-9;      // of the distance
constexpr double kSameBasin = 0.3;   // of the distance
constexpr double kSameSide = 0.9;    // cosine between normals: else there is a corner between, or a bend
constexpr double kSmallPart = 0.35;  // of a patch

FieldPoint Evaluate(const DistanceField& field, const Vector3d& p) {
  const FieldSample at = field.Evaluate(p);
  return {p, at.value, at.gradient};
}

// Along the way d from `from`, on which φ falls at first: where its slope changes sign, to `tolerance` of φ
// where φ is convex. The tangents at the ends of what is left bound φ from below; where they meet is where a
// kink is, and the root of the slope by false position is where a smooth φ is least: in turn.
FieldPoint SearchAlong(const DistanceField& field, const FieldPoint& from, const Vector3d& d,
                       double tolerance) {
  struct End {
    double s, value, slope;
  };
  FieldPoint best = Evaluate(field, from.p + d);
  End low{0.0, from.value, from.n.dot(d)}, high{1.0, best.value, best.n.dot(d)};
  if (high.slope <= 0.0 && high.value < low.value) return best;
  for (int k = 0; k < kMaxTrials; ++k) {
    double middle = 0.5 * (low.s + high.s);
    if (high.slope > 0.0) {
      const double bend = high.slope - low.slope;
      const double tangents = (low.value - low.slope * low.s - high.value + high.slope * high.s) / bend;
      const double bound = low.value + low.slope * (tangents - low.s);
      if (std::min(best.value, low.value) - bound < tolerance) break;
      middle = k % 2 == 0 ? tangents : (low.s * high.slope - high.s * low.slope) / bend;
    }
    const double least = kLeastPart * (high.s - low.s);
    middle = std::clamp(middle, low.s + least, high.s - least);
    const FieldPoint at = Evaluate(field, from.p + middle * d);
    if (at.value < best.value) best = at;
    const End end{middle, at.value, at.n.dot(d)};
    (end.slope < 0.0 ? low : high) = end;
  }
  return best;
}

}  // namespace

FieldPoint FindLeastOnTriangle(const DistanceField& field, const Vector3d& a, const Vector3d& b,
                               const Vector3d& c) {
  FieldPoint best = Evaluate(field, (a + b + c) / 3.0);
  double largest = best.value;
  for (const Vector3d* p : {&a, &b, &c}) {
    const FieldPoint at = Evaluate(field, *p);
    largest = std::max(largest, at.value);
    if (at.value < best.value) best = at;
  }
  const double tolerance = kExactPart * (largest - best.value);
  for (int k = 0; k < kMaxSteps; ++k) {
    const double along[] = {best.n.dot(a), best.n.dot(b), best.n.dot(c)};
    const int least = along[0] <= along[1] ? (along[0] <= along[2] ? 0 : 2) : (along[1] <= along[2] ? 1 : 2);
    const Vector3d d = (least == 0 ? a : least == 1 ? b : c) - best.p;
    // If φ were convex on the triangle, no point of it would be lower by more.
    if (!(best.n.dot(d) < -tolerance)) break;
    const FieldPoint next = SearchAlong(field, best, d, tolerance);
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
  FieldPoint at = Evaluate(field, p);
  if (std::abs(field.CalcValue(direct)) < kExact * distance &&
      (direct - p).norm() < kSameBasin * distance + slack && at.n.dot(from_c.n) > kSameSide)
    return {direct, from_c.value, from_c.n};
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
