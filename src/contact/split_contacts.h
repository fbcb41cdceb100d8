// Contacts of SubADMM that are split by body, four at a time: what one iteration does with them
// (contact/solvers/split_admm.h has the equations).
//
// A slot knows its body's twist, the arm from the reference point and which way it counts:
// J_s u = ± (v + ω × p). All vectors are in the world: the frame of a contact has no part in an iteration
// but for its normal, and T is the same in any frame. Lanes are contacts, so that the projection has no
// branches and sums no lanes.
#pragma once

#include <array>
#include <vector>

#include "contact/body_twists.h"
#include "stiction/contact/island.h"

namespace stiction {

// How far an iteration moved, in the metric of the penalties: Σ Σ_s ‖λ − λ_old‖²/ω_s over constraints, and
// Σ ‖β z − β z_old‖²/ω_s over slots.
struct SplitChange {
  double impulse = 0.0;
  double z = 0.0;
};

class SplitContacts {
 public:
  // For up to so many contacts, of which none is there yet.
  void Clear(int num_contacts);
  // A contact of the island with one slot or two: of body A, if it has one, and of body B.
  //   body_A, body_B      of BodyTwists; -1: none
  //   inverse_weight      1/ω_s of the slots, in that order
  //   g0                  of the rows, in the contact's frame
  void Add(const IslandConstraint& c, const BodyContact& contact, int body_A, int body_B,
           const double* inverse_weight, const double* g0);
  bool is_empty() const { return groups_[0].empty() && groups_[1].empty(); }

  // λ of the island's rows; z = 0.
  void Start(const double* lambda);
  // β z = β J u, by the bodies' twists.
  void SetVelocities(double beta, const BodyTwists& bodies);
  // Of β z, when β changes.
  void ScaleVelocities(double factor);
  // W += J_sᵀ (β z + λ) of all slots.
  void AddImpulses(BodyTwists& bodies) const;
  // An iteration, from the bodies' twists to their next wrenches.
  void Iterate(double beta, double relaxation, BodyTwists& bodies);
  SplitChange IterateMeasured(double beta, double relaxation, BodyTwists& bodies);

  // The same in halves, for one who changes y in between: y of all slots by the bodies' twists, each over
  // ω_s^½, and the bodies' next wrenches by such y.
  int num_states() const { return 3 * kLanes * static_cast<int>(slots_[0].size() + slots_[1].size()); }
  void CalcStates(double beta, double relaxation, const BodyTwists& bodies, double* states) const;
  void TakeStates(double beta, const double* states, BodyTwists& bodies);
  SplitChange TakeStatesMeasured(double beta, const double* states, BodyTwists& bodies);
  // λ of the island's rows, in the contacts' frames and in their cones to the last bit.
  void Read(double* lambda) const;

 private:
  static constexpr int kLanes = 4;
  using Lanes = Eigen::Array<double, kLanes, 1>;
  using Lanes3 = std::array<Lanes, 3>;

  struct Slot {
    std::array<int, kLanes> body{};
    Lanes sign = Lanes::Zero();
    Lanes weight = Lanes::Zero(), inverse_weight = Lanes::Zero();  // ω_s, 1/ω_s
    Lanes3 arm, z;                                                 // ± p, β z

    Slot();
    Lanes3 CalcVelocity(const BodyTwists& bodies) const;
    // y = β (α J u + (1 − α) z) − λ.
    Lanes3 CalcState(double beta, double relaxation, const Lanes3& l, const BodyTwists& bodies) const;
    void AddImpulse(const Lanes3& x, BodyTwists& bodies) const;
  };
  struct Group {
    int count = 0;  // of its contacts; lanes behind it are of weight 0
    std::array<int, kLanes> row{};
    std::array<Matrix3d, kLanes> R_CW{};
    Lanes mu = Lanes::Zero();
    Lanes inverse_count = Lanes::Zero(), num_slots = Lanes::Zero();  // 1/|Z|, |Z| of equal slots: Σ 1/ω_s
    Lanes3 normal, g0, l;

    Group();
  };

  // λ and z by y, and the wrenches of both.
  template <int kSlots, bool is_measured>
  static void Take(Group& group, Slot* slots, const Lanes3* y, double beta, BodyTwists& bodies,
                   SplitChange& change);
  template <int kSlots, bool is_measured>
  void Update(double beta, double relaxation, BodyTwists& bodies, SplitChange& change);
  template <int kSlots, bool is_measured>
  const double* TakeAll(double beta, const double* states, BodyTwists& bodies, SplitChange& change);

  std::vector<Group> groups_[2];  // of one slot, of two
  std::vector<Slot> slots_[2];    // of their groups, one after another
};

}  // namespace stiction
