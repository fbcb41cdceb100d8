// `stiction render`, without a display but where one is the point: what is in the pictures, and what is said
// where there are none.
#include <array>
#include <cmath>
#include <set>

#include "run_program.h"

#ifdef STICTION_WITH_VIEWER
#include "tests/support/picture.h"

namespace stiction {
namespace {

using testing::PictureFile;

constexpr const char* kScreen = "STICTION_GL_DEBUG=1 xvfb-run -a -s '-screen 0 1280x800x24'";
constexpr const char* kNoDisplay = "env -u DISPLAY -u WAYLAND_DISPLAY";

// A small red ball on a wide blue table, both seen from the side.
constexpr const char* kBallAndTable = R"(<mujoco model="ball">
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1"/>
    <body name="table" pos="0 0 0.2"><freejoint/><geom type="box" size="1 1 0.2" mass="100"/></body>
    <body name="ball" pos="0 0 1.5"><freejoint/><geom type="sphere" size="0.3" mass="1"/></body>
  </worldbody>
</mujoco>
)";

bool IsBlue(int r, int, int b) {
  return b > r + 40;
}
bool IsOrange(int r, int, int b) {
  return r > b + 60;
}

class Render : public ProgramTest {
 protected:
  ProgramResult Picture(const std::string& arguments) const {
    return Run("render " + arguments, std::string(kNoDisplay) + " STICTION_GL_DEBUG=1");
  }
  // The column of the middle of what is orange, the ball.
  static double FindBall(const PictureFile& picture) {
    double sum = 0.0, count = 0.0;
    for (int y = 0; y < picture.height; ++y) {
      for (int x = 0; x < picture.width; ++x) {
        const auto [r, g, b] = picture.at(x, y);
        if (IsOrange(r, g, b)) sum += x, ++count;
      }
    }
    return sum / count;
  }
};

// The trees have the palette's first two colours, blue and orange: the ball is above the table until it has
// fallen on it.
TEST_F(Render, APictureShowsTheStateAtItsTime) {
  Write("ball.xml", kBallAndTable);
  const ProgramResult start = Picture("ball.xml --out start.png --size 320x240 --camera 0,10,6");
  ASSERT_EQ(start.code, 0) << start.err;
  const ProgramResult end = Picture("ball.xml --out end.png --time 1 --size 320x240 --camera 0,10,6");
  ASSERT_EQ(end.code, 0) << end.err;
  const auto lowest_orange = [&](const PictureFile& picture) {
    for (int y = picture.height - 1; y >= 0; --y) {
      int count = 0;
      for (int x = 0; x < picture.width; ++x) {
        const auto [r, g, b] = picture.at(x, y);
        count += IsOrange(r, g, b);
      }
      if (count > 2) return y;
    }
    return -1;
  };
  const PictureFile first(folder() / "start.png"), last(folder() / "end.png");
  ASSERT_EQ(first.width, 320);
  ASSERT_EQ(first.height, 240);
  EXPECT_GT(first.Count(IsBlue), 1500);
  EXPECT_GT(first.Count(IsOrange), 500);
  EXPECT_GT(last.Count(IsOrange), 500);
  EXPECT_GT(lowest_orange(last), lowest_orange(first) + 10);
  EXPECT_NE(first.pixels, last.pixels);
}

TEST_F(Render, TheSamePictureTwiceIsTheSameFile) {
  Write("ball.xml", kBallAndTable);
  for (const char* name : {"a.png", "b.png"})
    ASSERT_EQ(Picture(std::string("ball.xml --size 160x120 --time 0.1 --out ") + name).code, 0);
  EXPECT_EQ(Read("a.png"), Read("b.png"));
}

TEST_F(Render, LowAndForcesAndEveryViewDraw) {
  Write("ball.xml", kBallAndTable);
  std::string previous;
  for (const char* arguments :
       {"--low", "--show contacts,forces", "--show transparent,cones", "--show wireframe", "--camera front",
        "--camera left", "--camera back", "--camera right", "--camera top"}) {
    const ProgramResult result =
        Picture("ball.xml --time 0.6 --size 160x120 --out p.png " + std::string(arguments));
    ASSERT_EQ(result.code, 0) << arguments << result.err;
    EXPECT_EQ(result.err, "") << arguments;
    const std::string now = Read("p.png");
    EXPECT_NE(now, previous) << arguments;
    previous = now;
    EXPECT_GT(PictureFile(folder() / "p.png").Count(IsBlue), 50) << arguments;
  }
}

TEST_F(Render, AVideoHasAFrameForEveryMoment) {
  Write("ball.xml", kBallAndTable);
  const ProgramResult result = Picture("ball.xml --time 0.5 --fps 20 --size 160x120 --low --out v.mp4");
  ASSERT_EQ(result.code, 0) << result.err;
  const std::string probe = "cd '" + folder().string() +
                            "' && ffprobe -v error -count_frames -show_entries stream=nb_read_frames,width "
                            "-of csv=p=0 v.mp4 > probe.txt";
  ASSERT_EQ(std::system(probe.c_str()), 0);
  EXPECT_EQ(Read("probe.txt"), "160,11\n");  // both ends
}

// Shadows, glass, forces: everything that is drawn is drawn without a display, too. Drivers may round
// otherwise.
// A red box beside the axis about which the camera turns, which sees it on the left and a half turn later on
// the right.
constexpr const char* kBoxAside = R"(<mujoco><worldbody>
  <geom type="box" size="0.2 0.2 0.2" pos="0 1 0" rgba="1 0.3 0 1"/>
  <geom type="box" size="0.2 0.2 0.2" pos="0 -1 0" rgba="0 0.3 1 1"/></worldbody></mujoco>)";

