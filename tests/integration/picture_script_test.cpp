// tests/tools/gallery.py, which makes the pictures of the documentation: whether it still runs, by a small
// one.
#include "run_program.h"
#include "shell.h"

#ifdef STICTION_WITH_VIEWER
#include "tests/support/picture.h"

namespace stiction {
namespace {

class PictureScript : public ProgramTest {
 protected:
  ShellOutcome RunScript(const std::string& arguments) const {
    return RunShell("env -u DISPLAY /usr/bin/python3 " +
                    Quote(fs::path(STICTION_SOURCE_DIR) / "tests/tools/gallery.py") + " " +
                    Quote(fs::path(STICTION_RUNNER).parent_path()) + " " + Quote(folder()) + " " + arguments +
                    " 2>&1");
  }
};

TEST_F(PictureScript, MakesASmallPicture) {
  if (RunShell("command -v ffmpeg && /usr/bin/python3 --version").code != 0)
    GTEST_SKIP() << "ffmpeg or Debian's python3 is not installed";
  const ShellOutcome outcome = RunScript("--size 160x90 cards");
  ASSERT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_NE(outcome.out.find("cards.png"), std::string::npos) << outcome.out;
  const testing::PictureFile picture(folder() / "cards.png");
  ASSERT_EQ(picture.width, 160);
  ASSERT_EQ(picture.height, 90);
  // The board on which the house stands is green, and nothing else is.
  const int green = picture.Count([](int r, int g, int b) { return g > r + 20 && g > b + 5; });
  EXPECT_GT(green, 160 * 90 / 100);
  EXPECT_LT(green, 160 * 90 / 4);
}

TEST_F(PictureScript, KnowsItsPictures) {
  if (RunShell("/usr/bin/python3 --version").code != 0) GTEST_SKIP() << "Debian's python3 is not installed";
  const ShellOutcome outcome = RunScript("no_such_picture");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.out.find("there is no no_such_picture; known: quadruped"), std::string::npos)
      << outcome.out;
}

}  // namespace
}  // namespace stiction
#endif
