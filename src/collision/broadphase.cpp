#include "stiction/collision/broadphase.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "collision/box_tree.h"
#include "collision/pair_filter.h"
#include "math/assert.h"
#include "math/task_pool.h"
#include "stiction/collision/narrowphase.h"

namespace stiction {
namespace {

// Beyond this, sums of boxes' extents might overflow. [m]
constexpr double kLargestInflation = 1e100;

// Room around a geom's box, in inflations, each of which is more than the geom moves in a step. Less, and the
// tree is searched more often; more, and more candidates are looked at in every step.
constexpr double kRoom = 4.0;
// Room that a geom which has slowed down keeps, in what it would be given now.
constexpr double kMostRoom = 3.0;

}  // namespace

// A geom's box is wrapped in a roomy one. Candidates are the admitted pairs whose roomy boxes overlap: they
// change only where a box has left its roomy one, which then is wrapped anew. What is given out is those of
// them whose boxes themselves overlap, so that none of this shows.
struct Broadphase::Impl {
  // A bounded geom.
  struct Proxy {
    int geom;
    bool stirs = true;
    bool has_changed = false;  // began or ceased to stir
    bool was_wrapped = false;  // in this call
  };
  // A plane with the bounded geoms that may touch it, ascending.
  struct PlaneCandidates {
    int plane;
    std::vector<int> geoms;
  };
  // What FindPairs was asked.
  struct Scene {
    const Model& model;
    const std::vector<RigidTransform>& X_WG;
    const std::vector<double>& inflation;
    const std::vector<char>* stirs;  // null: all do
    bool still_moved;
    bool Stirs(int geom) const { return stirs == nullptr || (*stirs)[geom] != 0; }
    // What is not a number counts as largest.
    double Inflation(int geom) const {
      return inflation[geom] < kLargestInflation ? inflation[geom] : kLargestInflation;
    }
  };

  explicit Impl(const Model& model);
  void FindPairs(const Scene& scene);
  bool PlaceBoxes(const Scene& scene);  // whether any geom began or ceased to stir
  bool Place(const Scene& scene, int k);
  void UpdateTree();
  void UpdateCandidates();
  // Fills found: the pairs of the proxies that are wrapped anew, sorted.
  void SearchTree();
  void UpdateStirringCandidates();
  void FindPlanePairs(const Scene& scene);
  void FindBoxPairs();
  // Calls work(begin, end) for pieces of [0, count) on all threads.
  template <typename Work>
  void ForPieces(std::size_t count, const Work& work) const {
    constexpr int kLeast = 128;
    if (pool != nullptr) return pool->ForPieces(static_cast<int>(count), kLeast, work);
    work(0, static_cast<int>(count));
  }

