#include "stiction/collision/broadphase.h"

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/shape/box.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "math/assert.h"
#include "stiction/collision/narrowphase.h"

namespace stiction {
namespace {

using IndexPair = std::pair<int, int>;

// FCL squares the sizes of its boxes: beyond this they overflow, and it builds no tree. [m]
constexpr double kLargestInflation = 1e100;

IndexPair Ordered(int a, int b) {
  return {std::min(a, b), std::max(a, b)};
}

// What Model::PairCollides looks up, gathered once per geom.
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
  // A bounded geom in one of the trees. FCL sees a box without rotation whose local bounds are ours.
  struct Proxy {
    int geom;
    bool stirs;
    std::shared_ptr<fcl::Boxd> bounds;
    std::unique_ptr<fcl::CollisionObjectd> object;
  };
  using Tree = fcl::DynamicAABBTreeCollisionManagerd;
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
  // What FindPairs was asked.
  struct Scene {
    const Model& model;
    const std::vector<RigidTransform>& X_WG;
    const std::vector<double>& inflation;
    const std::vector<char>* stirs;  // null: all do
    bool still_moved;
    bool Stirs(int geom) const { return stirs == nullptr || (*stirs)[geom] != 0; }
    // fmin: what is not a number counts as largest.
    double Inflation(int geom) const { return std::fmin(inflation[geom], kLargestInflation); }
  };

  explicit Impl(const Model& model);
  void FindPairs(const Scene& scene);
  void Place(const Scene& scene, Proxy& proxy);
  void RegisterAll();
  bool MoveBetweenTrees(const Scene& scene);  // whether any proxy had to
  void UpdateTrees(const Scene& scene);
  void FindPlanePairs(const Scene& scene);
  static bool OnOverlap(fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* data);

  PairFilter filter;
  std::vector<Proxy> proxies;
  std::vector<PlaneCandidates> planes;
  std::vector<Vector3d> half_extents;  // of the bounding boxes in W, one per geom, not inflated [m]
  Tree stirring, still;
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
      proxies.push_back({g, true, std::move(bounds), std::move(object)});
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

void Broadphase::Impl::Place(const Scene& scene, Proxy& proxy) {
  const int g = proxy.geom;
  half_extents[g] = CalcBoundingHalfExtents(scene.model.geoms[g].shape, scene.X_WG[g].R);
  const Vector3d grown = half_extents[g].array() + scene.Inflation(g);
  proxy.bounds->aabb_local.min_ = -grown;
  proxy.bounds->aabb_local.max_ = grown;
  proxy.object->setTranslation(scene.X_WG[g].p);
  proxy.object->computeAABB();
}

// Only when the boxes have their places, since FCL builds a balanced tree from the first lot it is given.
void Broadphase::Impl::RegisterAll() {
  std::vector<fcl::CollisionObjectd*> objects[2];
  for (Proxy& proxy : proxies) objects[proxy.stirs ? 1 : 0].push_back(proxy.object.get());
  still.registerObjects(objects[0]);
  still.setup();
  stirring.registerObjects(objects[1]);
  stirring.setup();
  is_registered = true;
}

bool Broadphase::Impl::MoveBetweenTrees(const Scene& scene) {
  bool any = false;
  for (Proxy& proxy : proxies) {
    const bool stirs = scene.Stirs(proxy.geom);
    if (stirs == proxy.stirs) continue;
    (proxy.stirs ? stirring : still).unregisterObject(proxy.object.get());
    Place(scene, proxy);
    (stirs ? stirring : still).registerObject(proxy.object.get());
    proxy.stirs = stirs;
    any = true;
  }
  return any;
}

void Broadphase::Impl::UpdateTrees(const Scene& scene) {
  if (!is_registered) {
    for (Proxy& proxy : proxies) {
      proxy.stirs = scene.Stirs(proxy.geom);
      Place(scene, proxy);
    }
    return RegisterAll();
  }
  const bool any_moved = MoveBetweenTrees(scene);
  for (Proxy& proxy : proxies) {
    if (proxy.stirs || scene.still_moved) Place(scene, proxy);
  }
  stirring.update();
  if (any_moved || scene.still_moved) still.update();
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

void Broadphase::Impl::FindPlanePairs(const Scene& scene) {
  for (const PlaneCandidates& candidates : planes) {
    const RigidTransform& X_WP = scene.X_WG[candidates.plane];
    const Vector3d n_W = X_WP.R.col(2);
    const bool plane_stirs = scene.Stirs(candidates.plane);
    for (const int g : candidates.geoms) {
      if (!plane_stirs && !scene.Stirs(g)) continue;
      const double center_height = n_W.dot(scene.X_WG[g].p - X_WP.p);
      const double reach =
          half_extents[g].dot(n_W.cwiseAbs()) + scene.Inflation(g) + scene.Inflation(candidates.plane);
      if (center_height <= reach) pairs.push_back(Ordered(candidates.plane, g));
    }
  }
}

void Broadphase::Impl::FindPairs(const Scene& scene) {
  STICTION_ASSERT(scene.X_WG.size() == scene.model.geoms.size() &&
                  scene.inflation.size() == scene.model.geoms.size());
  pairs.clear();
  UpdateTrees(scene);
  Query query{&scene.model, this};
  stirring.collide(&query, &Impl::OnOverlap);
  stirring.collide(&still, &query, &Impl::OnOverlap);
  FindPlanePairs(scene);
  std::sort(pairs.begin(), pairs.end());
}

Broadphase::Broadphase(const Model& model) : impl_(std::make_unique<Impl>(model)) {}
Broadphase::~Broadphase() = default;
Broadphase::Broadphase(Broadphase&&) noexcept = default;
Broadphase& Broadphase::operator=(Broadphase&&) noexcept = default;

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
