// How many threads may be asked for.
#pragma once

namespace stiction {

inline constexpr int kMaxThreads = 1024;

// Throws std::invalid_argument unless it lies in 1 ... kMaxThreads.
void CheckNumThreads(int num_threads);

}  // namespace stiction
