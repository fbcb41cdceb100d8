#include "sim/stillness.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "math/assert.h"

namespace stiction {
namespace {

bool AreSameBytes(const void* a, const void* b, std::size_t size) {
  return size == 0 || std::memcmp(a, b, size) == 0;
}

template <typename Derived>
bool AreSameNumbers(const Eigen::PlainObjectBase<Derived>& a, const Eigen::PlainObjectBase<Derived>& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         AreSameBytes(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double));
}

template <typename T>
bool AreSameNumbers(const std::vector<T>& a, const std::vector<T>& b) {
  static_assert(std::is_arithmetic_v<T>);
  return a.size() == b.size() && AreSameBytes(a.data(), b.data(), a.size() * sizeof(T));
}

bool AreSameLimits(const std::vector<LimitMemory>& a, const std::vector<LimitMemory>& b) {
  static_assert(sizeof(LimitMemory) == 4 * sizeof(double));
  return a.size() == b.size() && AreSameBytes(a.data(), b.data(), a.size() * sizeof(LimitMemory));
}

bool AreSameContacts(const std::vector<ContactMemory>& a, const std::vector<ContactMemory>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const ContactMemory& x, const ContactMemory& y) { return HaveSameBits(x, y); });
}

// What others than a step write, where the rest is known to be kept.
bool IsSameMotion(const State& a, const State& b) {
  return AreSameNumbers(a.q, b.q) && AreSameNumbers(a.v, b.v) && AreSameNumbers(a.activation, b.activation) &&
         AreSameNumbers(a.memory, b.memory);
}

bool IsSameSleep(const SleepMemory& a, const SleepMemory& b) {
  return AreSameNumbers(a.time_at_rest, b.time_at_rest) && AreSameNumbers(a.island, b.island) &&
         AreSameNumbers(a.ncp, b.ncp) && AreSameNumbers(a.q, b.q) &&
         AreSameContacts(a.contacts, b.contacts) && HaveSameBits(a.input, b.input);
}

}  // namespace

bool HaveSameBits(const VectorXd& a, const VectorXd& b) {
  return AreSameNumbers(a, b);
}

// Not byte by byte: there is padding between the small members.
bool HaveSameBits(const ContactMemory& a, const ContactMemory& b) {
  constexpr std::size_t kVectors =
      offsetof(ContactMemory, slide_A) + sizeof(Vector3d) - offsetof(ContactMemory, p_A);
  static_assert(kVectors == 9 * sizeof(Vector3d), "p_A to slide_A follow one another");
  return a.geom_a == b.geom_a && a.geom_b == b.geom_b && a.feature == b.feature &&
         a.slip_pause == b.slip_pause && a.stuck == b.stuck && AreSameBytes(&a.p_A, &b.p_A, kVectors);
}

bool HaveSameBits(const LimitMemory& a, const LimitMemory& b) {
  return AreSameBytes(&a, &b, sizeof a);
}

bool HaveSameBits(const State& a, const State& b) {
  return IsSameMotion(a, b) && AreSameContacts(a.contacts, b.contacts) && AreSameLimits(a.limits, b.limits) &&
         AreSameNumbers(a.equality_impulses, b.equality_impulses) &&
         AreSameNumbers(a.equality_target, b.equality_target) && AreSameNumbers(a.mocap, b.mocap) &&
         AreSameNumbers(a.friction_impulses, b.friction_impulses) &&
         AreSameNumbers(a.penalties, b.penalties) && IsSameSleep(a.sleep, b.sleep);
}

bool HaveSameBits(const Input& a, const Input& b) {
  return AreSameNumbers(a.ctrl, b.ctrl) && AreSameNumbers(a.applied_generalized, b.applied_generalized) &&
         AreSameNumbers(a.applied_stiffness, b.applied_stiffness) &&
         AreSameNumbers(a.applied_damping, b.applied_damping) &&
         AreSameNumbers(a.applied_wrench, b.applied_wrench) && AreSameNumbers(a.mocap, b.mocap) &&
         AreSameNumbers(a.equality_target, b.equality_target) && AreSameNumbers(a.memory, b.memory);
}

bool Stillness::Begin(const Input& input, const State& state, bool is_kept) {
  const auto is_same = [&] {
    if (!is_kept || !has_ended_) return HaveSameBits(state, state_);
    const bool is_same_motion = IsSameMotion(state, state_);
    STICTION_ASSERT(!is_same_motion || HaveSameBits(state, state_));
    return is_same_motion;
  };
  starts_known_ = is_known_ && is_same() && HaveSameBits(input, input_);
  is_still_ = is_still_ && starts_known_;
  has_ended_ = is_still_;
  return is_still_;
}

void Stillness::End(const Input& input, const State& state, const StepReport& report, bool is_unmoved) {
  is_still_ = is_unmoved && starts_known_ && HaveSameBits(state, state_);
  is_known_ = is_unmoved;
  has_ended_ = true;
  if (is_still_) {
    report_ = report;
  } else if (is_unmoved) {
    input_ = input;
    state_ = state;
  }
  // What a first rest would allocate is allocated with all else of this size.
  state_.contacts.reserve(state.contacts.capacity());
}

}  // namespace stiction
