// States as rows of numbers: for arrays of many of them (sim/batch.h), and for programs in other languages.
//
//   plain   [time, q, v, activation], 1 + nq + nv + na numbers. From such a row a simulation starts without a
//           past: contacts have no warm start and no slip that waits to be undone.
//   whole   a plain row, and after it all else that a State holds, warm start included: a simulation
//           continued from it has the same bits. A model does not bound how many contacts there are, so the
//           caller says for how many there is room.
//
// A whole row, with the model's numbers and c = max_contacts (State says what each is):
//
//   plain                                                         1 + nq + nv + na
//   limits: lower and upper impulse of each, and their changes    4 num_limits
//   equality_impulses                                             num_equality_rows
//   friction_impulses                                             nv + num_tendons
//   penalties                                                     num_trees
//   1 after the first step, else 0; equality_target, mocap        1 + num_equalities + 7 num_mocap
//   1 where sleep counts, else 0; time_at_rest, island, ncp, q    1 + 3 num_trees + nq
//     ... its input: ctrl, applied_generalized,                   nu + nv
//         1 if there is one, else 0: applied_stiffness, _damping  2 (1 + nv)
//         applied_wrench, mocap, equality_target                  6 num_bodies + 7 num_mocap + num_equalities
//   how many contacts, awake and asleep                           2
//   contacts, awake first, 32 numbers each, the rest zero         32 c
#pragma once

#include <optional>
#include <span>

#include "stiction/model/state.h"

namespace stiction {

class StateLayout {
 public:
  // Plain without `max_contacts`, whole with it. Throws std::invalid_argument if it is negative.
  explicit StateLayout(const Model& model, std::optional<int> max_contacts = std::nullopt);

  int size() const { return size_; }
  bool is_whole() const { return max_contacts_.has_value(); }
  // Where the parts of a plain row, and of the beginning of a whole one, stand; the time stands at 0.
  int q() const { return 1; }
  int v() const { return 1 + nq_; }
  int activation() const { return 1 + nq_ + nv_; }

  // Writes a state of the model. False if it has more contacts than there is room for: the row then says how
  // many, and Unpack refuses it. Throws std::invalid_argument: a state or a row of another size, or for a
  // whole row a state with a controller's memory (State::memory).
  //   row  out, size() numbers
  bool Pack(const State& state, std::span<double> row) const;

  // Throws std::invalid_argument: a row of another size, one whose contacts had no room, or numbers that
  // Pack did not write. Whether q, v and time are finite is left to World::set_state.
  //   state  out; allocates only where it has never held as much
  void Unpack(std::span<const double> row, State& state) const;

 private:
  template <typename Archive, typename AnyState>
  void Exchange(Archive& archive, AnyState& state) const;
  template <typename Archive, typename AnySleep>
  void ExchangeSleep(Archive& archive, AnySleep& sleep) const;
  void CheckSize(std::size_t size) const;
  void ForgetPast(State& state) const;

  int nq_, nv_, na_, nu_;
  int num_bodies_, num_geoms_, num_trees_, num_tendons_, num_mocap_;
  int num_limits_, num_equalities_, num_equality_rows_;
  std::optional<int> max_contacts_;
  int size_ = 0;
};

}  // namespace stiction
