// Where the surface of one field's solid, B, comes near another field A: one point of each patch of B.
//
// A patch is a branch of B's tree of samples (geometry/surface_samples.h) that is small and nearly flat. What
// φ, A's signed distance, has at one sample bounds it all over a branch, since φ changes by no more than the
// way: branches that cannot come within reach are passed over whole.
//
// Of a patch, the least of φ is found by cuts. From a sample at p, where φ has the gradient g and B the
// normal n, on B at p + d
//
//     φ >= φ(p) + t · d + max(0, (g · n) (n · d)),     t = g - (g · n) n:
//
// by the first two terms where B and A curve away from one another (φ along the surface is convex), by all
// three where A is convex (φ is). Hence the two surfaces may be nested, flat on one another, or an egg on a
// plate, and a cut says how low any other sample can be. The sample that the cuts together leave lowest is
// asked next, until none can be lower by more than a tolerance; where surfaces lie on one another that is the
// first one. From the least sample a search along the surface goes on to where the slope ends, between
// samples.
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
  Vector3d gradient;  // of φ
  Vector3d normal;    // of B, outward
};

class SampleSearch {
 public:
  //   X_AB   pose of B's frame in the field's
  //   reach  what is not within it of the field is passed over [m]
  //   patch  diameter of a patch [m]
  //   exact  what φ is searched to, besides 1 % of itself; what is lower by less loses to the patch's
  //          middle [m]
  SampleSearch(const DistanceField& a, const FieldSolid& b, const RigidTransform& X_AB, double reach,
               double patch, double exact)
      : a_(a), b_(b.field), samples_(*b.samples), X_AB_(X_AB), reach_(reach), patch_(patch), exact_(exact) {}

  // Calls visit(SurfaceLeast) for each patch that comes within reach, in the tree's order.
  template <typename Visit>
  void ForEach(const Visit& visit) const;

 private:
  // What φ is at a sample.
  struct Look {
    int sample;
    double value;
    Vector3d gradient;
  };
  struct Entry {
    int node;
    Look middle;
  };

  FieldSample Evaluate(const Vector3d& p) const;  // of φ
  Look LookAt(int sample) const;
  bool IsPatch(const SurfaceSamples::Node& node) const {
    // Normals 40° from the middle's may be in one patch: those of crest and flank of a thread part, those of
    // a cylinder's fifth do not.
    constexpr double kFlat = 0.7;
    return node.is_leaf() || (2.0 * node.radius <= patch_ && node.spread <= kFlat);
  }
  double CalcTolerance(double value) const;
  SurfaceLeast FindLeast(const SurfaceSamples::Node& node, const Look& middle) const;
  bool Descend(double step, SurfaceLeast& least) const;

  const DistanceField &a_, &b_;
  const SurfaceSamples& samples_;
  const RigidTransform& X_AB_;
  double reach_, patch_, exact_;
};

template <typename Visit>
void SampleSearch::ForEach(const Visit& visit) const {
  std::array<Entry, TriangleTree::kMaxDepth + 1> stack;
  int size = 0;
  stack[size++] = {0, LookAt(samples_.nodes[0].middle)};
  while (size > 0) {
    const Entry entry = stack[--size];
    const SurfaceSamples::Node& node = samples_.nodes[entry.node];
    if (entry.middle.value - node.radius >= reach_) continue;
    if (IsPatch(node)) {
      const SurfaceLeast least = FindLeast(node, entry.middle);
      if (least.value < reach_) visit(least);
      continue;
    }
    for (const int child : {node.child + 1, node.child}) {
      const int middle = samples_.nodes[child].middle;
      stack[size++] = {child, middle == entry.middle.sample ? entry.middle : LookAt(middle)};
    }
  }
}

}  // namespace stiction::narrowphase
