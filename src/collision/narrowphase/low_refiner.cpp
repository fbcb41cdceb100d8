#include "collision/narrowphase/low_refiner.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace stiction::narrowphase {
namespace {

constexpr int kMaxDescents = 2;        // directions from a sample
constexpr int kMaxDescentTrials = 8;   // along one
constexpr int kMaxReturns = 2;         // steps of Newton's method
constexpr double kBeyond = 0.02;       // a kink, of the way to the next samples
constexpr double kLeastLength = 0.15;  // of a normal in between: opposite sides of a thin wall have none

// at(k) for a pack of k from `first` on; where the last one is not full the last k fills it.
template <typename At>
VectorPack GatherPack(int first, int count, const At& at) {
  VectorPack out;
  for (int lane = 0; lane < kPackSize; ++lane) {
    const Vector3d p = at(std::min(first + lane, count - 1));
    out.x[lane] = p.x(), out.y[lane] = p.y(), out.z[lane] = p.z();
  }
  return out;
}
// Calls visit(k, lane) for those of the pack that are not filling.
template <typename Visit>
void ForEachLane(int first, int count, const Visit& visit) {
  for (int lane = 0; lane < kPackSize && first + lane < count; ++lane) visit(first + lane, lane);
}

// Of φ along the surface.
Vector3d CalcSlope(const SurfaceLeast& low) {
  return low.gradient - low.gradient.dot(low.normal) * low.normal;
}

}  // namespace

bool LowRefiner::CanComeWithinReach(const SurfaceLeast& low) const {
  return !low.is_on_far_side() && low.value - CalcSlope(low).norm() * 2.0 * low.step < reach_;
}

int LowRefiner::Refine(std::span<SurfaceLeast> lows) {
  const auto end = std::remove_if(lows.begin(), lows.end(),
                                  [&](const SurfaceLeast& low) { return !CanComeWithinReach(low); });
  lows = lows.first(end - lows.begin());
  const int count = static_cast<int>(lows.size());
  std::array<int, kMaxLows> descents{};  // from each, of use
  for (SurfaceLeast& low : lows) AddDescentAlongCrease(low);
  Descend();
  for (int round = 0; round < kMaxDescents; ++round) {
    num_descents_ = 0;
    for (int k = 0; k < count; ++k)
      if (descents[k] == round) AddDescentAcrossFace(lows[k]);
    Descend();
    for (int k = 0; k < num_descents_; ++k)
      descents[descents_[k].low - lows.data()] += descents_[k].has_gained;
  }
  num_descents_ = num_kinks_ = num_creases_ = 0;
  std::array<bool, kMaxLows> is_left;
  for (int k = 0; k < count; ++k) {
    lows[k].gap = lows[k].value;
    is_left[k] = lows[k].value < reach_ && !lows[k].is_on_far_side();
    if (!is_left[k]) continue;
    if (IsOnCrease(lows[k]) && descents[k] == 0)
      creases_[num_creases_++] = &lows[k];
    else
      AddKink(lows[k]);
  }
  LevelAtKinks();
  LevelAlongCreases();
  int kept = 0;
  for (int k = 0; k < count; ++k)
    if (is_left[k]) lows[kept++] = lows[k];
  return kept;
}

// From nearby onto B, with its normal there.
VectorPack LowRefiner::ReturnToSurface(VectorPack p, VectorPack& normal, PackMask& is_on_surface) const {
  FieldSamplePack on_b = EvaluatePack(b_, p);
  PackMask is_off = Abs(on_b.value) > exact_;
  for (int round = 0; round < kMaxReturns && HasAny(is_off); ++round) {
    const Pack back = Select(is_off, on_b.value, FillPack(0.0));
    p.x -= back * on_b.gradient.x, p.y -= back * on_b.gradient.y, p.z -= back * on_b.gradient.z;
    on_b = EvaluatePack(b_, p);
    is_off = Abs(on_b.value) > exact_;
  }
  normal = on_b.gradient;
  is_on_surface = Abs(on_b.value) <= exact_;
  return p;
}

FieldSamplePack LowRefiner::EvaluateA(const VectorPack& p) const {
  const FieldSamplePack at = EvaluatePack(a_, Shift(Rotate(X_AB_.R, p), -X_AB_.p));
  return {at.value, Rotate(R_BA_, at.gradient)};
}

