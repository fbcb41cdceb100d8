// The other engines of `stiction bench peers`, each a program of its own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "peer_scene.h"

namespace stiction::runner {

struct PeerEngine {
  const char* name;      // "Bullet"
  const char* settings;  // what is not as the engine has it, or "as it is"
  // Of the program: MuJoCo's options as JSON; for the others, what follows the scene.
  std::vector<std::string> words;
};

// MuJoCo, Bullet and ODE, each as it is and as its users set it against slip and collapse.
const std::vector<PeerEngine>& ListPeerEngines();

// Simulates the scene. No value: `problem` says in a line why, what to install or how it ended. MuJoCo comes
// as
// @mujoco/mujoco of npm in the folder STICTION_PEERS_DIR [~/.cache/stiction-race], under node; Bullet and ODE
// by stiction-peer-bullet and stiction-peer-ode beside this program, which are built where Debian's
// libbullet-dev and libode-dev are.
std::optional<PeerTrajectory> RunPeer(const PeerEngine& engine, const PeerScene& scene, std::string& problem);

}  // namespace stiction::runner
