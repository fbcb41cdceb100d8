#include "stiction/collision/broadphase.h"

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/shape/box.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "stiction/collision/narrowphase.h"

namespace stiction {
namespace {

using IndexPair = std::pair<int, int>;

IndexPair Ordered(int a, int b) {
  return {std::min(a, b), std::max(a, b)};
}

// What Model::PairCollides looks up, gathered once a geom.
struct GeomFilter {
  std::uint32_t contype = 0, conaffinity = 0;
  int body = 0;
  int weld = 0;         // the rigid group of bodies
  int parent_weld = 0;  // the group that carries this one
  bool has_exclusions = false;
  bool has_pairs = false;
};

// The same answer as Model::PairCollides, without its searches for the pairs that no exclusion names.
class PairFilter {
 public:
  explicit PairFilter(const Model& model)
      : excluded_bodies_(model.excluded_bodies), excluded_geoms_(model.excluded_geoms) {
    for (const ContactPair& pair : model.contact_pairs) pairs_.emplace_back(pair.geom_a, pair.geom_b);
    std::sort(excluded_bodies_.begin(), excluded_bodies_.end());
    std::sort(excluded_geoms_.begin(), excluded_geoms_.end());
    std::vector<bool> body_has_exclusions(model.bodies.size(), false);
    for (const auto& [a, b] : excluded_bodies_) body_has_exclusions[a] = body_has_exclusions[b] = true;
    for (const Geom& geom : model.geoms) {
      GeomFilter filter{geom.contype, geom.conaffinity, geom.body, model.bodies[geom.body].weld};
      const int parent = model.bodies[filter.weld].parent;
      filter.parent_weld = parent < 0 ? 0 : model.bodies[parent].weld;
      filter.has_exclusions = body_has_exclusions[geom.body];
      filters_.push_back(filter);
    }
    for (const auto& [a, b] : excluded_geoms_) filters_[a].has_exclusions = filters_[b].has_exclusions = true;
    for (const auto& [a, b] : pairs_) filters_[a].has_pairs = filters_[b].has_pairs = true;
  }

  // Whether a contact pair names the geom, which then may collide whatever its contype.
  bool IsPaired(int geom) const { return filters_[geom].has_pairs; }

  bool Admits(int geom_a, int geom_b) const {
    const GeomFilter &a = filters_[geom_a], &b = filters_[geom_b];
    if (a.has_pairs && b.has_pairs &&
        std::binary_search(pairs_.begin(), pairs_.end(), Ordered(geom_a, geom_b)))
      return a.weld != b.weld;
    if (((a.contype & b.conaffinity) | (b.contype & a.conaffinity)) == 0) return false;
    if (a.weld == b.weld) return false;
    // Parent and child, unless the parent is fixed to the world.
    if ((a.weld == b.parent_weld && a.weld != 0) || (b.weld == a.parent_weld && b.weld != 0)) return false;
    if (!a.has_exclusions || !b.has_exclusions) return true;
    return !std::binary_search(excluded_bodies_.begin(), excluded_bodies_.end(), Ordered(a.body, b.body)) &&
           !std::binary_search(excluded_geoms_.begin(), excluded_geoms_.end(), Ordered(geom_a, geom_b));
  }

 private:
  std::vector<IndexPair> excluded_bodies_, excluded_geoms_, pairs_;
  std::vector<GeomFilter> filters_;
};

}  // namespace

struct Broadphase::Impl {
  // A bounded geom in the tree. FCL sees a box without rotation whose local bounds are ours.
  struct Proxy {
    int geom;
    std::shared_ptr<fcl::Boxd> bounds;
    std::unique_ptr<fcl::CollisionObjectd> object;
  };
  // A plane with the bounded geoms that may touch it.
  struct PlaneCandidates {
    int plane;
    std::vector<int> geoms;
  };
  // What the callback sees beside the proxies in the objects' user data.
  struct Query {
    const Model* model;
    Impl* impl;
  };

  explicit Impl(const Model& model);
  void UpdateTree(const Model& model, const std::vector<RigidTransform>& X_WG,
                  const std::vector<double>& inflation);
  void FindPlanePairs(const std::vector<RigidTransform>& X_WG, const std::vector<double>& inflation);
  static bool OnOverlap(fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* data);

