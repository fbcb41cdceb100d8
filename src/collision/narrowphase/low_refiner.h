// From lows at samples (sample_search.h) along the surface to where the slope ends, between samples.
//
// Where it ends at an edge of A, the gradient given is that of the edge at right angles to B, not that of one
// of A's faces, and the gap that of the edge: where faces with the normals a and b, both φ deep at p, have
// s a + (1 - s) b = -c n, the edge is at p - φ/c n. Where a crease of B crosses an edge of A, n is at right
// angles to both.
//
// Lows know nothing of one another, and each goes its own way; nearly all of the time is the fields', who are
// asked where each of them is. So all go together, a step at a time, and the fields are asked for a pack of
// them at once (geometry/field_pack.h). What becomes of a low does not depend on its company.
#pragma once

#include <array>
#include <span>

#include "collision/narrowphase/sample_search.h"
#include "geometry/field_pack.h"

namespace stiction::narrowphase {

class LowRefiner {
 public:
  static constexpr int kMaxLows = 64;  // packs are full but for the last ones, and all of it stays in cache

  // As SampleSearch, of whose lows it is.
  LowRefiner(const FieldSolid& a, const FieldSolid& b, const RigidTransform& X_AB, double reach, double exact)
      : a_(a.field),
        b_(b.field),
        samples_(*b.samples),
        X_AB_(X_AB),
        R_BA_(X_AB.R.transpose()),
        reach_(reach),
        exact_(exact) {}

  // kMaxLows at most. Returns how many are left, in front and in the order they had: without those that are
  // out of reach, or on the far side of A's shape before or after.
  int Refine(std::span<SurfaceLeast> lows);

 private:
  // What both fields are near a point: on B's surface, if Newton's method comes back to it.
  struct Spot {
    Vector3d p, normal;
    FieldSample at;  // of A
    bool is_on_surface;
  };
  struct SpotPack {
    VectorPack p, normal;
    FieldSamplePack at;
    PackMask is_on_surface;
    Spot operator[](int k) const { return {p[k], normal[k], at[k], is_on_surface[k] != 0}; }
  };
  // Along the surface, straight down from `start`: φ falls on the left, and on the right it rises.
  struct Descent {
    struct End {
      double s, value, slope;
    };
    SurfaceLeast* low;
    Vector3d start, direction;  // unit
    double tolerance;           // [m]
    End left, right;
    bool has_right, has_gained;
    int trials;
    double s;  // to be looked at
  };
  // Where φ has a kink: a low, and what is to be looked at behind it.
  struct Kink {
    SurfaceLeast* low;
    Vector3d down;     // across the kink, unit
    double steepness;  // of φ on the way to it
    Vector3d behind;   // a point past it

    // Of the normals between those of A's faces before and behind it, the one at right angles to the way over
    // it; not of unit length.
    //   gradient  of φ behind it
    Vector3d CalcLevel(const Vector3d& gradient) const;
  };

  double CalcTolerance(double value) const { return CalcGapTolerance(exact_, value); }
  bool IsOnCrease(const SurfaceLeast& low) const { return samples_.around[low.sample].is_on_crease; }
  bool CanComeWithinReach(const SurfaceLeast& low) const;

  VectorPack ReturnToSurface(VectorPack p, VectorPack& normal, PackMask& is_on_surface) const;
  FieldSamplePack EvaluateA(const VectorPack& p) const;
  SpotPack LookBeside(const VectorPack& p) const;

  void AddDescent(const Vector3d& slope, SurfaceLeast& low);
  void AddDescentAlongCrease(SurfaceLeast& low);
  void AddDescentAcrossFace(SurfaceLeast& low);
  void Descend();
  bool Advance(const Spot& spot, Descent& descent) const;
  void AddKink(SurfaceLeast& low);
  void AddKinkAlong(const Vector3d& crease, SurfaceLeast& low);
  void AddKinkBehind(const Vector3d& down, double steepness, SurfaceLeast& low);
  void LevelAtKinks();
  void LevelAlongCreases();

  const DistanceField &a_, &b_;
  const SurfaceSamples& samples_;
  const RigidTransform& X_AB_;
  Matrix3d R_BA_;
  double reach_, exact_;
  int num_descents_ = 0, num_kinks_ = 0, num_creases_ = 0;
  std::array<Descent, kMaxLows> descents_;
  std::array<Kink, kMaxLows> kinks_;
  std::array<SurfaceLeast*, kMaxLows> creases_;  // that no edge of A was found to cross on the way
};

}  // namespace stiction::narrowphase
