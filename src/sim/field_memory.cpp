#include "sim/field_memory.h"

#include <algorithm>

#include "collision/narrowphase/contact_point.h"
#include "stiction/collision/narrowphase.h"
#include "stiction/geometry/field_solid.h"

namespace stiction {
namespace {

constexpr int kMostPairs = 16, kMostLows = 512;  // 1.8 MB

const Field& GetField(const Model& model, int geom) {
  return *std::get_if<Field>(&model.geoms[geom].shape);
}

}  // namespace

FieldMemory::FieldMemory(const Model& model) {
  is_field_.reserve(model.geoms.size());
  for (const Geom& geom : model.geoms) {
    const bool is_field = std::holds_alternative<Field>(geom.shape) && !geom.hydroelastic.is_compliant();
    is_field_.push_back(is_field);
    num_fields_ += is_field ? 1 : 0;
  }
  pairs_.resize(std::min(kMostPairs, num_fields_ * (num_fields_ - 1) / 2));
  for (Pair& pair : pairs_) pair.lows.Reserve(kMostLows);
}

const FieldMemory::Pair* FieldMemory::Recall(int geom_a, int geom_b) const {
  const auto found = std::find_if(pairs_.begin(), pairs_.end(), [&](const Pair& pair) {
    return pair.geom_a == geom_a && pair.geom_b == geom_b;
  });
  return found == pairs_.end() ? nullptr : &*found;
}

const narrowphase::FieldLows& FieldMemory::Find(const Model& model, int geom_a, int geom_b,
                                                const RigidTransform& X_AB, double reach) {
  Pair* pair = const_cast<Pair*>(Recall(geom_a, geom_b));
  if (pair == nullptr) {
    pair = &pairs_[next_];
    next_ = (next_ + 1) % static_cast<int>(pairs_.size());
    pair->geom_a = geom_a, pair->geom_b = geom_b;
  }
  pair->lows.Find(GetField(model, geom_a), GetField(model, geom_b), X_AB, reach);
  return pair->lows;
}

void FieldMemory::CalcManifold(const Model& model, int geom_a, const RigidTransform& X_WA, int geom_b,
                               const RigidTransform& X_WB, double margin, Manifold& out) const {
  const bool may_be_known = is_field(geom_a) && is_field(geom_b);
  const Pair* pair = may_be_known ? Recall(geom_a, geom_b) : nullptr;
  const double reach = narrowphase::CalcSearchReach(margin);
  if (pair == nullptr || !pair->lows.IsFor(narrowphase::RelativePose(X_WA, X_WB), reach))
    return stiction::CalcManifold(model.geoms[geom_a].shape, X_WA, model.geoms[geom_b].shape, X_WB, margin,
                                  out);
  out.num_points = 0;
  narrowphase::CollideFields(GetField(model, geom_a), X_WA, GetField(model, geom_b), X_WB, margin,
                             &pair->lows, out);
}

}  // namespace stiction
