// Collects the points of a pair, sorts out those that contradict one another, and thins out the rest
// (manifold_policy.h, rule 5).
#pragma once

#include <array>

#include "collision/narrowphase/manifold_policy.h"
#include "collision/narrowphase/point_spread.h"
#include "stiction/collision/manifold.h"
#include "stiction/math/rigid_transform.h"

namespace stiction::narrowphase {

// In a frame of the caller's choice, one for all points; normals from A to B.
class Gatherer {
 public:
  // Of one place, the first kind stays. Convex pairs have corners only.
  enum class Kind { kVertex, kCorner, kEdges };  // as in mesh.h

  //   size        of the pair, for tolerances [m]
  //   same_place  kBeside, or kSamePlaceOnMesh
  //   spare       how many points are kept where there is no room for more: several times what is wanted at
  //               the end
  Gatherer(double margin, double size, double same_place = kBeside, int spare = kMaxCandidates / 3)
      : margin_(margin), size_(size), same_place_(same_place), spare_(spare) {}

  double margin() const { return margin_; }
  double size() const { return size_; }
  int count() const { return count_; }
  // Infinite where there is no point.
  double CalcSmallestGap() const;
  // Forgets all points.
  void Clear() { count_ = 0, may_repeat_ = false; }

  // A point midway between the surfaces. Nothing if its gap is not below the margin; where one like it is,
  // the first kind stays, then the one that is clearly deeper, then the one that was there.
  void AddMidway(const Vector3d& p, const Vector3d& n, double gap, std::uint32_t feature,
                 Kind kind = Kind::kCorner) {
    if (gap < margin_) Insert({p, n, gap, feature, kind});
  }
  // The same, compared with no other.
  void AddAlone(const Vector3d& p, const Vector3d& n, double gap, std::uint32_t feature) {
    if (gap < margin_) Push({p, n, gap, feature, Kind::kCorner});
  }
  // As AddMidway, from the surface points p of A and p + gap n of B.
  void Add(Kind kind, const Vector3d& p, const Vector3d& n, double gap, std::uint32_t feature) {
    AddMidway(p + (0.5 * gap) * n, n, gap, feature, kind);
  }
  // Compared with the others only by SortOut().
  void AddUnseen(const Vector3d& p, const Vector3d& n, double gap, std::uint32_t feature);
  // A vertex over a face of a mesh, Kind::kVertex.
  //   vertex           its number, whatever face it is over
  //   outward, center  of the face: its normal, and its middle
  void AddVertex(const Vector3d& p, const Vector3d& n, double gap, std::uint32_t feature, int vertex,
                 const Vector3d& outward, const Vector3d& center);

  // Of shapes with hollows: drops what contradicts the rest. To be called once, when all are there.
  void SortOut();

  // Thins out to what convex shapes have and writes the points, as they are, to the manifold.
  void Finish(Manifold& out);
  // The same from the frame F, and to max_points unless all have one normal.
  //   resolution  points nearer to others than this, where a normal that turns by a radian is a size, are
  //   left out
  void Finish(const RigidTransform& X_WF, int max_points, Manifold& out,
              double resolution = PointSpread::kNoResolution);

 private:
  static constexpr int kMaxCandidates = PointSpread::kMaxPoints;

  // Without initialisers, so that the array of them costs nothing.
  struct Candidate {
    Vector3d p, n;  // the point midway
    double gap;
    std::uint32_t feature;
    Kind kind;
    bool is_dropped;
    int vertex;
    Vector3d outward, center;

    Candidate() {}
    Candidate(const Vector3d& p_mid, const Vector3d& normal, double gap_n, std::uint32_t name, Kind of)
        : p(p_mid), n(normal), gap(gap_n), feature(name), kind(of), is_dropped(false), vertex(-1) {}
  };

  void Push(const Candidate& candidate);
  bool IsSame(const Candidate& one, const Candidate& other) const;
  void Insert(const Candidate& candidate);
  void DropRepeated();
  void DropDeepVertices();
  void DropDeepEdges();
  void Compact();
  PointSpread MakeSpread() const;
  // Keeps those that the spread chooses (point_spread.h), in the order they had.
  void Thin(const PointSpread& spread, int count, double resolution);

  double margin_, size_, same_place_;
  int spare_;
  bool may_repeat_ = false;
  int count_ = 0;
  std::array<Candidate, kMaxCandidates> candidates_;
};

// Names for features.
std::uint32_t NameDirection(const Vector3d& n);

}  // namespace stiction::narrowphase
