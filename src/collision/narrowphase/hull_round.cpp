// Half-spaces, spheres and capsules against hulls.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "collision/narrowphase/capsule.h"
#include "collision/narrowphase/contact_point.h"
#include "collision/narrowphase/facing_span.h"
#include "collision/narrowphase/gatherer.h"
#include "collision/narrowphase/hull.h"

namespace stiction::narrowphase {
namespace {

using geometry::Core;
using geometry::CoreDistance;

// Everything in the hull's frame.
struct CapsuleHullPair {
  Segment core;
  double radius;
  Polytope hull;
  RigidTransform X_WB;
  double margin;

  double size() const { return radius + core.half_length; }
  // From the core's point s to the hull, n towards the hull.
  CoreDistance CalcDistanceAt(double s) const { return CalcPointDistance(core.At(s), hull); }
  // Point of the core at s, which lies `separation` beyond the hull in direction m.
  void Add(double s, double separation, const Vector3d& m, std::uint32_t feature, Manifold& out) const {
    const double gap = separation - radius;
    AddPoint(X_WB, core.At(s) - (separation - 0.5 * gap) * m, -m, gap, margin, feature, out);
  }
  std::uint32_t FeatureAt(double s) const {
    if (s <= -core.half_length) return kBeginFeature;
    return s >= core.half_length ? kEndFeature : kBetweenFeature;
  }
};

// The core is clear of the hull: distances and directions of its points are exact.
void CollideOutside(const CapsuleHullPair& pair, const CoreDistance& nearest, double s, Manifold& out) {
  const Vector3d m = -nearest.n_A;
  const Span span = FindFacingSpan(pair.core, pair.hull, s, nearest.p_B, m, kAnyTilt);
  if (span.length() <= kStretch * pair.size()) {
    pair.Add(s, nearest.distance, m, pair.FeatureAt(s), out);
    return;
  }
  const CoreDistance begin = pair.CalcDistanceAt(span.begin), end = pair.CalcDistanceAt(span.end);
  pair.Add(span.begin, begin.distance, -begin.n_A, kBeginFeature, out);
  pair.Add(span.end, end.distance, -end.n_A, kEndFeature, out);
  if (std::min(begin.distance, end.distance) > nearest.distance + kMissedDepth * pair.radius) {
    pair.Add(s, nearest.distance, m, kBetweenFeature, out);
  }
}

// The core reaches into the hull.
void CollideInside(const CapsuleHullPair& pair, const CoreDistance& nearest, double s, Manifold& out) {
  const Vector3d m = -nearest.n_A;
  const ConvexHull::Face& face = pair.hull.faces[pair.hull.FindFaceAround(pair.hull.FindSupport(m), m)];
  // As in capsule_box.cpp: a core that pierces a face at a small angle leaves along its edge's normal, which
  // is nearly the face's.
  const double sine = std::abs(face.normal.dot(pair.core.axis));
  if (sine < kParallelSine && face.normal.dot(m) > 1.0 - kParallelSine) {
    Span span{-pair.core.half_length, pair.core.half_length};
    ClipToFace(pair.core, pair.hull, face, span);
    if (span.length() > kStretch * pair.size()) {
      const auto height = [&](double at) { return face.normal.dot(pair.core.At(at)) - face.offset; };
      pair.Add(span.begin, height(span.begin), face.normal, kBeginFeature, out);
      pair.Add(span.end, height(span.end), face.normal, kEndFeature, out);
      return;
    }
  }
  pair.Add(s, nearest.distance, m, pair.FeatureAt(s), out);
}

}  // namespace

void Collide(const Plane&, const RigidTransform& X_WA, const Hull& hull, const RigidTransform& X_WB,
             double margin, Manifold& out) {
  const ConvexHull& polytope = *hull.polytope;
  const std::vector<Vector3d>& vertices = polytope.vertices;
  // In the hull's frame a vertex is n·p + height above the plane.
  const Vector3d n_W = X_WA.R.col(2), n_B = X_WB.R.transpose() * n_W;
  const double height = n_W.dot(X_WB.p - X_WA.p);
  if (height - polytope.radius >= margin) return;
  Gatherer gatherer(margin, polytope.thickness, kBeside, 4 * Manifold::kMaxConvexPoints);
  for (int k = 0; k < static_cast<int>(vertices.size()); ++k) {
    const double gap = n_B.dot(vertices[k]) + height;
    if (gap >= margin) continue;
    gatherer.AddAlone(X_WB * vertices[k] - (0.5 * gap) * n_W, n_W, gap, static_cast<std::uint32_t>(k));
  }
  gatherer.Finish(out);
}

void Collide(const Sphere& sphere, const RigidTransform& X_WA, const Hull& hull, const RigidTransform& X_WB,
             double margin, Manifold& out) {
  // Compared as it was asked for: margins and radii taken apart again may fall short by round-off.
  const double enough = margin + sphere.radius;
  const CoreDistance nearest =
      CalcCoreDistance(Core{}, geometry::MakeCore(*hull.polytope), RelativePose(X_WA, X_WB), enough);
  if (nearest.distance >= enough) return;
  const double gap = nearest.distance - sphere.radius;
  AddPoint(X_WA, nearest.p_B - (0.5 * gap) * nearest.n_A, nearest.n_A, gap, margin, 0, out);
}

void Collide(const Capsule& capsule, const RigidTransform& X_WA, const Hull& hull, const RigidTransform& X_WB,
             double margin, Manifold& out) {
  const RigidTransform X_BA = RelativePose(X_WB, X_WA);
  const CapsuleHullPair pair{{X_BA.p, X_BA.R.col(2), capsule.half_length},
                             capsule.radius,
                             MakePolytope(*hull.polytope),
                             X_WB,
                             margin};
  const Core core{Core::Kind::kSegment, {0, 0, capsule.half_length}};
  const double enough = margin + capsule.radius;
  CoreDistance nearest = CalcCoreDistance(core, pair.hull.core, RelativePose(X_WA, X_WB), enough);
  if (nearest.distance >= enough) return;
  // An end is an end in spite of round-off.
  double s = pair.core.Clamp(nearest.p_A.z());
  if (pair.core.half_length - std::abs(s) <= 1e-9 * pair.core.half_length) {
    s = std::copysign(pair.core.half_length, s);
  }
  nearest = {nearest.distance, X_BA.R * nearest.n_A, X_BA * nearest.p_A, X_BA * nearest.p_B};
  if (nearest.distance > kDegenerateLength * pair.size()) {
    CollideOutside(pair, nearest, s, out);
  } else {
    CollideInside(pair, nearest, s, out);
  }
}

}  // namespace stiction::narrowphase
