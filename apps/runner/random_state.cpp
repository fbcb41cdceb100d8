#include "random_state.h"

#include "stiction/model/joint/joint_sampler.h"

namespace stiction::runner {

void SetRandom(const Model& model, std::uint64_t seed, State& state) {
  JointSampler sampler(seed);
  SampleConfiguration(model, sampler, state.q);
  for (double& v : state.v) v = sampler.Uniform(-1.0, 1.0);
}

void DisturbVelocities(const Model& model, std::uint64_t seed, double most, State& state) {
  State random = state;
  SetRandom(model, seed, random);
  state.v += most * random.v;
}

}  // namespace stiction::runner
