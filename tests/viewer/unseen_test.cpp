#include "live/unseen.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "stiction/io/load.h"

namespace stiction::viewer {
namespace {

// What the reader says of a texture that is not there is told from what else has no effect.
TEST(Unseen, NamesTheTextureThatIsMissing) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / ("unseen_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "box.xml") << R"(<mujoco><size memory="1M"/>
  <asset><texture name="t" type="2d" file="none.png"/><material name="m" texture="t"/></asset>
  <worldbody><geom type="box" size="1 1 1" material="m"/></worldbody></mujoco>)";
  ImportReport report;
  LoadModel((folder / "box.xml").string(), {.visuals = true}, &report);
  std::filesystem::remove_all(folder);
  const std::vector<std::string> lines = ListUnseen(report);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].rfind("box.xml:2: texture ignored", 0), 0u) << lines[0];
  EXPECT_NE(lines[0].find("none.png"), std::string::npos);
}

}  // namespace
}  // namespace stiction::viewer
