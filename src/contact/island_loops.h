// Loops over the constraints of an island that its threads share (Island::pool), to the same bits as one
// thread: what they do in a piece is compiled once, since the compiler may round products and sums otherwise
// from one place to another.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "contact/island_slabs.h"
#include "math/task_pool.h"
#include "stiction/contact/island.h"

namespace stiction {

inline constexpr int kLeastConstraints = 128;  // that are worth handing to another thread

// Calls work(i) for all of them: it writes what is the constraint's own.
template <typename Work>
void ForConstraints(const Island& island, const Work& work) {
  const auto piece = [&work](int begin, int end) __attribute__((noinline)) {
    for (int i = begin; i < end; ++i) work(i);
  };
  if (island.pool == nullptr) return piece(0, island.num_constraints());
  island.pool->ForPieces(island.num_constraints(), kLeastConstraints, piece);
}

// Calls work(i) for all of them, in the order of the island's slabs if it has such: it writes to the
// constraint's dofs.
template <typename Work>
void ForSlabs(const Island& island, const Work& work) {
  if (island.slabs == nullptr) {
    for (int i = 0; i < island.num_constraints(); ++i) work(i);
    return;
  }
  for (int phase = 0; phase < IslandSlabs::kNumPhases; ++phase) {
    const auto task = [&](int t) __attribute__((noinline)) {
      for (const int i : island.slabs->constraints(phase, t)) work(i);
    };
    const int num_tasks = island.slabs->num_tasks(phase);
    if (island.pool != nullptr) {
      island.pool->ForEach(num_tasks, task);
    } else {
      for (int t = 0; t < num_tasks; ++t) task(t);
    }
  }
}

// The largest of calc(i), at least 0, or the first that is no number.
template <typename Calc>
double FindLargest(const Island& island, const Calc& calc) {
  const auto of_piece = [&calc](int begin, int end) __attribute__((noinline)) {
    double largest = 0.0;
    for (int i = begin; i < end; ++i) {
      const double value = calc(i);
      if (std::isnan(value)) return value;
      largest = std::max(largest, value);
    }
    return largest;
  };
  constexpr int kMaxPieces = 64;
  const int count = island.num_constraints();
  if (island.pool == nullptr) return of_piece(0, count);
  std::array<double, kMaxPieces> largest{};
  const int least = std::max(kLeastConstraints, (count + kMaxPieces - 1) / kMaxPieces);
  island.pool->ForNumberedPieces(
      count, least, [&](int piece, int begin, int end) { largest[piece] = of_piece(begin, end); });
  double whole = 0.0;
  for (const double value : largest) {
    if (std::isnan(value)) return value;
    whole = std::max(whole, value);
  }
  return whole;
}

}  // namespace stiction
