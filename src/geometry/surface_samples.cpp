#include "geometry/surface_samples.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace stiction {
namespace {

constexpr int kLeafSize = 4;
// Normals that differ by less are those of one smooth face (25°), as where the triangles come from
// (surface_points.cpp).
constexpr double kSmoothCosine = 0.9;
// Of the way from a vertex to the middle of a triangle: where the field has that triangle's normal, on a
// crease.
constexpr double kAside = 0.05;
// Below it all branches are halved by number: with 2^24 samples at most the tree ends within
// TriangleTree::kMaxDepth.
constexpr int kMaxUnevenDepth = 32;

struct VertexSample {
  Vector3d p, n;
  double reach;
  Vector3d inward;
};

class SampleCollector {
 public:
  SampleCollector(const DistanceField& field, const MeshSurface& surface)
      : field_(field), surface_(surface) {}

  std::vector<VertexSample> Collect() {
    SortFacesByVertex();
    std::vector<VertexSample> samples;
    for (int v = 0; v < static_cast<int>(surface_.mesh.vertices.size()); ++v) {
      AddSamples(v, samples);
    }
    return samples;
  }

 private:
  void SortFacesByVertex() {
    first_.assign(surface_.mesh.vertices.size() + 1, 0);
    for (const auto& triangle : surface_.mesh.triangles)
      for (const int v : triangle) ++first_[v + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    faces_.resize(first_.back());
    std::vector<int> next(first_.begin(), first_.end() - 1);
    for (int f = 0; f < static_cast<int>(surface_.mesh.triangles.size()); ++f)
      for (const int v : surface_.mesh.triangles[f]) faces_[next[v]++] = f;
  }

  // Triangles may be slivers, whose own normals say nothing: the field has them.
  void AddSamples(int vertex, std::vector<VertexSample>& samples) const {
    const std::size_t first = samples.size();
    const Vector3d& p = surface_.mesh.vertices[vertex];
    double reach = 0.0;
    for (int k = first_[vertex]; k < first_[vertex + 1]; ++k) {
      const int f = faces_[k];
      const Vector3d n = field_.Evaluate(p + kAside * (surface_.CalcCenter(f) - p)).gradient;
      const bool is_known =
          std::any_of(samples.begin() + static_cast<std::ptrdiff_t>(first), samples.end(),
                      [&](const VertexSample& one) { return one.n.dot(n) > kSmoothCosine; });
      if (!is_known) samples.push_back({p, n, 0.0, surface_.CalcCenter(f) - p});
      // No point of a triangle is farther from all of its corners than 1/√3 of its longest side.
      const Vector3d &a = surface_.vertex(f, 0), &b = surface_.vertex(f, 1), &c = surface_.vertex(f, 2);
      const double longest = std::max({(b - a).norm(), (c - b).norm(), (a - c).norm()});
      reach = std::max(reach, longest * std::numbers::inv_sqrt3);
    }
    for (std::size_t k = first; k < samples.size(); ++k) samples[k].reach = reach;
    // On a smooth face the field's normal at the vertex itself is its own.
    if (samples.size() == first + 1) samples[first].n = field_.Evaluate(p).gradient;
    const bool is_on_crease = samples.size() == first + 2;
    const Vector3d along = is_on_crease ? Vector3d(samples[first].n.cross(samples[first + 1].n).normalized())
                                        : Vector3d(Vector3d::Zero());
    for (std::size_t k = first; k < samples.size(); ++k) {
      const Vector3d across = along.cross(samples[k].n);
      samples[k].inward = across.dot(samples[k].inward) < 0.0 ? Vector3d(-across) : across;
    }
  }

  const DistanceField& field_;
  const MeshSurface& surface_;
  std::vector<int> first_, faces_;  // those around vertex v: faces_[first_[v]] up to faces_[first_[v + 1]]
};

class TreeBuilder {
 public:
  TreeBuilder(const std::vector<VertexSample>& samples, double turn_length)
      : samples_(samples), turn_length_(turn_length), order_(samples.size()) {
    std::iota(order_.begin(), order_.end(), 0);
  }

  SurfaceSamples Build() {
    out_.nodes.emplace_back();
    Build(0, 0, static_cast<int>(order_.size()), 0);
    for (const int s : order_) {
      for (int i = 0; i < 3; ++i) {
        out_.p[i].push_back(samples_[s].p[i]);
        out_.n[i].push_back(samples_[s].n[i]);
      }
      out_.reach.push_back(samples_[s].reach);
      out_.inward.push_back(samples_[s].inward);
    }
    return std::move(out_);
  }

 private:
  using Key = Eigen::Matrix<double, 6, 1>;

  Key CalcKey(int sample) const {
    Key key;
    key << samples_[sample].p, turn_length_ * samples_[sample].n;
    return key;
  }

  void Build(int node, int first, int count, int depth) {
    Eigen::AlignedBox<double, 6> box;
    for (int k = first; k < first + count; ++k) box.extend(CalcKey(order_[k]));
    int child = -1;
    if (count > kLeafSize) {
      const int half = Split(first, count, box, depth);
      child = static_cast<int>(out_.nodes.size());
      out_.nodes.resize(out_.nodes.size() + 2);
      Build(child, first, half, depth + 1);
      Build(child + 1, first + half, count - half, depth + 1);
    }
    // Halves first: they put their samples into their final order.
    out_.nodes[node] = MakeNode(first, count, child, box.center());
  }

  // Where the second part of a branch begins, from its first sample on. By number along a side in space; by
  // the middle of a side in normals, so that two faces part cleanly whatever the number of their samples.
  int Split(int first, int count, const Eigen::AlignedBox<double, 6>& box, int depth) {
    int axis;
    box.sizes().maxCoeff(&axis);
    const auto begin = order_.begin() + first, end = begin + count;
    if (axis >= 3 && depth < kMaxUnevenDepth) {
      const double middle = box.center()[axis];
      return static_cast<int>(
          std::stable_partition(begin, end, [&](int s) { return CalcKey(s)[axis] < middle; }) - begin);
    }
    // Equal keys by number, so that the tree does not depend on the library's way to partition.
    std::nth_element(begin, begin + count / 2, end, [&](int s, int t) {
      return std::pair(CalcKey(s)[axis], s) < std::pair(CalcKey(t)[axis], t);
    });
    return count / 2;
  }

  SurfaceSamples::Node MakeNode(int first, int count, int child, const Key& center) const {
    SurfaceSamples::Node node{first, count, child, first, 0.0, 0.0};
    const auto distance = [&](int k) { return (CalcKey(order_[k]) - center).squaredNorm(); };
    for (int k = first + 1; k < first + count; ++k)
      if (distance(k) < distance(node.middle)) node.middle = k;
    const VertexSample& middle = samples_[order_[node.middle]];
    for (int k = first; k < first + count; ++k) {
      const VertexSample& at = samples_[order_[k]];
      node.radius = std::max(node.radius, (at.p - middle.p).norm() + at.reach);
      node.spread = std::max(node.spread, (at.n - middle.n).norm());
    }
    return node;
  }

  const std::vector<VertexSample>& samples_;
  double turn_length_;
  std::vector<int> order_;
  SurfaceSamples out_;
};

}  // namespace

SurfaceSamples MakeSurfaceSamples(const DistanceField& field, const MeshSurface& surface,
                                  double turn_length) {
  const std::vector<VertexSample> samples = SampleCollector(field, surface).Collect();
  return TreeBuilder(samples, turn_length).Build();
}

}  // namespace stiction
