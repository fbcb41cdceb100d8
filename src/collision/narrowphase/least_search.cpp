#include "collision/narrowphase/least_search.h"

#include <algorithm>
#include <cmath>

#include "geometry/field_pack.h"
#include "math/constants.h"

namespace stiction::narrowphase {
namespace {

constexpr double kPart = 0.45;  // of a patch: what is shorter is one part
constexpr int kMaxCuts = 8;     // more are of no use where φ is not convex

VectorPack LoadVectors(const std::array<double, LeastSearch::kMaxParts> (&numbers)[3], int first) {
  return {LoadPack(numbers[0].data() + first), LoadPack(numbers[1].data() + first),
          LoadPack(numbers[2].data() + first)};
}

Pack CalcBound(const Cut& cut, const VectorPack& p) {
  const Pack bend = cut.f.x() * p.x + cut.f.y() * p.y + cut.f.z() * p.z - cut.f0;
  return cut.t.x() * p.x + cut.t.y() * p.y + cut.t.z() * p.z + cut.c + Max(bend, FillPack(0.0));
}

}  // namespace

double CalcGapTolerance(double exact, double gap) {
  constexpr double kPartOfGap = 0.01;  // at 0.03 overlaps of threads are missed by up to 22 µm, not 13
  return exact + kPartOfGap * std::abs(gap);
}

void CutBounds::Begin(const SurfaceSamples& samples, const SurfaceSamples::Node& node) {
  static_assert(kMaxCompared % kPackSize == 0 && kPackSize <= SurfaceSamples::kSpare);
  first_ = node.first, stride_ = CalcStride(node), count_ = (node.count + stride_ - 1) / stride_;
  num_cuts_ = 0;
  for (int i = 0; i < 3; ++i) {
    const double* all = samples.p[i].data() + first_;
    if (stride_ > 1) {
      for (int k = 0; k < count_; ++k) spread_[i][k] = all[k * stride_];
      for (int k = count_; k % kPackSize != 0; ++k) spread_[i][k] = 0.0;
    }
    p_[i] = stride_ > 1 ? spread_[i].data() : all;
  }
}

// Past the last one a pack holds other samples, or none: they are never the lowest.
void CutBounds::Add(const Cut& cut) {
  Pack least = FillPack(kInfinity), least_at = FillPack(0.0), at = kLanes;
  for (int k = 0; k < count_; k += kPackSize, at += kPackSize) {
    Pack bound = CalcBound(cut, {LoadPack(p_[0] + k), LoadPack(p_[1] + k), LoadPack(p_[2] + k)});
    if (num_cuts_ > 0) bound = Max(bound, LoadPack(bounds_.data() + k));
    StorePack(bound, bounds_.data() + k);
    const PackMask is_lower = (bound < least) & (at < static_cast<double>(count_));
    least = Select(is_lower, bound, least);
    least_at = Select(is_lower, at, least_at);
  }
  ++num_cuts_;
  int lane = 0;
  for (int k = 1; k < kPackSize; ++k)
    if (least[k] < least[lane]) lane = k;
  bound_ = least[lane], lowest_ = static_cast<int>(least_at[lane]);
}

int LeastSearch::Begin(const SurfaceSearch& in, int patch) {
  CollectParts(in, patch);
  LookAtParts(in);
  const int lowest = parts_.FindLeast(parts_.value);
  best_ = parts_.look(lowest), best_node_ = parts_.node[lowest];
  return BeginNextPart(in);
}

int LeastSearch::Proceed(const SurfaceSearch& in, const SampleLook& look) {
  if (look.value < best_.value - in.exact) best_ = look, best_node_ = parts_.node[part_];
  int sample = -1;
  if (bounds_.num_cuts() < kMaxCuts)
    sample = CutAt(in, look, in.samples.position(look.sample), in.samples.normal(look.sample));
  return sample >= 0 ? sample : BeginNextPart(in);
}

// That may be lower than the best by more than a tolerance, and within reach.
int LeastSearch::BeginNextPart(const SurfaceSearch& in) {
  for (;;) {
    part_ = parts_.FindLeast(parts_.bound);
    if (!(parts_.bound[part_] < std::min(in.reach, best_.value - in.CalcTolerance(best_.value)))) return -1;
    parts_.bound[part_] = kInfinity;
    bounds_.Begin(in.samples, in.samples.nodes[parts_.node[part_]]);
    const int sample = CutAt(in, parts_.look(part_), parts_.place(part_), parts_.normal(part_));
    if (sample >= 0) return sample;
  }
}

// The sample that the cuts leave lowest, if that is low enough.
int LeastSearch::CutAt(const SurfaceSearch& in, const SampleLook& look, const Vector3d& p,
                       const Vector3d& n) {
  bounds_.Add({p, n, look.value, look.gradient});
  all_compared_ += bounds_.count();
  const double most = best_.value - in.CalcTolerance(best_.value), bound = bounds_.bound();
  if (!(bound < most)) return -1;
  const int lowest = bounds_.lowest();
  const SurfaceSamples::Surrounding& around = in.samples.around[lowest];
  __builtin_prefetch(&around);  // it is here once φ is known
  if (bound < in.reach) return lowest;
  // Between samples of a crease φ may have a kink, and be lower by the way to it.
  return around.is_on_crease && bound < in.reach + around.reach ? lowest : -1;
}

int LeastSearch::Parts::FindLeast(const std::array<double, kMaxParts>& numbers) const {
  return static_cast<int>(std::min_element(numbers.begin(), numbers.begin() + count) - numbers.begin());
}

void LeastSearch::Parts::Set(int part, const SurfaceSamples& samples) {
  const SurfaceSamples::Node& known = samples.nodes[node[part]];
  const SurfaceSamples::Middle& middle = samples.middles[node[part]];
  sample[part] = known.middle, radius[part] = known.radius;
  for (int i = 0; i < 3; ++i) p[i][part] = middle.p[i], n[i][part] = middle.n[i];
}

void LeastSearch::CollectParts(const SurfaceSearch& in, int patch) {
  std::array<int, TriangleTree::kMaxDepth + 1> stack;
  int size = 0;
  stack[size++] = patch;
  parts_.count = 0;
  while (size > 0) {
    const int node = stack[--size];
    const SurfaceSamples::Node& branch = in.samples.nodes[node];
    const bool is_full = parts_.count + size + 2 > kMaxParts;
    if (branch.is_leaf() || is_full || 2.0 * branch.radius <= kPart * in.patch) {
      parts_.node[parts_.count++] = node;
      continue;
    }
    stack[size++] = branch.child + 1;
    stack[size++] = branch.child;
  }
  all_parts_ += parts_.count;
}

// A pack at a time; where the last one is not full the last part fills it.
void LeastSearch::LookAtParts(const SurfaceSearch& in) {
  const int count = parts_.count;
  for (int k = count; k % kPackSize != 0; ++k) parts_.node[k] = parts_.node[count - 1];
  for (int k = 0; k < count || k % kPackSize != 0; ++k) parts_.Set(k, in.samples);
  for (int k = 0; k < count; k += kPackSize) {
    const VectorPack p = LoadVectors(parts_.p, k), n = LoadVectors(parts_.n, k);
    const FieldSamplePack at = EvaluatePack(in.a, Shift(Rotate(in.X_AB.R, p), -in.X_AB.p));
    const VectorPack g = Rotate(in.R_BA, at.gradient);
    const Pack facing = g.x * n.x + g.y * n.y + g.z * n.z;
    const Pack steepness = Sqrt(Max(FillPack(0.0), 1.0 - facing * facing));
    StorePack(at.value, parts_.value.data() + k);
    StorePack(at.value - LoadPack(parts_.radius.data() + k) * steepness, parts_.bound.data() + k);
    StorePack(g.x, parts_.gradient[0].data() + k);
    StorePack(g.y, parts_.gradient[1].data() + k);
    StorePack(g.z, parts_.gradient[2].data() + k);
  }
}

}  // namespace stiction::narrowphase
