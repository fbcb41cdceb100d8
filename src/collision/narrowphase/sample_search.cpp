#include "collision/narrowphase/sample_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/field_pack.h"

namespace stiction::narrowphase {
namespace {

constexpr double kPart = 0.45;     // of a patch: what is shorter is one part
constexpr int kMaxCompared = 256;  // samples of a part, whole packs of them
constexpr int kMaxCuts = 8;        // more are of no use where φ is not convex

static_assert(kMaxCompared % kPackSize == 0 && kPackSize <= SurfaceSamples::kSpare);

VectorPack LoadVectors(const std::array<double, SampleSearch::kMaxParts> (&numbers)[3], int first) {
  return {LoadPack(numbers[0].data() + first), LoadPack(numbers[1].data() + first),
          LoadPack(numbers[2].data() + first)};
}

// How low φ can be on a patch, by what it is at one sample: c + t · x + max(0, f · x - f0), x in B's frame.
struct Cut {
  Vector3d t, f;
  double c, f0;

  Cut(const Vector3d& p, const Vector3d& n, double value, const Vector3d& gradient) {
    const double facing = gradient.dot(n);
    f = facing * n;
    t = gradient - f;
    c = value - t.dot(p);
    f0 = f.dot(p);
  }
};

// How low each sample of a patch can be by all cuts so far. Of very fine surfaces every few-th sample is
// compared.
class CutBounds {
 public:
  CutBounds(const SurfaceSamples& samples, const SurfaceSamples::Node& node)
      : first_(node.first), stride_(CalcStride(node)), count_((node.count + stride_ - 1) / stride_) {
    for (int i = 0; i < 3; ++i) {
      const double* all = samples.p[i].data() + first_;
      if (stride_ > 1) {
        for (int k = 0; k < count_; ++k) spread_[i][k] = all[k * stride_];
        for (int k = count_; k % kPackSize != 0; ++k) spread_[i][k] = 0.0;
      }
      p_[i] = stride_ > 1 ? spread_[i].data() : all;
    }
  }

  static int CalcStride(const SurfaceSamples::Node& node) {
    return (node.count + kMaxCompared - 1) / kMaxCompared;
  }
  int count() const { return count_; }
  int lowest() const { return first_ + lowest_ * stride_; }
  double bound() const { return bound_; }

