#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/narrowphase/capsule.h"
#include "collision/narrowphase/contact_point.h"
#include "collision/narrowphase/segment.h"

namespace stiction::narrowphase {
namespace {

// A direction of separation of a segment and a box, in the box's frame.
struct Axis {
  double separation;  // [m], negative when overlapping
  Vector3d m;         // unit, from the box to the segment
  int edge;           // direction of the box edge that it is normal to, -1 for a face's own normal
};

// Everything in the box's frame.
struct CapsuleBoxPair {
  Segment core;
  double radius;
  Vector3d h;  // half extents
  RigidTransform X_WB;
  double margin;

  double size() const { return radius + core.half_length; }
  // Distance of the core's point s from the box; zero inside.
  double CalcDistance(double s) const {
    const Vector3d p = core.At(s);
    return (p - p.cwiseMax(-h).cwiseMin(h)).norm();
  }
  // Point of the core at s, which lies `separation` beyond the box in direction m.
  void Add(double s, double separation, const Vector3d& m, std::uint32_t feature, Manifold& out) const {
    const double gap = separation - radius;
    AddPoint(X_WB, core.At(s) - (separation - 0.5 * gap) * m, -m, gap, margin, feature, out);
  }
  // The same for a point outside of the box, along its own direction.
  void AddOutside(double s, std::uint32_t feature, Manifold& out) const {
    const Vector3d p = core.At(s);
    const Vector3d excess = p - p.cwiseMax(-h).cwiseMin(h);
    const double distance = excess.norm();
    Add(s, distance, excess / distance, feature, out);
  }
  std::uint32_t FeatureAt(double s) const {
    if (s <= -core.half_length) return kBeginFeature;
    return s >= core.half_length ? kEndFeature : kBetweenFeature;
  }
};

// The core is clear of the box: distances and directions of its points are exact.
void CollideOutside(const CapsuleBoxPair& pair, double s, double distance, Manifold& out) {
  const Vector3d p = pair.core.At(s);
  const Vector3d m = (p - p.cwiseMax(-pair.h).cwiseMin(pair.h)) / distance;
  const Span span = FindFacingSpan(pair.core, pair.h, s, m, kAnyTilt);
  if (span.length() <= kStretch * pair.size()) {
    pair.AddOutside(s, pair.FeatureAt(s), out);
    return;
  }
  pair.AddOutside(span.begin, kBeginFeature, out);
  pair.AddOutside(span.end, kEndFeature, out);
  const double ends = std::min(pair.CalcDistance(span.begin), pair.CalcDistance(span.end));
  if (ends > distance + kMissedDepth * pair.radius) pair.AddOutside(s, kBetweenFeature, out);
}

// The direction in which the least translation separates a segment from a box. The Minkowski difference is a
// polytope whose faces are normal to the box's three axes or to one of them and the segment.
Axis FindLeastTranslation(const Segment& core, const Vector3d& h) {
  Axis best{-std::numeric_limits<double>::infinity(), Vector3d::UnitX(), -1};
  const double tie = 1e-9 * h.minCoeff();
  for (int i = 0; i < 3; ++i) {
    const double separation = std::abs(core.center[i]) - core.half_length * std::abs(core.axis[i]) - h[i];
    if (separation > best.separation + tie) best = {separation, Sign(core.center[i]) * Vector3d::Unit(i), -1};
  }
  for (int i = 0; i < 3; ++i) {
    const Vector3d normal = Vector3d::Unit(i).cross(core.axis);
    const double sine = normal.norm();
    if (sine < 1e-6) continue;
    const Vector3d m = (Sign(normal.dot(core.center)) / sine) * normal;
    const double separation = m.dot(core.center) - m.cwiseAbs().dot(h);
    if (separation > best.separation + tie) best = {separation, m, i};
  }
  return best;
}

// Adds both ends of the stretch of the core above the face with normal m_k; false if there is none to speak
// of.
bool AddAboveFace(const CapsuleBoxPair& pair, int k, double side, Manifold& out) {
  Span span{-pair.core.half_length, pair.core.half_length};
  for (int i = 0; i < 3; ++i) {
    if (i != k) ClipSpan(pair.core, i, -pair.h[i], pair.h[i], span);
  }
  if (span.length() <= kStretch * pair.size()) return false;
  const Vector3d m = side * Vector3d::Unit(k);
  pair.Add(span.begin, m.dot(pair.core.At(span.begin)) - pair.h[k], m, kBeginFeature, out);
  pair.Add(span.end, m.dot(pair.core.At(span.end)) - pair.h[k], m, kEndFeature, out);
  return true;
}

// The core reaches into the box.
void CollideInside(const CapsuleBoxPair& pair, Manifold& out) {
  const Axis axis = FindLeastTranslation(pair.core, pair.h);
  int k = 0;
  axis.m.cwiseAbs().maxCoeff(&k);
  // A core that pierces the box nearly parallel to a face leaves along its edge's normal, which is nearly the
  // face's.
  const bool along_face =
      std::abs(pair.core.axis[k]) < kParallelSine && std::abs(axis.m[k]) > 1.0 - kParallelSine;
  if (along_face && AddAboveFace(pair, k, Sign(axis.m[k]), out)) return;

  double s = -Sign(axis.m.dot(pair.core.axis)) * pair.core.half_length;  // the deepest end
  if (axis.edge >= 0) {
    Vector3d edge_center = pair.h;
    for (int i = 0; i < 3; ++i) edge_center[i] *= Sign(axis.m[i]);
    edge_center[axis.edge] = 0.0;
    s = FindNearest(pair.core, {edge_center, Vector3d::Unit(axis.edge), pair.h[axis.edge]}).s;
  }
  pair.Add(s, axis.separation, axis.m, pair.FeatureAt(s), out);
}

}  // namespace

void Collide(const Capsule& capsule, const RigidTransform& X_WA, const Box& box, const RigidTransform& X_WB,
             double margin, Manifold& out) {
  const RigidTransform X_BA = RelativePose(X_WB, X_WA);
  const CapsuleBoxPair pair{
      {X_BA.p, X_BA.R.col(2), capsule.half_length}, capsule.radius, box.half_extents, X_WB, margin};
  const double s = FindNearestToBox(pair.core, pair.h);
  const double distance = pair.CalcDistance(s);
  if (distance - capsule.radius >= margin) return;
  if (distance > kDegenerateLength * pair.size()) {
    CollideOutside(pair, s, distance, out);
  } else {
    CollideInside(pair, out);
  }
}

}  // namespace stiction::narrowphase
