#include <cmath>
#include <limits>
#include <numbers>

#include "geometry/field_leaves.h"

namespace stiction {
namespace {

using std::numbers::pi;

// Sample of the infinite thread in cylindrical axes (e_ρ, e_θ, e_z).
struct HelicalSample {
  double value;
  Vector3d gradient;
};

// The segment's axial distance f >= 0 becomes a distance in space. With u = z - P θ / 2π and λ = P / 2πρ at
// the nearest point,
//   ∇f = (f_ρ, -λ f_u, f_u),   |∇f|² = 1 + λ² f_u²   as f_ρ² + f_u² = 1,
// so f / |∇f| is the distance to first order.
HelicalSample Correct(const SegmentSample& sample, double pitch) {
  const double lead = pitch / (2.0 * pi * sample.nearest.x());
  const Vector3d gradient(sample.gradient.x(), -lead * sample.gradient.y(), sample.gradient.y());
  const double steepness = gradient.norm();
  return {sample.distance / steepness, gradient / steepness};
}

// At (ρ, u), u folded to [0, P/2]. The nearest point of the whole profile, all turns included, folds onto one
// as near of the half turn, so that no neighbour has to be asked. The minimum is taken after the correction,
// which keeps the value continuous.
HelicalSample EvaluateHelix(const ThreadProfile& profile, double pitch, const Vector2d& q) {
  HelicalSample nearest{std::numeric_limits<double>::infinity(), Vector3d::Zero()};
  bool inside = false;
  for (int i = 0; i < 3; ++i) {
    const SegmentSample segment = EvaluateSegment(q, profile[i], profile[i + 1]);
    const HelicalSample sample = Correct(segment, pitch);
    if (!(sample.value < nearest.value)) continue;
    nearest = sample;
    // From crest to root, outwards is to the right. Of the two corners the crest's is convex and nearest only
    // to points outside, the root's is concave and nearest only to points inside.
    inside = segment.side != 0 ? segment.side < 0 : segment.nearest == profile[2];
  }
  return inside ? HelicalSample{-nearest.value, -nearest.gradient} : nearest;
}

}  // namespace

// With H = √3/2 P: crest P/8 wide, flanks at 30° to the radius over a depth of 5/8 H, hence 5/16 P wide each,
// root P/4 wide.
ThreadProfile MakeThreadProfile(double major_diameter, double pitch) {
  const double crest = 0.5 * major_diameter, root = crest - 0.625 * 0.5 * std::numbers::sqrt3 * pitch;
  return {Vector2d(crest, 0.0), {crest, pitch / 16.0}, {root, 0.375 * pitch}, {root, 0.5 * pitch}};
}

FieldSample ThreadField::Evaluate(const Vector3d& p) const {
  const double u = std::remainder(p.z() - pitch / (2.0 * pi) * std::atan2(p.y(), p.x()), pitch);
  HelicalSample side = EvaluateHelix(profile, pitch, {CalcRho(p), std::abs(u)});
  const double cap = std::abs(p.z()) - half_length;
  if (cap > side.value) return {cap, {0.0, 0.0, std::copysign(1.0, p.z())}};
  // Unfold, then turn (e_ρ, e_θ) onto (x, y).
  if (u < 0.0) side.gradient.tail<2>() *= -1.0;
  const Vector2d radial = RadialDirection(p);
  const Vector2d across = side.gradient.x() * radial + side.gradient.y() * Vector2d(-radial.y(), radial.x());
  return {side.value, {across.x(), across.y(), side.gradient.z()}};
}

Eigen::AlignedBox3d ThreadField::CalcBounds() const {
  const Vector3d half(profile[0].x(), profile[0].x(), half_length);
  return {-half, half};
}

FieldSample NutField::Evaluate(const Vector3d& p) const {
  const FieldSample outer = body.Evaluate(p), bore = thread.Evaluate(p);
  const double from_bore = clearance - bore.value;
  return from_bore > outer.value ? FieldSample{from_bore, -bore.gradient} : outer;
}

Eigen::AlignedBox3d NutField::CalcBounds() const {
  return body.CalcBounds();
}

}  // namespace stiction