TEST_F(Render, ATurntableTurnsOnce) {
  Write("box.xml", kBoxAside);
  const std::string how = "box.xml --size 160x120 --camera 0,10,6 --turntable ";
  ASSERT_EQ(Picture(how + "--pictures 4 --out p.png").code, 0);
  const double middle = 79.5;
  const double first = FindBall(PictureFile(folder() / "p-001.png")),
               third = FindBall(PictureFile(folder() / "p-003.png"));
  EXPECT_GT(std::abs(first - middle), 15.0);
  EXPECT_NEAR(third - middle, middle - first, 2.0) << "from behind";
  EXPECT_TRUE(Exists("p-004.png"));
  EXPECT_FALSE(Exists("p-005.png") || Exists("p.png"));
  // A film of it: the same sides at the same shares of its length, and its end is not its start again.
  const ProgramResult film = Picture(how + "--time 0.3 --hold 0.4 --fps 10 --fine --out v.gif");
  ASSERT_EQ(film.code, 0) << film.err;
  ASSERT_EQ(Run("--version && ffmpeg -loglevel error -i v.gif v-%d.png").code, 0);
  EXPECT_TRUE(Exists("v-8.png"));
  EXPECT_FALSE(Exists("v-9.png"));
  EXPECT_NEAR(FindBall(PictureFile(folder() / "v-1.png")), first, 1.0);
  EXPECT_NEAR(FindBall(PictureFile(folder() / "v-5.png")), third, 1.0);
}

// Over its fall.
TEST_F(Render, PicturesAreTakenEvenlyOverTheTime) {
  Write("ball.xml", kBallAndTable);
  const std::string how = "ball.xml --size 160x120 --time 0.4 --camera 0,10,6 --out ";
  ASSERT_EQ(Picture(how + "p.png --pictures 3").code, 0);
  ASSERT_EQ(Picture("ball.xml --size 160x120 --camera 0,10,6 --out start.png").code, 0);
  EXPECT_EQ(Read("p-001.png"), Read("start.png"));
  const auto differ = [&](const char* a, const char* b) {
    const PictureFile first(folder() / a), second(folder() / b);
    int count = 0;
    for (std::size_t i = 0; i < first.pixels.size(); ++i) count += first.pixels[i] != second.pixels[i];
    return count;
  };
  // Aimed once, at the start.
  EXPECT_GT(differ("p-001.png", "p-002.png"), 100);
  EXPECT_GT(differ("p-002.png", "p-003.png"), 100);
}

