#include "collision/narrowphase/sample_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction::narrowphase {
namespace {

constexpr int kMaxCompared = 256;     // samples of a patch
constexpr int kMaxCuts = 8;           // more are of no use where φ is not convex
constexpr double kPartOfGap = 0.01;   // to which a gap is as good as exact
constexpr int kMaxDescents = 2;       // directions from a sample
constexpr int kMaxDescentTrials = 4;  // along one

// How low each sample of a patch can be by all cuts so far. Of very fine surfaces every few-th sample is
// compared.
class CutBounds {
 public:
  CutBounds(const SurfaceSamples& samples, const SurfaceSamples::Node& node)
      : samples_(samples),
        first_(node.first),
        stride_((node.count + kMaxCompared - 1) / kMaxCompared),
        count_((node.count + stride_ - 1) / stride_) {
    std::fill_n(bounds_.begin(), count_, -std::numeric_limits<double>::infinity());
  }

  int stride() const { return stride_; }
  int lowest() const { return first_ + lowest_ * stride_; }
  double bound() const { return bounds_[lowest_]; }

  void AddCut(int sample, double value, const Vector3d& gradient) {
    const Vector3d p = samples_.position(sample), n = samples_.normal(sample);
    const double facing = gradient.dot(n);
    const Vector3d t = gradient - facing * n;
    const double *x = samples_.p[0].data() + first_, *y = samples_.p[1].data() + first_,
                 *z = samples_.p[2].data() + first_;
    for (int k = 0; k < count_; ++k) {
      const int i = k * stride_;
      const double dx = x[i] - p.x(), dy = y[i] - p.y(), dz = z[i] - p.z();
      const double bend = facing * (n.x() * dx + n.y() * dy + n.z() * dz);
      const double cut = value + (t.x() * dx + t.y() * dy + t.z() * dz) + (bend > 0.0 ? bend : 0.0);
      bounds_[k] = cut > bounds_[k] ? cut : bounds_[k];
    }
    lowest_ = 0;
    for (int k = 1; k < count_; ++k)
      if (bounds_[k] < bounds_[lowest_]) lowest_ = k;
  }

 private:
  const SurfaceSamples& samples_;
  int first_, stride_, count_, lowest_ = 0;
  std::array<double, kMaxCompared> bounds_;
};

}  // namespace

FieldSample SampleSearch::Evaluate(const Vector3d& p) const {
  const FieldSample at = a_.Evaluate(X_AB_ * p);
  return {at.value, X_AB_.R.transpose() * at.gradient};
}

SampleSearch::Look SampleSearch::LookAt(int sample) const {
  const FieldSample at = Evaluate(samples_.position(sample));
  return {sample, at.value, at.gradient};
}

double SampleSearch::CalcTolerance(double value) const {
  return exact_ + kPartOfGap * std::abs(value);
}

SurfaceLeast SampleSearch::FindLeast(const SurfaceSamples::Node& node, const Look& middle) const {
  CutBounds bounds(samples_, node);
  Look best = middle, at = middle;
  for (int k = 0; k < kMaxCuts; ++k) {
    bounds.AddCut(at.sample, at.value, at.gradient);
    if (bounds.bound() >= std::min(reach_, best.value - CalcTolerance(best.value))) break;
    at = LookAt(bounds.lowest());
    if (at.value < best.value - exact_) best = at;
  }
  SurfaceLeast least{best.sample, samples_.position(best.sample), best.value, best.gradient,
                     samples_.normal(best.sample)};
  if (!(least.value < reach_)) return least;
  const double step = std::sqrt(bounds.stride()) * samples_.reach[best.sample];
  for (int k = 0; k < kMaxDescents && Descend(step, least); ++k) {
  }
  return least;
}

// Along the surface in the direction in which φ falls fastest, to where its slope changes sign. A step off
// along the tangent comes back to the surface by Newton's method.
//   step  to the next samples, about: none of them is lower
// False if there is nothing to be gained, or nothing was.
bool SampleSearch::Descend(double step, SurfaceLeast& least) const {
  const Vector3d start = least.p;
  const Vector3d t = least.gradient - least.gradient.dot(least.normal) * least.normal;
  const double slope = t.norm(), tolerance = CalcTolerance(least.value);
  if (!(slope * step > tolerance)) return false;
  const Vector3d direction = t / -slope;
  struct End {
    double s, slope;
  };
  End low{0.0, -slope}, high{2.0 * step, 0.0};
  bool has_high = false, has_gained = false;
  double s = step;
  for (int k = 0; k < kMaxDescentTrials; ++k) {
    SurfaceLeast at{least.sample, start + s * direction, 0.0, {}, {}};
    for (int round = 0; round < 2; ++round) {
      const FieldSample on_b = b_.Evaluate(at.p);
      at.p -= on_b.value * on_b.gradient;
      at.normal = on_b.gradient;
    }
    // Newton's method has not come back where the surface ends in a crease.
    if (std::abs(b_.CalcValue(at.p)) > exact_) {
      s *= 0.5;
      continue;
    }
    const FieldSample sample = Evaluate(at.p);
    at.value = sample.value, at.gradient = sample.gradient;
    const Vector3d along = direction - direction.dot(at.normal) * at.normal;
    const End end{s, at.gradient.dot(along)};
    if (at.value < least.value) least = at, has_gained = true;
    if (end.slope < 0.0) {
      low = end;
    } else {
      high = end, has_high = true;
    }
    const double next = has_high ? low.s - low.slope * (high.s - low.s) / (high.slope - low.slope) : high.s;
    if (std::abs(next - s) * std::abs(end.slope) <= tolerance || next == s) break;
    s = next;
  }
  return has_gained;
}

}  // namespace stiction::narrowphase
