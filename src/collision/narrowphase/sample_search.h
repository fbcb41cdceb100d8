// Where the surface of one field's solid, B, comes near another field A: one point of each patch of B.
//
// A patch is a branch of B's tree of samples (geometry/surface_samples.h) that is small and nearly flat. What
// φ, A's signed distance, has at one sample bounds it all over a branch, since φ changes by no more than the
// way: branches that cannot come within reach are passed over whole, and branches that are within it for sure
// are gone into without a look at their own middles. So are those passed over that are out of reach of the
// box around A.
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
#pragma once

#include <array>

#include "geometry/surface_samples.h"
#include "stiction/geometry/field_solid.h"

namespace stiction::narrowphase {

// In B's frame.
struct SurfaceLeast {
  int sample;         // that it is at, or beside
  Vector3d p;         // on B's surface
  double value;       // φ [m]
  double gap;         // φ, or how deep an edge of A is in B, once it is refined [m]
  Vector3d gradient;  // of φ; at an edge of A one of those that φ has around it
  Vector3d normal;    // of B, outward
  double step;        // to the next samples, about: none of them is lower [m]
  // Whether it faces the way that A pushes: on the far side of its shape.
  bool is_on_far_side() const {
    constexpr double kFarCosine = 0.5;
    return gradient.dot(normal) > kFarCosine;
  }
};

// To which a gap is as good as exact: to `exact`, and a part of itself [m].
double CalcGapTolerance(double exact, double gap);

// What a search took.
struct SearchWork {
  int looks = 0;     // evaluations of φ, one at a time
  int parts = 0;     // at the middles of parts of patches, several at a time
  int compared = 0;  // samples, with a cut
  int patches = 0;
};

class SampleSearch {
 public:
  static constexpr int kMaxParts = 64;  // of a patch

  //   X_AB   pose of B's frame in the field's
  //   reach  what is not within it of the field is passed over [m]
  //   patch  diameter of a patch [m]
  //   exact  what φ is searched to, besides 1 % of itself; what is lower by less loses to the patch's
  //          middle [m]
  SampleSearch(const FieldSolid& a, const FieldSolid& b, const RigidTransform& X_AB, double reach,
               double patch, double exact)
      : a_(a.field),
        samples_(*b.samples),
        box_(a.field.bounds()),
        X_AB_(X_AB),
        R_BA_(X_AB.R.transpose()),
        reach_(reach),
        patch_(patch),
        exact_(exact) {}

  // Calls visit(SurfaceLeast), at a sample, for each patch that comes within reach, in the tree's order: of
  // what may do so between samples, too.
  template <typename Visit>
  void ForEach(const Visit& visit);

  const SearchWork& work() const { return work_; }

 private:
  // What φ is at a sample.
  struct Look {
    int sample;
    double value;
    Vector3d gradient;
  };
  // A branch, and what is known near it: at a sample of its own, or of a branch that it is part of.
  struct Entry {
    int node;
    Look look;
  };
  enum class Verdict { kOutOfReach, kLook, kWithinReach };

  FieldSample Evaluate(const Vector3d& p);  // of φ
  Look LookAt(int sample);
  bool IsPatch(const SurfaceSamples::Node& node) const {
    // Normals 40° from the middle's may be in one patch: those of crest and flank of a thread part, those of
    // a cylinder's fifth do not.
    constexpr double kFlat = 0.7;
    return node.is_leaf() || (2.0 * node.radius <= patch_ && node.spread <= kFlat);
  }
  bool IsOnCrease(int sample) const { return samples_.is_on_crease[sample] != 0; }
  double CalcTolerance(double value) const { return CalcGapTolerance(exact_, value); }
  Verdict Judge(const Look& look, const SurfaceSamples::Node& node) const;
  // Branches of a patch, and what is known of them at their middles.
  struct Parts {
    int count = 0;
    std::array<int, kMaxParts> node, sample;
    std::array<double, kMaxParts> p[3], n[3], radius, value;
    std::array<double, kMaxParts> bound;  // no sample is lower, as far as the slope at the middle tells [m]
    std::array<double, kMaxParts> gradient[3];

    void Set(int part, int branch, const SurfaceSamples::Node& known);
    int FindLeast(const std::array<double, kMaxParts>& numbers) const;
    Look look(int part) const {
      return {sample[part], value[part], {gradient[0][part], gradient[1][part], gradient[2][part]}};
    }
  };

  // The patch's least sample; false if nothing near it is within reach.
  bool FindLeast(int patch, SurfaceLeast& least);
  void CollectParts(int patch);
  void LookAtParts();
  bool SearchPart(int part, Look& best);
  // Whether it is in reach, and lower than the best by more than a tolerance.
  bool CanBeLower(double bound, const Look& best) const;

  const DistanceField& a_;
  const SurfaceSamples& samples_;
  const Eigen::AlignedBox3d& box_;  // around A's solid
  const RigidTransform& X_AB_;
  Matrix3d R_BA_;
  double reach_, patch_, exact_;
  Parts parts_;
  SearchWork work_;
};

template <typename Visit>
void SampleSearch::ForEach(const Visit& visit) {
  std::array<Entry, TriangleTree::kMaxDepth + 1> stack;
  int size = 0;
  stack[size++] = {0, LookAt(samples_.nodes[0].middle)};
  while (size > 0) {
    Entry entry = stack[--size];
    const SurfaceSamples::Node& node = samples_.nodes[entry.node];
    const Verdict verdict = Judge(entry.look, node);
    if (verdict == Verdict::kOutOfReach) continue;
    if (IsPatch(node)) {
      if (SurfaceLeast least; FindLeast(entry.node, least)) visit(least);
      continue;
    }
    if (entry.look.sample != node.middle && verdict == Verdict::kLook) {
      entry.look = LookAt(node.middle);
      if (Judge(entry.look, node) == Verdict::kOutOfReach) continue;
    }
    stack[size++] = {node.child + 1, entry.look};
    stack[size++] = {node.child, entry.look};
  }
}

}  // namespace stiction::narrowphase