// The box that is aside is in the middle of the picture once the camera is told to look at it.
TEST_F(Render, ACameraLooksAtThePointThatItIsTold) {
  Write("box.xml", kBoxAside);
  ASSERT_EQ(Picture("box.xml --size 160x120 --camera 0,10,6,0,1,0 --out p.png").code, 0);
  EXPECT_NEAR(FindBall(PictureFile(folder() / "p.png")), 79.5, 2.0);
  ExpectError("render box.xml --out p.png --camera 0,10,6,1", 2, "--camera");
}

TEST_F(Render, AFullDiskIsAnError) {
  Write("ball.xml", kBallAndTable);
  std::filesystem::create_symlink("/dev/full", folder() / "full.png");
  const ProgramResult result = Picture("ball.xml --size 64x64 --low --out full.png");
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("full.png: cannot be written"), std::string::npos) << result.err;
}

TEST_F(Render, AFastVideoHasFewerFrames) {
  Write("ball.xml", kBallAndTable);
  ASSERT_EQ(Picture("ball.xml --size 64x64 --time 0.4 --fps 10 --speed 2 --low --out v.gif").code, 0);
  ASSERT_EQ(Run("--version && ffmpeg -loglevel error -i v.gif v-%d.png").code, 0);
  EXPECT_TRUE(Exists("v-3.png"));  // 0, 0.2, 0.4 s
  EXPECT_FALSE(Exists("v-4.png"));
}

// On the sunny sides of a box, what it stands on is darker beside it than farther away: the box keeps off
// light from around. Not so in low detail.
TEST_F(Render, WhatIsNearKeepsLightOff) {
  Write("box.xml", R"(<mujoco><worldbody>
    <geom type="box" size="2 2 0.1" pos="0 0 -0.1" rgba="0.6 0.6 0.6 1"/>
    <geom type="box" size="0.3 0.3 0.3" pos="0 0 0.3" rgba="0.6 0.6 0.6 1"/></worldbody></mujoco>)");
  // Of the brightest of four sides, the light 3 cm away from the box over that 60 cm away.
  const auto compare = [&](const std::string& detail) {
    const ProgramResult result = Picture("box.xml --size 400x400 --camera 0,89,8 --out p.png " + detail);
    EXPECT_EQ(result.code, 0) << result.err;
    const PictureFile picture(folder() / "p.png");
    const double metre = 200.0 / (8.0 * std::tan(0.35));  // of pixels, on the plate
    double most = 0.0;
    for (const auto& [dx, dy] : {std::pair(1, 0), std::pair(-1, 0), std::pair(0, 1), std::pair(0, -1)}) {
      const auto light = [&](double away) {
        const auto [r, g, b] =
            picture.at(static_cast<int>(200 + dx * away * metre), static_cast<int>(200 + dy * away * metre));
        return static_cast<double>(r + g + b);
      };
      // The box's upper face is nearer to the eye, and hides what is right beside its foot.
      most = std::max(most, light(0.40) / light(1.0));
    }
    return most;
  };
  EXPECT_GT(compare("--low"), 0.995);
  const double open = compare("");
  EXPECT_LT(open, 0.985);
  EXPECT_GT(open, 0.6);
}

// What cannot be had of a model's looks is named, and the rest is drawn.
TEST_F(Render, MissingAndDamagedPicturesAreNamed) {
  Write("torn.png", "\x89PNG\r\n\x1a\n and no more");
  Write("box.xml", R"(<mujoco><asset>
    <texture name="a" type="2d" file="none.png"/><texture name="b" type="2d" file="torn.png"/>
    <material name="a" texture="a"/><material name="b" texture="b"/></asset><worldbody>
    <geom type="box" size="1 1 1" material="a"/><geom type="box" size="1 1 1" pos="0 3 0" material="b"/>
    </worldbody></mujoco>)");
  const ProgramResult result = Picture("box.xml --size 160x120 --out p.png");
  EXPECT_EQ(result.code, 0);
  for (const char* name : {"none.png", "torn.png"})
    EXPECT_NE(result.err.find(name), std::string::npos) << result.err;
  EXPECT_TRUE(Exists("p.png"));
}