  const TaskPool* pool = nullptr;  // null: the caller's thread alone
  PairFilter filter;
  std::vector<Proxy> proxies;            // by ascending geom, as all lists of pairs of them
  std::vector<AlignedBox> boxes, roomy;  // of the proxies; boxes with inflation
  std::vector<PlaneCandidates> planes;
  std::vector<Vector3d> half_extents;  // of the bounding boxes in W, one per geom, not inflated [m]
  BoxTree tree;                        // of the roomy boxes
  std::vector<int> wrapped;            // proxies that have a new roomy box in this call
  std::vector<IndexPair> candidates, stirring_candidates;  // of proxies, sorted; of the latter one stirs
  std::vector<IndexPair> found, merged;                    // scratch
  std::vector<std::vector<IndexPair>> found_of_piece;      // of the wrapped proxies; scratch
  std::vector<char> overlap;                               // one per stirring candidate
  std::vector<IndexPair> pairs;
};

Broadphase::Impl::Impl(const Model& model)
    : filter(model), half_extents(model.geoms.size(), Vector3d::Zero()) {
  const int num_geoms = model.num_geoms();
  for (int g = 0; g < num_geoms; ++g) {
    const Geom& geom = model.geoms[g];
    if (!geom.collides() && !filter.IsPaired(g)) continue;
    if (!std::holds_alternative<Plane>(geom.shape)) {
      proxies.push_back({g});
      continue;
    }
    PlaneCandidates candidates{g, {}};
    for (int other = 0; other < num_geoms; ++other) {
      const Shape& shape = model.geoms[other].shape;
      if (!std::holds_alternative<Plane>(shape) && filter.Admits(g, other)) {
        candidates.geoms.push_back(other);
      }
    }
    planes.push_back(std::move(candidates));
  }
  boxes.resize(proxies.size());
  roomy.resize(proxies.size());
  // Stepping does not allocate where geoms have no more than so many neighbours.
  constexpr std::size_t kNeighbors = 16;
  const std::size_t count = proxies.size(), most = std::min(kNeighbors * count, count * count);
  for (std::vector<IndexPair>* list : {&candidates, &stirring_candidates, &found, &merged})
    list->reserve(most);
  overlap.reserve(most);
  wrapped.reserve(count);
}

// Whether the geom's box has left its roomy one, which then is a new one.
bool Broadphase::Impl::Place(const Scene& scene, int k) {
  const int g = proxies[k].geom;
  const double inflation = scene.Inflation(g);
  const Vector3d& center = scene.X_WG[g].p;
  half_extents[g] = CalcBoundingHalfExtents(scene.model.geoms[g].shape, scene.X_WG[g].R);
  const Vector3d grown = half_extents[g].array() + inflation;
  boxes[k] = {center - grown, center + grown};
  // Six sides, each with its room.
  const double spare = roomy[k].CalcGirth() - boxes[k].CalcGirth();
  if (!tree.is_empty() && roomy[k].Holds(boxes[k]) && spare <= 6.0 * kMostRoom * kRoom * inflation)
    return false;
  roomy[k] = boxes[k].Grown(kRoom * inflation);
  return true;
}

bool Broadphase::Impl::PlaceBoxes(const Scene& scene) {
  ForPieces(proxies.size(), [&](int begin, int end) {
    for (int k = begin; k < end; ++k) {
      Proxy& proxy = proxies[k];
      const bool stirs = scene.Stirs(proxy.geom);
      proxy.has_changed = stirs != proxy.stirs;
      proxy.was_wrapped =
          (stirs || proxy.has_changed || scene.still_moved || tree.is_empty()) && Place(scene, k);
      proxy.stirs = stirs;
    }
  });
  bool any_changed = false;
  wrapped.clear();
  for (int k = 0; k < static_cast<int>(proxies.size()); ++k) {
    any_changed |= proxies[k].has_changed;
    if (proxies[k].was_wrapped) wrapped.push_back(k);
  }
  return any_changed;
}

void Broadphase::Impl::UpdateTree() {
  const bool are_most = 2 * wrapped.size() > proxies.size();
  if (!tree.is_empty() && !are_most) {
    for (const int k : wrapped) tree.Refit(k, roomy[k]);
  }
  if (tree.is_empty() || are_most || tree.is_worn()) tree.Build(roomy);
}

void Broadphase::Impl::SearchTree() {
  constexpr int kLeast = 16;
  const int count = static_cast<int>(wrapped.size());
  const auto search = [&](int begin, int end, std::vector<IndexPair>& out) {
    for (int w = begin; w < end; ++w) {
      const int k = wrapped[w];
      tree.FindOverlaps(roomy[k], [&](int other) {
        const bool is_twin = other == k || (proxies[other].was_wrapped && other < k);
        if (!is_twin && filter.Admits(proxies[k].geom, proxies[other].geom)) out.push_back(Ordered(k, other));
      });
    }
  };
  found.clear();
  const int num_pieces = pool != nullptr ? pool->CountPieces(count, kLeast) : 1;
  if (num_pieces == 1) {
    search(0, count, found);
  } else {
    pool->ForNumberedPieces(count, kLeast, [&](int piece, int begin, int end) {
      found_of_piece[piece].clear();
      search(begin, end, found_of_piece[piece]);
      std::sort(found_of_piece[piece].begin(), found_of_piece[piece].end());
    });
    for (int i = 0; i < num_pieces; ++i) {
      merged.clear();
      std::merge(found.begin(), found.end(), found_of_piece[i].begin(), found_of_piece[i].end(),
                 std::back_inserter(merged));
      std::swap(found, merged);
    }
    return;
  }
  std::sort(found.begin(), found.end());
}

// The candidates without a new roomy box stay; the others are searched for.
void Broadphase::Impl::UpdateCandidates() {
  SearchTree();
  merged.clear();
  auto next = found.begin();
  for (const IndexPair& pair : candidates) {
    if (proxies[pair.first].was_wrapped || proxies[pair.second].was_wrapped) continue;
    while (next != found.end() && *next < pair) merged.push_back(*next++);
    merged.push_back(pair);
  }
  merged.insert(merged.end(), next, found.end());
  std::swap(candidates, merged);
}

void Broadphase::Impl::UpdateStirringCandidates() {
  stirring_candidates.clear();
  for (const IndexPair& pair : candidates) {
    if (proxies[pair.first].stirs || proxies[pair.second].stirs) stirring_candidates.push_back(pair);
  }
}

void Broadphase::Impl::FindPlanePairs(const Scene& scene) {
  for (const PlaneCandidates& candidates : planes) {
    const RigidTransform& X_WP = scene.X_WG[candidates.plane];
    const Vector3d n_W = X_WP.R.col(2), abs_n_W = n_W.cwiseAbs();
    const bool plane_stirs = scene.Stirs(candidates.plane);
    const double inflation = scene.Inflation(candidates.plane);
    for (const int g : candidates.geoms) {
      if (!plane_stirs && !scene.Stirs(g)) continue;
      const double center_height = n_W.dot(scene.X_WG[g].p - X_WP.p);
      const double reach = half_extents[g].dot(abs_n_W) + scene.Inflation(g) + inflation;
      if (center_height <= reach) pairs.push_back(Ordered(candidates.plane, g));
    }
  }
}

void Broadphase::Impl::FindBoxPairs() {
  overlap.resize(stirring_candidates.size());
  ForPieces(overlap.size(), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const auto& [a, b] = stirring_candidates[i];
      overlap[i] = Overlap(boxes[a], boxes[b]);
    }
  });
  for (std::size_t i = 0; i < overlap.size(); ++i) {
    const auto& [a, b] = stirring_candidates[i];
    if (overlap[i]) pairs.emplace_back(proxies[a].geom, proxies[b].geom);
  }
}

