#include "collision/narrowphase/sample_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/field_pack.h"

namespace stiction::narrowphase {
namespace {

constexpr double kPart = 0.45;        // of a patch: what is shorter is one part
constexpr int kMaxCompared = 256;     // samples of a part
constexpr int kMaxCuts = 8;           // more are of no use where φ is not convex
constexpr double kPartOfGap = 0.01;   // to which a gap is as good as exact
constexpr int kMaxDescents = 2;       // directions from a sample
constexpr int kMaxDescentTrials = 8;  // along one

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
      if (stride_ > 1)
        for (int k = 0; k < count_; ++k) spread_[i][k] = all[k * stride_];
      p_[i] = stride_ > 1 ? spread_[i].data() : all;
    }
  }

  static int CalcStride(const SurfaceSamples::Node& node) {
    return (node.count + kMaxCompared - 1) / kMaxCompared;
  }
  int count() const { return count_; }
  int lowest() const { return first_ + lowest_ * stride_; }
  double bound() const { return bounds_[lowest_]; }

  void Add(const Cut& cut) {
    double least = std::numeric_limits<double>::infinity();
    int block = 0;  // with the least
    const auto offer = [&](int from, double lowest) {
      if (lowest < least) least = lowest, block = from;
    };
    if (count_ >= kBlock) {
      // The last block begins in the one before it: to be cut twice does no harm.
      for (int k = 0; k < count_; k += kBlock) {
        const int from = std::min(k, count_ - kBlock);
        offer(from, AddToBlock<kBlock>(cut, from));
      }
    } else {
      for (int k = 0; k < count_; ++k) offer(k, AddToBlock<1>(cut, k));
    }
    ++num_cuts_;
    const int end = std::min(block + kBlock, count_);
    for (lowest_ = block; lowest_ + 1 < end && bounds_[lowest_] != least; ++lowest_) {
    }
  }

 private:
  static constexpr int kBlock = 8;

  // Returns the least of them.
  template <int size>
  double AddToBlock(const Cut& cut, int from) {
    using Numbers = Eigen::Array<double, size, 1>;
    const Eigen::Map<const Numbers> x(p_[0] + from), y(p_[1] + from), z(p_[2] + from);
    Eigen::Map<Numbers> bounds(bounds_.data() + from);
    const Numbers bend = (cut.f.x() * x + cut.f.y() * y + cut.f.z() * z - cut.f0).max(0.0);
    const Numbers bound = cut.t.x() * x + cut.t.y() * y + cut.t.z() * z + cut.c + bend;
    const Numbers highest = num_cuts_ == 0 ? bound : Numbers(bounds.max(bound));
    bounds = highest;
    return highest.minCoeff();
  }

  int first_, stride_, count_, lowest_ = 0;
  int num_cuts_ = 0;
  const double* p_[3];
  std::array<double, kMaxCompared> bounds_;
  std::array<double, kMaxCompared> spread_[3];  // where not all are compared
};

// Of φ along the surface.
double CalcSteepness(const SurfaceLeast& least) {
  return (least.gradient - least.gradient.dot(least.normal) * least.normal).norm();
}

}  // namespace

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

