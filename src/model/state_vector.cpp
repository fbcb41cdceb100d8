#include "stiction/model/state_vector.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace stiction {
namespace {

constexpr int kNumbersPerContact = 32;

// Three archives go through a State in the same order: one counts the numbers, one writes them, one reads
// them.
struct Counter {
  long long count = 0;

  template <typename T>
  void Number(const T&, double = 0.0, double = 0.0) {
    ++count;
  }
  template <typename Vector>
  void Numbers(const Vector&, int size) {
    count += size;
  }
  template <typename Vector>
  void Resize(const Vector&, int) {}
  bool Flag(bool value) {
    ++count;
    return value;
  }
  void Skip(int size) { count += size; }
};

struct Writer {
  double* next;

  template <typename T>
  void Number(const T& value, double = 0.0, double = 0.0) {
    *next++ = static_cast<double>(value);
  }
  template <typename Vector>
  void Numbers(const Vector& values, int size) {
    Resize(values, size);
    next = std::copy_n(values.data(), size, next);
  }
  template <typename Vector>
  void Resize(const Vector& values, int size) {
    if (static_cast<long long>(values.size()) != size)
      throw std::invalid_argument("a part of the state has " + std::to_string(values.size()) +
                                  " numbers, and with this model " + std::to_string(size) +
                                  ": it is not a state of the model");
  }
  bool Flag(bool value) {
    *next++ = value ? 1.0 : 0.0;
    return value;
  }
  void Skip(int size) { next = std::fill_n(next, size, 0.0); }
};

struct Reader {
  const double* begin;
  const double* next = begin;

  void Number(double& value) { value = *next++; }
  // Of integers: one from lowest to highest.
  template <typename T>
  void Number(T& value, double lowest, double highest) {
    const double number = *next++;
    if (!(number >= lowest && number <= highest) || number != std::floor(number))
      throw std::invalid_argument("the row of a state holds " + std::to_string(number) + " at index " +
                                  std::to_string(next - 1 - begin) +
                                  ", where StateLayout::Pack writes a whole number from " +
                                  std::to_string(static_cast<long long>(lowest)) + " to " +
                                  std::to_string(static_cast<long long>(highest)));
    value = static_cast<T>(number);
  }
  template <typename Vector>
  void Numbers(Vector& values, int size) {
    values.resize(size);
    std::copy_n(next, size, values.data());
    next += size;
  }
  void Numbers(Matrix6Xd& values, int size) {
    values.resize(6, size / 6);
    std::copy_n(next, size, values.data());
    next += size;
  }
  template <typename Vector>
  void Resize(Vector& values, int size) {
    values.resize(size);
  }
  bool Flag(bool) {
    bool value = false;
    Number(value, 0, 1);
    return value;
  }
  void Skip(int size) { next += size; }
};

// A vector that is there as a whole or not at all.
template <typename Archive, typename Vector>
void ExchangeOptional(Archive& archive, Vector& values, bool is_given, int size) {
  archive.Numbers(values, is_given ? size : 0);
  archive.Skip(is_given ? 0 : size);
}

template <typename Archive, typename AnyContact>
void ExchangeContact(Archive& archive, AnyContact& contact, int num_geoms) {
  archive.Number(contact.geom_a, 0, num_geoms - 1);
  archive.Number(contact.geom_b, 0, num_geoms - 1);
  archive.Number(contact.feature, 0, std::numeric_limits<std::uint32_t>::max());
  for (auto* p : {&contact.p_A, &contact.p_B, &contact.n_A, &contact.n_B, &contact.impulse_W,
                  &contact.change_W, &contact.moment_W, &contact.slip_A, &contact.slide_A})
    archive.Numbers(*p, 3);
  archive.Number(contact.slip_pause, 0, std::numeric_limits<int>::max());
  archive.Number(contact.stuck, 0, 1);
}

// As the contact tracker needs them.
void CheckOrder(const std::vector<ContactMemory>& contacts) {
  const auto is_misplaced = [](const ContactMemory& c) { return c.geom_a >= c.geom_b; };
  const auto descends = [](const ContactMemory& c, const ContactMemory& d) {
    return std::pair(c.geom_a, c.geom_b) > std::pair(d.geom_a, d.geom_b);
  };
  if (std::any_of(contacts.begin(), contacts.end(), is_misplaced) ||
      std::adjacent_find(contacts.begin(), contacts.end(), descends) != contacts.end())
    throw std::invalid_argument(
        "the contacts in the row of a state do not ascend by geom_a, then geom_b, with geom_a < geom_b");
}

}  // namespace

StateLayout::StateLayout(const Model& model, std::optional<int> max_contacts)
    : nq_(model.nq()),
      nv_(model.nv()),
      na_(model.na()),
      nu_(model.nu()),
      num_bodies_(model.num_bodies()),
      num_geoms_(model.num_geoms()),
      num_trees_(model.num_trees()),
      num_tendons_(model.num_tendons()),
      num_mocap_(model.num_mocap),
      num_limits_(model.num_limits()),
      num_equalities_(model.num_equalities()),
      num_equality_rows_(model.num_equality_rows),
      max_contacts_(max_contacts) {
  if (max_contacts && *max_contacts < 0)
    throw std::invalid_argument("max_contacts is " + std::to_string(*max_contacts) +
                                "; there can be room for 0 contacts or more");
  Counter counter;
  const State state = State::Default(model);
  Exchange(counter, state);
  if (is_whole()) counter.count += 2 + static_cast<long long>(kNumbersPerContact) * *max_contacts_;
  if (counter.count > std::numeric_limits<int>::max())
    throw std::invalid_argument("max_contacts is " + std::to_string(*max_contacts) +
                                ": a row would have more numbers than an int can count");
  size_ = static_cast<int>(counter.count);
}