  PairFilter filter;
  std::vector<Proxy> proxies;
  std::vector<PlaneCandidates> planes;
  std::vector<Vector3d> half_extents;  // of the bounding boxes in W, one a geom, not inflated [m]
  fcl::DynamicAABBTreeCollisionManagerd tree;
  bool is_registered = false;
  std::vector<IndexPair> pairs;
};

Broadphase::Impl::Impl(const Model& model)
    : filter(model), half_extents(model.geoms.size(), Vector3d::Zero()) {
  const int num_geoms = model.num_geoms();
  for (int g = 0; g < num_geoms; ++g) {
    const Geom& geom = model.geoms[g];
    if (!geom.collides() && !filter.IsPaired(g)) continue;
    if (!std::holds_alternative<Plane>(geom.shape)) {
      auto bounds = std::make_shared<fcl::Boxd>(1.0, 1.0, 1.0);
      auto object = std::make_unique<fcl::CollisionObjectd>(bounds);
      proxies.push_back({g, std::move(bounds), std::move(object)});
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
  // The proxies stand still in memory from here on.
  for (Proxy& proxy : proxies) proxy.object->setUserData(&proxy);
}

void Broadphase::Impl::UpdateTree(const Model& model, const std::vector<RigidTransform>& X_WG,
                                  const std::vector<double>& inflation) {
  for (Proxy& proxy : proxies) {
    const int g = proxy.geom;
    half_extents[g] = CalcBoundingHalfExtents(model.geoms[g].shape, X_WG[g].R);
    const Vector3d grown = half_extents[g].array() + inflation[g];
    proxy.bounds->aabb_local.min_ = -grown;
    proxy.bounds->aabb_local.max_ = grown;
    proxy.object->setTranslation(X_WG[g].p);
    proxy.object->computeAABB();
  }
  if (is_registered) {
    tree.update();
    return;
  }
  // Registered only now, when the boxes have their places, since FCL builds a balanced tree from the first
  // lot it is given.
  std::vector<fcl::CollisionObjectd*> objects;
  for (Proxy& proxy : proxies) objects.push_back(proxy.object.get());
  tree.registerObjects(objects);
  tree.setup();
  is_registered = true;
}

bool Broadphase::Impl::OnOverlap(fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* data) {
  const Query& query = *static_cast<Query*>(data);
  const int geom_a = static_cast<const Proxy*>(a->getUserData())->geom;
  const int geom_b = static_cast<const Proxy*>(b->getUserData())->geom;
  if (query.impl->filter.Admits(geom_a, geom_b)) {
    query.impl->pairs.push_back(Ordered(geom_a, geom_b));
  }
  return false;  // go on
}

void Broadphase::Impl::FindPlanePairs(const std::vector<RigidTransform>& X_WG,
                                      const std::vector<double>& inflation) {
  for (const PlaneCandidates& candidates : planes) {
    const RigidTransform& X_WP = X_WG[candidates.plane];
    const Vector3d n_W = X_WP.R.col(2);
    for (const int g : candidates.geoms) {
      const double center_height = n_W.dot(X_WG[g].p - X_WP.p);
      const double reach = half_extents[g].dot(n_W.cwiseAbs()) + inflation[g] + inflation[candidates.plane];
      if (center_height <= reach) pairs.push_back(Ordered(candidates.plane, g));
    }
  }
}

Broadphase::Broadphase(const Model& model) : impl_(std::make_unique<Impl>(model)) {}
Broadphase::~Broadphase() = default;
Broadphase::Broadphase(Broadphase&&) noexcept = default;
Broadphase& Broadphase::operator=(Broadphase&&) noexcept = default;

const std::vector<std::pair<int, int>>& Broadphase::FindPairs(const Model& model,
                                                              const std::vector<RigidTransform>& X_WG,
                                                              const std::vector<double>& inflation) {
  impl_->pairs.clear();
  impl_->UpdateTree(model, X_WG, inflation);
  Impl::Query query{&model, impl_.get()};
  impl_->tree.collide(&query, &Impl::OnOverlap);
  impl_->FindPlanePairs(X_WG, inflation);
  std::sort(impl_->pairs.begin(), impl_->pairs.end());
  return impl_->pairs;
}

}  // namespace stiction