TEST_F(Render, FilesThatAreNotWhatTheirNamesSayAreNamed) {
  Write("run.h5", "torn");
  Write("run.csv", "a,b\n1,2\n");
  const auto expect = [&](const std::string& arguments, const std::string& words) {
    const ProgramResult result = Picture(arguments + " --out p.png");
    EXPECT_EQ(result.code, 3) << result.err;
    EXPECT_NE(result.err.find(words), std::string::npos) << result.err;
  };
  expect("run.h5", "no HDF5 file");
  expect("run.csv", "no log");
}

// Sky and floor can be seen through, the shadow in part, the table not.
TEST_F(Render, ATransparentPictureHasWhatStandsOnTheFloorAlone) {
  Write("ball.xml", kBallAndTable);
  ASSERT_EQ(Picture("ball.xml --size 160x120 --camera 180,30,6 --transparent --out p.png").code, 0);
  int width = 0, height = 0, channels = 0;
  unsigned char* data = stbi_load((folder() / "p.png").c_str(), &width, &height, &channels, 4);
  ASSERT_NE(data, nullptr);
  EXPECT_EQ(channels, 4);
  int clear = 0, solid = 0, shadow = 0;
  for (int i = 0; i < width * height; ++i) {
    const unsigned char* pixel = data + 4 * i;
    clear += pixel[3] == 0;
    solid +=
        pixel[3] == 255 && (IsBlue(pixel[0], pixel[1], pixel[2]) || IsOrange(pixel[0], pixel[1], pixel[2]));
    shadow += pixel[3] > 20 && pixel[3] < 230 && pixel[0] + pixel[1] + pixel[2] < 30;
  }
  EXPECT_EQ(data[3], 0) << "the sky";
  stbi_image_free(data);
  const int all = width * height;
  EXPECT_GT(clear, all / 4);
  EXPECT_GT(solid, all / 10);
  EXPECT_GT(shadow, all / 100);
}

// The mean of moved pictures is the picture, with smoother edges.
TEST_F(Render, SupersamplingSmoothsEdgesAndMovesNothing) {
  Write("box.xml", kBoxAside);
  const std::string how = "box.xml --size 96x64 --camera 20,10,6 --low --out ";
  ASSERT_EQ(Picture(how + "a.png").code, 0);
  ASSERT_EQ(Picture(how + "b.png --supersample 4").code, 0);
  const PictureFile rough(folder() / "a.png"), smooth(folder() / "b.png");
  std::set<std::array<int, 3>> rough_colors, smooth_colors;
  for (int y = 0; y < rough.height; ++y)
    for (int x = 0; x < rough.width; ++x)
      rough_colors.insert(rough.at(x, y)), smooth_colors.insert(smooth.at(x, y));
  EXPECT_GT(smooth_colors.size(), rough_colors.size() + 20)
      << "edges, which have one sample a pixel with --low";
  EXPECT_NEAR(FindBall(rough), FindBall(smooth), 0.3);
}

TEST_F(Render, APictureCanHaveTheSizeOfACinema) {
  Write("box.xml", kBoxAside);
  ASSERT_EQ(Picture("box.xml --size 3840x2160 --low --out p.png").code, 0);
  const PictureFile picture(folder() / "p.png");
  EXPECT_EQ(picture.width, 3840);
  EXPECT_EQ(picture.height, 2160);
  EXPECT_GT(picture.Count(IsOrange), 3840 * 2160 / 500);
}

// In software; with --low or --fine there is nothing to say.
TEST_F(Render, AVideoInSoftwareSaysThatItHasLess) {
  Write("box.xml", kBoxAside);
  const std::string how = "render box.xml --time 0.1 --size 64x64 --out v.mp4";
  const std::string before = std::string(kNoDisplay) + " LIBGL_ALWAYS_SOFTWARE=1";
  const ProgramResult result = Run(how, before);
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.err.find("--fine"), std::string::npos) << result.err;
  EXPECT_EQ(Run(how + " --fine", before).err, "");
  EXPECT_EQ(Run(how + " --low", before).err, "");
}

