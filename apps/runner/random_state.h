// Random states, and states that are disturbed.
#pragma once

#include <cstdint>

#include "stiction/model/state.h"

namespace stiction::runner {

// Sets q inside the joint limits (unlimited hinges to ±π, slides to ±1 m, free bodies to ±1 m from where they
// stand, any rotation) and v in ±1. The same seed gives the same bits on every machine.
void SetRandom(const Model& model, std::uint64_t seed, State& state);

// Adds to v, to each of its numbers up to `most` [m/s or rad/s], with the same promise.
void DisturbVelocities(const Model& model, std::uint64_t seed, double most, State& state);

}  // namespace stiction::runner
