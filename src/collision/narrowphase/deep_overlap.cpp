// A mesh and a convex shape.
#include "collision/narrowphase/deep_overlap.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "geometry/nearest_triangle.h"
#include "geometry/triangle_ray.h"
#include "math/constants.h"

namespace stiction::narrowphase {
namespace {

// Of the areas' sum: below it the normals contradict one another.
constexpr double kCoherent = 0.1;

// Of the least depth that counts.
constexpr double kTouching = 1e-3;
// Of a radius: how well triangles are cut to a round shape at first.
constexpr double kRough = 0.03;

// What is left of a triangle within a convex shape, in the shape's frame. A round shape is approached from
// outside by tangent planes.
class CutTriangle {
 public:
  CutTriangle(const Vector3d& a, const Vector3d& b, const Vector3d& c) : size_(3) {
    corners_[0].p = a, corners_[1].p = b, corners_[2].p = c;
  }

  bool IsBeyond(const HalfSpace& plane) const {
    return std::all_of(corners_.begin(), corners_.begin() + size_,
                       [&](const Corner& corner) { return plane.CalcExcess(corner.p) > 0.0; });
  }

  // False if nothing is left.
  //   last  out: the half-space by which the last was cut
  template <typename C>
  bool CutTo(const C& shape, double tolerance, HalfSpace& last) {
    for (int k = 0; k < size_; ++k) Measure(shape, corners_[k]);
    for (int cut = 0; cut < kMaxCuts; ++cut) {
      const auto farthest =
          std::max_element(corners_.begin(), corners_.begin() + size_,
                           [](const Corner& one, const Corner& two) { return one.excess < two.excess; });
      if (farthest->excess <= tolerance) break;
      last = farthest->beyond;
      if (!CutBy(shape, last)) return false;
    }
    return true;
  }

  int size() const { return size_; }
  const Vector3d& corner(int k) const { return corners_[k].p; }
  Vector3d CalcCenter() const {
    Vector3d sum = Vector3d::Zero();
    for (int k = 0; k < size_; ++k) sum += corners_[k].p;
    return sum / size_;
  }
  double CalcArea() const {
    Vector3d twice = Vector3d::Zero();
    for (int k = 2; k < size_; ++k)
      twice += (corners_[k - 1].p - corners_[0].p).cross(corners_[k].p - corners_[0].p);
    return 0.5 * twice.norm();
  }

 private:
  static constexpr int kMaxCuts = 48;
  struct Corner {
    Vector3d p;
    HalfSpace beyond{Vector3d::Zero(), 0.0};  // of p
    double excess = 0.0;                      // of p over it
  };

  template <typename C>
  static void Measure(const C& shape, Corner& corner) {
    corner.beyond = FindHalfSpace(shape, corner.p);
    corner.excess = corner.beyond.CalcExcess(corner.p);
  }

  // A plane adds one corner at most.
  template <typename C>
  bool CutBy(const C& shape, const HalfSpace& plane) {
    std::array<Corner, 3 + kMaxCuts> kept;
    int size = 0;
    for (int k = 0; k < size_; ++k) {
      const Corner &at = corners_[k], &next = corners_[k + 1 == size_ ? 0 : k + 1];
      const double here = plane.CalcExcess(at.p), there = plane.CalcExcess(next.p);
      if (here <= 0.0 && size < 3 + kMaxCuts) kept[size++] = at;
      if ((here <= 0.0) == (there <= 0.0) || size == 3 + kMaxCuts) continue;
      kept[size].p = at.p + here / (here - there) * (next.p - at.p);
      Measure(shape, kept[size++]);
    }
    size_ = size;
    std::copy(kept.begin(), kept.begin() + size, corners_.begin());
    return size > 0;
  }

