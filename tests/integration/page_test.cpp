// Pages: `stiction run --report` and, where there is a viewer, `stiction render --out page.html`. What is in
// them, and in headless Chromium what they show.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <string>

#include "tests/integration/run_program.h"
#include "tests/integration/shell.h"

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

}  // namespace
}  // namespace stiction