TEST_F(Render, WithoutADisplayThePictureIsTheSame) {
  Write("ball.xml", kBallAndTable);
  const std::string how = "render ball.xml --time 0.6 --size 320x240 --show transparent,forces --out ";
  const ProgramResult offscreen = Run(how + "a.png", std::string(kNoDisplay) + " STICTION_GL_DEBUG=1");
  ASSERT_EQ(offscreen.code, 0) << offscreen.err;
  EXPECT_EQ(offscreen.err, "");
  ASSERT_EQ(Run(how + "b.png", kScreen).code, 0);
  ASSERT_EQ(Run(how + "c.png", "env -u WAYLAND_DISPLAY DISPLAY=:9999").code, 0) << "a display that is gone";
  const PictureFile a(folder() / "a.png"), b(folder() / "b.png"), c(folder() / "c.png");
  ASSERT_EQ(a.width, 320);
  EXPECT_GT(a.Count(IsBlue), 500);
  ASSERT_EQ(a.pixels.size(), b.pixels.size());
  int differ = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i) differ += std::abs(a.pixels[i] - b.pixels[i]) > 8;
  EXPECT_LT(differ, static_cast<int>(a.pixels.size()) / 200);
  EXPECT_EQ(a.pixels, c.pixels);
}

TEST_F(Render, WithoutADisplayAndWithoutEglItSaysWhatToDo) {
  Write("ball.xml", kBallAndTable);
  const ProgramResult result =
      Run("render ball.xml --out p.png", std::string(kNoDisplay) + " __EGL_VENDOR_LIBRARY_DIRS=/nowhere");
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("libegl1"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("xvfb-run"), std::string::npos) << result.err;
  EXPECT_EQ(result.err.find('\n'), result.err.size() - 1) << result.err;
  EXPECT_FALSE(Exists("p.png"));
}

TEST_F(Render, WithoutAModernOpenGlItSaysSo) {
  Write("ball.xml", kBallAndTable);
  const ProgramResult result =
      Run("render ball.xml --out p.png", "MESA_GL_VERSION_OVERRIDE=2.1 " + std::string(kScreen));
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("OpenGL 3.3"), std::string::npos) << result.err;
  EXPECT_FALSE(Exists("p.png"));
}

TEST_F(Render, WrongArgumentsAreErrorsBeforeAnythingIsSimulated) {
  Write("ball.xml", kBallAndTable);
  ExpectError("render ball.xml", 2, "--out");
  ExpectError("render ball.xml --out p.tif", 2, ".png");
  ExpectError("render ball.xml --out p.mp4 --transparent", 2, "--transparent");
  ExpectError("render ball.xml --out p.png --turntable", 2, "--pictures");
  ExpectError("render ball.xml --out p.gif --pictures 3", 2, "--pictures");
  ExpectError("render ball.xml --out p.png --hold 1", 2, "--hold");
  ExpectError("render ball.xml --out p.png --speed 2", 2, "--speed");
  ExpectError("render ball.xml --out p.png --size 12", 2, "1280x720");
  ExpectError("render ball.xml --out p.png --size 99999x9", 2, "--size");
  ExpectError("render ball.xml --out p.mp4 --size 161x120", 2, "even");
  ExpectError("render ball.xml --out p.png --show everything", 2, "--show");
  ExpectError("render none.xml --out p.png", 3, "none.xml");
  ExpectError("render ball.xml --out p.png --keyframe none", 2, "none");
  EXPECT_FALSE(Exists("p.png"));
}

TEST_F(Render, AWrongViewNamesTheViews) {
  Write("ball.xml", kBallAndTable);
  ExpectError("render ball.xml --out p.png --camera corne", 2, "corner");
  ExpectError("render ball.xml --out p.png --camera 1,2", 2, "--camera");
}

