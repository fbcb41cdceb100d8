#include <cmath>
#include <limits>
#include <numbers>

#include "geometry/field_leaves.h"
#include "geometry/field_machine.h"

namespace stiction {
namespace {

using std::numbers::pi;

// Samples of the infinite thread in cylindrical axes (e_ρ, e_θ, e_z).
struct HelicalPack {
  Pack value, along_rho, along_theta, along_z;
};

// x less its nearest multiple of `period`. Round-off of the multiple enters: 1e-16 of x. Zero where x has no
// digits left after the point, counted in periods.
Pack Fold(const Pack& x, double period) {
  constexpr double kWhole = 0x1.8p52;  // adding it leaves no digits after the point
  const Pack turns = x * (1.0 / period);
  return Select(Abs(turns) < 0x1p51, x - period * ((turns + kWhole) - kWhole), FillPack(0.0));
}

// A signed axial distance f with the gradient (f_ρ, f_u), of length l, becomes a distance in space. With
// u = z - P θ / 2π and λ = P / 2πρ at the nearest point,
//   ∇f = (f_ρ, -λ f_u, f_u),   |∇f|² = l² + λ² f_u²,
// so f / |∇f| is the distance to first order. Both times ρ, which takes one division for all of it.
//   rho   of the nearest point [m]
//   lead  P / 2π [m]
HelicalPack Correct(const Pack& f, const Pack& f_rho, const Pack& f_u, const Pack& length2, const Pack& rho,
                    double lead) {
  constexpr double kTiny = 1e-290;
  const Pack along_theta = -lead * f_u;
  const Pack inverse = 1.0 / Sqrt(rho * rho * length2 + along_theta * along_theta + kTiny);
  const Pack share = inverse * rho;
  return {share * f, share * f_rho, inverse * along_theta, share * f_u};
}

void Offer(const PackMask& applies, const HelicalPack& sample, HelicalPack& nearest) {
  const PackMask is_nearer = applies & (Abs(sample.value) < Abs(nearest.value));
  nearest = {Select(is_nearer, sample.value, nearest.value),
             Select(is_nearer, sample.along_rho, nearest.along_rho),
             Select(is_nearer, sample.along_theta, nearest.along_theta),
             Select(is_nearer, sample.along_z, nearest.along_z)};
}

// At (ρ, u), u folded to [0, P/2]. The nearest point of the whole profile, all turns included, folds onto one
// as near of the half turn, so that no neighbour has to be asked. It is one of crest, flank and root that it
// is beside, or a corner; beside crest or root but not both, and past one end of the flank at most, so that
// of these one alone is asked. The nearest is chosen after the correction, which keeps the value continuous;
// crest and root, normal to the axis, need none.
//   lead  P / 2π [m]
HelicalPack EvaluateHelix(const ThreadField& thread, const Pack& rho, const Pack& u, double lead) {
  const Vector2d &crest_end = thread.profile[1], &root_start = thread.profile[2], &flank = thread.flank;
  const Pack zero = FillPack(0.0), one = FillPack(1.0);
  const Pack from_crest = rho - crest_end.x(), past_crest = u - crest_end.y();
  const Pack from_root = rho - root_start.x(), past_root = u - root_start.y();
  const Pack along = flank.x() * from_crest + flank.y() * past_crest;
  const PackMask is_before = along < 0.0;
  const PackMask is_beyond = along > thread.flank_length;
  const PackMask is_on_crest = past_crest <= 0.0, is_on_root = past_root >= 0.0;

  // The crest's corner is convex and nearest only to points outside, the root's to points inside. Of a corner
  // f is the distance d from it, taken times d.
  const PackMask is_at_corner = is_before | is_beyond;
  const Pack side = Select(is_before, one, -one);
  const Pack away_rho = Select(is_before, from_crest, from_root);
  const Pack away_u = Select(is_before, past_crest, past_root);
  const Pack distance2 = away_rho * away_rho + away_u * away_u;
  const Pack corner_rho = Select(is_before, FillPack(crest_end.x()), FillPack(root_start.x()));
  const Pack height = flank.y() * from_crest - flank.x() * past_crest;
  HelicalPack nearest =
      Correct(Select(is_at_corner, side * distance2, height),
              Select(is_at_corner, side * away_rho, FillPack(flank.y())),
              Select(is_at_corner, side * away_u, FillPack(-flank.x())), Select(is_at_corner, distance2, one),
              Select(is_at_corner, corner_rho, crest_end.x() + along * flank.x()), lead);

  // Beside crest or root and past the flank's end there is no corner between.
  const PackMask is_beside = (is_before & is_on_crest) | (is_beyond & is_on_root);
  nearest.value = Select(is_beside, FillPack(std::numeric_limits<double>::infinity()), nearest.value);
  Offer(is_on_crest | is_on_root, {Select(is_on_crest, from_crest, from_root), one, zero, zero}, nearest);
  return nearest;
}

}  // namespace

// With H = √3/2 P: crest P/8 wide, flanks at 30° to the radius over a depth of 5/8 H, hence 5/16 P wide each,
// root P/4 wide.
ThreadProfile MakeThreadProfile(double major_diameter, double pitch) {
  const double crest = 0.5 * major_diameter, root = crest - 0.625 * 0.5 * std::numbers::sqrt3 * pitch;
  return {Vector2d(crest, 0.0), {crest, pitch / 16.0}, {root, 0.375 * pitch}, {root, 0.5 * pitch}};
}

FieldSamplePack ThreadField::EvaluatePack(const VectorPack& p) const {
  const double lead = pitch / (2.0 * pi);
  const RadialPack radial = CalcRadial(p);
  const Pack turned = Fold(p.z - lead * Atan2(p.y, p.x), pitch);
  HelicalPack side = EvaluateHelix(*this, radial.rho, Abs(turned), lead);
  const PackMask is_reflected = turned < 0.0;
  side.along_theta = Select(is_reflected, -side.along_theta, side.along_theta);
  side.along_z = Select(is_reflected, -side.along_z, side.along_z);
  const FieldSamplePack wall{side.value,
                             {side.along_rho * radial.cos - side.along_theta * radial.sin,
                              side.along_rho * radial.sin + side.along_theta * radial.cos, side.along_z}};
  const Pack up = Select(p.z < 0.0, FillPack(-1.0), FillPack(1.0));
  const FieldSamplePack cap{Abs(p.z) - half_length, {FillPack(0.0), FillPack(0.0), up}};
  return Choose(cap.value > wall.value, cap, wall);
}

Eigen::AlignedBox3d ThreadField::CalcBounds() const {
  const Vector3d half(profile[0].x(), profile[0].x(), half_length);
  return {-half, half};
}

FieldSamplePack NutField::EvaluatePack(const VectorPack& p) const {
  FieldSamplePack bore = Negate(thread.EvaluatePack(p));
  bore.value += clearance;
  // The prism holds a cylinder about its axis; where that is farther than the bore so is the prism.
  const Pack in_prism = bore.value + body.apothem, cap = Abs(p.z) - body.half_length;
  const PackMask is_bore =
      (in_prism > 0.0) & (p.x * p.x + p.y * p.y < in_prism * in_prism) & (cap < 0.0) & (cap < bore.value);
  if (!HasAny(~is_bore)) return bore;
  const FieldSamplePack outer = body.EvaluatePack(p);
  return Choose(bore.value > outer.value, bore, outer);
}

Eigen::AlignedBox3d NutField::CalcBounds() const {
  return body.CalcBounds();
}

}  // namespace stiction
