// Pages: `stiction run --report` and, where there is a viewer, `stiction render --out page.html`. What is in
// them, and in headless Chromium what they show.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>

#include "tests/integration/run_program.h"
#include "tests/integration/shell.h"
#ifdef STICTION_WITH_VIEWER
#include "tests/support/picture.h"
#endif

namespace stiction {
namespace {

class Page : public ProgramTest {
 protected:
  // The data of a page, as its script finds it.
  nlohmann::json ReadData(const std::string& name) const {
    const std::string page = Read(name), begin = "id=\"data\">";
    const std::size_t at = page.find(begin) + begin.size();
    return nlohmann::json::parse(page.substr(at, page.find("</script>", at) - at));
  }

  static std::string DecodeBase64(const std::string& text) {
    std::string out;
    unsigned block = 0;
    int bits = 0;
    for (const char c : text) {
      static const std::string kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
      if (c == '=') break;
      block = block << 6 | static_cast<unsigned>(kLetters.find(c));
      if ((bits += 6) >= 8) out += static_cast<char>(block >> (bits -= 8) & 255);
    }
    return out;
  }
  template <typename Number>
  static std::vector<Number> Numbers(const nlohmann::json& text) {
    const std::string bytes = DecodeBase64(text.get<std::string>());
    std::vector<Number> numbers(bytes.size() / sizeof(Number));
    std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(Number));
    return numbers;
  }

  // A file below assets/, whole.
  static std::string Asset(const char* file) { return std::string(STICTION_SOURCE_DIR "/assets/") + file; }

  // In a browser: the document after its script has run, or with `extra` what else the browser is to write.
  ShellOutcome Browse(const std::string& page, const std::string& hash, const std::string& extra) const {
    return RunShell(
        "cd " + Quote(folder()) + " && HOME=" + Quote(folder()) +
        " timeout 100 chromium --headless --no-sandbox --disable-dev-shm-usage --disable-extensions "
        "--use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader --window-size=1280,720 "
        "--hide-scrollbars --host-resolver-rules='MAP * ~NOTFOUND' " +
        extra + " 'file://" + (folder() / page).string() + hash + "' 2> chromium.txt");
  }
};

TEST_F(Page, AReportHoldsTheRunAndItsExpectations) {
  const ProgramResult run =
      Run("run '" + Asset("scenarios/pinch.xml") + "' --report r.html --json answer.json --quiet");
  ASSERT_EQ(run.code, 0) << run.err;
  const std::string page = Read("r.html");
  EXPECT_LT(page.size(), 5'000'000u);
  // Nothing is fetched from elsewhere.
  for (const char* word : {"http:", "https:", " src=", "@import", "url("})
    EXPECT_EQ(page.find(word), std::string::npos) << word;
  const nlohmann::json answer = nlohmann::json::parse(Read("answer.json")), data = ReadData("r.html");
  std::size_t rows = 0;
  for (std::size_t at = 0; (at = page.find("<tr class=\"good\"", at)) != std::string::npos; ++at) ++rows;
  EXPECT_EQ(rows, answer["expectations"].size());
  EXPECT_NE(page.find("verdict good\">passed"), std::string::npos);
  EXPECT_NE(page.find(answer["state_hash"].get<std::string>()), std::string::npos);
  EXPECT_NE(page.find(">drift of part<"), std::string::npos) << "a curve of what was expected";
  EXPECT_NE(page.find("max 1e-\u206007<"), std::string::npos) << "no line ends within a number";

  const std::vector<float> time = Numbers<float>(data["time"]), ncp = Numbers<float>(data["ncp"]);
  EXPECT_EQ(time.size(), 301u) << "sixty a second, and the start";
  EXPECT_NEAR(*std::max_element(ncp.begin(), ncp.end()), answer["certificate"]["ncp_max"].get<double>(),
              1e-12);
  // The last frame is within 1/60 s of the end, where the part no longer moves.
  const std::vector<int> moving = data["poses"]["moving"];
  const auto bodies = data["scene"]["bodies"].get<std::vector<std::string>>();
  const std::string bytes = DecodeBase64(data["poses"]["data"]);
  ASSERT_EQ(bytes.size(), 20 * moving.size() * time.size());
  for (std::size_t k = 0; k < moving.size(); ++k) {
    const std::string& name = bodies[static_cast<std::size_t>(moving[k])];
    const auto wanted = answer["final"]["bodies"][name]["pos"].get<std::vector<double>>();
    float p[3];
    std::memcpy(p, bytes.data() + 20 * (moving.size() * (time.size() - 1) + k), sizeof p);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(p[i], wanted[i], 1e-6) << name;
  }
}

TEST_F(Page, AFailedRunSaysSo) {
  Write("drop.xml", R"(<scenario name="drop" duration="0.1"><ground/><model file="ball.xml" name="ball"/>
<expect what="position" of="ball" axis="z" at="end" min="5"/></scenario>)");
  Write("ball.xml", R"(<mujoco model="ball"><worldbody><body name="ball" pos="0 0 1"><freejoint/>
<geom size="0.1" mass="1"/></body></worldbody></mujoco>)");
  EXPECT_EQ(Run("run drop.xml --quiet --report r.html").code, 1);
  EXPECT_NE(Read("r.html").find("verdict bad\">failed"), std::string::npos);
  EXPECT_NE(Read("r.html").find("<tr class=\"bad\""), std::string::npos);
  ExpectError("run drop.xml --report r.pdf", 2, "does not end in .html");
  ExpectError("run drop.xml --report no/r.html", 2, "cannot write no/r.html");
}

// Names of files and bodies are text to the page, whatever is in them.
TEST_F(Page, NamesAreNotMarkup) {
  Write("odd.xml",
        R"(<mujoco model="&lt;/script&gt;&lt;b&gt;odd"><worldbody><body name="&lt;/script&gt;&lt;i&gt;"
    pos="0 0 1"><freejoint/><geom size="0.1" mass="1"/></body></worldbody></mujoco>)");
  ASSERT_EQ(Run("run odd.xml --time 0.1 --quiet --report r.html").code, 0);
  EXPECT_EQ(Read("r.html").find("<b>odd"), std::string::npos);
  EXPECT_EQ(Read("r.html").find("</script><i>"), std::string::npos);
  EXPECT_EQ(ReadData("r.html")["scene"]["bodies"][1], "</script><i>");
}

// A box with a cube of two colours on it, a mesh with corners in a picture, and a tendon between two bodies.
constexpr const char* kPictured = R"(<mujoco model="pictured"><asset>
<texture name="faces" type="cube" builtin="checker" rgb1="1 0 0" rgb2="0 0 1" width="8" height="8"/>
<texture name="tiles" type="2d" builtin="checker" rgb1="0 1 0" rgb2="0 1 0" width="16" height="16"/>
<texture name="unused" type="2d" builtin="flat" rgb1="1 1 0" width="8" height="8"/>
<material name="faces" texture="faces"/><material name="tiles" texture="tiles" texrepeat="3 4"/>
</asset><worldbody>
<geom type="plane" size="2 2 0.1" material="tiles"/>
<body name="box" pos="0 0 0.6"><freejoint/><geom type="box" size="0.5 0.5 0.5" material="faces"/>
<site name="top" pos="0 0 0.5"/></body>
<body name="hook" pos="0 0 3"><geom size="0.05"/><site name="eye"/></body></worldbody>
<tendon><spatial stiffness="1"><site site="top"/><site site="eye"/></spatial></tendon></mujoco>)";