double SampleSearch::CalcTolerance(double value) const {
  return exact_ + kPartOfGap * std::abs(value);
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

bool SampleSearch::Refine(SurfaceLeast& least) {
  if (least.is_on_far_side() || least.value - CalcSteepness(least) * 2.0 * least.step >= reach_) return false;
  RefineAlongCrease(least);
  int descents = 0;
  while (descents < kMaxDescents && RefineAcrossFace(least)) ++descents;
  if (!(least.value < reach_) || least.is_on_far_side()) return false;
  least.gap = least.value;
  if (IsOnCrease(least.sample) && descents == 0)
    LevelAlongCrease(least);
  else
    LevelAtKink(least);
  return true;
}

// Only where the two may overlap between samples: what is farther is exact enough at them.
bool SampleSearch::RefineAlongCrease(SurfaceLeast& least) {
  const Vector3d along = samples_.inward[least.sample].cross(least.normal);
  const double slope = least.gradient.dot(along);
  return least.value < 2.0 * least.step * std::abs(slope) && Descend(slope * along, least);
}

bool SampleSearch::RefineAcrossFace(SurfaceLeast& least) {
  const Vector3d slope = least.gradient - least.gradient.dot(least.normal) * least.normal;
  return Descend(slope, least);
}

// Where A has an edge, φ has a kink, and its gradient is the normal of one of A's two faces there. B's face
// touches the edge with the normal that is level on it, one of those in between: by that of one of A's faces
// it would be stopped where it slides along the other.
void SampleSearch::LevelAtKink(SurfaceLeast& least) {
  constexpr double kSteep = 0.2;      // a sine: more than the search leaves between smooth surfaces
  constexpr double kBeyond = 0.02;    // of the way to the next samples
  constexpr double kSameFace = 0.95;  // a cosine
  constexpr double kLevel = 0.98;     // a cosine: the edge alone is what B touches
  // Opposite sides of a thin wall have no normal in common. An edge of B has several itself.
  constexpr double kLeastLength = 0.15, kLeastLengthAskew = 0.5;
  const Vector3d slope = least.gradient - least.gradient.dot(least.normal) * least.normal;
  const double steepness = slope.norm();
  if (steepness < kSteep) return;
  const Vector3d down = slope / -steepness;
  const double way = std::max(2.0 * CalcTolerance(least.value) / steepness, kBeyond * least.step);
  SurfaceLeast at{least.sample, least.p + way * down, 0.0, 0.0, {}, {}, least.step};
  if (!ReturnToSurface(at) || at.normal.dot(least.normal) < kSameFace) return;
  const FieldSample behind = Evaluate(at.p);
  const double rise = behind.gradient.dot(down);
  if (rise <= 0.0) return;
  const Vector3d level = (rise * least.gradient + steepness * behind.gradient) / (rise + steepness);
  const double length = level.norm();
  const bool is_level = -level.dot(least.normal) > kLevel * length;
  if (length <= (is_level ? kLeastLength : kLeastLengthAskew)) return;
  least.gradient = level / length;
  if (is_level) least.gap = least.value / length;
}

// The same where a crease of B crosses an edge of A: what is at right angles to the crease, of the normals
// between those of A's two faces. By that of one face, B would go deeper as it slides along the edges.
void SampleSearch::LevelAlongCrease(SurfaceLeast& least) {
  constexpr double kSlight = 0.002;  // a sine
  constexpr double kBeyond = 0.02;   // of the way to the next samples
  constexpr double kCrease =
      0.05;  // a sine: B's faces have to differ by it for the crease to have a direction
  constexpr double kLeastLength = 0.15;
  const double beside = kBeyond * least.step;
  const Vector3d& inward = samples_.inward[least.sample];
  SurfaceLeast in{least.sample, least.p + beside * inward, 0.0, 0.0, {}, {}, least.step};
  SurfaceLeast out{least.sample, least.p - beside * inward, 0.0, 0.0, {}, {}, least.step};
  if (!ReturnToSurface(in) || !ReturnToSurface(out)) return;
  const Vector3d across = in.normal.cross(out.normal);
  if (across.norm() < kCrease) return;
  const Vector3d along = across.normalized();
  const double slope = least.gradient.dot(along), steepness = std::abs(slope);
  if (steepness < kSlight) return;
  const double way = std::max(2.0 * CalcTolerance(least.value) / steepness, beside);
  const Vector3d down = slope > 0.0 ? Vector3d(-along) : along;
  const FieldSample behind = Evaluate(least.p + way * down);
  const double rise = behind.gradient.dot(down);
  if (rise <= 0.0) return;
  const Vector3d level = (rise * least.gradient + steepness * behind.gradient) / (rise + steepness);
  const double length = level.norm();
  if (length <= kLeastLength) return;
  least.gradient = level / length;
  least.gap = least.value / length;
}

// Along the surface against the slope, to where it changes sign. A step off along the tangent comes back to
// the surface by Newton's method, at once where B's own φ is a true distance. False if there is nothing to be
// gained, or nothing was.
bool SampleSearch::Descend(const Vector3d& slope, SurfaceLeast& least) {
  const double steepness = slope.norm(), tolerance = CalcTolerance(least.value), step = least.step;
  if (!(steepness * step > tolerance)) return false;
  const Vector3d start = least.p, direction = slope / -steepness;
  struct End {
    double s, value, slope;
  };
  End low{0.0, least.value, -steepness}, high{2.0 * step, 0.0, 0.0};
  bool has_high = false, has_gained = false;
  double s = step;
  for (int k = 0; k < kMaxDescentTrials; ++k) {
    SurfaceLeast at{least.sample, start + s * direction, 0.0, 0.0, {}, {}, step};
    if (!ReturnToSurface(at)) {
      // It ends in a crease on the way.
      s *= 0.5, high.s = s;
      continue;
    }
    const FieldSample sample = Evaluate(at.p);
    at.value = sample.value, at.gradient = sample.gradient;
    const Vector3d along = direction - direction.dot(at.normal) * at.normal;
    const End end{s, at.value, at.gradient.dot(along)};
    if (at.value < least.value) least = at, has_gained = true;
    if (end.slope < 0.0) {
      low = end;
    } else {
      high = end, has_high = true;
    }
    if (!has_high) {
      if (s >= high.s) break;
      s = high.s;
      continue;
    }
    // Where the tangents at both ends meet φ is not lower if it is convex, and is least if it has a kink;
    // where it is smooth it is least at the root of the slope. In turn.
    const double bend = high.slope - low.slope;
    const double tangents = (low.value - low.slope * low.s - high.value + high.slope * high.s) / bend;
    if (least.value - (low.value + low.slope * (tangents - low.s)) <= tolerance) break;
    s = k % 2 == 1 ? (low.s * high.slope - high.s * low.slope) / bend : tangents;
    if (!(s > low.s && s < high.s)) break;
  }
  return has_gained;
}

// From nearby onto B, with its normal there; false where Newton's method does not come back.
bool SampleSearch::ReturnToSurface(SurfaceLeast& at) const {
  FieldSample on_b = b_.Evaluate(at.p);
  for (int round = 0; round < 2 && std::abs(on_b.value) > exact_; ++round) {
    at.p -= on_b.value * on_b.gradient;
    on_b = b_.Evaluate(at.p);
  }
  at.normal = on_b.gradient;
  return std::abs(on_b.value) <= exact_;
}

}  // namespace stiction::narrowphase
