#include "geometry/surface_samples.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "geometry/crease_points.h"

namespace stiction {
namespace {

constexpr int kLeafSize = 4;
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
    MeasureFaces();
    std::vector<VertexSample> samples;
    samples.reserve(surface_.mesh.vertices.size());
    for (int v = 0; v < static_cast<int>(surface_.mesh.vertices.size()); ++v) {
      AddSamples(v, samples);
    }
    for (const CreasePoint& point : FindCreasePoints(field_, surface_, reaches_)) AddSamples(point, samples);
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

  // Once a face, and not once for each of its corners.
  void MeasureFaces() {
    const int count = static_cast<int>(surface_.mesh.triangles.size());
    centers_.reserve(count);
    reaches_.reserve(count);
    for (int f = 0; f < count; ++f) {
      centers_.push_back(surface_.CalcCenter(f));
      // No point of a triangle is farther from all of its corners than 1/√3 of its longest side.
      const Vector3d &a = surface_.vertex(f, 0), &b = surface_.vertex(f, 1), &c = surface_.vertex(f, 2);
      const double longest = std::max({(b - a).norm(), (c - b).norm(), (a - c).norm()});
      reaches_.push_back(longest * std::numbers::inv_sqrt3);
    }
  }

  // Triangles may be slivers, whose own normals say nothing: the field has them.
  void AddSamples(int vertex, std::vector<VertexSample>& samples) const {
    const std::size_t first = samples.size();
    const Vector3d& p = surface_.mesh.vertices[vertex];
    double reach = 0.0;
    for (int k = first_[vertex]; k < first_[vertex + 1]; ++k) {
      const int f = faces_[k];
      const Vector3d n = field_.Evaluate(p + kAside * (centers_[f] - p)).gradient;
      const bool is_known =
          std::any_of(samples.begin() + static_cast<std::ptrdiff_t>(first), samples.end(),
                      [&](const VertexSample& one) { return one.n.dot(n) > kSmoothFaceCosine; });
      if (!is_known) samples.push_back({p, n, 0.0, centers_[f] - p});
      reach = std::max(reach, reaches_[f]);
    }
    for (std::size_t k = first; k < samples.size(); ++k) samples[k].reach = reach;
    // On a smooth face the field's normal at the vertex itself is its own.
    if (samples.size() == first + 1) samples[first].n = field_.Evaluate(p).gradient;
    if (samples.size() == first + 2) {
      TurnInward(samples[first].n.cross(samples[first + 1].n), samples[first]);
      TurnInward(samples[first].n.cross(samples[first + 1].n), samples[first + 1]);
    } else {
      for (std::size_t k = first; k < samples.size(); ++k) samples[k].inward.setZero();
    }
  }

  void AddSamples(const CreasePoint& point, std::vector<VertexSample>& samples) const {
    for (int i = 0; i < 2; ++i) {
      samples.push_back({point.position, point.normals[i], point.reach, point.toward[i]});
      TurnInward(point.normals[0].cross(point.normals[1]), samples.back());
    }
  }

  // From somewhere into its face to at right angles to the crease along it.
  static void TurnInward(const Vector3d& along, VertexSample& sample) {
    const Vector3d across = along.normalized().cross(sample.n);
    sample.inward = across.dot(sample.inward) < 0.0 ? Vector3d(-across) : across;
  }

  const DistanceField& field_;
  const MeshSurface& surface_;
  std::vector<int> first_, faces_;  // those around vertex v: faces_[first_[v]] up to faces_[first_[v + 1]]
  std::vector<Vector3d> centers_;   // of the faces
  std::vector<double> reaches_;     // of the faces
};

// What the tree sorts moves along with the samples' numbers, so that every level reads memory in order.
class TreeBuilder {
 public:
  TreeBuilder(const std::vector<VertexSample>& samples, double turn_length) : samples_(samples) {
    items_.reserve(samples.size());
    for (int s = 0; s < static_cast<int>(samples.size()); ++s) {
      Key key;
      key << samples[s].p, turn_length * samples[s].n;
      items_.push_back({key, s});
    }
  }

  SurfaceSamples Build() {
    out_.nodes.reserve(items_.size());
    out_.nodes.emplace_back();
    Build(0, 0, static_cast<int>(items_.size()), 0);
    out_.middles.reserve(out_.nodes.size());
    for (const SurfaceSamples::Node& node : out_.nodes) {
      const VertexSample& middle = samples_[items_[node.middle].sample];
      out_.middles.push_back({middle.p, middle.n});
    }
    out_.around.reserve(items_.size());
    for (auto& numbers : out_.p) numbers.reserve(items_.size() + SurfaceSamples::kSpare);
    for (const Item& item : items_) {
      const VertexSample& sample = samples_[item.sample];
      for (int i = 0; i < 3; ++i) out_.p[i].push_back(sample.p[i]);
      out_.around.push_back({sample.n, sample.inward, sample.reach, !sample.inward.isZero(0.0)});
    }
    for (auto& numbers : out_.p) numbers.resize(numbers.size() + SurfaceSamples::kSpare, 0.0);
    return std::move(out_);
  }

 private:
  using Key = Eigen::Matrix<double, 6, 1>;
  struct Item {
    Key key;  // (p, L n)
    int sample;
  };

  void Build(int node, int first, int count, int depth) {
    Key lower = items_[first].key, upper = lower;
    for (int k = first + 1; k < first + count; ++k) {
      lower = lower.cwiseMin(items_[k].key);
      upper = upper.cwiseMax(items_[k].key);
    }
    const Eigen::AlignedBox<double, 6> box(lower, upper);
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
    const auto begin = items_.begin() + first, end = begin + count;
    if (axis >= 3 && depth < kMaxUnevenDepth) {
      const double middle = box.center()[axis];
      return static_cast<int>(
          std::stable_partition(begin, end, [&](const Item& s) { return s.key[axis] < middle; }) - begin);
    }
    // Equal keys by number, so that the tree does not depend on the library's way to partition.
    std::nth_element(begin, begin + count / 2, end, [&](const Item& s, const Item& t) {
      return s.key[axis] != t.key[axis] ? s.key[axis] < t.key[axis] : s.sample < t.sample;
    });
    return count / 2;
  }

  SurfaceSamples::Node MakeNode(int first, int count, int child, const Key& center) const {
    SurfaceSamples::Node node{first, count, child, first, 0.0, 0.0};
    double least = std::numeric_limits<double>::infinity();
    for (int k = first; k < first + count; ++k) {
      const double distance = (items_[k].key - center).squaredNorm();
      if (distance < least) least = distance, node.middle = k;
    }
    const VertexSample& middle = samples_[items_[node.middle].sample];
    double spread2 = 0.0;
    for (int k = first; k < first + count; ++k) {
      const VertexSample& at = samples_[items_[k].sample];
      node.radius = std::max(node.radius, (at.p - middle.p).norm() + at.reach);
      spread2 = std::max(spread2, (at.n - middle.n).squaredNorm());
    }
    node.spread = std::sqrt(spread2);
    return node;
  }

  const std::vector<VertexSample>& samples_;
  std::vector<Item> items_;
  SurfaceSamples out_;
};

}  // namespace

SurfaceSamples MakeSurfaceSamples(const DistanceField& field, const MeshSurface& surface,
                                  double turn_length) {
  const std::vector<VertexSample> samples = SampleCollector(field, surface).Collect();
  return TreeBuilder(samples, turn_length).Build();
}

}  // namespace stiction