  int size_;
  std::array<Corner, 3 + kMaxCuts> corners_;
};

// How far C reaches below the plane of a face; nothing if the plane does not meet it. [m]
template <typename C>
std::optional<double> FindPush(const MeshSurface& mesh, int face, const C& shape,
                               const RigidTransform& X_MC) {
  const MeshSurface::Face& at = mesh.faces[face];
  const Vector3d n_C = X_MC.R.transpose() * at.normal;
  const double below = at.offset - at.normal.dot(X_MC.p), push = below + CalcReach(shape, -n_C);
  if (push <= 0.0 || CalcReach(shape, n_C) <= below) return std::nullopt;
  return push;
}

// Calls visit(face, its push, what is left of it in C, in C's frame) for the triangles that C meets.
template <typename C, typename Visit>
void ForEachMet(const MeshSurface& mesh, const C& shape, const RigidTransform& X_MC, double tolerance,
                const Visit& visit) {
  const RigidTransform X_CM = X_MC.Inverse();
  Vector3d lower, upper;  // of C in M
  for (int i = 0; i < 3; ++i) {
    const Vector3d axis_C = X_MC.R.row(i).transpose();
    upper[i] = X_MC.p[i] + CalcReach(shape, axis_C);
    lower[i] = X_MC.p[i] - CalcReach(shape, -axis_C);
  }
  // What leaves nothing of one triangle often does so with its neighbours.
  HalfSpace last{Vector3d::Zero(), 0.0};
  mesh.tree.ForEachInBox(lower, upper, [&](int f) {
    CutTriangle cut(X_CM * mesh.vertex(f, 0), X_CM * mesh.vertex(f, 1), X_CM * mesh.vertex(f, 2));
    if (cut.IsBeyond(last)) return;
    const auto push = FindPush(mesh, f, shape, X_MC);
    if (push && cut.CutTo(shape, tolerance, last)) visit(f, *push, cut);
  });
}

template <typename C>
std::optional<DeepOverlap> FindWayFromInside(const MeshSurface& mesh, const C& shape,
                                             const RigidTransform& X_MC) {
  const auto way = FindWayToSurface(mesh, X_MC.p);
  if (!way) return std::nullopt;
  const double depth = way->distance + CalcReach(shape, X_MC.R.transpose() * -way->n);
  const Vector3d on_mesh = X_MC.p + way->distance * way->n;
  return DeepOverlap{on_mesh - 0.5 * depth * way->n, way->n, depth};
}

// Middles of what is left of the triangles that C meets. Where there are too many, every other one goes,
// again and again: they stay spread over all.
class Samples {
 public:
  struct Sample {
    Vector3d p_C;  // in C's frame
    int face;
  };

  void Add(const Vector3d& p_C, int face) {
    if (num_offered_++ % stride_ != 0) return;
    if (size_ == kMaxSize) {
      for (int k = 0; 2 * k < size_; ++k) samples_[k] = samples_[2 * k];
      size_ /= 2;
      stride_ *= 2;
    }
    samples_[size_++] = {p_C, face};
  }
  const Sample* begin() const { return samples_.data(); }
  const Sample* end() const { return samples_.data() + size_; }

 private:
  static constexpr int kMaxSize = 128;
  int size_ = 0;
  long num_offered_ = 0, stride_ = 1;
  std::array<Sample, kMaxSize> samples_;
};

// The triangles of a mesh that C meets, summed up.
struct Met {
  bool is_empty = true;
  Vector3d sum = Vector3d::Zero();  // S in deep_overlap.h [m²]
  double area = 0.0;
  double shortest = kInfinity;                    // of the ways by which C is pushed out of a face [m]
  Samples::Sample nearest{Vector3d::Zero(), -1};  // of that face
  Samples samples;