LowRefiner::SpotPack LowRefiner::LookBeside(const VectorPack& p) const {
  SpotPack spots;
  spots.p = ReturnToSurface(p, spots.normal, spots.is_on_surface);
  spots.at = EvaluateA(spots.p);
  return spots;
}

// Nothing if there is nothing to be gained.
void LowRefiner::AddDescent(const Vector3d& slope, SurfaceLeast& low) {
  const double steepness = slope.norm(), tolerance = CalcTolerance(low.value);
  if (!(steepness * low.step > tolerance)) return;
  descents_[num_descents_++] = {.low = &low,
                                .start = low.p,
                                .direction = slope / -steepness,
                                .tolerance = tolerance,
                                .left = {0.0, low.value, -steepness},
                                .right = {2.0 * low.step, 0.0, 0.0},
                                .has_right = false,
                                .has_gained = false,
                                .trials = 0,
                                .s = low.step};
}

// Only where the two may overlap between samples: what is farther is exact enough at them.
void LowRefiner::AddDescentAlongCrease(SurfaceLeast& low) {
  const Vector3d along = samples_.around[low.sample].inward.cross(low.normal);
  const double slope = low.gradient.dot(along);
  if (low.value < 2.0 * low.step * std::abs(slope)) AddDescent(slope * along, low);
}

void LowRefiner::AddDescentAcrossFace(SurfaceLeast& low) {
  AddDescent(CalcSlope(low), low);
}

// Each to where the slope changes sign. A step off along the tangent comes back to the surface by Newton's
// method, at once where B's own φ is a true distance.
void LowRefiner::Descend() {
  std::array<int, kMaxLows> going;
  int count = num_descents_;
  for (int k = 0; k < count; ++k) going[k] = k;
  while (count > 0) {
    int still = 0;
    for (int first = 0; first < count; first += kPackSize) {
      const SpotPack spots = LookBeside(GatherPack(first, count, [&](int k) {
        const Descent& descent = descents_[going[k]];
        return Vector3d(descent.start + descent.s * descent.direction);
      }));
      ForEachLane(first, count, [&](int k, int lane) {
        if (Advance(spots[lane], descents_[going[k]])) going[still++] = going[k];
      });
    }
    count = still;
  }
}

// By what is at s; false if that is the end of it.
bool LowRefiner::Advance(const Spot& spot, Descent& descent) const {
  auto& [low, start, direction, tolerance, left, right, has_right, has_gained, trials, s] = descent;
  const bool is_odd = trials++ % 2 == 1, is_last = trials == kMaxDescentTrials;
  if (!spot.is_on_surface) {
    // It ends in a crease on the way.
    s *= 0.5, right.s = s;
    return !is_last;
  }
  const Vector3d along = direction - direction.dot(spot.normal) * spot.normal;
  const Descent::End end{s, spot.at.value, spot.at.gradient.dot(along)};
  if (end.value < low->value) {
    low->p = spot.p, low->normal = spot.normal, low->value = end.value, low->gradient = spot.at.gradient;
    has_gained = true;
  }
  if (end.slope < 0.0) {
    left = end;
  } else {
    right = end, has_right = true;
  }
  if (!has_right) {
    if (s >= right.s) return false;
    s = right.s;
    return !is_last;
  }
  // Where the tangents at both ends meet φ is not lower if it is convex, and is least if it has a kink; where
  // it is smooth it is least at the root of the slope. In turn.
  const double bend = right.slope - left.slope;
  const double tangents = (left.value - left.slope * left.s - right.value + right.slope * right.s) / bend;
  if (low->value - (left.value + left.slope * (tangents - left.s)) <= tolerance) return false;
  s = is_odd ? (left.s * right.slope - right.s * left.slope) / bend : tangents;
  return s > left.s && s < right.s && !is_last;
}

// Where A has an edge, φ has a kink, and its gradient is the normal of one of A's two faces there. B's face
// touches the edge with the normal that is level on it, one of those in between: by that of one of A's faces
// it would be stopped where it slides along the other.
void LowRefiner::AddKink(SurfaceLeast& low) {
  constexpr double kSteep = 0.2;  // a sine: more than the search leaves between smooth surfaces
  const Vector3d slope = CalcSlope(low);
  const double steepness = slope.norm();
  if (steepness < kSteep) return;
  AddKinkBehind(slope / -steepness, steepness, low);
}

