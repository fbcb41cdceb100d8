// What the program prints for people: reports that group, words that were meant, versions, manuals, logs that
// are kept, comparisons.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <string>

#include "tests/integration/run_program.h"
#include "tests/integration/shell.h"

namespace stiction {
namespace {

class People : public ProgramTest {
 protected:
  People() { Write("boxes.xml", kBoxes); }

  static long CountLines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }
  static void ExpectHas(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in\n" << text;
  }
};

// Forty joints with three words each that this engine lacks, and as many materials that it does not show.
std::string MakeChattyUrdf() {
  std::string urdf = "<robot name=\"chatty\">\n<link name=\"l0\"/>\n";
  for (int i = 1; i <= 40; ++i) {
    const std::string n = std::to_string(i);
    urdf += "<link name=\"l" + n +
            "\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" "
            "ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial><visual><geometry><sphere radius=\"0.1\"/></geometry>"
            "</visual></link>\n<joint name=\"j" +
            n + "\" type=\"revolute\"><parent link=\"l" + std::to_string(i - 1) + "\"/><child link=\"l" + n +
            "\"/><axis xyz=\"0 0 1\"/>\n<limit "
            "lower=\"-1\" upper=\"1\" velocity=\"2\" effort=\"3\"/><dynamics K=\"1\" D=\"2\"/></joint>\n";
  }
  return urdf + "</robot>\n";
}

TEST_F(People, TheImportReportHasALineAKind) {
  Write("chatty.urdf", MakeChattyUrdf());
  const ProgramResult brief = Run("inspect chatty.urdf"), whole = Run("inspect chatty.urdf --verbose");
  ASSERT_EQ(brief.code, 0) << brief.err;
  const std::string report = brief.out.substr(brief.out.find("import:"));
  EXPECT_LE(CountLines(report), 15) << report;
  ExpectHas(report, "ignored in chatty.urdf (--verbose: all)");
  ExpectHas(report, "affects motion:");
  ExpectHas(report, "harmless");
  ExpectHas(report, "    40  limit[@velocity]: ");
  ExpectHas(report, "    80  dynamics[@K, D]: ");
  EXPECT_EQ(report.find("visual"), std::string::npos) << "what is drawn has an effect";
  const std::string list = whole.out.substr(whole.out.find("import:"));
  EXPECT_GT(CountLines(list), 160) << "a line each";
  ExpectHas(list, "chatty.urdf:5: limit[@velocity] ignored: ");
  // The counts are those of the machine's list.
  int ignored = 0;
  for (const auto& item : Run("inspect chatty.urdf --json -").Json()["report"])
    ignored += item["status"] == "ignored";
  ExpectHas(report, std::to_string(ignored) + " ignored");
}

TEST_F(People, WhatWasMeantIsSaid) {
  ExpectError("rnu boxes.xml", 2, "there is no command 'rnu'; did you mean 'run'?");
  ExpectError("view boxes.xml", 2, "`stiction-view FILE` opens a window");
  EXPECT_EQ(Run("run boxes.xml --oum x").err.find("did you mean"), std::string::npos) << "nothing is near";
  ExpectError("run boxes.xml --thraeds 2", 2,
              "there is no flag '--thraeds'; did you mean '--threads'? (see `stiction run --help`)");
  ExpectError("run boxes.xml --solver canl", 2,
              "there is no solver 'canl'; did you mean 'canal'? Known: auto,");
  ExpectError("run scene:cluter", 2, "there is no scene 'cluter'; did you mean 'clutter'?");
  ExpectError("run scen:clutter", 3, "scen:clutter: no such file; did you mean 'scene:clutter'?");
  ExpectError("run boxes.xml --keyframe rset", 2, "there is no keyframe 'rset'; did you mean 'rest'?");
  ExpectError("run boxs.xml", 3, "boxs.xml: no such file; did you mean 'boxes.xml'?");
  ExpectError("run pinhc", 3, "scenarios/pinch.xml'?");
  ExpectError("inspect pinch", 3, "scenarios/pinch.xml'?");
  // Far from all that is known, nothing is guessed.
  ExpectError("run boxes.xml --xyzzy", 2, "there is no flag '--xyzzy' (see");
  ExpectError("run quux/absent.xml", 3, "quux/absent.xml: no such file\n");
}

TEST_F(People, VersionNamesTheSourceAndTheOptions) {
  const ProgramResult version = Run("--version");
  EXPECT_EQ(version.code, 0);
  EXPECT_EQ(version.out.find("stiction 0."), 0u) << version.out;
  for (const char* word : {"\ncommit    ", "\ncompiler  ", "\noptions   ", "hdf5"})
    ExpectHas(version.out, word);
}

TEST_F(People, ALogIsOverwrittenOnlyWhereThatIsSaid) {
  const std::string run = "run boxes.xml --time 0.02 --quiet --log run.csv";
  ASSERT_EQ(Run(run).code, 0);
  const std::string first = Read("run.csv");
  ExpectError(run, 2, "--log: run.csv exists; --force overwrites it");
  EXPECT_EQ(Read("run.csv"), first);
  EXPECT_EQ(Run(run + " --force --dt 0.001").code, 0);
  EXPECT_GT(Read("run.csv").size(), first.size());
  // A file without anything in it, as mktemp makes, has nothing to lose; nor has a device.
  Write("empty.csv", "");
  EXPECT_EQ(Run("run boxes.xml --time 0.02 --quiet --log empty.csv").code, 0);
  std::filesystem::create_symlink("/dev/null", folder() / "null.csv");
  EXPECT_EQ(Run("run boxes.xml --time 0.02 --quiet --log null.csv").code, 0);
}

TEST_F(People, WordsThatAreTypedFirstAreAnswered) {
  EXPECT_EQ(Run("help").out, Run("--help").out);
  EXPECT_EQ(Run("help run").out, Run("run --help").out);
  EXPECT_EQ(Run("version").out, Run("--version").out);
  const ProgramResult alone = Run("");
  EXPECT_EQ(alone.code, 2);
  ExpectHas(alone.err, "Simulate a model");
}

TEST_F(People, PlotsShowColumnsByName) {
  ASSERT_EQ(Run("run boxes.xml --time 0.2 --quiet --log a.csv").code, 0);
  ASSERT_EQ(Run("run boxes.xml --time 0.2 --dt 0.001 --quiet --log b.csv").code, 0);
  const ProgramResult list = Run("plot a.csv");
  EXPECT_EQ(list.code, 0) << list.err;
  for (const char* word : {"100 rows", "q:", "hinge", "lower_free.*", "ncp_max [m/s]"})
    ExpectHas(list.out, word);
  const ProgramResult drawn = Run("plot a.csv b.csv --show ncp,q:hinge,q:lower_free --out x.svg");
  ASSERT_EQ(drawn.code, 0) << drawn.err;
  const std::string svg = Read("x.svg");
  for (const char* word : {"time [s]", "ncp [m/s]", "q:hinge [m or rad]", ">a.csv<", ">b.csv<", ">0.05<",
                           "q:lower_free.qw, b.csv"})
    ExpectHas(svg, word);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(RunShell("python3 -c \"import sys, xml.dom.minidom as d; d.parse(sys.argv[1])\" " +
                     Quote(folder() / "x.svg"))
                .code,
            0);
}

// Labels end at the axis, and begin behind its title, which stands on its side and ends 27 pixels from the
// edge; a letter is 6.7 pixels wide at most.
TEST_F(People, LongLabelsOfAnAxisLeaveRoomForItsTitle) {
  Write("a.csv", "time,q0\n0,-3.4e-6\n1,1.6e-6\n");
  ASSERT_EQ(Run("plot a.csv --show q:0 --out x.svg").code, 0);
  const std::string svg = Read("x.svg");
  const std::regex label("<text x=\"([0-9.]+)\"[^>]*text-anchor=\"end\">([^<]*)</text>");
  std::size_t longest = 0;
  for (std::sregex_iterator at(svg.begin(), svg.end(), label), end; at != end; ++at) {
    const std::string text = (*at)[2];
    longest = std::max(longest, text.size());
    EXPECT_GT(std::stod((*at)[1]) - 6.7 * static_cast<double>(text.size()), 27.0) << text;
  }
  EXPECT_GE(longest, 9u) << "or else this shows nothing";
}

// Scenarios of several models name "q:arm/elbow" what is "q:elbow" in the arm's own logs.
TEST_F(People, ColumnsGoByTheirNameWithoutTheModel) {
  Write("a.csv", "time,q:arm/elbow,q:arm/wrist,q:cup/elbow\n0.1,1,2,3\n");
  ASSERT_EQ(Run("plot a.csv --show q:wrist --out d.csv").code, 0);
  EXPECT_EQ(Read("d.csv").substr(0, Read("d.csv").find('\n')), "time,q:arm/wrist");
  ASSERT_EQ(Run("plot a.csv --show q:elbow --out e.csv").code, 0);
  EXPECT_EQ(Read("e.csv").substr(0, Read("e.csv").find('\n')), "time,q:arm/elbow,q:cup/elbow");
  ExpectError("plot a.csv --show q:wrst --out f.csv", 2, "did you mean 'q:wrist'?");
}

// The second log is the first but for what is added to one column.
TEST_F(People, DifferencesAreOfTheFirstLog) {
  Write("a.csv", "time,q0,contacts\n0.1,1,2\n0.2,2,2\n0.3,4,2\n");
  Write("b.csv", "time,q0,contacts\n0.1,1.5,2\n0.3,5,2\n");
  ASSERT_EQ(Run("plot a.csv b.csv --diff --show q:0,contacts --out d.csv").code, 0);
  // Between rows along a straight line: 3.25 at 0.2 s.
  EXPECT_EQ(Read("d.csv").substr(0, Read("d.csv").find('\n')), "time,b.csv − a.csv,b.csv − a.csv");
  std::istringstream rows(Read("d.csv"));
  std::string line;
  std::getline(rows, line);
  const double wanted[] = {0.5, 1.25, 1.0};
  for (const double difference : wanted) {
    double time = 0, q = 0, contacts = 0;
    std::getline(rows, line);
    ASSERT_EQ(std::sscanf(line.c_str(), "%lf,%lf,%lf", &time, &q, &contacts), 3) << line;
    EXPECT_NEAR(q, difference, 1e-12);
    EXPECT_EQ(contacts, 0.0);
  }
  ExpectError("plot a.csv --diff --show q:0 --out d.csv", 2, "--diff: needs two logs");
  ExpectError("plot a.csv --show q:o --out d.csv", 2, "no log has 'q:o'; did you mean 'q:0'?");
  ExpectError("plot a.csv --show q:0", 2, "--out");
  ExpectError("plot a.csv --show q:0 --out a.csv", 2, "is the input");
  ExpectError("plot a.csv --show q:0 --out d.png", 2, ".svg nor in .csv");
  ExpectError("plot boxes.xml --show q:0 --out d.svg", 3, "boxes.xml:1: not a log");
  ExpectError("plot a.csv --time 3 --out d.svg", 2, "--time: '3'");
}

// A file changes while it is watched: the second run has the new mass.
TEST_F(People, WatchRunsAgainWhereAFileChanged) {
  Write("ball.xml",
        "<mujoco><worldbody><body name='b'><freejoint/><geom size='0.1' "
        "mass='1'/></body></worldbody></mujoco>");
  const ShellOutcome outcome =
      RunShell("cd " + Quote(folder()) +
               " && '" STICTION_RUNNER "' inspect ball.xml --watch > out.txt 2> err.txt & pid=$!; cd " +
               Quote(folder()) +
               "; for i in $(seq 100); do grep -q watching err.txt && break; sleep 0.1; done; sleep 0.1; "
               "sed -i s/mass=.1./mass=\\'3\\'/ ball.xml; "
               "for i in $(seq 100); do grep -q '3 kg' out.txt && break; sleep 0.1; done; kill -INT $pid; "
               "wait $pid; true");
  ASSERT_EQ(outcome.code, 0) << outcome.out;
  ExpectHas(Read("out.txt"), "b  1 kg");
  ExpectHas(Read("out.txt"), "b  3 kg");
  ExpectHas(Read("err.txt"), "watching 1 file; Ctrl-C ends");
  ExpectError("inspect scene:stack --watch", 2, "--watch: a scene built in code has no file");
}

TEST_F(People, BenchComparesWithAnEarlierTable) {
  const ProgramResult first = Run("bench scene:stack --time 0.05");
  ASSERT_EQ(first.code, 0);
  Write("old.csv", first.out);
  const ProgramResult again = Run("bench scene:stack --time 0.05 --compare old.csv");
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(again.out.substr(0, again.out.find('\n')), first.out.substr(0, first.out.find('\n')));
  ExpectHas(again.err, "us_median of commit ");
  ExpectHas(again.err, "stack auto");
  EXPECT_EQ(again.err.find("states moved"), std::string::npos) << again.err;
  // A thousandth of the time: whatever runs now is slower than that.
  std::string fast = first.out;
  const std::size_t median = fast.find(",ok,") + 4, end = fast.find(',', fast.find(',', median) + 1);
  fast.replace(median, end - median, "0.001,0.001");
  Write("fast.csv", fast);
  const ProgramResult slow = Run("bench scene:stack --time 0.05 --compare fast.csv --max-loss 50");
  EXPECT_EQ(slow.code, 1) << slow.err;
  ExpectHas(slow.err, "LOSS");
  ExpectError("bench scene:stack --compare absent.csv", 3, "absent.csv: cannot be read");
  ExpectError("bench scene:stack --compare boxes.xml", 3, "holds no rows");
  ExpectError("bench scene:stack --max-loss 5", 2, "needs --compare");
}

// Every flag that --help names stands in the man page, and bash completes it.
TEST_F(People, ManualsNameEveryFlag) {
  ASSERT_EQ(Run("--write-manual share").code, 0);
  for (const char* command : {"run", "plot", "bench", "inspect"}) {
    const std::string page = Read("share/man/man1/stiction-" + std::string(command) + ".1");
    std::istringstream help(Run(std::string(command) + " --help").out);
    int count = 0;
    for (std::string line; std::getline(help, line);) {
      const std::size_t begin = line.find("--");
      if (begin == std::string::npos || begin > 6) continue;
      std::string flag = line.substr(begin, line.find_first_of(" ,=", begin) - begin);
      for (std::size_t at = 0; (at = flag.find('-', at)) != std::string::npos; at += 2) flag.insert(at, "\\");
      ExpectHas(page, flag);
      EXPECT_EQ(page.find(flag + " VALUE"), std::string::npos)
          << flag << " says what it takes, or takes nothing";
      ++count;
    }
    EXPECT_GE(count, 6) << command;
  }
  const auto complete = [&](const std::string& line) {
    return RunShell("cd " + Quote(folder()) +
                    " && bash -c '. share/bash-completion/completions/stiction; COMP_LINE=\"$1\" "
                    "COMP_POINT=${#1}; _stiction; echo \"${COMPREPLY[@]}\"' - " +
                    Quote(line))
        .out;
  };
  ExpectHas(complete("stiction ru"), "run");
  EXPECT_EQ(complete("stiction run --thr"), "--threads\n");
  ExpectHas(complete("stiction run boxes.xml --solver can"), "canal canal_paper");
  EXPECT_EQ(complete("stiction run bo"), "boxes.xml\n");
  ExpectHas(complete("stiction solve p.json --solver auto,nbgs"), "auto,nbgs_c");
  EXPECT_EQ(complete("stiction run boxes.xml --on-miss=fa"), "fallback\n");
  for (const char* page : {"stiction.1", "stiction-run.1"}) {
    const ShellOutcome man = RunShell("cd " + Quote(folder()) +
                                      " && command -v groff >/dev/null || exit 77; "
                                      "groff -man -Tutf8 -ww -z share/man/man1/" +
                                      page);
    if (man.code == 77) break;
    EXPECT_EQ(man.out, "") << page;
  }
}

}  // namespace
}  // namespace stiction
