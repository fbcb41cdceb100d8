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

// x less its nearest multiple of `period`. Round-off of the multiple enters, which std::remainder, many times
// as slow, keeps out: 1e-16 of x.
double Fold(double x, double period) {
  constexpr double kWhole = 0x1.8p52;  // adding it leaves no digits after the point
  const double turns = x / period;
  return std::abs(turns) < 0x1p51 ? x - period * ((turns + kWhole) - kWhole) : std::remainder(x, period);
}

// An axial distance f >= 0 becomes a distance in space. With u = z - P θ / 2π and λ = P / 2πρ at the nearest
// point,
//   ∇f = (f_ρ, -λ f_u, f_u),   |∇f|² = 1 + λ² f_u²   as f_ρ² + f_u² = 1,
// so f / |∇f| is the distance to first order.
//   gradient  (f_ρ, f_u), unit
//   rho       of the nearest point [m]
HelicalSample Correct(double distance, const Vector2d& gradient, double rho, double pitch) {
  const double lead = pitch / (2.0 * pi * rho), slope = lead * gradient.y();
  const double share = 1.0 / std::sqrt(1.0 + slope * slope);
  return {share * distance, {share * gradient.x(), -share * slope, share * gradient.y()}};
}

// To a corner of the profile. The crest's is convex and nearest only to points outside, the root's is concave
// and nearest only to points inside.
HelicalSample EvaluateCorner(const Vector2d& q, const Vector2d& corner, double pitch) {
  const Vector2d away = q - corner;
  const double distance = CalcLength(away);
  return Correct(distance, away / distance, corner.x(), pitch);
}

// At (ρ, u), u folded to [0, P/2]. The nearest point of the whole profile, all turns included, folds onto one
// as near of the half turn, so that no neighbour has to be asked. It is one of crest, flank and root that q
// is beside, or a corner. The minimum is taken after the correction, which keeps the value continuous; crest
// and root, normal to the axis, need none.
HelicalSample EvaluateHelix(const ThreadField& thread, const Vector2d& q) {
  const Vector2d &crest_end = thread.profile[1], &root_start = thread.profile[2];
  HelicalSample nearest{std::numeric_limits<double>::infinity(), Vector3d::Zero()};
  bool is_inside = false;
  const auto offer = [&](const HelicalSample& sample, bool inside) {
    if (sample.value < nearest.value) nearest = sample, is_inside = inside;
  };
  // Outwards of the flank is to the right.
  const Vector2d from = q - crest_end, out(thread.flank.y(), -thread.flank.x());
  const double along = thread.flank.dot(from);
  if (along >= 0.0 && along <= thread.flank_length) {
    const double height = out.dot(from), side = height < 0.0 ? -1.0 : 1.0;
    const double rho = crest_end.x() + along * thread.flank.x();
    offer(Correct(side * height, side * out, rho, thread.pitch), height < 0.0);
  }
  const auto offer_level = [&](double height) {
    offer({std::abs(height), {height < 0.0 ? -1.0 : 1.0, 0.0, 0.0}}, height < 0.0);
  };
  if (q.y() <= crest_end.y()) {
    offer_level(q.x() - crest_end.x());
  } else if (along < 0.0) {
    offer(EvaluateCorner(q, crest_end, thread.pitch), false);
  }
  if (q.y() >= root_start.y()) {
    offer_level(q.x() - root_start.x());
  } else if (along > thread.flank_length) {
    offer(EvaluateCorner(q, root_start, thread.pitch), true);
  }
  return is_inside ? HelicalSample{-nearest.value, -nearest.gradient} : nearest;
}

}  // namespace

// With H = √3/2 P: crest P/8 wide, flanks at 30° to the radius over a depth of 5/8 H, hence 5/16 P wide each,
// root P/4 wide.
ThreadProfile MakeThreadProfile(double major_diameter, double pitch) {
  const double crest = 0.5 * major_diameter, root = crest - 0.625 * 0.5 * std::numbers::sqrt3 * pitch;
  return {Vector2d(crest, 0.0), {crest, pitch / 16.0}, {root, 0.375 * pitch}, {root, 0.5 * pitch}};
}

FieldSample ThreadField::Evaluate(const Vector3d& p) const {
  const double u = Fold(p.z() - pitch / (2.0 * pi) * std::atan2(p.y(), p.x()), pitch);
  HelicalSample side = EvaluateHelix(*this, {CalcRho(p), std::abs(u)});
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
