// Where on one patch of B's surface (sample_search.h) φ, the signed distance of another field A, is least.
//
// A slope says nothing of what is far from it: two threads may be nearest a turn away from where the middles
// of their patches are. So a patch is searched by parts. φ is asked at the middles of all of them at once
// (geometry/field_pack.h), and those that the slopes there leave lowest are searched. Of a part, the least of
// φ is found by cuts. From a sample at p, where φ has the gradient g and B the normal n, on B at p + d
//
//     φ >= φ(p) + t · d + max(0, (g · n) (n · d)),     t = g - (g · n) n:
//
// by the first two terms where B and A curve away from one another (φ along the surface is convex), by all
// three where A is convex (φ is). Hence the two surfaces may be nested, flat on one another, or an egg on a
// plate, and a cut says how low any other sample can be. The sample that the cuts together leave lowest is
// asked next, until none can be lower by more than a tolerance; where surfaces lie on one another that is the
// first one.
//
// The samples that it asks for are looked at by whoever searches, for several patches at once:
//
//     for (int sample = search.Begin(in, patch); sample >= 0; sample = search.Proceed(in, look)) look = ...
#pragma once

#include <array>

#include "geometry/surface_samples.h"
#include "stiction/geometry/field_solid.h"

namespace stiction::narrowphase {

// To which a gap is as good as exact: to `exact`, and a part of itself [m].
double CalcGapTolerance(double exact, double gap);

// Of B's surface, for where A is near. All in B's frame.
struct SurfaceSearch {
  const DistanceField& a;
  const SurfaceSamples& samples;
  const RigidTransform& X_AB;
  Matrix3d R_BA;
  double reach;  // what is not within it of A is passed over [m]
  double patch;  // diameter of a patch [m]
  double exact;  // what φ is searched to, besides 1 % of itself [m]

  double CalcTolerance(double value) const { return CalcGapTolerance(exact, value); }
};

// What φ is at a sample.
struct SampleLook {
  int sample;
  double value;  // [m]
  Vector3d gradient;
};

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

// How low each sample of a branch can be by all cuts so far. Of very fine surfaces every few-th sample is
// compared.
class CutBounds {
 public:
  void Begin(const SurfaceSamples& samples, const SurfaceSamples::Node& node);
  void Add(const Cut& cut);

  static int CalcStride(const SurfaceSamples::Node& node) {
    return (node.count + kMaxCompared - 1) / kMaxCompared;
  }
  int count() const { return count_; }
  int num_cuts() const { return num_cuts_; }
  int lowest() const { return first_ + lowest_ * stride_; }
  double bound() const { return bound_; }

 private:
  static constexpr int kMaxCompared = 256;  // whole packs of them

  int first_, stride_, count_, lowest_, num_cuts_;
  double bound_;
  const double* p_[3];
  std::array<double, kMaxCompared> bounds_;
  std::array<double, kMaxCompared> spread_[3];  // where not all are compared
};

class LeastSearch {
 public:
  static constexpr int kMaxParts = 64;  // of a patch

  // Returns the first sample to be looked at; -1: none.
  int Begin(const SurfaceSearch& in, int patch);
  // The next one.
  int Proceed(const SurfaceSearch& in, const SampleLook& look);

  // When there is none.
  const SampleLook& best() const { return best_; }
  int best_node() const { return best_node_; }  // the part that it is of

  // Of all patches so far.
  int num_parts() const { return all_parts_; }
  int num_compared() const { return all_compared_; }

 private:
  // Branches of a patch, and what is known of them at their middles; of a last pack that is not full, of the
  // last one once more.
  struct Parts {
    int count = 0;
    std::array<int, kMaxParts> node, sample;
    std::array<double, kMaxParts> p[3], n[3], radius, value;
    std::array<double, kMaxParts> bound;  // no sample is lower, as far as the slope at the middle tells [m]
    std::array<double, kMaxParts> gradient[3];

    void Set(int part, const SurfaceSamples& samples);  // by its node
    int FindLeast(const std::array<double, kMaxParts>& numbers) const;
    Vector3d place(int part) const { return {p[0][part], p[1][part], p[2][part]}; }
    Vector3d normal(int part) const { return {n[0][part], n[1][part], n[2][part]}; }
    SampleLook look(int part) const {
      return {sample[part], value[part], {gradient[0][part], gradient[1][part], gradient[2][part]}};
    }
  };

  void CollectParts(const SurfaceSearch& in, int patch);
  void LookAtParts(const SurfaceSearch& in);
  // As Begin and Proceed.
  int BeginNextPart(const SurfaceSearch& in);
  // Of the part that is searched; -1: nothing else may be lower there.
  //   p, n  place and normal of the sample that was looked at
  int CutAt(const SurfaceSearch& in, const SampleLook& look, const Vector3d& p, const Vector3d& n);

  Parts parts_;
  CutBounds bounds_;  // of the part that is searched
  int part_ = -1;
  SampleLook best_;
  int best_node_ = -1;
  int all_parts_ = 0, all_compared_ = 0;
};

}  // namespace stiction::narrowphase
