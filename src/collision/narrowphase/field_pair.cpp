#include "collision/narrowphase/field_pair.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "collision/narrowphase/contact_point.h"
#include "collision/narrowphase/gatherer.h"
#include "collision/narrowphase/low_refiner.h"

namespace stiction::narrowphase {
namespace {

// Patches that are no longer than this part of the smaller shape give one point each. Smaller, and the time
// of conforming surfaces grows with the number of patches.
constexpr double kSamplePatch = 0.5;
// In patches: of two points that are nearer one is enough. A nut of 48 mm has 120 points at most, four
// dishes 76.
constexpr double kResolution = 0.4;
// In sizes: less than what a body at rest leaves.
constexpr double kExactGap = 1e-6;

double CalcPairThickness(const FieldSolid& a, const FieldSolid& b) {
  return std::min(a.surface.surface->thickness, b.surface.surface->thickness);
}
double CalcPatchLength(const FieldSolid& a, const FieldSolid& b) {
  return kSamplePatch * std::min(a.surface.surface->radius, b.surface.surface->radius);
}

// Whose surface a low is on.
enum LowSide { kOnSecond, kOnFirst };

// Calls visit(least) for each low of one surface, refined.
template <typename Visit>
void SearchSurface(const FieldSolid& first, const FieldSolid& second, const RigidTransform& X_AB,
                   double reach, LowSide side, const Visit& visit) {
  const FieldSolid &a = side == kOnSecond ? first : second, &b = side == kOnSecond ? second : first;
  const RigidTransform X = side == kOnSecond ? X_AB : X_AB.Inverse();
  const double exact = kExactGap * CalcPairThickness(a, b);
  SampleSearch search(a, b, X, reach, CalcPatchLength(a, b), exact);
  LowRefiner refiner(a, b, X, reach, exact);
  std::array<SurfaceLeast, LowRefiner::kMaxLows> lows;
  int count = 0;
  const auto refine = [&] {
    const int left = refiner.Refine({lows.data(), static_cast<std::size_t>(count)});
    std::for_each(lows.begin(), lows.begin() + left, visit);
    count = 0;
  };
  search.ForEach([&](const SurfaceLeast& low) {
    lows[count++] = low;
    if (count == LowRefiner::kMaxLows) refine();
  });
  refine();
}

}  // namespace

double CalcSearchReach(double margin) {
  constexpr double kStep = 1.5;
  if (!(margin > 0.0)) return margin;
  return std::pow(kStep, std::ceil(std::log(margin) / std::log(kStep)));
}

void FieldLows::Reserve(int count) {
  for (auto& lows : lows_) lows.reserve(count);
}

void FieldLows::Find(const Field& field, const Field& other, const RigidTransform& X_AB, double reach) {
  X_AB_ = X_AB, reach_ = reach, is_complete_ = true;
  for (const LowSide side : {kOnSecond, kOnFirst}) {
    auto& lows = lows_[side];
    lows.clear();
    SearchSurface(*field.solid, *other.solid, X_AB, reach, side, [&](const SurfaceLeast& least) {
      is_complete_ = is_complete_ && lows.size() < lows.capacity();
      if (is_complete_) lows.push_back(least);
    });
  }
}

void CollideFields(const Field& field, const RigidTransform& X_WA, const Field& other,
                   const RigidTransform& X_WB, double margin, const FieldLows* lows, Manifold& out) {
  const FieldSolid &a = *field.solid, &b = *other.solid;
  const RigidTransform X_AB = RelativePose(X_WA, X_WB);
  Gatherer gatherer(margin, CalcPairThickness(a, b), kSamePlaceOnMesh);
  for (const LowSide side : {kOnSecond, kOnFirst}) {
    const auto add = [&](const SurfaceLeast& least) {
      const std::uint32_t name = HashNames({side, least.sample});
      const Vector3d p = least.p - 0.5 * least.gap * least.gradient;
      if (side == kOnSecond)
        gatherer.AddAlone(X_AB * p, X_AB.R * least.gradient, least.gap, name);
      else
        gatherer.AddAlone(p, -least.gradient, least.gap, name);
    };
    if (lows != nullptr) {
      for (const SurfaceLeast& least : lows->on(side)) add(least);
    } else {
      SearchSurface(a, b, X_AB, CalcSearchReach(margin), side, add);
    }
  }
  gatherer.SortOut();
  gatherer.Finish(X_WA, Manifold::kMaxPoints, out, kResolution * CalcPatchLength(a, b));
}

}  // namespace stiction::narrowphase
