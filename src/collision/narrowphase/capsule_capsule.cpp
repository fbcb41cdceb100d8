#include "collision/narrowphase/capsule.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <utility>

#include "collision/narrowphase/contact_point.h"
#include "collision/narrowphase/segment.h"

namespace stiction::narrowphase {
namespace {

struct CapsulePair {
  Segment a, b;  // cores, in W
  double radius_a, radius_b;
  Vector3d fallback_W;  // unit normal from A to B for cores that meet

  double size() const { return radius_a + radius_b; }
  double CalcGap(const SegmentPair& at) const { return (b.At(at.t) - a.At(at.s)).norm() - size(); }
};

// Across both cores, towards B's centre; of parallel cores, the direction fixed to A that is most nearly
// across.
Vector3d CalcFallbackNormal(const Segment& a, const Segment& b, const Matrix3d& R_WA) {
  const Vector3d across = a.axis.cross(b.axis);
  const double sine = across.norm();
  if (sine <= kDegenerateLength) return R_WA.col(0);
  return (Sign(across.dot(b.center - a.center)) / sine) * across;
}

// The ends of the stretch over which the cores run side by side, as A's parameter grows. Each is an end point
// of one core with the point of the other that is nearest to it.
std::pair<SegmentPair, SegmentPair> FindCommonStretch(const Segment& a, const Segment& b) {
  const double direction = Sign(a.axis.dot(b.axis));
  const auto end = [&](double side) {
    const double s_end = side * a.half_length, t_end = side * direction * b.half_length;
    const double s_of_b = a.axis.dot(b.At(t_end) - a.center);
    if (side * s_of_b >= side * s_end) return SegmentPair{s_end, b.Project(a.At(s_end))};
    return SegmentPair{a.Clamp(s_of_b), t_end};
  };
  return {end(-1.0), end(1.0)};
}

void AddPairPoint(const CapsulePair& pair, const SegmentPair& at, double margin, std::uint32_t feature,
                  Manifold& out) {
  const Vector3d p_A = pair.a.At(at.s);
  const Vector3d between = pair.b.At(at.t) - p_A;
  const double distance = between.norm();
  const Vector3d n =
      distance <= kDegenerateLength * pair.size() ? pair.fallback_W : Vector3d(between / distance);
  const double gap = distance - pair.size();
  AddPoint({}, p_A + (pair.radius_a + 0.5 * gap) * n, n, gap, margin, feature, out);
}

}  // namespace

void Collide(const Capsule& capsule, const RigidTransform& X_WA, const Capsule& other,
             const RigidTransform& X_WB, double margin, Manifold& out) {
  const Segment a{X_WA.p, X_WA.R.col(2), capsule.half_length}, b{X_WB.p, X_WB.R.col(2), other.half_length};
  const CapsulePair pair{a, b, capsule.radius, other.radius, CalcFallbackNormal(a, b, X_WA.R)};
  const SegmentPair nearest = FindNearest(a, b);
  const double gap = pair.CalcGap(nearest);
  if (gap >= margin) return;

  std::uint32_t nearest_feature = kBetweenFeature;
  if (nearest.s == -a.half_length) nearest_feature = kBeginFeature;
  if (nearest.s == a.half_length) nearest_feature = kEndFeature;
  if (a.axis.cross(b.axis).norm() < kParallelSine) {
    const auto [begin, end] = FindCommonStretch(a, b);
    if (end.s - begin.s > kStretch * pair.size()) {
      AddPairPoint(pair, begin, margin, kBeginFeature, out);
      AddPairPoint(pair, end, margin, kEndFeature, out);
      // Cores that cross at a small angle are nearest in between.
      const bool ends_suffice =
          std::min(pair.CalcGap(begin), pair.CalcGap(end)) <= gap + kMissedDepth * pair.size();
      if (ends_suffice) return;
      nearest_feature = kBetweenFeature;
    }
  }
  AddPairPoint(pair, nearest, margin, nearest_feature, out);
}

}  // namespace stiction::narrowphase