TEST_F(Page, HoldsPicturesOnShapesAndTendons) {
  Write("pictured.xml", kPictured);
  ASSERT_EQ(Run("run pictured.xml --time 0.1 --quiet --report r.html").code, 0);
  const nlohmann::json data = ReadData("r.html"), &scene = data["scene"];
  EXPECT_EQ(Read("r.html").find("tendons are not drawn"), std::string::npos);
  std::size_t num_shown = 0;
  for (const nlohmann::json& part : scene["parts"]) {
    if (!part.contains("texture")) continue;
    ++num_shown;
    const nlohmann::json& texture = scene["textures"].at(part["texture"].get<std::size_t>());
    const bool is_box = part["body"] == 1;
    EXPECT_EQ(texture["cube"], is_box);
    ASSERT_EQ(texture["pictures"].size(), is_box ? 6u : 1u);
    for (const nlohmann::json& picture : texture["pictures"])
      EXPECT_EQ(DecodeBase64(picture).substr(1, 3), "PNG");
    if (is_box) continue;
    EXPECT_EQ(part["repeat"], nlohmann::json::array({3.0, 4.0}));
  }
  EXPECT_EQ(num_shown, 2u) << "the box and the floor";
  // From the box's upper side to the hook, in every frame.
  const auto counts = Numbers<std::uint16_t>(data["tendons"]["count"]);
  const auto pieces = Numbers<float>(data["tendons"]["data"]);
  EXPECT_EQ(counts.size(), Numbers<float>(data["time"]).size());
  EXPECT_EQ(std::count(counts.begin(), counts.end(), 1), static_cast<std::ptrdiff_t>(counts.size()));
  ASSERT_EQ(pieces.size(), 6 * counts.size());
  EXPECT_NEAR(pieces[2], 1.1f, 1e-6f);
  EXPECT_NEAR(pieces[5], 3.0f, 1e-6f);
  EXPECT_LT(pieces[pieces.size() - 4], 1.1f) << "the box has fallen";
}

