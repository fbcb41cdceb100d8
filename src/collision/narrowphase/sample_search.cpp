#include "collision/narrowphase/sample_search.h"

#include <algorithm>
#include <cmath>

#include "geometry/field_pack.h"

namespace stiction::narrowphase {

SampleLook SampleSearch::LookAt(int sample) {
  ++work_.looks;
  const FieldSample at = in_.a.Evaluate(in_.X_AB * in_.samples.position(sample));
  return {sample, at.value, in_.R_BA * at.gradient};
}

SampleSearch::Verdict SampleSearch::Judge(const SampleLook& look, int branch) const {
  const SurfaceSamples::Node& node = in_.samples.nodes[branch];
  const Vector3d& middle = in_.samples.middles[branch].p;
  const bool is_there = look.sample == node.middle;
  const double way = is_there ? 0.0 : (middle - in_.samples.position(look.sample)).norm();
  const double beyond = in_.reach + node.radius;
  if (look.value - way >= beyond) return Verdict::kOutOfReach;
  if (look.value + way < beyond) return Verdict::kWithinReach;
  return box_.squaredExteriorDistance(in_.X_AB * middle) >= beyond * beyond ? Verdict::kOutOfReach
                                                                            : Verdict::kLook;
}

// One on each lane; where one is done the next one takes its place.
void SampleSearch::SearchPatches() {
  work_.patches += num_patches_;
  std::array<int, kPackSize> patch, sample;
  sample.fill(-1);
  for (int next = 0;;) {
    int filling = -1;  // of lanes without a patch, at the end
    for (int lane = 0; lane < kPackSize; ++lane) {
      while (sample[lane] < 0 && next < num_patches_) {
        patch[lane] = next++;
        sample[lane] = searches_[lane].Begin(in_, patches_[patch[lane]]);
        if (sample[lane] < 0) lows_[patch[lane]] = MakeLow(searches_[lane]);
      }
      if (sample[lane] >= 0) filling = sample[lane];
    }
    if (filling < 0) return;
    VectorPack p = FillPack(Vector3d::Zero().eval());
    for (int lane = 0; lane < kPackSize; ++lane) {
      const int at = sample[lane] >= 0 ? sample[lane] : filling;
      p.x[lane] = in_.samples.p[0][at], p.y[lane] = in_.samples.p[1][at], p.z[lane] = in_.samples.p[2][at];
    }
    const FieldSamplePack at = EvaluatePack(in_.a, Shift(Rotate(in_.X_AB.R, p), -in_.X_AB.p));
    const VectorPack gradient = Rotate(in_.R_BA, at.gradient);
    for (int lane = 0; lane < kPackSize; ++lane) {
      if (sample[lane] < 0) continue;
      ++work_.looks;
      sample[lane] = searches_[lane].Proceed(in_, {sample[lane], at.value[lane], gradient[lane]});
      if (sample[lane] < 0) lows_[patch[lane]] = MakeLow(searches_[lane]);
    }
  }
}

SurfaceLeast SampleSearch::MakeLow(const LeastSearch& search) const {
  const SampleLook& best = search.best();
  const int stride = CutBounds::CalcStride(in_.samples.nodes[search.best_node()]);
  return {best.sample,
          in_.samples.position(best.sample),
          best.value,
          best.value,
          best.gradient,
          in_.samples.normal(best.sample),
          std::sqrt(stride) * in_.samples.around[best.sample].reach};
}

SearchWork SampleSearch::work() const {
  SearchWork work = work_;
  for (const LeastSearch& search : searches_)
    work.parts += search.num_parts(), work.compared += search.num_compared();
  return work;
}

}  // namespace stiction::narrowphase
