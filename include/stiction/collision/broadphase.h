// Pairs of geoms whose inflated bounding boxes overlap: a tree of boxes for bounded shapes, planes outside
// it. What was near in the last call is remembered, which makes the next one cheaper and never changes what
// it finds. Pairs of which both stand still are not looked at, and a geom that stands still costs next to
// nothing from call to call.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "stiction/model/model.h"

namespace stiction {

class TaskPool;

class Broadphase {
 public:
  // Registers the model's colliding geoms. Keeps no reference to the model.
  explicit Broadphase(const Model& model);
  ~Broadphase();
  Broadphase(Broadphase&&) noexcept;
  Broadphase& operator=(Broadphase&&) noexcept;

  // Threads to share the geoms with, whose pairs are the same for any number.
  void set_pool(const TaskPool& pool);

  // Pairs (a < b), sorted, that PairCollides admits and whose boxes, each grown by its geom's inflation,
  // overlap. A plane pairs with every geom whose bounding box reaches it.
  //   X_WG       one per geom
  //   inflation  one per geom [m]; where it is infinite or not a number, the geom pairs with all
  const std::vector<std::pair<int, int>>& FindPairs(const Model& model,
                                                    const std::vector<RigidTransform>& X_WG,
                                                    const std::vector<double>& inflation);

  // The same without pairs of which neither geom stirs. Allocates where geoms begin or cease to stir.
  //   stirs        one per geom; the others are where they were when they last stirred, or when they were
  //                last looked at anew
  //   still_moved  look at those that do not stir anew
  const std::vector<std::pair<int, int>>& FindPairs(const Model& model,
                                                    const std::vector<RigidTransform>& X_WG,
                                                    const std::vector<double>& inflation,
                                                    const std::vector<char>& stirs, bool still_moved);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace stiction