void LowRefiner::AddKinkBehind(const Vector3d& down, double steepness, SurfaceLeast& low) {
  const double way = std::max(2.0 * CalcTolerance(low.value) / steepness, kBeyond * low.step);
  kinks_[num_kinks_++] = {&low, down, steepness, low.p + way * down};
}

// Zero where φ does not rise behind the kink.
Vector3d LowRefiner::Kink::CalcLevel(const Vector3d& gradient) const {
  const double rise = gradient.dot(down);
  if (rise <= 0.0) return Vector3d::Zero();
  return (rise * low->gradient + steepness * gradient) / (rise + steepness);
}

void LowRefiner::LevelAtKinks() {
  constexpr double kSameFace = 0.95;         // a cosine
  constexpr double kLevel = 0.98;            // a cosine: the edge alone is what B touches
  constexpr double kLeastLengthAskew = 0.5;  // an edge of B has several normals itself
  for (int first = 0; first < num_kinks_; first += kPackSize) {
    const SpotPack spots = LookBeside(GatherPack(first, num_kinks_, [&](int k) { return kinks_[k].behind; }));
    ForEachLane(first, num_kinks_, [&](int k, int lane) {
      SurfaceLeast& low = *kinks_[k].low;
      const Spot spot = spots[lane];
      if (!spot.is_on_surface || spot.normal.dot(low.normal) < kSameFace) return;
      const Vector3d level = kinks_[k].CalcLevel(spot.at.gradient);
      const double length = level.norm();
      const bool is_level = -level.dot(low.normal) > kLevel * length;
      if (length <= (is_level ? kLeastLength : kLeastLengthAskew)) return;
      low.gradient = level / length;
      if (is_level) low.gap = low.value / length;
    });
  }
  num_kinks_ = 0;
}

// The same where a crease of B crosses an edge of A: what is at right angles to the crease, of the normals
// between those of A's two faces. By that of one face, B would go deeper as it slides along the edges.
void LowRefiner::LevelAlongCreases() {
  for (int first = 0; first < num_creases_; first += kPackSize) {
    const auto find_normals = [&](double side, PackMask& is_on_surface) {
      VectorPack normal;
      ReturnToSurface(GatherPack(first, num_creases_,
                                 [&](int k) {
                                   const SurfaceLeast& low = *creases_[k];
                                   const double way = side * kBeyond * low.step;
                                   return Vector3d(low.p + way * samples_.around[low.sample].inward);
                                 }),
                      normal, is_on_surface);
      return normal;
    };
    PackMask is_in, is_out;
    const VectorPack in = find_normals(1.0, is_in), out = find_normals(-1.0, is_out);
    ForEachLane(first, num_creases_, [&](int k, int lane) {
      if (is_in[lane] && is_out[lane]) AddKinkAlong(in[lane].cross(out[lane]), *creases_[k]);
    });
  }
  for (int first = 0; first < num_kinks_; first += kPackSize) {
    const FieldSamplePack at =
        EvaluateA(GatherPack(first, num_kinks_, [&](int k) { return kinks_[k].behind; }));
    ForEachLane(first, num_kinks_, [&](int k, int lane) {
      const Vector3d level = kinks_[k].CalcLevel(at.gradient[lane]);
      const double length = level.norm();
      if (length <= kLeastLength) return;
      kinks_[k].low->gradient = level / length;
      kinks_[k].low->gap = kinks_[k].low->value / length;
    });
  }
}

//   crease  its direction, as long as the sine of the angle between its faces
void LowRefiner::AddKinkAlong(const Vector3d& crease, SurfaceLeast& low) {
  constexpr double kCrease = 0.05;   // less, and a crease has no direction
  constexpr double kSlight = 0.002;  // a sine
  const double length = crease.norm();
  if (length < kCrease) return;
  const Vector3d along = crease / length;
  const double slope = low.gradient.dot(along);
  if (std::abs(slope) >= kSlight) AddKinkBehind(slope > 0.0 ? Vector3d(-along) : along, std::abs(slope), low);
}

}  // namespace stiction::narrowphase
