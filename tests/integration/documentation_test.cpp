// The public headers as web pages: Doxygen must understand every one, and show what stands in them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "tests/integration/shell.h"

namespace stiction {
namespace {

std::string ReadPage(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(text).str();
}

TEST(Documentation, DoxygenHasNothingToWarnOfAndShowsTheComments) {
  if (RunShell("doxygen --version").code != 0) GTEST_SKIP() << "doxygen is not installed";
  const fs::path folder = fs::path(::testing::TempDir()) / ("stiction_doc_" + std::to_string(getpid()));
  fs::create_directories(folder);
  const ShellOutcome run = RunShell(
      "cd '" STICTION_SOURCE_DIR "' && (cat include/Doxyfile; echo OUTPUT_DIRECTORY=" + Quote(folder) +
      ") | doxygen -");
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.out, "");

  // A comment before a member, one behind a member, and the equations on top of a file.
  const std::string world = ReadPage(folder / "html" / "classstiction_1_1World.html");
  EXPECT_NE(world.find("Advances by one timestep."), std::string::npos);
  const std::string input = ReadPage(folder / "html" / "structstiction_1_1Input.html");
  EXPECT_NE(input.find("clamped to its range when used"), std::string::npos);
  const std::string problem = ReadPage(folder / "html" / "problem_8h.html");
  EXPECT_NE(problem.find("A (v − v*) = Jᵀ λ"), std::string::npos);
  std::error_code error;
  fs::remove_all(folder, error);
}

}  // namespace
}  // namespace stiction
