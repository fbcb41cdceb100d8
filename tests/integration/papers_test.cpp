// `stiction bench papers --only ...`: experiments of the papers in a short form, and their report.
#include <algorithm>
#include <map>

#include "run_program.h"

namespace stiction {
namespace {

using Figure = std::map<std::string, std::string>;

// Cells of one row; quotes as in RFC 4180.
std::vector<std::string> SplitCells(const std::string& line) {
  std::vector<std::string> cells(1);
  bool is_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && is_quoted && i + 1 < line.size() && line[i + 1] == '"')
      cells.back() += line[++i];
    else if (line[i] == '"')
      is_quoted = !is_quoted;
    else if (line[i] == ',' && !is_quoted)
      cells.emplace_back();
    else
      cells.back() += line[i];
  }
  return cells;
}

std::vector<Figure> ParseFigures(const std::string& text) {
  std::istringstream in(text);
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> title = SplitCells(line);
  std::vector<Figure> figures;
  while (std::getline(in, line)) {
    const std::vector<std::string> cells = SplitCells(line);
    EXPECT_EQ(cells.size(), title.size()) << line;
    Figure figure;
    for (std::size_t i = 0; i < std::min(cells.size(), title.size()); ++i) figure[title[i]] = cells[i];
    figures.push_back(figure);
  }
  return figures;
}

