// `stiction bench speed --peers`: our engine beside MuJoCo, scene by scene, in one run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stiction/contact/budget.h"

namespace stiction::runner {

struct RaceOptions {
  std::vector<std::string> scenes;  // by name; empty: all
  std::string models;               // folder of the scenes' files; empty: STICTION_SHARED_DIR
  int repeats = 3;
  std::optional<double> time;  // simulated, instead of the scenes' own [s]
  std::optional<Budget> budget;
};

// Prints a CSV row a scene. Each scene is simulated `repeats` times by either engine in turns, by one thread,
// and the times are CPU times of the fastest repeat:
//
//   us, peer_us, ratio     per step, and how many times faster ours is
//   peer_native_us, native_ratio  as MuJoCo's native build would take; empty where that was not measured
//   <phase>_us   of ours
//   solved       share of the steps in which any island was solved, not accepted as it was
//   newton_mean, newton_p99, sweeps_mean, sweeps_p99   per step, over all islands
//   machine                its CPU
//
// A scene whose file is not there is skipped, and named on standard error; where the peer cannot run, what to
// install is said there and its cells are empty. Throws UsageError: no scene of that name. False if ours
// diverged.
bool BenchRace(const RaceOptions& options);

}  // namespace stiction::runner
