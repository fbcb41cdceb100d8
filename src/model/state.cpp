#include "stiction/model/state.h"

namespace stiction {
namespace {

// 64-bit Fowler-Noll-Vo hash, variant 1a, continued from `hash`.
std::uint64_t HashBytes(const void* data, std::size_t num_bytes, std::uint64_t hash) {
  constexpr std::uint64_t kPrime = 0x100000001b3;
  const auto* bytes = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < num_bytes; ++i) hash = (hash ^ bytes[i]) * kPrime;
  return hash;
}

}  // namespace

State State::Default(const Model& model) {
  State state;
  state.q = model.q0;
  state.v = VectorXd::Zero(model.nv());
  state.activation = VectorXd::Zero(model.na());
  state.limits.resize(model.num_limits());
  state.equality_impulses = VectorXd::Zero(model.num_equality_rows);
  state.friction_impulses = VectorXd::Zero(model.nv() + model.num_tendons());
  state.penalties.assign(model.trees.size(), 0.0);
  return state;
}

State State::FromKeyframe(const Model& model, const Keyframe& keyframe) {
  State state = Default(model);
  state.time = keyframe.time;
  if (keyframe.q.size() > 0) state.q = keyframe.q;
  if (keyframe.v.size() > 0) state.v = keyframe.v;
  if (keyframe.activation.size() > 0) state.activation = keyframe.activation;
  return state;
}

std::uint64_t Hash(const State& state) {
  constexpr std::uint64_t kOffsetBasis = 0xcbf29ce484222325;
  std::uint64_t hash = HashBytes(&state.time, sizeof(double), kOffsetBasis);
  hash = HashBytes(state.q.data(), sizeof(double) * state.q.size(), hash);
  return HashBytes(state.v.data(), sizeof(double) * state.v.size(), hash);
}

}  // namespace stiction
