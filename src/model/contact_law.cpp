#include "stiction/model/contact_law.h"

#include <algorithm>
#include <utility>

#include "stiction/model/model.h"

namespace stiction {
namespace {

PairFriction FrictionOf(const Geom& geom) {
  return {geom.friction, geom.torsional_friction, geom.rolling_friction};
}

bool IsDirect(const Softness& softness) {
  return softness.reference[0] <= 0.0;
}

}  // namespace

const char* ToString(ContactModel model) {
  switch (model) {
    case ContactModel::kRigid:
      return "rigid";
    case ContactModel::kSoft:
      return "soft";
    case ContactModel::kCompliant:
      return "compliant";
  }
  return "";
}

PairFriction RestrictFriction(const PairFriction& friction, int condim) {
  return {condim >= 3 ? friction.sliding : 0.0, condim >= 4 ? friction.torsional : 0.0,
          condim >= 6 ? friction.rolling : 0.0};
}

PairFriction CalcPairFriction(const Geom& a, const Geom& b) {
  if (a.priority != b.priority) {
    const Geom& decider = a.priority > b.priority ? a : b;
    return RestrictFriction(FrictionOf(decider), decider.condim);
  }
  const PairFriction larger{std::max(a.friction, b.friction),
                            std::max(a.torsional_friction, b.torsional_friction),
                            std::max(a.rolling_friction, b.rolling_friction)};
  return RestrictFriction(larger, std::max(a.condim, b.condim));
}

Softness CalcPairSoftness(const Geom& a, const Geom& b) {
  if (a.priority != b.priority) return a.priority > b.priority ? a.softness : b.softness;
  const double sum = a.softness_weight + b.softness_weight;
  const double weight = sum > 0.0 ? a.softness_weight / sum : 0.5;
  const auto mix = [weight](double x, double y) { return weight * x + (1.0 - weight) * y; };
  const bool is_direct = IsDirect(a.softness) || IsDirect(b.softness);
  Softness out;
  for (std::size_t i = 0; i < out.reference.size(); ++i) {
    const double x = a.softness.reference[i], y = b.softness.reference[i];
    out.reference[i] = is_direct ? std::min(x, y) : mix(x, y);
  }
  for (std::size_t i = 0; i < out.impedance.size(); ++i)
    out.impedance[i] = mix(a.softness.impedance[i], b.softness.impedance[i]);
  return out;
}

double CalcPairStiffness(const Geom& a, const Geom& b) {
  return 1.0 / (1.0 / a.stiffness + 1.0 / b.stiffness);
}

double CalcPairDissipation(const Geom& a, const Geom& b) {
  const double from_a = 1.0 / a.stiffness, from_b = 1.0 / b.stiffness;
  if (from_a + from_b == 0.0) return std::max(a.dissipation_time, b.dissipation_time);
  return (from_a * a.dissipation_time + from_b * b.dissipation_time) / (from_a + from_b);
}

PairFriction CalcFriction(const Model& model, int geom_a, int geom_b) {
  return CalcFriction(FindContactPair(model, geom_a, geom_b), model.geoms[geom_a], model.geoms[geom_b]);
}

PairFriction CalcFriction(const ContactPair* pair, const Geom& a, const Geom& b) {
  PairFriction friction = pair != nullptr ? pair->friction : CalcPairFriction(a, b);
  friction.sliding = std::min(friction.sliding, kMaxFriction);
  return friction;
}

Softness CalcSoftness(const Model& model, int geom_a, int geom_b) {
  const ContactPair* pair = FindContactPair(model, geom_a, geom_b);
  return pair != nullptr ? pair->softness : CalcPairSoftness(model.geoms[geom_a], model.geoms[geom_b]);
}

const ContactPair* FindContactPair(const Model& model, int geom_a, int geom_b) {
  if (model.contact_pairs.empty()) return nullptr;
  const std::pair<int, int> wanted = std::minmax(geom_a, geom_b);
  const auto found = std::lower_bound(model.contact_pairs.begin(), model.contact_pairs.end(), wanted,
                                      [](const ContactPair& pair, const std::pair<int, int>& key) {
                                        return std::pair(pair.geom_a, pair.geom_b) < key;
                                      });
  if (found == model.contact_pairs.end() || std::pair(found->geom_a, found->geom_b) != wanted) return nullptr;
  return &*found;
}

}  // namespace stiction
