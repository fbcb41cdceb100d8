// Where the surface of one field's solid, B, comes near another field A: one point of each patch of B.
//
// A patch is a branch of B's tree of samples (geometry/surface_samples.h) that is small and nearly flat. What
// φ, A's signed distance, has at one sample bounds it all over a branch, since φ changes by no more than the
// way: branches that cannot come within reach are passed over whole, and branches that are within it for sure
// are gone into without a look at their own middles. So are those passed over that are out of reach of the
// box around A.
//
// Each patch is searched by itself (least_search.h), several of them together: what they want to know of A
// next is asked for a pack of them at once.
#pragma once

#include <array>

#include "collision/narrowphase/least_search.h"
#include "geometry/surface_samples.h"
#include "math/pack.h"
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

// What a search took.
struct SearchWork {
  int looks = 0;     // evaluations of φ at samples
  int parts = 0;     // and at the middles of parts of patches
  int compared = 0;  // samples, with a cut
  int patches = 0;
};

class SampleSearch {
 public:
  //   X_AB   pose of B's frame in the field's
  //   reach  what is not within it of the field is passed over [m]
  //   patch  diameter of a patch [m]
  //   exact  what φ is searched to, besides 1 % of itself; what is lower by less loses to the patch's
  //          middle [m]
  SampleSearch(const FieldSolid& a, const FieldSolid& b, const RigidTransform& X_AB, double reach,
               double patch, double exact)
      : in_{a.field, *b.samples, X_AB, X_AB.R.transpose(), reach, patch, exact}, box_(a.field.bounds()) {}

  // Calls visit(SurfaceLeast), at a sample, for each patch that comes within reach, in the tree's order: of
  // what may do so between samples, too.
  template <typename Visit>
  void ForEach(const Visit& visit);

  SearchWork work() const;

 private:
  // A branch, and what is known near it: at a sample of its own, or of a branch that it is part of.
  struct Entry {
    int node;
    SampleLook look;
  };
  enum class Verdict { kOutOfReach, kLook, kWithinReach };
  static constexpr int kMaxPatches = 64;  // that are searched together

  SampleLook LookAt(int sample);
  bool IsPatch(const SurfaceSamples::Node& node) const {
    // Normals 40° from the middle's may be in one patch: those of crest and flank of a thread part, those of
    // a cylinder's fifth do not.
    constexpr double kFlat = 0.7;
    return node.is_leaf() || (2.0 * node.radius <= in_.patch && node.spread <= kFlat);
  }
  Verdict Judge(const SampleLook& look, int branch) const;
  void SearchPatches();
  SurfaceLeast MakeLow(const LeastSearch& search) const;
  template <typename Visit>
  void VisitPatches(const Visit& visit);

  SurfaceSearch in_;
  const Eigen::AlignedBox3d& box_;  // around A's solid
  int num_patches_ = 0;
  std::array<int, kMaxPatches> patches_;
  std::array<SurfaceLeast, kMaxPatches> lows_;
  std::array<LeastSearch, kPackSize> searches_;
  SearchWork work_;
};

// Searches them, and forgets them.
template <typename Visit>
void SampleSearch::VisitPatches(const Visit& visit) {
  SearchPatches();
  for (int k = 0; k < num_patches_; ++k)
    if (lows_[k].value < in_.reach + lows_[k].step) visit(lows_[k]);
  num_patches_ = 0;
}

template <typename Visit>
void SampleSearch::ForEach(const Visit& visit) {
  std::array<Entry, TriangleTree::kMaxDepth + 1> stack;
  int size = 0;
  stack[size++] = {0, LookAt(in_.samples.nodes[0].middle)};
  while (size > 0) {
    Entry entry = stack[--size];
    const SurfaceSamples::Node& node = in_.samples.nodes[entry.node];
    const Verdict verdict = Judge(entry.look, entry.node);
    if (verdict == Verdict::kOutOfReach) continue;
    if (IsPatch(node)) {
      patches_[num_patches_++] = entry.node;
      if (num_patches_ == kMaxPatches) VisitPatches(visit);
      continue;
    }
    if (entry.look.sample != node.middle && verdict == Verdict::kLook) {
      entry.look = LookAt(node.middle);
      if (Judge(entry.look, entry.node) == Verdict::kOutOfReach) continue;
    }
    stack[size++] = {node.child + 1, entry.look};
    stack[size++] = {node.child, entry.look};
  }
  VisitPatches(visit);
}

}  // namespace stiction::narrowphase