  Vector3d FindDirection(const MeshSurface& mesh) const {
    const bool is_coherent = sum.norm() > kCoherent * area && area > 0.0;
    return is_coherent ? Vector3d(sum.normalized()) : mesh.faces[nearest.face].normal;
  }
};

//   tolerance  to which triangles are cut to a round C [m]
//   least      what is not deeper in C than this part of it is taken for touching [m]
template <typename C>
void FindMet(const MeshSurface& mesh, const C& shape, const RigidTransform& X_MC, double tolerance,
             double least, Met& out) {
  ForEachMet(mesh, shape, X_MC, tolerance, [&](int f, double push, const CutTriangle& cut) {
    out.is_empty = false;
    const Vector3d middle = cut.CalcCenter();
    if (FindHalfSpace(shape, middle).CalcExcess(middle) > -kTouching * least) return;
    const double part = cut.CalcArea();
    out.area += part;
    out.sum += part * mesh.faces[f].normal;
    out.samples.Add(middle, f);
    if (push < out.shortest) out.shortest = push, out.nearest = {middle, f};
  });
}

// From the samples against n to where C ends: the way whose end is deepest below its face.
template <typename C>
DeepOverlap FindDepth(const MeshSurface& mesh, const C& shape, const RigidTransform& X_MC, const Met& met,
                      const Vector3d& n) {
  DeepOverlap out;
  out.n = n;
  const Vector3d down_C = X_MC.R.transpose() * -n;
  const double reach = CalcReach(shape, down_C);
  const auto offer = [&](const Samples::Sample& sample) {
    const double cosine = mesh.faces[sample.face].normal.dot(n);
    if (cosine * (reach - down_C.dot(sample.p_C)) <= out.depth) return;
    const double way = CalcWayOut(shape, sample.p_C, down_C);
    // Of equals the first, whatever round-off says.
    if (cosine * way <= (1.0 + 1e-9) * out.depth) return;
    out.depth = cosine * way;
    out.p = X_MC * Vector3d(sample.p_C + 0.5 * way * down_C);
  };
  offer(met.nearest);
  for (const Samples::Sample& sample : met.samples) offer(sample);
  return out;
}

// Cut roughly, and finely where that leaves nothing in C for sure.
template <typename C>
std::optional<DeepOverlap> Find(const MeshSurface& mesh, const C& shape, const RigidTransform& X_MC,
                                double least) {
  for (const double tolerance : {kRough * CalcReach(shape, Vector3d::UnitX()), kTouching * least}) {
    Met met;
    FindMet(mesh, shape, X_MC, tolerance, least, met);
    if (met.is_empty) return FindWayFromInside(mesh, shape, X_MC);
    if (met.nearest.face < 0) continue;
    for (const Vector3d& n : {met.FindDirection(mesh), mesh.faces[met.nearest.face].normal}) {
      const DeepOverlap found = FindDepth(mesh, shape, X_MC, met, n);
      if (found.depth > least) return found;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<WayToSurface> FindWayToSurface(const MeshSurface& mesh, const Vector3d& p) {
  const bool is_in_box = (p.array() > mesh.lower.array()).all() && (p.array() < mesh.upper.array()).all();
  if (!mesh.is_closed || !is_in_box) return std::nullopt;
  // A direction that edges and axes seldom have: the first face that is met tells on which side p is.
  const Vector3d d = Vector3d(0.31, 0.47, 0.83).normalized();
  double reach = kInfinity;
  int first = -1;
  geometry::ForEachHit(mesh.mesh, mesh.tree, p, d, reach, [&](int t, double s) { reach = s, first = t; });
  if (first < 0 || !(mesh.faces[first].normal.dot(d) > 0.0)) return std::nullopt;
  const geometry::NearestTriangle nearest = geometry::FindNearestTriangle(mesh.mesh, mesh.tree, p);
  const double distance = (nearest.p - p).norm();
  const Vector3d n = distance > 1e-12 * mesh.radius ? Vector3d((nearest.p - p) / distance)
                                                    : mesh.faces[nearest.triangle].normal;
  return WayToSurface{n, distance};
}

std::optional<DeepOverlap> FindDeepOverlap(const MeshSurface& mesh, const Sphere& shape,
                                           const RigidTransform& X_MC, double least) {
  return Find(mesh, shape, X_MC, least);
}
std::optional<DeepOverlap> FindDeepOverlap(const MeshSurface& mesh, const Capsule& shape,
                                           const RigidTransform& X_MC, double least) {
  return Find(mesh, shape, X_MC, least);
}
std::optional<DeepOverlap> FindDeepOverlap(const MeshSurface& mesh, const Ellipsoid& shape,
                                           const RigidTransform& X_MC, double least) {
  return Find(mesh, shape, X_MC, least);
}
std::optional<DeepOverlap> FindDeepOverlap(const MeshSurface& mesh, const Cylinder& shape,
                                           const RigidTransform& X_MC, double least) {
  return Find(mesh, shape, X_MC, least);
}
std::optional<DeepOverlap> FindDeepOverlap(const MeshSurface& mesh, const Polytope& shape,
                                           const RigidTransform& X_MC, double least) {
  return Find(mesh, shape, X_MC, least);
}

}  // namespace stiction::narrowphase
