#include "stiction/io/log_table.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "stiction/io/log.h"

namespace stiction {
namespace {

constexpr double kTableTimestep = 0.01;

// An elbow and a free cup, whose pose is recorded; a finger that touches the cup at two points.
LogHeader MakeTableHeader() {
  LogHeader header;
  header.model = "two, three";
  header.solver = "canal";
  header.timestep = kTableTimestep;
  header.budget = Budget(1e-8);
  header.coordinates = {"elbow", "cup.x", "cup.qw"};
  header.dofs = {"elbow", "cup.vx"};
  header.actuators = {"motor"};
  header.bodies = {"world", "cup", "finger"};
  header.geoms = {"cup_geom", "tip"};
  header.geom_body = {1, 2};
  header.phases = {"solve", "total"};
  header.step_statuses = {"ok"};
  header.recorded_bodies = {"cup"};
  header.sensors = {"imu.x", "imu.y"};
  header.energy = true;
  return header;
}

LogRow MakeTableRow(int i) {
  LogRow row;
  row.time = kTableTimestep * (i + 1);
  row.q = Vector3d(0.1 * i, 2.0 * i, 1.0);
  row.v = Eigen::Vector2d(0.3 * i, -1.0 * i);
  row.ctrl = VectorXd::Constant(1, 5.0 * i);
  row.certificate.ncp_max = 1e-9 * (i + 1);
  row.phases = {2e-6, 3e-6};
  row.kinetic = 2.0 * i, row.potential = -0.5 * i;
  row.sensors = Eigen::Vector2d(7.0 * i, 8.0 * i);
  row.bodies = {{Vector3d(i, 0.0, 0.5)}};
  // Of 3 N and 4 N at right angles, in a step.
  row.contacts = {{0, 1, Vector3d::Zero(), Vector3d::UnitZ(), 0.0, kTableTimestep * Vector3d(3, 0, 0)},
                  {0, 1, Vector3d::Zero(), Vector3d::UnitZ(), 0.0, kTableTimestep * Vector3d(0, 4.0 * i, 0)}};
  return row;
}

class LogTableTest : public ::testing::Test {
 protected:
  LogTableTest()
      : folder_(std::filesystem::path(::testing::TempDir()) /
                ("stiction_log_table_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~LogTableTest() override { std::filesystem::remove_all(folder_); }
  std::string Path(const std::string& name) const { return folder_ / name; }

  void WriteTable(const std::string& name, bool has_contacts) const {
    LogHeader header = MakeTableHeader();
    header.contacts = has_contacts;
    const auto writer = LogWriter::Open(Path(name), header);
    for (int i = 0; i < 3; ++i) writer->Append(MakeTableRow(i));
    writer->Close();
  }

  static const LogSeries* Find(const LogTable& table, const std::string& name) {
    const auto found = std::find_if(table.series().begin(), table.series().end(),
                                    [&](const LogSeries& series) { return series.name == name; });
    return found == table.series().end() ? nullptr : &*found;
  }
  static std::vector<double> Values(const LogTable& table, const std::string& name) {
    const LogSeries* const series = Find(table, name);
    if (!series) return {};
    return table.Read(static_cast<std::size_t>(series - table.series().data()));
  }

  // What both formats hold.
  static void ExpectColumns(const LogTable& table) {
    using Numbers = std::vector<double>;
    ASSERT_EQ(table.time().size(), 3u);
    EXPECT_EQ(table.time()[2], kTableTimestep * 3);
    EXPECT_EQ(Values(table, "q:elbow"), (Numbers{0.0, 0.1, 0.2}));
    EXPECT_EQ(Values(table, "q:cup.x"), (Numbers{0.0, 2.0, 4.0}));
    EXPECT_EQ(Values(table, "v:cup.vx"), (Numbers{0.0, -1.0, -2.0}));
    EXPECT_EQ(Values(table, "ctrl:motor"), (Numbers{0.0, 5.0, 10.0}));
    EXPECT_EQ(Values(table, "sensor:imu.y"), (Numbers{0.0, 8.0, 16.0}));
    EXPECT_EQ(Values(table, "body:cup.x"), (Numbers{0.0, 1.0, 2.0}));
    EXPECT_EQ(Values(table, "body:cup.qw"), (Numbers{1.0, 1.0, 1.0}));
    EXPECT_EQ(Values(table, "energy"), (Numbers{0.0, 1.5, 3.0}));
    EXPECT_EQ(Values(table, "ncp_max"), (Numbers{1e-9 * 1, 1e-9 * 2, 1e-9 * 3}));
    EXPECT_NEAR(Values(table, "step_us")[0], 3.0, 1e-12);
    EXPECT_NEAR(Values(table, "solve_us")[1], 2.0, 1e-12);
    EXPECT_EQ(Find(table, "q:cup.x")->unit, "m");
    EXPECT_EQ(Find(table, "v:cup.vx")->unit, "m/s");
    EXPECT_EQ(Find(table, "q:cup.qw")->unit, "1");
    EXPECT_EQ(Find(table, "ncp_max")->unit, "m/s");
    EXPECT_EQ(Find(table, "time"), nullptr);
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(LogTableTest, CsvHasColumnsByName) {
  WriteTable("a.csv", false);
  ExpectColumns(LogTable(Path("a.csv")));
}

TEST_F(LogTableTest, Hdf5HasTheSameAndForces) {
  try {
    WriteTable("a.h5", true);
  } catch (const std::runtime_error& error) {
    GTEST_SKIP() << error.what();
  }
  const LogTable table(Path("a.h5"));
  ExpectColumns(table);
  EXPECT_EQ(table.model(), "two, three");
  EXPECT_EQ(table.solver(), "canal");
  ASSERT_TRUE(table.budget());
  EXPECT_EQ(table.budget()->absolute, 1e-8);
  for (const char* name : {"force:cup", "force:finger"}) {
    const std::vector<double> force = Values(table, name);
    ASSERT_EQ(force.size(), 3u) << name;
    EXPECT_NEAR(force[0], 3.0, 1e-12);
    EXPECT_NEAR(force[1], 5.0, 1e-12);
    EXPECT_NEAR(force[2], std::sqrt(9.0 + 64.0), 1e-12);
  }
  EXPECT_EQ(Find(table, "force:world"), nullptr);
}

// As logs were before their entries went by name.
TEST_F(LogTableTest, OldLogsHaveEntriesByNumber) {
  std::ofstream(Path("old.csv")) << "time,q0,q1,v0,contacts,ctrl0,sensor.gyro.x\n0.1,1,2,3,4,5,6\n0.2,1";
  const LogTable table(Path("old.csv"));
  ASSERT_EQ(table.time().size(), 1u) << "the line that was cut short is none";
  EXPECT_EQ(Values(table, "q:1"), (std::vector<double>{2.0}));
  EXPECT_EQ(Values(table, "v:0"), (std::vector<double>{3.0}));
  EXPECT_EQ(Values(table, "ctrl:0"), (std::vector<double>{5.0}));
  EXPECT_EQ(Values(table, "sensor:gyro.x"), (std::vector<double>{6.0}));
}

TEST_F(LogTableTest, WhatIsNoLogIsRefused) {
  std::ofstream(Path("no.csv")) << "a,b\n1,2\n";
  std::ofstream(Path("cut.h5"), std::ios::binary) << "\x89HDF\r\n\x1a\n and no more";
  for (const char* name : {"no.csv", "cut.h5", "absent.csv"})
    EXPECT_THROW(LogTable{Path(name)}, LoadError) << name;
}

}  // namespace
}  // namespace stiction
