// MuJoCo on one model, by its WebAssembly package under node (peers/mujoco.mjs).
#pragma once

#include <optional>
#include <string>

#include "race_cases.h"

namespace stiction::runner {

struct PeerTiming {
  double us = 0.0;      // CPU time per step
  std::string version;  // "MuJoCo 3.14.0 (WebAssembly)"
};

class RacePeer {
 public:
  // Looks for node_modules/@mujoco/mujoco in the folder STICTION_PEERS_DIR, or ~/.cache/stiction-race.
  RacePeer();

  // What is missing, and the command that installs it; empty where nothing is.
  const std::string& problem() const { return problem_; }
  // With node_modules in it.
  const std::string& folder() const { return folder_; }
  // Simulates `time` [s] of an MJCF file. No value: it could not; `problem` says why.
  std::optional<PeerTiming> Run(const RaceCase& scene, const std::string& file, double time,
                                std::string& problem) const;

 private:
  std::string folder_, problem_;
};

}  // namespace stiction::runner
