// The scenes of `stiction bench speed --peers`.
#pragma once

#include <vector>

namespace stiction::runner {

struct RaceCase {
  const char* name;
  // Below the folder of models, an MJCF file that both engines read; or a scene built in code, "scene:...",
  // which is written as one.
  const char* file;
  double time;  // simulated [s]
  // With which MuJoCo is fastest there.
  const char* peer_solver;  // "pgs", "cg" or "newton"
  const char* peer_cone;    // "pyramidal" or "elliptic"
  double dt = 0.0;          // 0: the file's [s]
  const char* keyframe = "";
  // How many times faster MuJoCo's native build (3.12.1) is there than its WebAssembly (3.14), both measured
  // on one machine; 0: not measured.
  double native = 0.0;
};

const std::vector<RaceCase>& ListRaceCases();

}  // namespace stiction::runner
