#include "io/trajectory_file.h"

#include "tests/io/temporary_file.h"

namespace stiction {
namespace {

TrajectoryTable Read(std::string_view text) {
  return ReadTrajectoryFile(TemporaryFile(text, ".csv").path());
}

// "line: message" of the LoadError.
std::string FailureOf(std::string_view text) {
  try {
    Read(text);
  } catch (const LoadError& error) {
    return std::to_string(error.line()) + ": " + error.message();
  }
  return "";
}

TEST(TrajectoryFile, ReadsTitlesAndNumbers) {
  const TrajectoryTable table = Read("time,shoulder, \"elbow\" \n0,1,-2\n 0.5 ,+3.5e-1,4\n1.25,0,.5\n");
  EXPECT_EQ(table.columns, (std::vector<std::string>{"shoulder", "elbow"}));
  EXPECT_EQ(table.times, (std::vector<double>{0.0, 0.5, 1.25}));
  MatrixXd values(2, 3);
  values << 1, 0.35, 0, -2, 4, 0.5;
  EXPECT_EQ(table.values, values);
  EXPECT_EQ(table.FindColumn("elbow"), 1);
  EXPECT_EQ(table.FindColumn("time"), -1);
}

TEST(TrajectoryFile, PassesOverCommentsBlanksAndWhatSpreadsheetsAdd) {
  const TrajectoryTable table = Read("\xEF\xBB\xBF# of the arm\r\n\r\ntime,a\r\n# start\r\n0,1\r\n\r\n1,2");
  EXPECT_EQ(table.times, (std::vector<double>{0.0, 1.0}));
  EXPECT_EQ(table.values(0, 1), 2.0);
}

TEST(TrajectoryFile, NamesFileLineAndWhatToDo) {
  EXPECT_EQ(FailureOf(""), "0: is empty; its first line has to name the columns: time, then the others");
  EXPECT_EQ(FailureOf("time,a\n"), "0: holds titles and no numbers; add a line per time");
  EXPECT_EQ(FailureOf("t,a\n0,1\n"), "1: the first column is \"t\"; it has to be \"time\", in seconds");
  EXPECT_EQ(FailureOf("0,1\n"), "1: the first column is \"0\"; it has to be \"time\", in seconds");
  EXPECT_EQ(FailureOf("\ntime\n0\n"), "2: there is no column beside the time; add one");
  EXPECT_EQ(FailureOf("time,a,\n0,1,2\n"), "1: column 3 has no title; name it");
  EXPECT_EQ(FailureOf("time,a,b,a\n0,1,2,3\n"), "1: two columns are called \"a\"; keep one");
  EXPECT_EQ(FailureOf("time,a\n0,1\n1,1,1\n"),
            "3: a row of 3 cells where the titles are 2; separate the numbers by commas");
  EXPECT_EQ(FailureOf("time;a\n0;1\n"),
            "1: the first column is \"time;a\"; it has to be \"time\", in seconds");
  EXPECT_EQ(FailureOf("time,a\n0,1\n#\n1,fast\n"), "4: \"fast\" in the column \"a\" is not a finite number");
  EXPECT_EQ(FailureOf("time,a\n0,\n"), "2: an empty cell in the column \"a\" is not a finite number");
  for (const char* cell : {"nan", "inf", "1e999", "1m", "0x10", "1 2", "--1"}) {
    EXPECT_EQ(FailureOf("time,a\n0," + std::string(cell) + "\n"),
              "2: \"" + std::string(cell) + "\" in the column \"a\" is not a finite number");
  }
  const std::string ascend = " is not later than the one before; the times have to ascend";
  EXPECT_EQ(FailureOf("time,a\n0,1\n0.5,1\n0.5,2\n"), "4: the time 0.5" + ascend);
  EXPECT_EQ(FailureOf("time,a\n0,1\n-1,1\n"), "3: the time -1" + ascend);
}

TEST(TrajectoryFile, ShowsTheBeginningOfALongCell) {
  const std::string failure = FailureOf("time,a\n0," + std::string(100000, 'x') + "\n");
  EXPECT_LT(failure.size(), 150u);
}

TEST(TrajectoryFile, AFileThatIsNotThereIsTold) {
  try {
    ReadTrajectoryFile("nowhere.csv");
    ADD_FAILURE() << "read what is not there";
  } catch (const LoadError& error) {
    EXPECT_EQ(std::string(error.what()), "nowhere.csv: cannot be read");
  }
}

}  // namespace
}  // namespace stiction
