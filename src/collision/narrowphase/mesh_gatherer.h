// Collects the points of a mesh and something else, sorts out those that contradict one another, and thins
// out the rest.
#pragma once

#include <array>

#include "collision/narrowphase/deep_overlap.h"
#include "collision/narrowphase/mesh_features.h"
#include "stiction/collision/manifold.h"
#include "stiction/math/rigid_transform.h"

namespace stiction::narrowphase {

// All in the mesh's frame M; normals from the mesh.
class MeshGatherer {
 public:
  enum class Kind { kVertex, kCorner, kEdges };  // as in mesh.h

  //   size   of the pair, for tolerances [m]
  //   spare  how many points are kept where there is no room for more: several times what is wanted at the
  //   end
  MeshGatherer(double margin, double size, int spare = kMaxCandidates / 3)
      : margin_(margin), size_(size), spare_(spare) {}

  double margin() const { return margin_; }
  FaceTolerance tolerance() const { return {kSlack * size_, kDepthSlack * size_}; }

  // A surface point p of the mesh and one of the other shape, q = p + gap n.
  void Add(Kind kind, const Vector3d& p, const Vector3d& n, double gap, std::uint32_t feature);
  // A corner, compared with the others only at the end.
  void AddUnseen(const Vector3d& p, const Vector3d& n, double gap, std::uint32_t feature);
  // The same for a vertex over a face, Kind::kVertex.
  //   vertex           its number, whatever face it is over
  //   outward, center  of the face: its normal, and its middle
  void AddVertex(const Vector3d& p, const Vector3d& n, double gap, std::uint32_t feature, int vertex,
                 const Vector3d& outward, const Vector3d& center);

  // Drops what contradicts the rest. To be called once, when all are there.
  void SortOut();
  // Whether a point is left that pushes.
  bool HasOverlap() const;
  // A point that stands whatever the others say. After SortOut().
  void AddDeep(const DeepOverlap& overlap);
  // The length below which overlaps do not count. [m]
  double least_overlap() const { return kLeastOverlap * size_; }

  // Thins out what is left and writes it to the manifold, in W. After SortOut().
  void Finish(const RigidTransform& X_WM, int max_points, Manifold& out);

 private:
  static constexpr double kSlack = 1e-3;
  // What the position stage leaves at rest (sim/step.cpp): less would let points of one corner come and go.
  static constexpr double kDepthSlack = 1e-4;
  // Far above round-off, far below what the position stage leaves.
  static constexpr double kLeastOverlap = 1e-6;
  static constexpr int kMaxCandidates = 384;

  struct Candidate {
    Vector3d p, n;  // the point midway
    double gap;
    std::uint32_t feature;
    Kind kind;
    bool is_dropped = false;
    int vertex = -1;
    Vector3d outward = Vector3d::Zero(), center = Vector3d::Zero();
  };

  void Push(const Candidate& candidate);
  bool IsSame(const Candidate& one, const Candidate& other) const;
  // Unless there is one like it.
  void Insert(const Candidate& candidate);
  double depth_slack() const { return kDepthSlack * size_; }
  void DropRepeated();
  void DropDeepVertices();
  void DropDeepEdges();
  void Compact();
  bool HasOneNormal() const;
  // Keeps `count` candidates, spread over places and normals, the deepest among them.
  void Thin(int count);

  double margin_, size_;
  int spare_;
  bool may_repeat_ = false;
  int count_ = 0;
  std::array<Candidate, kMaxCandidates> candidates_;
};

// Names for features.
std::uint32_t NameDirection(const Vector3d& n);

}  // namespace stiction::narrowphase
