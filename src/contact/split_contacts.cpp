#include "contact/split_contacts.h"

#include <cmath>

#include "stiction/math/cone.h"

namespace stiction {
namespace {

constexpr double kLeastSquare = 1e-300;  // so that no slip divides by zero

}  // namespace

SplitContacts::Slot::Slot() {
  for (int d = 0; d < 3; ++d) arm[d].setZero(), z[d].setZero();
}

SplitContacts::Group::Group() {
  for (int d = 0; d < 3; ++d) normal[d].setZero(), g0[d].setZero(), l[d].setZero();
}

inline SplitContacts::Lanes3 SplitContacts::Slot::CalcVelocity(const BodyTwists& bodies) const {
  const double* V[kLanes];
  for (int i = 0; i < kLanes; ++i) V[i] = bodies.twist(body[i]);
  const auto gather = [&V](int r) { return Lanes(V[0][r], V[1][r], V[2][r], V[3][r]); };
  const Lanes w[] = {gather(0), gather(1), gather(2)};
  return {sign * gather(4) + (w[1] * arm[2] - w[2] * arm[1]),
          sign * gather(5) + (w[2] * arm[0] - w[0] * arm[2]),
          sign * gather(6) + (w[0] * arm[1] - w[1] * arm[0])};
}

inline void SplitContacts::Slot::AddImpulse(const Lanes3& x, BodyTwists& bodies) const {
  const Lanes W[] = {arm[1] * x[2] - arm[2] * x[1],
                     arm[2] * x[0] - arm[0] * x[2],
                     arm[0] * x[1] - arm[1] * x[0],
                     sign * x[0],
                     sign * x[1],
                     sign * x[2]};
  for (int r = 0; r < 6; ++r) {
    double* sum = bodies.wrenches(r);
    for (int i = 0; i < kLanes; ++i) sum[body[i]] += W[r][i];
  }
}

void SplitContacts::Clear(int num_contacts) {
  const std::size_t num_groups = static_cast<std::size_t>(num_contacts + kLanes - 1) / kLanes;
  for (int n = 0; n < 2; ++n) {
    groups_[n].clear();
    groups_[n].reserve(num_groups);
    slots_[n].clear();
    slots_[n].reserve((n + 1) * num_groups);
  }
}

void SplitContacts::Add(const IslandConstraint& c, const BodyContact& contact, int body_A, int body_B,
                        const double* inverse_weight, const double* g0) {
  const int num_slots = (body_A >= 0) + (body_B >= 0);
  std::vector<Group>& groups = groups_[num_slots - 1];
  std::vector<Slot>& slots = slots_[num_slots - 1];
  if (groups.empty() || groups.back().count == kLanes) {
    groups.emplace_back();
    slots.resize(slots.size() + num_slots);
  }
  Group& group = groups.back();
  const int i = group.count++;
  group.row[i] = c.row;
  group.R_CW[i] = contact.R_CW;
  group.mu[i] = c.mu;
  const Vector3d g0_W = contact.R_CW.transpose() * Eigen::Map<const Vector3d>(g0);
  for (int d = 0; d < 3; ++d) {
    group.normal[d][i] = contact.R_CW(2, d);
    group.g0[d][i] = g0_W[d];
  }
  Slot* slot = slots.data() + slots.size() - num_slots;
  const auto add = [&](int body, const Vector3d& p, double sign) {
    slot->body[i] = body;
    slot->sign[i] = sign;
    slot->inverse_weight[i] = *inverse_weight;
    slot->weight[i] = 1.0 / *inverse_weight;
    group.num_slots[i] += *inverse_weight;
    for (int d = 0; d < 3; ++d) slot->arm[d][i] = sign * p[d];
    ++slot, ++inverse_weight;
  };
  if (body_A >= 0) add(body_A, contact.p_A, -1.0);
  if (body_B >= 0) add(body_B, contact.p_B, 1.0);
  group.inverse_count[i] = 1.0 / group.num_slots[i];
}

void SplitContacts::Start(const double* lambda) {
  for (int n = 0; n < 2; ++n) {
    for (Slot& slot : slots_[n])
      for (Lanes& z : slot.z) z.setZero();
    for (Group& group : groups_[n]) {
      for (int i = 0; i < group.count; ++i) {
        const Vector3d l = group.R_CW[i].transpose() * Eigen::Map<const Vector3d>(lambda + group.row[i]);
        for (int d = 0; d < 3; ++d) group.l[d][i] = l[d];
      }
    }
  }
}

void SplitContacts::SetVelocities(double beta, const BodyTwists& bodies) {
  for (std::vector<Slot>& slots : slots_) {
    for (Slot& slot : slots) {
      const Lanes3 velocity = slot.CalcVelocity(bodies);
      for (int d = 0; d < 3; ++d) slot.z[d] = beta * slot.weight * velocity[d];
    }
  }
}

void SplitContacts::ScaleVelocities(double factor) {
  for (std::vector<Slot>& slots : slots_)
    for (Slot& slot : slots)
      for (Lanes& z : slot.z) z *= factor;
}

void SplitContacts::AddImpulses(BodyTwists& bodies) const {
  for (int n = 0; n < 2; ++n) {
    const Slot* slot = slots_[n].data();
    for (const Group& group : groups_[n]) {
      for (int s = 0; s <= n; ++s, ++slot)
        slot->AddImpulse({slot->z[0] + group.l[0], slot->z[1] + group.l[1], slot->z[2] + group.l[2]}, bodies);
    }
  }
}

inline SplitContacts::Lanes3 SplitContacts::Slot::CalcState(double beta, double relaxation, const Lanes3& l,
                                                            const BodyTwists& bodies) const {
  const Lanes3 velocity = CalcVelocity(bodies);
  const Lanes scale = relaxation * beta * weight;
  Lanes3 y;
  for (int d = 0; d < 3; ++d) y[d] = scale * velocity[d] + (1.0 - relaxation) * z[d] - l[d];
  return y;
}

template <int kSlots, bool is_measured>
inline void SplitContacts::Take(Group& group, Slot* slots, const Lanes3* y, double beta, BodyTwists& bodies,
                                SplitChange& change) {
  Lanes3 x;
  for (int s = 0; s < kSlots; ++s) {
    for (int d = 0; d < 3; ++d) {
      const Lanes part = slots[s].inverse_weight * y[s][d];
      x[d] = s == 0 ? part : Lanes(x[d] + part);
    }
  }
  for (int d = 0; d < 3; ++d) x[d] = -group.inverse_count * (x[d] + beta * group.g0[d]);
  // T without branches: λ_n = max(x_n, 0), and the tangential part is cut to μ λ_n.
  const Lanes x_n = x[0] * group.normal[0] + x[1] * group.normal[1] + x[2] * group.normal[2];
  const Lanes pressed = x_n.max(0.0);
  Lanes3 t;
  for (int d = 0; d < 3; ++d) t[d] = x[d] - x_n * group.normal[d];
  const Lanes square = (t[0] * t[0] + t[1] * t[1] + t[2] * t[2]).max(kLeastSquare);
  const Lanes kept = (group.mu * pressed / square.sqrt()).min(1.0);
  for (int d = 0; d < 3; ++d) {
    const Lanes next = pressed * group.normal[d] + kept * t[d];
    if constexpr (is_measured) change.impulse += (group.num_slots * (next - group.l[d]).square()).sum();
    group.l[d] = next;
  }
  for (int s = 0; s < kSlots; ++s) {
    Slot& slot = slots[s];
    Lanes3 sum;
    for (int d = 0; d < 3; ++d) {
      const Lanes z = y[s][d] + group.l[d];
      if constexpr (is_measured) change.z += (slot.inverse_weight * (z - slot.z[d]).square()).sum();
      slot.z[d] = z;
      sum[d] = z + group.l[d];
    }
    slot.AddImpulse(sum, bodies);
  }
}

template <int kSlots, bool is_measured>
void SplitContacts::Update(double beta, double relaxation, BodyTwists& bodies, SplitChange& change) {
  Slot* slots = slots_[kSlots - 1].data();
  for (Group& group : groups_[kSlots - 1]) {
    Lanes3 y[kSlots];
    for (int s = 0; s < kSlots; ++s) y[s] = slots[s].CalcState(beta, relaxation, group.l, bodies);
    Take<kSlots, is_measured>(group, slots, y, beta, bodies, change);
    slots += kSlots;
  }
}

void SplitContacts::Iterate(double beta, double relaxation, BodyTwists& bodies) {
  SplitChange unmeasured;
  Update<1, false>(beta, relaxation, bodies, unmeasured);
  Update<2, false>(beta, relaxation, bodies, unmeasured);
}

SplitChange SplitContacts::IterateMeasured(double beta, double relaxation, BodyTwists& bodies) {
  SplitChange change;
  Update<1, true>(beta, relaxation, bodies, change);
  Update<2, true>(beta, relaxation, bodies, change);
  return change;
}

void SplitContacts::CalcStates(double beta, double relaxation, const BodyTwists& bodies,
                               double* states) const {
  for (int n = 0; n < 2; ++n) {
    const Slot* slot = slots_[n].data();
    for (const Group& group : groups_[n]) {
      for (int s = 0; s <= n; ++s, ++slot) {
        const Lanes3 y = slot->CalcState(beta, relaxation, group.l, bodies);
        const Lanes metric = slot->inverse_weight.sqrt();
        for (int d = 0; d < 3; ++d, states += kLanes) Eigen::Map<Lanes>{states} = metric * y[d];
      }
    }
  }
}

template <int kSlots, bool is_measured>
const double* SplitContacts::TakeAll(double beta, const double* states, BodyTwists& bodies,
                                     SplitChange& change) {
  Slot* slots = slots_[kSlots - 1].data();
  for (Group& group : groups_[kSlots - 1]) {
    Lanes3 y[kSlots];
    for (int s = 0; s < kSlots; ++s) {
      const Lanes inverse_metric = slots[s].weight.sqrt();
      for (int d = 0; d < 3; ++d, states += kLanes)
        y[s][d] = inverse_metric * Eigen::Map<const Lanes>(states);
    }
    Take<kSlots, is_measured>(group, slots, y, beta, bodies, change);
    slots += kSlots;
  }
  return states;
}

void SplitContacts::TakeStates(double beta, const double* states, BodyTwists& bodies) {
  SplitChange unmeasured;
  states = TakeAll<1, false>(beta, states, bodies, unmeasured);
  TakeAll<2, false>(beta, states, bodies, unmeasured);
}

SplitChange SplitContacts::TakeStatesMeasured(double beta, const double* states, BodyTwists& bodies) {
  SplitChange change;
  states = TakeAll<1, true>(beta, states, bodies, change);
  TakeAll<2, true>(beta, states, bodies, change);
  return change;
}

void SplitContacts::Read(double* lambda) const {
  for (const std::vector<Group>& groups : groups_) {
    for (const Group& group : groups) {
      for (int i = 0; i < group.count; ++i) {
        const Vector3d l = group.R_CW[i] * Vector3d(group.l[0][i], group.l[1][i], group.l[2][i]);
        Eigen::Map<Vector3d>(lambda + group.row[i]) = ClampCone(l, group.mu[i]);
      }
    }
  }
}

}  // namespace stiction
