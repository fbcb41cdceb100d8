#include "peer_engine.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "command.h"
#include "json_output.h"
#include "peers/mujoco_script.h"
#include "race_peer.h"
#include "report/process.h"
#include "stiction/math/rotation.h"

namespace stiction::runner {
namespace {

namespace fs = std::filesystem;

constexpr double kPeerLimit = 120.0;    // wall time [s]
constexpr std::size_t kStateSize = 13;  // numbers of a body in a sample

// A file that goes with it.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text) {
    std::string pattern = (fs::temp_directory_path() / "stiction-peer-XXXXXX").string();
    const int file = mkstemp(pattern.data());
    if (file < 0) throw UsageError("no temporary file: " + pattern);
    close(file);
    path_ = pattern;
    std::ofstream out(path_);
    out << text;
    out.close();
    if (!out) throw UsageError("cannot write " + path_);
  }
  ~TemporaryFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

PeerState ToState(const Json& sample, std::size_t first) {
  // What was not finite came as null.
  const auto number = [&](std::size_t i) {
    const Json& cell = sample[first + i];
    return cell.is_number() ? cell.get<double>() : std::numeric_limits<double>::quiet_NaN();
  };
  PeerState state;
  state.X_WB.p = {number(0), number(1), number(2)};
  state.X_WB.R =
      Eigen::Quaterniond(number(3), number(4), number(5), number(6)).normalized().toRotationMatrix();
  state.w_W = {number(7), number(8), number(9)};
  state.v_W = {number(10), number(11), number(12)};
  return state;
}

// No value where it is not what engines/engine_scene.h describes.
std::optional<PeerTrajectory> ReadAnswer(const std::string& text, const PeerScene& scene) {
  const Json answer = Json::parse(text, nullptr, false);
  if (!answer.is_object() || !answer.contains("samples") || !answer["samples"].is_array())
    return std::nullopt;
  PeerTrajectory out{.us = answer.value("us", 0.0), .dt = scene.dt(), .version = answer.value("version", "")};
  for (const Json& sample : answer["samples"]) {
    if (!sample.is_array() || sample.size() % kStateSize != 1) return std::nullopt;
    out.time.push_back(sample[0].get<double>());
    out.states.emplace_back();
    for (std::size_t first = 1; first < sample.size(); first += kStateSize)
      out.states.back().push_back(ToState(sample, first));
  }
  const std::size_t samples = static_cast<std::size_t>(scene.steps() / scene.every()) + 1;
  return out.states.size() == samples ? std::optional(out) : std::nullopt;
}

// The command that simulates; `text` must live as long as it runs. Empty: `problem` says what is missing.
std::vector<std::string> MakePeerCommand(const PeerEngine& engine, const PeerScene& scene,
                                         const std::string& text_file, std::string& problem) {
  if (engine.name == std::string("MuJoCo")) {
    const RacePeer peer;
    problem = peer.problem();
    if (!problem.empty()) return {};
    // Packages are looked for from the working directory on.
    return {"env",
            "--chdir=" + peer.folder(),
            "node",
            "--input-type=module",
            "--eval",
            kMujocoStatesScript,
            "--",
            fs::absolute(scene.file()).string(),
            std::to_string(scene.steps()),
            std::to_string(scene.every()),
            engine.words.front()};
  }
  std::string name = engine.name;
  for (char& c : name) c = static_cast<char>(std::tolower(c));
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path() / ("stiction-peer-" + name);
  if (!fs::exists(program)) {
    problem = "this build has no " + program.filename().string() + ": apt-get install lib" + name +
              "-dev, and build again";
    return {};
  }
  std::vector<std::string> words{program.string(), text_file};
  words.insert(words.end(), engine.words.begin(), engine.words.end());
  return words;
}

}  // namespace

const std::vector<PeerEngine>& ListPeerEngines() {
  static const std::vector<PeerEngine> engines{
      {"MuJoCo", "as it is", {"{}"}},
      {"MuJoCo",
       "elliptic cone, impratio 10, noslip 10",
       {R"({"cone": 1, "impratio": 10, "noslip_iterations": 10})"}},
      {"Bullet", "as it is", {"10"}},
      {"Bullet", "50 iterations", {"50"}},
      {"ODE", "quick step, as it is", {"quick", "20"}},
      {"ODE", "quick step, 100 iterations", {"quick", "100"}},
      {"ODE", "exact step", {"step", "0"}},
  };
  return engines;
}

std::optional<PeerTrajectory> RunPeer(const PeerEngine& engine, const PeerScene& scene,
                                      std::string& problem) {
  const TemporaryFile text(scene.MakeEngineText());
  const std::vector<std::string> words = MakePeerCommand(engine, scene, text.path(), problem);
  if (words.empty()) return std::nullopt;
  const ProcessEnd end = RunProcess(words, kPeerLimit, false);
  if (end.is_good()) {
    std::optional<PeerTrajectory> trajectory = ReadAnswer(end.out, scene);
    if (!trajectory) problem = "its answer is not that of a simulation: " + end.out.substr(0, 120);
    return trajectory;
  }
  problem = end.Describe(kPeerLimit) + (end.err.empty() ? "" : ": " + end.err.substr(0, end.err.find('\n')));
  return std::nullopt;
}

}  // namespace stiction::runner
