// Pairs of geoms whose inflated bounding boxes overlap: FCL's dynamic AABB tree for bounded shapes, planes
// outside it.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "stiction/model/model.h"

namespace stiction {

class Broadphase {
 public:
  // Registers the model's colliding geoms. Keeps no reference to the model.
  explicit Broadphase(const Model& model);
  ~Broadphase();
  Broadphase(Broadphase&&) noexcept;
  Broadphase& operator=(Broadphase&&) noexcept;

  // Pairs (a < b), sorted, that PairCollides admits and whose boxes, each grown by its geom's inflation,
  // overlap. A plane pairs with every geom whose bounding box reaches it.
  //   X_WG       one a geom
  //   inflation  one a geom [m]
  const std::vector<std::pair<int, int>>& FindPairs(const Model& model,
                                                    const std::vector<RigidTransform>& X_WG,
                                                    const std::vector<double>& inflation);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace stiction
