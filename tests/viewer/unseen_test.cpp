#include "live/unseen.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
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

// Nor is one silent that a mesh's own materials name.
TEST(Unseen, NamesTheTextureThatAMeshLacks) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / ("unseen_mesh_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "t.obj") << "mtllib t.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m\nf 1 2 3\n";
  std::ofstream(folder / "t.mtl") << "newmtl m\nmap_Kd cut.png\n";
  std::ofstream(folder / "cut.png", std::ios::binary) << "\x89PNG\r\n\x1a\n";
  std::ofstream(folder / "t.urdf") << "<robot name='r'><link name='l'><visual>\n<geometry>"
                                      "<mesh filename='t.obj'/></geometry></visual></link></robot>";
  ImportReport report;
  LoadModel((folder / "t.urdf").string(), {.visuals = true}, &report);
  std::filesystem::remove_all(folder);
  const std::vector<std::string> lines = ListUnseen(report);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].rfind("t.urdf:2: mesh approximated: drawn without some of its looks", 0), 0u)
      << lines[0];
  EXPECT_TRUE(std::all_of(report.items.begin(), report.items.end(), [](const ImportItem& item) {
    return item.status == ImportStatus::kHonoured || item.loss == ImportLoss::kHarmless;
  })) << "nothing of it affects motion";
  EXPECT_NE(lines[0].find("\"cut.png\""), std::string::npos);
}

}  // namespace
}  // namespace stiction::viewer