int CountOf(const std::string& text, const std::string& what) {
  int count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

class Papers : public ProgramTest {
 protected:
  // Measures one experiment into the folder "report" and returns its figures. Every figure stands on the
  // terminal, in the CSV and in the report, with its verdict.
  std::vector<Figure> Measure(const std::string& experiment, int cases) const {
    const std::string command = "bench papers --only " + experiment + " --cases " + std::to_string(cases);
    // Where neither a display nor a driver of EGL is found, there are no pictures.
    const ProgramResult result = Run(command + " --out report",
                                     "env -u DISPLAY -u WAYLAND_DISPLAY __EGL_VENDOR_LIBRARY_DIRS=/nowhere");
    EXPECT_EQ(result.code, 0) << result.err;
    const std::vector<Figure> figures = ParseFigures(Read("report/figures.csv"));
    const std::string report = Read("report/report.md");
    for (const Figure& figure : figures) {
      EXPECT_EQ(figure.at("experiment"), experiment);
      EXPECT_EQ(figure.at("command"), "stiction " + command);
      EXPECT_NE(figure.at("paper"), "");
      EXPECT_NE(result.out.find(figure.at("quantity") + ": paper " + figure.at("paper")), std::string::npos);
      EXPECT_NE(report.find("| " + figure.at("ours") + " | **" + figure.at("verdict") + "** |"),
                std::string::npos)
          << figure.at("quantity");
    }
    EXPECT_EQ(CountOf(result.out, "\n  "), static_cast<int>(figures.size()));
    return figures;
  }
  // The only figure whose quantity holds the text.
  static Figure Find(const std::vector<Figure>& figures, const std::string& text) {
    const auto holds = [&](const Figure& f) { return f.at("quantity").find(text) != std::string::npos; };
    EXPECT_EQ(std::count_if(figures.begin(), figures.end(), holds), 1) << text;
    const auto found = std::find_if(figures.begin(), figures.end(), holds);
    return found == figures.end() ? Figure{{"ours", "nan"}, {"verdict", ""}} : *found;
  }
  static double Ours(const Figure& figure) { return std::stod(figure.at("ours")); }
  // Of so many curves, each with its line in the legend.
  void ExpectPlot(const std::string& name, int curves) const {
    const std::string svg = Read("report/" + name);
    EXPECT_EQ(svg.find("<?xml"), 0u) << name;
    EXPECT_EQ(CountOf(svg, "<polyline"), 2 * curves) << name;
    EXPECT_EQ(CountOf(svg, "nan"), 0) << name;
  }
};

TEST_F(Papers, CanalSolvesTheNut) {
  const std::vector<Figure> figures = Measure("canal.nut", 3);
  for (const char* solver : {"canal", "canal_paper"}) {
    const Figure residual = Find(figures, "residual of " + std::string(solver) + " after 10 iterations");
    EXPECT_LE(Ours(residual), 1e-8) << solver;
    EXPECT_EQ(residual.at("verdict"), "held") << solver;
    const Figure iterations = Find(figures, "AL iterations of " + std::string(solver) + " to 1e-8");
    EXPECT_LE(Ours(iterations), 10) << solver;
    EXPECT_EQ(iterations.at("verdict"), "held") << solver;
  }
  // From 1e-3 down to it, in fewer sweeps than it would take PGS: not by a start that was solved already.
  EXPECT_GT(Ours(Find(figures, "AL iterations of canal to 1e-8")), 1);
  for (const char* plot : {"iterations", "time", "time_iterations"})
    ExpectPlot("canal_nut_" + std::string(plot) + ".svg", 6);
  // There is no picture where there is no OpenGL, and the report says so; the state is there to be drawn.
  EXPECT_FALSE(Exists("report/canal_nut_picture.png"));
  EXPECT_NE(Read("report/report.md").find("canal_nut_picture.png is skipped: "), std::string::npos);
  EXPECT_NE(Read("report/canal_nut_state.json").find("nut_on_bolt.xml"), std::string::npos);
}

TEST_F(Papers, CanalSolvesTheDishes) {
  const std::vector<Figure> figures = Measure("canal.dishes", 2);
  for (const char* solver : {"canal", "canal_paper"})
    EXPECT_LE(Ours(Find(figures, "residual of " + std::string(solver) + " after 10 iterations")), 1e-8);
  EXPECT_EQ(Find(figures, "residual of pgs_ncp in the time").at("verdict"), "held");
  ExpectPlot("canal_dishes_time.svg", 6);
}

// Table II: the cascade never fails and takes fewer steps than dogleg and damped Newton on the strict
// operator, which fail.
TEST_F(Papers, CanalsCascadeNeverFails) {
  const std::vector<Figure> figures = Measure("canal.newton", 10);
  const Figure steps = Find(figures, "Newton steps of canal_paper in ten");
  EXPECT_LE(Ours(steps), 40.0);
  EXPECT_GE(Ours(steps), 10.0);
  EXPECT_EQ(steps.at("verdict"), Ours(steps) <= 30.55 ? "held" : "not held");
  EXPECT_EQ(Ours(Find(figures, "inner problems that canal_paper fails")), 0.0);
  EXPECT_GE(Ours(Find(figures, "−log10 residual of canal_paper")), 8.2231);
  EXPECT_GT(Ours(Find(figures, "Newton steps of al_trdogleg over")), 2.0);
  EXPECT_GT(Ours(Find(figures, "Newton steps of al_dampedsn over")), 5.0);
  EXPECT_GT(Ours(Find(figures, "inner problems that al_dampedsn fails")), 10.0);
  EXPECT_LT(Ours(Find(figures, "inner problems that al_dampedsn fails")), 80.0);
}

TEST_F(Papers, CanalPours) {
  const std::vector<Figure> figures = Measure("canal.pouring", 4);
  EXPECT_EQ(Find(figures, "particles that end in").at("ours"), "27 of 27");
  EXPECT_LE(Ours(Find(figures, "residual of canal in 5 iterations")), 1e-5);
  EXPECT_LE(Ours(Find(figures, "residual of subadmm over that of pgs_ncp")), 0.15);
  ExpectPlot("canal_pouring_time.svg", 6);
  // The model in the report is the one that was poured.
  const auto model = Run("inspect report/canal_pouring_model.xml --json -").Json();
  EXPECT_EQ(model["nv"], 28 + 2 * 6 + 6 * 18);
}

// Fig. 3 and 2: where the stack rests, ADMM is done before the first-order methods have begun; where it is
// pulled, P-SPG-FB is ahead of the paper's ADMM, and behind all forms of ours.
TEST_F(Papers, AdmmConverges) {
  const std::vector<Figure> rest = Measure("admm.converge_a", 1);
  const Figure count = Find(rest, "iterations of admm to 1e-6");
  EXPECT_LT(Ours(count), 20);
  EXPECT_EQ(count.at("verdict"), "held");
  EXPECT_EQ(Find(rest, "first iteration of admm whose primal residual").at("ours"), "1");
  EXPECT_LE(Ours(Find(rest, "violation of admm and jacobi after 20")), 1e-7);
  for (const char* plot : {"iterations", "time"}) {
    const std::string svg = Read("report/admm_converge_a_" + std::string(plot) + ".svg");
    for (const char* method : {"jacobi", "apgd", "spg", "pfadmm"})
      EXPECT_EQ(CountOf(svg, ">" + std::string(method) + "<"), 2) << plot << " " << method;
    EXPECT_EQ(CountOf(svg, "nan"), 0) << plot;
  }
  EXPECT_EQ(CountOf(Read("report/admm_converge_a.csv"), "\njacobi,"), 10);
  const std::vector<Figure> pull = Measure("admm.converge_b", 1);
  for (const char* mixing : {"iterations of admm and spg", "iterations of padmm and spg"}) {
    const Figure figure = Find(pull, mixing);
    EXPECT_LT(Ours(figure), 70) << mixing;
    EXPECT_EQ(figure.at("verdict"), "held") << mixing;
    const std::string& remark = figure.at("remark");
    EXPECT_NE(remark.find("the paper's own takes "), std::string::npos) << remark;
    EXPECT_NE(remark.find("of 220 choices of what the paper leaves open"), std::string::npos) << remark;
  }
  for (const char* accelerated : {"iterations of fadmm and spg", "iterations of pfadmm and spg"}) {
    const Figure figure = Find(pull, accelerated);
    EXPECT_EQ(figure.at("verdict"), Ours(figure) < 105 ? "held" : "not held") << accelerated;
  }
  EXPECT_LT(Ours(Find(pull, "iterations of pfadmm and spg")), 80);
}

TEST_F(Papers, RefusesWhatItDoesNotKnow) {
  ExpectError("bench papers --only canal,kanal", 2,
              "--only: there is no paper or experiment 'kanal'; known: canal, canal.nut, canal.dishes");
  ExpectError("bench speed --only canal", 2, "go with --all, or with one of the suites `papers`, `duals`");
  ExpectError("bench papers --only canal --solver sap", 2, "leave out --solver");
  ExpectError("bench papers --only canal --cases 0", 2, "--cases");
  Write("taken", "");
  ExpectError("bench papers --only canal.nut --cases 1 --out taken", 2,
              "--out: cannot make the folder taken");
}

// The quick ones of `bench truth`: every figure is held, and a name that is none is told.
TEST_F(Papers, KnownAnswersAreFound) {
  const ProgramResult result =
      Run("bench truth --only truth.pendulum,truth.flip,truth.top,truth.friction,truth.impact --out report");
  EXPECT_EQ(result.code, 0) << result.err;
  const std::vector<Figure> figures = ParseFigures(Read("report/figures.csv"));
  EXPECT_GT(figures.size(), 20u);
  for (const Figure& figure : figures) {
    EXPECT_EQ(figure.at("verdict"), "held") << figure.at("quantity") << ": " << figure.at("ours");
    EXPECT_NE(figure.at("known"), "");
  }
  EXPECT_NE(Read("report/report.md").find("# Problems with known answers"), std::string::npos);
  ExpectPlot("truth_flip_angular_velocity.svg", 3);
  EXPECT_EQ(Run("bench truth --only truth.nothing").code, 2);
}

// The short forms of what rolls, hits and stands: every figure is held, by the law that the report names.
TEST_F(Papers, BodiesThatTouchDoAsTheirLawsSay) {
  const std::string names =
      "truth.disk,truth.rattleback,truth.tippe_top,truth.spin,truth.cradle,truth.painleve,truth.billiards";
  const ProgramResult result = Run("bench truth --quick --only " + names + " --out report");
  EXPECT_EQ(result.code, 0) << result.err;
  const std::vector<Figure> figures = ParseFigures(Read("report/figures.csv"));
  EXPECT_GT(figures.size(), 25u);
  for (const Figure& figure : figures)
    EXPECT_EQ(figure.at("verdict"), "held") << figure.at("quantity") << ": " << figure.at("ours");
  EXPECT_NE(Find(figures, "touching, one comes").at("remark").find("-0.600, 0.400"), std::string::npos);
}

// On a turning shaft the default integrator and the midpoint rule are of their orders.
TEST_F(Papers, APendulumSwingsOnATurningShaft) {
  ASSERT_EQ(Run("bench truth --only truth.turned_pendulum --out report").code, 0);
  const std::vector<Figure> figures = ParseFigures(Read("report/figures.csv"));
  for (const char* held : {"kept", "order of midpoint", "order of euler", "midpoint at 0.001 s"})
    EXPECT_EQ(Find(figures, held).at("verdict"), "held") << held;
}

// Arches of 25 stones: one stands, one falls.
TEST_F(Papers, ArchesStandAsStaticsSays) {
  ASSERT_EQ(Run("bench truth --quick --only truth.arch --out report").code, 0);
  for (const char* held : {"25 stones, 105 %", "25 stones, 95 %"})
    EXPECT_EQ(Find(ParseFigures(Read("report/figures.csv")), held).at("verdict"), "held") << held;
}

// Data that are not ours to ship: without them the figure is not measured, and says where they were looked
// for.
TEST_F(Papers, TossesAreForetoldWhereTheirDataAre) {
  const ProgramResult without =
      Run("bench truth --only truth.toss --cases 1", "STICTION_SHARED_DIR=/nowhere");
  EXPECT_EQ(without.code, 0);
  EXPECT_NE(without.out.find("/nowhere/benchmarks/cube_toss.csv"), std::string::npos) << without.out;
  EXPECT_NE(without.out.find("1 not measured"), std::string::npos) << without.out;
  if (!std::filesystem::exists(STICTION_SHARED_DIR "/benchmarks/cube_toss.csv"))
    GTEST_SKIP() << "no cube_toss.csv in " STICTION_SHARED_DIR;
  const ProgramResult result = Run("bench truth --only truth.toss --cases 2 --out report");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(CountOf(Read("report/truth_toss.csv"), " mm, "), 15);  // five models, three looks
}

}  // namespace
}  // namespace stiction
