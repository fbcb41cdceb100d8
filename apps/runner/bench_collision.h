// The suite `stiction bench collision`: what the manifold of each pair of shapes costs.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace stiction::runner {

// FCL at the same poses (bench_fcl.h).
struct FclTiming {
  std::string call;      // "distance" or "collide"
  double minimum = 0.0;  // [s] a pair, as in PairTiming
  double median = 0.0;   // [s]
};

struct PairTiming {
  std::string pair;                // "box-hull"
  int poses = 0;                   // different ones, all within the margin of touching
  double minimum = 0.0;            // [s] a pair: the fastest round over all poses
  double median = 0.0;             // [s] of all rounds
  double points = 0.0;             // mean number of contact points
  std::optional<FclTiming> fcl{};  // none where FCL's answer is not worth a comparison
};

// Of each pair the rounds over all its poses that are timed.
inline constexpr int kCollisionRounds = 41;

// Every pair of shapes once, in the order of MakeBenchShapes(), but none of two grounds.
std::vector<PairTiming> TimePairs(int num_rounds);

// Fields that lie in one another (MakeNestedFields).
std::vector<PairTiming> TimeNestedFields(int num_rounds);

// All collision of a step of the scenes of fields, an M48 nut that slides down its bolt and four dishes that
// come to rest: `poses` are the steps, `points` the contacts.
std::vector<PairTiming> TimeFieldScenes();

// FindPairs of 1000 boxes that all move a little between two calls; `points` is the number of pairs found.
PairTiming TimeBroadphase(int num_rounds);

}  // namespace stiction::runner
