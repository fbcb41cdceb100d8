// Two distance fields that touch: where samples of either surface come nearest to the other one, patch by
// patch, refined to between samples, and the contacts that these lows make.
//
// The search for the lows takes nearly all of the time, and depends on the relative pose and the reach alone.
// What looks at where a step ends, and then at where the next one starts, which is the same place, searches
// once.
#pragma once

#include <span>
#include <vector>

#include "collision/narrowphase/sample_search.h"
#include "stiction/collision/manifold.h"
#include "stiction/geometry/shape.h"
#include "stiction/math/rigid_transform.h"

namespace stiction::narrowphase {

// As far as the lows are searched for whoever asks for gaps below `margin`: steps of a factor 1.5, so that
// who asks for a little more or less asks for the same [m].
double CalcSearchReach(double margin);

// What was found of a pair at one relative pose.
class FieldLows {
 public:
  // Makes room for so many on either surface.
  void Reserve(int count);

  bool IsFor(const RigidTransform& X_AB, double reach) const {
    return is_complete_ && reach == reach_ && X_AB.p == X_AB_.p && X_AB.R == X_AB_.R;
  }
  void Find(const Field& field, const Field& other, const RigidTransform& X_AB, double reach);
  // Not if there was no room.
  bool is_complete() const { return is_complete_; }
  // 0: on the surface of the second field; 1: on that of the first.
  std::span<const SurfaceLeast> on(int surface) const { return lows_[surface]; }

 private:
  RigidTransform X_AB_;
  double reach_ = 0.0;
  bool is_complete_ = false;
  std::vector<SurfaceLeast> lows_[2];
};

// The points whose gap is below `margin`, which may be negative: those that overlap by more.
//   lows  found at this pose within CalcSearchReach of a margin that is no less; null: are found
void CollideFields(const Field& field, const RigidTransform& X_WA, const Field& other,
                   const RigidTransform& X_WB, double margin, const FieldLows* lows, Manifold& out);

}  // namespace stiction::narrowphase