// The camera of the model looks from below, where the others never are: the ball's underside, and no floor.
TEST_F(Render, CamerasOfTheModelAreViews) {
  Write("ball.xml", R"(<mujoco><worldbody>
    <body name="ball" pos="0 0 2"><freejoint/><geom type="sphere" size="0.3" mass="1" rgba="0 1 0 1"/>
      <camera name="under" pos="0 0 -1.5" xyaxes="1 0 0 0 -1 0"/><camera pos="0 0 2"/></body>
    </worldbody></mujoco>)");
  for (const char* name : {"under", "camera1"}) {
    const ProgramResult result =
        Picture("ball.xml --size 160x120 --time 0.3 --out p.png --camera " + std::string(name));
    ASSERT_EQ(result.code, 0) << result.err;
    const PictureFile picture(folder() / "p.png");
    const auto [r, g, b] = picture.at(80, 60);
    EXPECT_GT(g, r + 40) << name << ": the camera falls with the ball";
    EXPECT_GT(g, b + 40) << name;
  }
  ExpectError("render ball.xml --out p.png --camera above", 2, "under");
  ExpectError("render ball.xml --out p.gif --turntable --camera under", 2, "--turntable");
}

// MJCF's <global> and <statistic> say from where; a camera of that name hides it, as it does other views.
TEST_F(Render, StartsWhereTheFileLooksFrom) {
  const std::string body = R"(<worldbody><geom type="box" size="0.3 0.2 0.1" rgba="1 0 0 1"/>
    <geom type="sphere" size="0.2" pos="0.5 0 0.4" rgba="0 1 0 1"/></worldbody></mujoco>)";
  Write("plain.xml", "<mujoco>" + body);
  Write("own.xml",
        "<mujoco><visual><global azimuth='90' elevation='-20' fovy='40.10704565915762'/></visual>"
        "<statistic extent='2' center='0 0 0.25'/>" +
            body);
  const auto picture = [&](const std::string& arguments) {
    EXPECT_EQ(Picture(arguments + " --size 160x120 --out p.png").code, 0);
    return Read("p.png");
  };
  const std::string own = picture("own.xml");
  EXPECT_EQ(own, picture("plain.xml --camera=-90,20,3,0,0,0.25"));
  EXPECT_EQ(own, picture("own.xml --camera file"));
  EXPECT_EQ(picture("own.xml --camera corner"), picture("plain.xml"));
  ExpectError("render plain.xml --out p.png --camera file", 2, "there is no view 'file'");
}

// Two of the same model stand in a scenario, and its cameras have names that views have, and no name.
TEST_F(Render, CamerasWhoseNamesClashAreAllReached) {
  Write("ball.xml", R"(<mujoco><worldbody>
    <body name="ball" pos="0 0 2"><freejoint/><geom type="sphere" size="0.3" mass="1" rgba="0 1 0 1"/>
      <camera name="front" pos="0 0 -1.5" xyaxes="1 0 0 0 -1 0"/><camera pos="0 0 2"/>
      <camera name="camera1" pos="0 0 -5" xyaxes="1 0 0 0 1 0"/></body>
    </worldbody></mujoco>)");
  Write("two.xml", R"(<scenario><model name="a" file="ball.xml"/>
    <model name="b" file="ball.xml" pos="9 0 0"/></scenario>)");
  const auto sees_ball = [&](const std::string& file, const std::string& camera) {
    const ProgramResult result = Picture(file + " --size 160x120 --out p.png --camera " + camera);
    EXPECT_EQ(result.code, 0) << camera << ": " << result.err;
    const auto [r, g, b] = PictureFile(folder() / "p.png").at(80, 60);
    return g > r + 40 && g > b + 40;
  };
  EXPECT_TRUE(sees_ball("ball.xml", "front"));
  EXPECT_FALSE(sees_ball("ball.xml", "camera1")) << "by its own name, though it is number 2: looks away";
  EXPECT_TRUE(sees_ball("ball.xml", "camera1_")) << "the one without a name";
  for (const char* name : {"a/front", "b/front", "camera1", "camera4"})
    EXPECT_TRUE(sees_ball("two.xml", name)) << name;
  // The view whose name is taken is there as well: the same as where no camera is called so.
  Picture("ball.xml --size 160x120 --out p.png --camera view:front");
  const std::string view = Read("p.png");
  std::string renamed = Read("ball.xml");
  renamed.replace(renamed.find("\"front\""), 7, "\"eye\"");
  Write("ball.xml", renamed);
  Picture("ball.xml --size 160x120 --out p.png --camera front");
  EXPECT_EQ(Read("p.png"), view);
  Write("ball.xml", renamed.replace(renamed.find("\"eye\""), 5, "\"front\""));
  ExpectError("render ball.xml --out p.png --camera above", 2, "view:front");
}