void Broadphase::Impl::FindPairs(const Scene& scene) {
  STICTION_ASSERT(scene.X_WG.size() == scene.model.geoms.size() &&
                  scene.inflation.size() == scene.model.geoms.size());
  const bool stirring_changed = PlaceBoxes(scene), any_wrapped = !wrapped.empty();
  if (any_wrapped) {
    UpdateTree();
    UpdateCandidates();
  }
  if (any_wrapped || stirring_changed) UpdateStirringCandidates();
  pairs.clear();
  FindPlanePairs(scene);
  FindBoxPairs();
  // Planes come first in most models.
  if (!planes.empty() && !std::is_sorted(pairs.begin(), pairs.end())) std::sort(pairs.begin(), pairs.end());
}

Broadphase::Broadphase(const Model& model) : impl_(std::make_unique<Impl>(model)) {}
Broadphase::~Broadphase() = default;
Broadphase::Broadphase(Broadphase&&) noexcept = default;
Broadphase& Broadphase::operator=(Broadphase&&) noexcept = default;

void Broadphase::set_pool(const TaskPool& pool) {
  impl_->pool = &pool;
  const int count = static_cast<int>(impl_->proxies.size());
  impl_->found_of_piece.resize(pool.CountPieces(count, 1));
  for (auto& found : impl_->found_of_piece) found.reserve(impl_->found.capacity());
}

const std::vector<std::pair<int, int>>& Broadphase::FindPairs(const Model& model,
                                                              const std::vector<RigidTransform>& X_WG,
                                                              const std::vector<double>& inflation) {
  impl_->FindPairs({model, X_WG, inflation, nullptr, false});
  return impl_->pairs;
}

const std::vector<std::pair<int, int>>& Broadphase::FindPairs(const Model& model,
                                                              const std::vector<RigidTransform>& X_WG,
                                                              const std::vector<double>& inflation,
                                                              const std::vector<char>& stirs,
                                                              bool still_moved) {
  impl_->FindPairs({model, X_WG, inflation, &stirs, still_moved});
  return impl_->pairs;
}

}  // namespace stiction
