// tests/tools/manifold_gallery.py: its sheet shows the bodies, and the points between them.
#include "run_program.h"
#include "shell.h"

#ifdef STICTION_WITH_VIEWER
#include "tests/support/picture.h"
#include "tests/support/python.h"

namespace stiction {
namespace {

using testing::PictureFile;

// A point that carries load: green where it sticks, orange where it slides. The bodies and what is around
// them are blue and grey.
bool IsPoint(int r, int g, int b) {
  return (g > r + 60 && g > b + 30) || r > b + 100;
}
// The sides of the upper body; the sky is greyer.
bool IsBody(int r, int, int b) {
  return b > r + 50;
}

class Gallery : public ProgramTest {
 protected:
  // A box on a plane and on a ring, side by side.
  PictureFile Draw(const std::string& marks) const {
    const ShellOutcome outcome =
        RunShell("xvfb-run -a -s '-screen 0 1280x800x24' " + std::string(testing::kPython) + " " +
                 Quote(fs::path(STICTION_SOURCE_DIR) / "tests/tools/manifold_gallery.py") + " " +
                 Quote(STICTION_RUNNER) + " --out " + Quote(folder() / "sheet.png") +
                 " --pair box plane --pair box mesh --show " + marks);
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    return PictureFile(folder() / "sheet.png");
  }
};

// Numbers of pixels.
struct Half {
  int points = 0, body = 0;
};
// Of the pixels of columns begin ... end - 1.
Half Look(const PictureFile& picture, int begin, int end) {
  Half half;
  for (int y = 0; y < picture.height; ++y) {
    for (int x = begin; x < end; ++x) {
      const auto [r, g, b] = picture.at(x, y);
      half.points += IsPoint(r, g, b);
      half.body += IsBody(r, g, b);
    }
  }
  return half;
}

// The same sheet without points is the proof that it is points that are seen.
TEST_F(Gallery, ItsPicturesShowBodiesAndPoints) {
  if (!testing::HasPythonModules("matplotlib")) GTEST_SKIP() << testing::kPython << " has no matplotlib";
  if (RunShell("command -v xvfb-run").code != 0) GTEST_SKIP() << "xvfb is not installed";
  for (const bool has_points : {true, false}) {
    const PictureFile sheet = Draw(has_points ? "contacts,transparent" : "transparent");
    ASSERT_GT(sheet.width, 400);
    ASSERT_GT(sheet.height, 200);
    for (const int half : {0, 1}) {
      SCOPED_TRACE((half == 0 ? "on a plane, " : "on a ring, ") +
                   std::string(has_points ? "points" : "none"));
      const Half seen = Look(sheet, half * sheet.width / 2, (half + 1) * sheet.width / 2);
      EXPECT_GT(seen.body, 500);
      if (has_points)
        EXPECT_GT(seen.points, 20);
      else
        EXPECT_EQ(seen.points, 0);
    }
  }
}

}  // namespace
}  // namespace stiction
#endif