  // Past the last one a pack holds other samples, or none: they are never the lowest.
  void Add(const Cut& cut) {
    const Pack infinite = FillPack(std::numeric_limits<double>::infinity());
    Pack least = infinite, least_at = FillPack(0.0), at = kLanes;
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

 private:
  static Pack CalcBound(const Cut& cut, const VectorPack& p) {
    const Pack bend = cut.f.x() * p.x + cut.f.y() * p.y + cut.f.z() * p.z - cut.f0;
    return cut.t.x() * p.x + cut.t.y() * p.y + cut.t.z() * p.z + cut.c + Max(bend, FillPack(0.0));
  }

  int first_, stride_, count_, lowest_ = 0;
  int num_cuts_ = 0;
  double bound_ = 0.0;
  const double* p_[3];
  std::array<double, kMaxCompared> bounds_;
  std::array<double, kMaxCompared> spread_[3];  // where not all are compared
};

}  // namespace

double CalcGapTolerance(double exact, double gap) {
  constexpr double kPartOfGap = 0.01;  // at 0.03 overlaps of threads are missed by up to 22 µm, not 13
  return exact + kPartOfGap * std::abs(gap);
}

FieldSample SampleSearch::Evaluate(const Vector3d& p) {
  ++work_.looks;
  const FieldSample at = a_.Evaluate(X_AB_ * p);
  return {at.value, X_AB_.R.transpose() * at.gradient};
}

SampleSearch::Look SampleSearch::LookAt(int sample) {
  const FieldSample at = Evaluate(samples_.position(sample));
  return {sample, at.value, at.gradient};
}

SampleSearch::Verdict SampleSearch::Judge(const Look& look, const SurfaceSamples::Node& node) const {
  const Vector3d& middle = node.p;
  const double way = look.sample == node.middle ? 0.0 : (middle - samples_.position(look.sample)).norm();
  const double beyond = reach_ + node.radius;
  if (look.value - way >= beyond) return Verdict::kOutOfReach;
  if (look.value + way < beyond) return Verdict::kWithinReach;
  return box_.squaredExteriorDistance(X_AB_ * middle) >= beyond * beyond ? Verdict::kOutOfReach
                                                                         : Verdict::kLook;
}

bool SampleSearch::FindLeast(int patch, SurfaceLeast& least) {
  ++work_.patches;
  CollectParts(patch);
  LookAtParts();
  const int lowest = parts_.FindLeast(parts_.value);
  Look best = parts_.look(lowest);
  int best_node = parts_.node[lowest];
  for (int part; (part = parts_.FindLeast(parts_.bound), CanBeLower(parts_.bound[part], best));) {
    parts_.bound[part] = std::numeric_limits<double>::infinity();
    if (SearchPart(part, best)) best_node = parts_.node[part];
  }
  const int sample = best.sample;
  least = {sample,
           samples_.position(sample),
           best.value,
           best.value,
           best.gradient,
           samples_.normal(sample),
           std::sqrt(CutBounds::CalcStride(samples_.nodes[best_node])) * samples_.reach[sample]};
  return least.value < reach_ + least.step;
}

int SampleSearch::Parts::FindLeast(const std::array<double, kMaxParts>& numbers) const {
  return static_cast<int>(std::min_element(numbers.begin(), numbers.begin() + count) - numbers.begin());
}

void SampleSearch::Parts::Set(int part, int branch, const SurfaceSamples::Node& known) {
  node[part] = branch, sample[part] = known.middle, radius[part] = known.radius;
  for (int i = 0; i < 3; ++i) p[i][part] = known.p[i], n[i][part] = known.n[i];
}

void SampleSearch::CollectParts(int patch) {
  std::array<int, TriangleTree::kMaxDepth + 1> stack;
  int size = 0;
  stack[size++] = patch;
  parts_.count = 0;
  while (size > 0) {
    const int node = stack[--size];
    const SurfaceSamples::Node& branch = samples_.nodes[node];
    const bool is_full = parts_.count + size + 2 > kMaxParts;
    if (branch.is_leaf() || is_full || 2.0 * branch.radius <= kPart * patch_) {
      parts_.Set(parts_.count++, node, branch);
      continue;
    }
    stack[size++] = branch.child + 1;
    stack[size++] = branch.child;
  }
}

// A pack at a time; where the last one is not full the last part fills it.
void SampleSearch::LookAtParts() {
  const int count = parts_.count;
  work_.parts += count;
  for (int k = count; k % kPackSize != 0; ++k) {
    const int last = parts_.node[count - 1];
    parts_.Set(k, last, samples_.nodes[last]);
  }
  for (int k = 0; k < count; k += kPackSize) {
    const VectorPack p = LoadVectors(parts_.p, k), n = LoadVectors(parts_.n, k);
    const FieldSamplePack at = EvaluatePack(a_, Shift(Rotate(X_AB_.R, p), -X_AB_.p));
    const VectorPack g = Rotate(R_BA_, at.gradient);
    const Pack facing = g.x * n.x + g.y * n.y + g.z * n.z;
    const Pack steepness = Sqrt(Max(FillPack(0.0), 1.0 - facing * facing));
    StorePack(at.value, parts_.value.data() + k);
    StorePack(at.value - LoadPack(parts_.radius.data() + k) * steepness, parts_.bound.data() + k);
    StorePack(g.x, parts_.gradient[0].data() + k);
    StorePack(g.y, parts_.gradient[1].data() + k);
    StorePack(g.z, parts_.gradient[2].data() + k);
  }
}

bool SampleSearch::CanBeLower(double bound, const Look& best) const {
  return bound < std::min(reach_, best.value - CalcTolerance(best.value));
}

// Returns whether something lower was found.
bool SampleSearch::SearchPart(int part, Look& best) {
  CutBounds bounds(samples_, samples_.nodes[parts_.node[part]]);
  Look at = parts_.look(part);
  bool has_found = false;
  for (int k = 0; k < kMaxCuts; ++k) {
    bounds.Add({samples_.position(at.sample), samples_.normal(at.sample), at.value, at.gradient});
    work_.compared += bounds.count();
    // Between samples of a crease φ may have a kink, and be lower by the way to it.
    const int lowest = bounds.lowest();
    const double kink = IsOnCrease(lowest) ? samples_.reach[lowest] : 0.0;
    if (!(bounds.bound() < std::min(reach_ + kink, best.value - CalcTolerance(best.value)))) break;
    at = LookAt(lowest);
    if (at.value < best.value - exact_) best = at, has_found = true;
  }
  return has_found;
}

}  // namespace stiction::narrowphase
