#include "race_peer.h"

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "peers/mujoco_script.h"

namespace stiction::runner {
namespace {

namespace fs = std::filesystem;

struct Answer {
  int code;
  std::string text;  // standard output
};

// One word of a shell's command, whatever is in it.
std::string Quote(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// Runs the words as a command in a folder.
Answer RunCommand(const std::string& folder, const std::vector<std::string>& words) {
  std::string line = "cd " + Quote(folder) + " &&";
  for (const std::string& word : words) line += " " + Quote(word);
  std::FILE* pipe = popen((line + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return {-1, "no process could be started"};
  std::string text;
  char buffer[4096];
  for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text};
}

std::string FindFolder() {
  if (const char* named = std::getenv("STICTION_PEERS_DIR")) return named;
  const char* home = std::getenv("HOME");
  return (fs::path(home != nullptr ? home : ".") / ".cache" / "stiction-race").string();
}

}  // namespace

RacePeer::RacePeer() : folder_(FindFolder()) {
  if (!fs::is_directory(fs::path(folder_) / "node_modules/@mujoco/mujoco"))
    problem_ =
        "there is no MuJoCo in " + folder_ + "; npm install --prefix " + Quote(folder_) + " @mujoco/mujoco";
  else if (RunCommand(".", {"node", "--version"}).code != 0)
    problem_ = "MuJoCo needs node, which is not in the path; apt-get install nodejs";
}

std::optional<PeerTiming> RacePeer::Run(const RaceCase& scene, const std::string& file, double time,
                                        std::string& problem) const {
  const Answer answer =
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
