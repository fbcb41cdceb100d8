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

bool IsRigidField(const Geom& geom) {
  return std::holds_alternative<Field>(geom.shape) && !geom.hydroelastic.is_compliant();
}

FieldMemory::FieldMemory(const Model& model) {
  is_field_.reserve(model.geoms.size());
  for (const Geom& geom : model.geoms) {
    is_field_.push_back(IsRigidField(geom));
    num_fields_ += is_field_.back();
  }
  pairs_.resize(std::min(kMostPairs, num_fields_ * (num_fields_ - 1) / 2));
  for (Pair& pair : pairs_) pair.lows.Reserve(kMostLows);
}

std::size_t FieldMemory::Recall(int geom_a, int geom_b) const {
  const auto found = std::find_if(pairs_.begin(), pairs_.end(), [&](const Pair& pair) {
    return pair.geom_a == geom_a && pair.geom_b == geom_b;
  });
  return static_cast<std::size_t>(found - pairs_.begin());
}

const narrowphase::FieldLows& FieldMemory::Find(const Model& model, int geom_a, int geom_b,
                                                const RigidTransform& X_AB, double reach) {
  std::size_t at = Recall(geom_a, geom_b);
  if (at == pairs_.size()) {
    at = next_;
    next_ = (next_ + 1) % pairs_.size();
    pairs_[at].geom_a = geom_a, pairs_[at].geom_b = geom_b;
  }
  narrowphase::FieldLows& lows = pairs_[at].lows;
  lows.Find(GetField(model, geom_a), GetField(model, geom_b), X_AB, reach);
  return lows;
}

void FieldMemory::CalcManifold(const Model& model, int geom_a, const RigidTransform& X_WA, int geom_b,
                               const RigidTransform& X_WB, double margin, Manifold& out) const {
  const bool may_be_known = is_field(geom_a) && is_field(geom_b);
  const std::size_t at = may_be_known ? Recall(geom_a, geom_b) : pairs_.size();
  if (at == pairs_.size() ||
      !pairs_[at].lows.IsFor(narrowphase::RelativePose(X_WA, X_WB), narrowphase::CalcSearchReach(margin)))
    return stiction::CalcManifold(model.geoms[geom_a].shape, X_WA, model.geoms[geom_b].shape, X_WB, margin,
                                  out);
  out.num_points = 0;
  narrowphase::CollideFields(GetField(model, geom_a), X_WA, GetField(model, geom_b), X_WB, margin,
                             &pairs_[at].lows, out);
}

}  // namespace stiction