#ifdef STICTION_WITH_VIEWER
// What is drawn of the log is what is drawn of the run; no display is needed.
TEST_F(Page, RenderWritesPagesOfRunsAndLogs) {
  const std::string stack = "scene:stack:count=4";
  ASSERT_EQ(Run("render " + stack + " --time 0.3 --out a.html", "env -u DISPLAY").code, 0)
      << "no display is needed";
  const ProgramResult log = Run("run " + stack + " --time 0.3 --quiet --log run.h5");
  if (log.err.find("HDF5 is not built in") != std::string::npos) GTEST_SKIP() << log.err;
  ASSERT_EQ(Run("render run.h5 --out b.html", "env -u DISPLAY").code, 0);
  const nlohmann::json run = ReadData("a.html"), played = ReadData("b.html");
  EXPECT_EQ(run["scene"]["parts"], played["scene"]["parts"]);
  const std::vector<float> forces = Numbers<float>(run["contacts"]["largest"]);
  // Four boxes of 1 kg stand on four corners, of which the one with the most carries the mean or more.
  EXPECT_GE(forces.back(), 9.809f);
  EXPECT_LT(forces.back(), 4 * 9.81f);
  EXPECT_EQ(Numbers<float>(played["contacts"]["largest"]).back(), forces.back());
  const ProgramResult help = Run("render --help");
  EXPECT_EQ(help.code, 0);
  EXPECT_NE(help.out.find("stiction render [OPTIONS]"), std::string::npos) << help.out;
  EXPECT_EQ(help.out.find("stiction-view"), std::string::npos) << help.out;
}
#endif

TEST_F(Page, ShowsTheSceneInABrowser) {
  if (RunShell("command -v chromium").code != 0) GTEST_SKIP() << "chromium is not installed";
  ASSERT_EQ(Run("run '" + Asset("scenarios/pinch.xml") + "' --time 1 --report r.html --quiet").code, 1)
      << "what is expected at 5 s is not met at 1 s";
  const ShellOutcome dom = Browse("r.html", "#t=0.5", "--dump-dom --screenshot=now.png");
  const auto attribute = [&](const std::string& name) {
    const std::string begin = "data-" + name + "=\"";
    const std::size_t at = dom.out.find(begin);
    if (at == std::string::npos) return std::string("none");
    return dom.out.substr(at + begin.size(), dom.out.find('"', at + begin.size()) - at - begin.size());
  };
  EXPECT_EQ(attribute("webgl"), "ok") << Read("chromium.txt");
  EXPECT_EQ(attribute("errors"), "0") << "glGetError";
  EXPECT_EQ(attribute("time"), "0.500000");
  EXPECT_NE(dom.out.find("t = 0.500 s"), std::string::npos);
  // The fingers hold the part, with points and newtons.
  EXPECT_NE(dom.out.find(" points</td><td>"), std::string::npos);
}

#ifdef STICTION_WITH_VIEWER
// Red and blue of the cube on the box, green of the floor, and the tendon above it, in no other colour.
TEST_F(Page, ShowsPicturesAndTendonsInABrowser) {
  if (RunShell("command -v chromium").code != 0) GTEST_SKIP() << "chromium is not installed";
  Write("pictured.xml", kPictured);
  ASSERT_EQ(Run("run pictured.xml --time 0.1 --quiet --report r.html").code, 0);
  const ShellOutcome dom =
      Browse("r.html", "#t=0.1", "--virtual-time-budget=3000 --dump-dom --screenshot=now.png");
  EXPECT_NE(dom.out.find("data-undecoded=\"0\""), std::string::npos) << "all pictures came";
  EXPECT_NE(dom.out.find("data-errors=\"0\""), std::string::npos);
  const testing::PictureFile picture(folder() / "now.png");
  ASSERT_GT(picture.width, 0) << Read("chromium.txt");
  EXPECT_GT(picture.Count([](int r, int g, int b) { return r > 120 && g < 60 && b < 60; }), 500) << "red";
  EXPECT_GT(picture.Count([](int r, int g, int b) { return b > 120 && r < 60 && g < 60; }), 500) << "blue";
  EXPECT_GT(picture.Count([](int r, int g, int b) { return g > 120 && r < 90 && b < 90; }), 500) << "green";
}
#endif

}  // namespace
}  // namespace stiction
