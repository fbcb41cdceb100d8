// The leaves of a distance field: plain sizes and one function each. Private to the library.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <vector>

#include "geometry/field_pack.h"

namespace stiction {

// Each has Evaluate(p), as DistanceField, and CalcBounds(), the tight box of its solid. Those that shapes
// with many samples are made of have EvaluatePack(p), too.
struct SphereField {
  double radius;
  FieldSample Evaluate(const Vector3d& p) const;
  FieldSamplePack EvaluatePack(const VectorPack& p) const;
  Eigen::AlignedBox3d CalcBounds() const;
};
struct BoxField {
  Vector3d half_extents;
  FieldSample Evaluate(const Vector3d& p) const;
  Eigen::AlignedBox3d CalcBounds() const;
};
struct CapsuleField {
  double radius, half_length;
  FieldSample Evaluate(const Vector3d& p) const;
  Eigen::AlignedBox3d CalcBounds() const;
};
struct CylinderField {
  double radius, half_length;
  FieldSample Evaluate(const Vector3d& p) const;
  FieldSamplePack EvaluatePack(const VectorPack& p) const;
  Eigen::AlignedBox3d CalcBounds() const;
};
struct EllipsoidField {
  Vector3d radii;
  FieldSample Evaluate(const Vector3d& p) const;
  Eigen::AlignedBox3d CalcBounds() const;
};
struct TorusField {
  double major_radius, minor_radius;
  FieldSample Evaluate(const Vector3d& p) const;
  Eigen::AlignedBox3d CalcBounds() const;
};
struct HalfSpaceField {
  FieldSample Evaluate(const Vector3d& p) const;
  Eigen::AlignedBox3d CalcBounds() const;
};
struct HexagonField {
  double apothem, half_length;
  FieldSample Evaluate(const Vector3d& p) const;
  FieldSamplePack EvaluatePack(const VectorPack& p) const;
  Eigen::AlignedBox3d CalcBounds() const;
};
struct RevolvedField {
  std::vector<Vector2d> polyline;  // (ρ, z)
  double padding;
  FieldSample Evaluate(const Vector3d& p) const;
  FieldSamplePack EvaluatePack(const VectorPack& p) const;
  Eigen::AlignedBox3d CalcBounds() const;
};

// Half a turn of the thread's axial section from a crest's middle (u = 0) to the next root's (u = P/2), as
// (ρ, u); reflections in these two lines make the rest.
using ThreadProfile = std::array<Vector2d, 4>;
ThreadProfile MakeThreadProfile(double major_diameter, double pitch);

struct ThreadField {
  ThreadProfile profile;
  double pitch, half_length;
  Vector2d flank;       // unit, from profile[1] to profile[2]
  double flank_length;  // [m]
  FieldSample Evaluate(const Vector3d& p) const { return EvaluatePack(FillPack(p))[0]; }
  FieldSamplePack EvaluatePack(const VectorPack& p) const;
  Eigen::AlignedBox3d CalcBounds() const;
};

// A hexagonal prism less a thread without ends that is enlarged by `clearance`.
struct NutField {
  HexagonField body;
  ThreadField thread;
  double clearance;
  FieldSample Evaluate(const Vector3d& p) const { return EvaluatePack(FillPack(p))[0]; }
  FieldSamplePack EvaluatePack(const VectorPack& p) const;
  Eigen::AlignedBox3d CalcBounds() const;
};

// Distance in a plane, and its unit gradient there.
struct PlaneSample {
  double value;
  Vector2d gradient;
};

// From a point of the plane to a segment.
struct SegmentSample {
  double distance;
  Vector2d gradient;  // unit; from the nearest point, and on the segment itself its right normal
  Vector2d nearest;
  int side;  // +1 to the right of the segment or on it, -1 to its left, 0 where an end is nearest
};

// |v|, also where the squares would underflow or overflow: stableNorm and hypot, which are for that, pay for
// it at every call.
template <typename Vector>
double CalcLength(const Vector& v) {
  const double squared = v.squaredNorm();
  return squared > 1e-280 && squared < 1e280 ? std::sqrt(squared) : v.stableNorm();
}

inline SegmentSample EvaluateSegment(const Vector2d& q, const Vector2d& a, const Vector2d& b) {
  const Vector2d ab = b - a, aq = q - a;
  const double along = aq.dot(ab), length2 = ab.squaredNorm();
  if (along < 0.0 || along > length2) {
    const Vector2d& end = along < 0.0 ? a : b;
    const double distance = CalcLength(Vector2d(q - end));
    return {distance, (q - end) / distance, end, 0};
  }
  // Not the difference from the nearest point: it is round-off near the segment.
  const Vector2d right = Vector2d(ab.y(), -ab.x()) / std::sqrt(length2);
  const double height = right.dot(aq);
  if (height < 0.0) return {-height, -right, a + along / length2 * ab, -1};
  return {height, right, a + along / length2 * ab, 1};
}

// v/|v|, also where the squares would underflow; `otherwise` for the zero vector.
template <typename Vector>
Vector NormalizeOr(const Vector& v, const Vector& otherwise) {
  const double squared = v.squaredNorm();
  if (squared > 1e-280 && squared < 1e280) return v / std::sqrt(squared);
  const double largest = v.cwiseAbs().maxCoeff();
  return largest > 0.0 ? Vector((v / largest).normalized()) : otherwise;
}

// Unit vector from the axis towards p, any of them on the axis.
inline Vector2d RadialDirection(const Vector3d& p) {
  return NormalizeOr<Vector2d>(p.head<2>(), Vector2d::UnitX());
}

// p's distance from the z axis, without overflow or loss for tiny values.
inline double CalcRho(const Vector3d& p) {
  return CalcLength(Vector2d(p.head<2>()));
}

// Both by packs: distances from the z axis, and (cos, sin) of the angles about it.
struct RadialPack {
  Pack rho, cos, sin;
};
inline RadialPack CalcRadial(const VectorPack& p) {
  constexpr double kTiny = 1e-140;  // its square is none
  const Pack rho = Sqrt(p.x * p.x + p.y * p.y);
  const PackMask is_on_axis = rho < kTiny;
  const Pack inverse = 1.0 / rho;
  return {rho, Select(is_on_axis, FillPack(1.0), inverse * p.x),
          Select(is_on_axis, FillPack(0.0), inverse * p.y)};
}

}  // namespace stiction
