// Worlds made up by a seed: what any builder of models may come to, in sizes and masses that nobody would
// choose.
#pragma once

#include <cstdint>
#include <optional>

#include "stiction/sim/world.h"
#include "tests/support/random_numbers.h"

namespace stiction::fuzz {

using testing::RandomNumbers;

struct RandomWorld {
  Model model;
  WorldOptions options;
  State state;  // to begin with
  // Nothing supplies energy: free bodies with rigid contacts that do not bounce and equalities, without
  // gravity. Their kinetic energy can only fall.
  bool is_passive = false;
  bool is_frictionless = false;
};

// Sizes of 1e-4 to 1e3 m, masses of 1e-6 to 1e6 kg, speeds up to 1e4 m/s or rad/s; equal seeds give equal
// worlds. None where the builder refuses what was made up, which says why.
std::optional<RandomWorld> MakeRandomWorld(std::uint64_t seed, std::string* refusal = nullptr);

// Sets the controls, now and then forces, mocap poses and equality targets.
void ChangeInput(const Model& model, RandomNumbers& random, Input& input);

}  // namespace stiction::fuzz
