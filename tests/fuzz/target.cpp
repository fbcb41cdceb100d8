#include "tests/fuzz/target.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/fuzz/targets.h"

namespace stiction::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kText = 32 << 10, kMesh = 16 << 10, kData = 64 << 10;

// In the order in which run.sh takes them.
const Target kTargets[] = {
    {"urdf", Syntax::kXml, "models/fuzzed.xml", kText, FuzzUrdf},
    {"mjcf", Syntax::kXml, "models/fuzzed.xml", kText, FuzzMjcf},
#ifdef STICTION_WITH_SDFORMAT
    {"sdf", Syntax::kXml, "models/fuzzed.sdf", kText, FuzzSdf},
#else
    {"sdf", Syntax::kXml, "", kText, nullptr},
#endif
    {"scenario", Syntax::kXml, "scenarios/fuzzed.xml", kText, FuzzScenario},
    {"stl", Syntax::kBytes, "", kMesh, FuzzStl},
    {"obj", Syntax::kBytes, "", kMesh, FuzzObj},
    {"msh", Syntax::kBytes, "", kMesh, FuzzMsh},
    {"collada", Syntax::kXml, "models/fuzzed.dae", kMesh, FuzzCollada},
    {"gltf", Syntax::kJson, "models/fuzzed.gltf", kMesh, FuzzGltf},
    {"glb", Syntax::kBytes, "models/fuzzed.glb", kMesh, FuzzGltf},
    {"png", Syntax::kBytes, "", kData, FuzzPng},
    {"hfield", Syntax::kBytes, "models/fuzzed.bin", kData, FuzzHeightField},
    {"field_text", Syntax::kBytes, "", 4 << 10, FuzzFieldText},
    {"problem_json", Syntax::kJson, "models/fuzzed.json", kData, FuzzProblem},
    {"state", Syntax::kJson, "models/fuzzed.json", kData, FuzzState},
    {"log_csv", Syntax::kBytes, "models/fuzzed.csv", kData, FuzzLog},
#ifdef STICTION_WITH_HDF5
    {"problem_hdf5", Syntax::kHdf5, "models/fuzzed.h5", kData, FuzzProblem},
    {"log_hdf5", Syntax::kHdf5, "models/fuzzed.h5", 16 * kData, FuzzLog},
#else
    {"problem_hdf5", Syntax::kHdf5, "", kData, nullptr},
    {"log_hdf5", Syntax::kHdf5, "", kData, nullptr},
#endif
};

int round_trips = 1;

void ReplaceLargeMeshes(const fs::path& folder) {
  constexpr std::uintmax_t kLarge = 1 << 10;  // bytes
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.file_size() > kLarge)
      fs::copy_file(folder / "box.obj", entry.path(), fs::copy_options::overwrite_existing);
  }
}

// Removes its folder with the program.
class Assets {
 public:
  Assets() {
    std::error_code error;
    fs::path folder = fs::exists("/dev/shm", error) ? "/dev/shm" : fs::temp_directory_path();
    folder_ = (folder / ("stiction_fuzz_" + std::to_string(getpid()))).string();
    fs::copy(STICTION_SOURCE_DIR "/assets", folder_, fs::copy_options::recursive);
    ReplaceLargeMeshes(folder_ + "/models/meshes");
    setenv("STICTION_CACHE_DIR", "", 1);
  }
  ~Assets() {
    std::error_code error;
    fs::remove_all(folder_, error);
  }
  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
};

}  // namespace

std::span<const Target> ListTargets() {
  return kTargets;
}

const Target* FindTarget(std::string_view name) {
  const auto found = std::find_if(std::begin(kTargets), std::end(kTargets),
                                  [&](const Target& target) { return target.name == name; });
  return found == std::end(kTargets) ? nullptr : found;
}

const std::string& AssetFolder() {
  static const Assets assets;
  return assets.folder();
}

void SetRoundTrips(int one_in) {
  round_trips = one_in;
}

bool IsRoundTripDue(std::string_view bytes) {
  // Fowler-Noll-Vo.
  std::uint64_t hash = 14695981039346656037ull;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211ull;
  return (hash >> 32) % static_cast<std::uint64_t>(round_trips) == 0;
}

void RunTarget(const Target& target, std::string_view bytes) {
  if (target.place.empty()) return target.run("", bytes);
  const std::string path = AssetFolder() + "/" + std::string(target.place);
  WriteWholeFile(path, bytes);
  target.run(path, bytes);
}

void Require(bool is_met, const std::string& promise) {
  if (is_met) return;
  std::fprintf(stderr, "finding: %s\n", promise.c_str());
  std::abort();
}

std::string ReadWholeFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void WriteWholeFile(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace stiction::fuzz
