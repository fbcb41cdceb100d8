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
  // gravity. Their kinetic energy can only fall. With weight: free bodies on what stands, of which kinetic
  // and potential energy together can only fall.
  bool is_passive = false;
  bool has_weight = false;
  bool is_frictionless = false;

  // How an arranged world is driven. Input of mocap bodies: angular and linear velocity.
  std::vector<Vector6d> mocap_twists{};
  double target_rate = 0.0;  // of equality targets [1/s]
  double force = 0.0;        // that is applied now and then [N]
};

// Worlds of this seed and above are arranged (arranged_world.h); below, bodies stand at random.
inline constexpr std::uint64_t kArrangedWorlds = 1'000'000'000;

// Sizes of 1e-4 to 1e3 m, masses of 1e-6 to 1e6 kg, speeds up to 1e4 m/s or rad/s; equal seeds give equal
// worlds. None where the builder refuses what was made up, which says why.
std::optional<RandomWorld> MakeRandomWorld(std::uint64_t seed, std::string* refusal = nullptr);

// Sets the controls, now and then forces, mocap poses and equality targets.
void ChangeInput(const Model& model, RandomNumbers& random, Input& input);
// Of an arranged world, before this step.
void DriveInput(const RandomWorld& world, double timestep, int step, RandomNumbers& random, Input& input);

}  // namespace stiction::fuzz
