// Solids given by their signed distance, φ(p) [m]: negative inside, zero on the surface, positive outside.
//
// A field is built from leaves and operations on them. Where φ is the true distance, |∇φ| = 1 and p - φ ∇φ is
// the nearest point of the surface. It is the true distance for
//   - every leaf of one primitive (sphere ... hexagonal prism), inside and outside;
//   - the revolved profile outside, and inside except where two strips overlap (the depth is underrated);
//   - the union outside, intersection and difference inside, of true distances;
//   - rigid motion, uniform scale and outward offset (outside) of true distances.
// Elsewhere - inside a union, outside an intersection or a difference [Hart 1996] - it is a lower bound of
// the distance with the right sign and an exact zero set; |∇φ| = 1 remains except on ridges. For thread and
// sampled field see the errors that MakeThreadField and sampled_field.h state.
//
// References: Hart, Sphere tracing: a geometric method for the antialiased ray tracing of implicit surfaces,
// The Visual Computer 12 (1996). ISO 68-1:1998, ISO general purpose screw threads - Basic profile - Metric.
#pragma once

#include <Eigen/Geometry>
#include <memory>
#include <vector>

#include "stiction/math/rigid_transform.h"

namespace stiction {

struct FieldSample {
  double value;       // φ [m]
  Vector3d gradient;  // unit vector: ∇φ; on a ridge, an axis or a centre one of the limits, never NaN
};

struct FieldProgram;

// Immutable; copies share one program. Evaluation from several threads at once is safe.
class DistanceField {
 public:
  // Visits every node of the field once; does not allocate. p in the field's frame [m], finite.
  FieldSample Evaluate(const Vector3d& p) const;
  double CalcValue(const Vector3d& p) const { return Evaluate(p).value; }

  // Contains the solid { φ <= 0 } [m]: tight for a leaf, looser for operations; empty for disjoint operands
  // of an intersection, infinite for a half-space.
  const Eigen::AlignedBox3d& bounds() const;

  // For the operations in src/geometry.
  explicit DistanceField(std::shared_ptr<const FieldProgram> program) : program_(std::move(program)) {}
  const FieldProgram& program() const { return *program_; }

 private:
  std::shared_ptr<const FieldProgram> program_;
};

// Leaves. All sizes are in metres, positive and finite, or std::invalid_argument is thrown with the name and
// value of the one that is not. Frames and half-lengths are those of geometry/shape.h.
DistanceField MakeSphereField(double radius);
DistanceField MakeBoxField(const Vector3d& half_extents);
DistanceField MakeCapsuleField(double radius, double half_length);
DistanceField MakeCylinderField(double radius, double half_length);
// The nearest point by Newton's method on the one-dimensional convex equation of the multiplier, to
// round-off.
DistanceField MakeEllipsoidField(const Vector3d& radii);
// Circle of `major_radius` about z, inflated by `minor_radius` <= major_radius.
DistanceField MakeTorusField(double major_radius, double minor_radius);
// z <= 0.
DistanceField MakeHalfSpaceField();
// Regular hexagon in x, y, with two of its sides normal to x, `across_flats` apart; along z.
DistanceField MakeHexagonField(double across_flats, double half_length);

// All points within `padding` of the surface that the polyline of points (ρ, z), ρ >= 0, sweeps about z.
// The distance is that of the half-plane: SDF(x, y, z) = min over segments of dist((ρ, z), segment) -
// padding. On the polyline itself, where the gradient jumps, it is a normal of the segment.
DistanceField MakeRevolvedField(const std::vector<Vector2d>& polyline, double padding);
// The dish of CANAL's appendix B: base disk from the centre O = (0, 0) to A = (base_radius, 0), side from A
// to the rim B = (rim_radius, rim_height).
DistanceField MakeDishField(double base_radius, double rim_radius, double rim_height, double padding);

// External right-handed ISO metric thread about z, of basic profile (flanks at 60°, crest P/8 wide at the
// major diameter d, root P/4 wide at d - 1.082532 P), cut flat at z = ±length/2; a crest passes through the x
// axis. `length` may be infinite.
//   Zero set exact. With the lead's tangent λ = P / (2π ρ) taken at the nearest profile point, each profile
//   segment's axial distance f is divided by sqrt(1 + λ² f_z²), which makes |∇φ| = 1 on the surface. Measured
//   for M48x5, λ = 0.035, within a pitch of the surface: value off by 3e-5 of the distance; `gradient` is off
//   that of the value by at most 2 λ² = 2.5e-3, and by 1e-6 within 1e-6 m of the surface. On the axis itself,
//   deep inside, the value jumps by P²/(8 ρ) at most; near the flat ends it is a lower bound.
DistanceField MakeThreadField(double major_diameter, double pitch, double length);
// Hexagonal nut, centred, with a hole the shape of that thread enlarged by `clearance` normal to its surface:
// a bolt of the same thread fits in it at z = 0, and wherever turned by a and moved by P a / 2π.
DistanceField MakeNutField(double major_diameter, double pitch, double height, double across_flats,
                           double clearance);

// Operations. Nesting deeper than 32 throws std::invalid_argument; a long union costs no depth when it is
// built as Unite(Unite(a, b), c).
DistanceField Unite(const DistanceField& a, const DistanceField& b);
DistanceField Intersect(const DistanceField& a, const DistanceField& b);
DistanceField Subtract(const DistanceField& a, const DistanceField& b);  // a without b
// φ - distance: grown, and its convex edges rounded, where positive; shrunk where negative.
DistanceField Offset(const DistanceField& field, double distance);
// |φ| - thickness: the surface, thickened to both sides.
DistanceField MakeShellField(const DistanceField& field, double thickness);
// The field with its frame F at pose X_GF.
DistanceField Transform(const RigidTransform& X_GF, const DistanceField& field);
// The field larger by a factor, between 1e-50 and 1e50.
DistanceField Scale(const DistanceField& field, double factor);

}  // namespace stiction
