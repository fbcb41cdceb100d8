// Worlds as people build them, at random: what stands on something, hangs on something, is carried, turned
// and pushed. Random placement as in random_world.cpp gives deep overlaps and empty space, and little
// between.
#pragma once

#include "tests/fuzz/random_world.h"

namespace stiction::fuzz {

// Throws ModelError where the builder refuses it.
RandomWorld MakeArrangedWorld(std::uint64_t seed);

}  // namespace stiction::fuzz