// All but the contacts.
template <typename Archive, typename AnyState>
void StateLayout::Exchange(Archive& archive, AnyState& state) const {
  archive.Number(state.time);
  archive.Numbers(state.q, nq_);
  archive.Numbers(state.v, nv_);
  archive.Numbers(state.activation, na_);
  if (!is_whole()) return;
  archive.Resize(state.limits, num_limits_);
  for (auto& limit : state.limits) {
    archive.Number(limit.lower_impulse);
    archive.Number(limit.upper_impulse);
    archive.Number(limit.lower_change);
    archive.Number(limit.upper_change);
  }
  archive.Numbers(state.equality_impulses, num_equality_rows_);
  archive.Numbers(state.friction_impulses, nv_ + num_tendons_);
  archive.Numbers(state.penalties, num_trees_);
  const bool has_stepped = archive.Flag(state.equality_target.size() + state.mocap.size() > 0);
  ExchangeOptional(archive, state.equality_target, has_stepped, num_equalities_);
  ExchangeOptional(archive, state.mocap, has_stepped, 7 * num_mocap_);
  ExchangeSleep(archive, state.sleep);
}

template <typename Archive, typename AnySleep>
void StateLayout::ExchangeSleep(Archive& archive, AnySleep& sleep) const {
  const bool counts = archive.Flag(!sleep.island.empty());
  ExchangeOptional(archive, sleep.time_at_rest, counts, num_trees_);
  archive.Resize(sleep.island, counts ? num_trees_ : 0);
  for (auto& island : sleep.island) archive.Number(island, -1, num_trees_ - 1);
  if (!counts) archive.Skip(num_trees_);
  ExchangeOptional(archive, sleep.ncp, counts, num_trees_);
  ExchangeOptional(archive, sleep.q, counts, nq_);
  auto& input = sleep.input;
  ExchangeOptional(archive, input.ctrl, counts, nu_);
  ExchangeOptional(archive, input.applied_generalized, counts, nv_);
  for (auto* slopes : {&input.applied_stiffness, &input.applied_damping})
    ExchangeOptional(archive, *slopes, archive.Flag(slopes->size() > 0), nv_);
  ExchangeOptional(archive, input.applied_wrench, counts, 6 * num_bodies_);
  ExchangeOptional(archive, input.mocap, counts, 7 * num_mocap_);
  ExchangeOptional(archive, input.equality_target, counts, num_equalities_);
}

void StateLayout::CheckSize(std::size_t size) const {
  if (size == static_cast<std::size_t>(size_)) return;
  throw std::invalid_argument(
      "the row of a state has " + std::to_string(size) + " numbers; " +
      (is_whole() ? "a whole one with room for " + std::to_string(*max_contacts_) + " contacts has "
                  : "a plain one has ") +
      std::to_string(size_) + " with this model");
}

// Of a state whose plain part was read.
void StateLayout::ForgetPast(State& state) const {
  state.contacts.clear();
  state.limits.assign(num_limits_, {});
  state.equality_impulses.setZero(num_equality_rows_);
  state.equality_target.resize(0);
  state.mocap.resize(0);
  state.friction_impulses.setZero(nv_ + num_tendons_);
  state.penalties.assign(num_trees_, 0.0);
  state.sleep = SleepMemory{};
  state.memory.resize(0);
}

bool StateLayout::Pack(const State& state, std::span<double> row) const {
  CheckSize(row.size());
  Writer writer{row.data()};
  Exchange(writer, state);
  if (!is_whole()) return true;
  if (state.memory.size() > 0) {
    throw std::invalid_argument(
        "the state remembers " + std::to_string(state.memory.size()) +
        " numbers of its controller, for which a row has no place; keep it in a file");
  }
  const std::vector<ContactMemory>&awake = state.contacts, &asleep = state.sleep.contacts;
  writer.Number(awake.size());
  writer.Number(asleep.size());
  const bool has_room = awake.size() + asleep.size() <= static_cast<std::size_t>(*max_contacts_);
  for (const auto* contacts : {&awake, &asleep}) {
    if (!has_room) break;
    for (const ContactMemory& contact : *contacts) ExchangeContact(writer, contact, num_geoms_);
  }
  writer.Skip(static_cast<int>(row.data() + size_ - writer.next));
  return has_room;
}

void StateLayout::Unpack(std::span<const double> row, State& state) const {
  CheckSize(row.size());
  Reader reader{row.data()};
  Exchange(reader, state);
  if (!is_whole()) return ForgetPast(state);
  int num_awake = 0, num_asleep = 0;
  reader.Number(num_awake, 0, std::numeric_limits<int>::max());
  reader.Number(num_asleep, 0, std::numeric_limits<int>::max());
  const long long count = static_cast<long long>(num_awake) + num_asleep;
  if (count > *max_contacts_)
    throw std::invalid_argument("the state had " + std::to_string(count) + " contacts and its row room for " +
                                std::to_string(*max_contacts_) +
                                ": they are not in it; give the layout a larger max_contacts");
  state.contacts.resize(num_awake);
  state.sleep.contacts.resize(num_asleep);
  for (auto* contacts : {&state.contacts, &state.sleep.contacts}) {
    for (ContactMemory& contact : *contacts) ExchangeContact(reader, contact, num_geoms_);
    CheckOrder(*contacts);
  }
}

}  // namespace stiction