// The log holds what the picture shows: poses, contact points, forces.
TEST_F(Render, ALogIsDrawnAsItWasSimulated) {
  Write("ball.xml", kBallAndTable);
  const std::string how = " --size 320x240 --camera 20,10,6 --show contacts,forces --out ";
  for (const char* time : {"1", "0.5"}) {
    ASSERT_EQ(Picture("ball.xml" + how + "simulated.png --time " + time).code, 0);
    ASSERT_EQ(Run("run ball.xml --quiet --time 1 --log run.h5 --force").code, 0);
    const ProgramResult result = Picture("run.h5" + how + "played.png --time " + time);
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(Read("played.png"), Read("simulated.png")) << time;
  }
  ASSERT_EQ(Picture("run.h5" + how + "end.png").code, 0);
  ASSERT_EQ(Picture("ball.xml" + how + "simulated.png --time 1").code, 0);
  EXPECT_EQ(Read("end.png"), Read("simulated.png")) << "without a time: its end";
}

TEST_F(Render, ALogOfAModelReadWithFlagsIsReadWithThem) {
  Write("ball.xml", kBallAndTable);
  ASSERT_EQ(Run("run ball.xml --quiet --ground 0.1 --time 0.1 --log run.h5").code, 0);
  ASSERT_EQ(Picture("run.h5 --size 320x240 --out played.png").code, 0);
  ASSERT_EQ(Picture("ball.xml --ground 0.1 --time 0.1 --size 320x240 --out ground.png").code, 0);
  ASSERT_EQ(Picture("ball.xml --time 0.1 --size 320x240 --out none.png").code, 0);
  EXPECT_EQ(Read("played.png"), Read("ground.png"));
  EXPECT_NE(Read("played.png"), Read("none.png"));
}

TEST_F(Render, ALogWithoutItsModelSaysWhatToDo) {
  Write("ball.xml", kBallAndTable);
  ASSERT_EQ(Run("run ball.xml --quiet --time 0.1 --log run.csv").code, 0);
  ExpectError("render run.csv --out p.png", 3, "--model FILE");
  EXPECT_EQ(Picture("run.csv --model ball.xml --size 64x64 --out p.png").code, 0);
  ASSERT_EQ(Run("run ball.xml --quiet --time 0.1 --log run.h5").code, 0);
  std::filesystem::rename(folder() / "ball.xml", folder() / "moved.xml");
  ExpectError("render run.h5 --out p.png", 3, "--model FILE");
  EXPECT_EQ(Picture("run.h5 --model moved.xml --size 64x64 --out p.png").code, 0);
  ExpectError("run run.h5", 3, "a log");
}

TEST_F(Render, AVideoOfALogHasItsLength) {
  Write("ball.xml", kBallAndTable);
  ASSERT_EQ(Run("run ball.xml --quiet --time 0.5 --log run.h5").code, 0);
  ASSERT_EQ(Picture("run.h5 --size 64x64 --fps 10 --out v.mp4").code, 0);
  const ProgramResult frames = Run(
      "--version && ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 v.mp4");
  EXPECT_NE(frames.out.find("\n6"), std::string::npos) << frames.out;  // 0, 0.1, ..., 0.5 s
}

TEST_F(Render, APictureThatCannotBeWrittenIsAnError) {
  Write("ball.xml", kBallAndTable);
  const ProgramResult result = Picture("ball.xml --size 64x64 --out no/such/folder/p.png");
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("no/such/folder/p.png"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace stiction
#endif
