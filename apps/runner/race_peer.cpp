#include "race_peer.h"

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "peers/mujoco_script.h"
#include "shell_command.h"

namespace stiction::runner {
namespace {

namespace fs = std::filesystem;

std::string FindFolder() {
  if (const char* named = std::getenv("STICTION_PEERS_DIR")) return named;
  const char* home = std::getenv("HOME");
  return (fs::path(home != nullptr ? home : ".") / ".cache" / "stiction-race").string();
}

}  // namespace

RacePeer::RacePeer() : folder_(FindFolder()) {
  if (!fs::is_directory(fs::path(folder_) / "node_modules/@mujoco/mujoco"))
    problem_ = "there is no MuJoCo in " + folder_ + "; npm install --prefix " + QuoteForShell(folder_) +
               " @mujoco/mujoco";
  else if (RunCommand(".", {"node", "--version"}).code != 0)
    problem_ = "MuJoCo needs node, which is not in the path; apt-get install nodejs";
}

std::optional<PeerTiming> RacePeer::Run(const RaceCase& scene, const std::string& file, double time,
                                        std::string& problem) const {
  const CommandAnswer answer =
      RunCommand(folder_, {"node", "--input-type=module", "--eval", kMujocoScript, "--",
                           fs::absolute(file).string(), std::to_string(time), scene.peer_solver,
                           scene.peer_cone, std::to_string(scene.dt), scene.keyframe});
  const auto json = nlohmann::json::parse(answer.text, nullptr, false);
  if (answer.code == 0 && json.is_object())
    return PeerTiming{json.value("us", 0.0), "MuJoCo " + json.value("version", "") + " (WebAssembly)"};
  problem = "MuJoCo on " + file + " ended with code " + std::to_string(answer.code) + ": " +
            answer.text.substr(0, 400);
  return std::nullopt;
}

}  // namespace stiction::runner
