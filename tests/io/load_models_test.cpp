// Real models and test scenes load.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "tests/io/model_text.h"

namespace stiction {
namespace {

namespace fs = std::filesystem;

TEST(LoadModels, EverySceneLoads) {
  const fs::path folder = STICTION_SHARED_DIR "/scenes";
  if (!fs::exists(folder)) GTEST_SKIP() << "no scenes at " << folder;
  int count = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".xml") continue;
    EXPECT_NO_THROW(LoadModel(entry.path().string())) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 16);
}

// True if the file is a model of its own, not a part that others include.
bool IsModel(const fs::path& path) {
  std::ifstream stream(path);
  const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  return text.find("<mujoco ") != std::string::npos || text.find("<mujoco>") != std::string::npos ||
         text.find("<robot") != std::string::npos;
}

TEST(LoadModels, EveryModelLoads) {
  const fs::path folder = STICTION_SHARED_DIR "/models";
  if (!fs::exists(folder)) GTEST_SKIP() << "no models at " << folder;
  int loaded = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const fs::path& path = entry.path();
    if ((path.extension() != ".xml" && path.extension() != ".urdf") || !IsModel(path)) continue;
    EXPECT_NO_THROW(LoadModel(path.string())) << path;
    ++loaded;
  }
  EXPECT_GE(loaded, 58);
}

TEST(LoadModels, TimeIsNearlyLinearInTheNumberOfBodies) {
  const auto measure = [](int count) {
    std::string text = "<mujoco><worldbody>";
    for (int i = 0; i < count; ++i) {
      text += "<body name='b" + std::to_string(i) + "'><freejoint/><geom size='0.1'/></body>";
    }
    const TemporaryFile file(text + "</worldbody></mujoco>", ".xml");
    double best = 1e9;
    for (int run = 0; run < 3; ++run) {
      const auto start = std::chrono::steady_clock::now();
      LoadModel(file.path());
      best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
  };
  // 32 times the bodies: 32 if linear, 1000 if quadratic. Between them, with room for a busy machine and its
  // caches.
  EXPECT_LT(measure(16'000), 250 * measure(500));
}

}  // namespace
}  // namespace stiction
