// The window's letters are part of the program: none is looked for where it runs.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace stiction::viewer {
namespace {

std::string ReadBytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Fonts, LieInTheProgram) {
  const std::string program =
      ReadBytes(std::filesystem::path(STICTION_RUNNER).parent_path() / "stiction-view");
  ASSERT_FALSE(program.empty());
  const std::string folder = "/usr/share/fonts/";
  EXPECT_EQ(program.find(folder), std::string::npos)
      << "it names a folder that another machine need not have";
  for (const char* name : {"opentype/inter/Inter-Regular.otf", "truetype/dejavu/DejaVuSans.ttf"}) {
    const std::string font = ReadBytes(folder + name);
    if (font.empty()) continue;
    EXPECT_NE(program.find(font), std::string::npos) << name;
    return;
  }
  GTEST_SKIP() << "the build found none";
}

}  // namespace
}  // namespace stiction::viewer
