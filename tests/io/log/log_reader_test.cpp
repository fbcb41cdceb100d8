#include "stiction/io/log_reader.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "stiction/io/log_table.h"
#include "stiction/model/load_error.h"
#include "stiction/model/model_builder.h"
#ifdef STICTION_WITH_HDF5
#include "io/log/hdf5_driver.h"
#include "tests/io/hdf5_edit.h"
#endif

namespace stiction {
namespace {

// Two bodies: a ball that is free, and an arm with a motor.
Model MakeModel() {
  ModelBuilder builder("ball and arm");
  const int ball = builder.AddBody({.name = "ball"});
  builder.AddJoint(ball, {.kind = FreeJoint{}});
  builder.AddGeom({.body = ball, .shape = Sphere{0.1}}, {.mass = 1.0});
  const int arm = builder.AddBody({.name = "a \"quoted\", arm"});
  const int joint = builder.AddJoint(arm, {.name = "elbow"});
  builder.AddGeom({.body = arm, .shape = Sphere{0.1}}, {.mass = 1.0});
  builder.AddActuator({.name = "motor", .joint = joint});
  return builder.Build();
}

LogRow MakeRow(const Model& model, int i) {
  LogRow row;
  row.time = 0.1 * i;
  row.q = VectorXd::LinSpaced(model.nq(), i, i + 0.7);
  row.v = VectorXd::LinSpaced(model.nv(), -i, 1.0 / 3.0);
  row.ctrl = VectorXd::Constant(model.nu(), 1e-9 * i);
  row.certificate.ncp_max = 3e-9 * i;
  row.certificate.ncp_mean = 1e-9 * i;
  row.num_contacts = i;
  row.penetration = 1e-6 * i;
  row.certificate.own_law = 4e-10 * i;
  row.certificate.canal = 5e-10 * i;
  row.certificate.worst_constraint = i - 1;
  row.loop = 6e-11 * i;
  row.correction = 7e-12 * i;
  row.solve.status = i % 2 == 0 ? SolveStatus::kConverged : SolveStatus::kMaxIterations;
  row.solve.iterations = 2 * i;
  row.solve.newton_steps = 3 * i;
  row.solve.sweeps = 5 * i;
  row.solve.factorizations = 7 * i;
  row.solve.stage = i % 4;
  row.step_status = i % 2;
  row.num_limits = i + 1;
  row.num_islands = i + 2;
  row.num_parts = i + 4;
  // Every second step.
  if (i % 2 == 1)
    row.pull = {1, Vector3d(0.1, 0.2, 0.3 * i), Vector3d(4.0, 5.0, i), Vector3d(-1.0, i, 1.0 / 3.0)};
  row.kinetic = 0.5 * i;
  row.potential = -1.5 * i;
  row.phases = {1.0 * i, 3.0 * i};
  row.bodies.resize(1);
  for (int k = 0; k < i; ++k)
    row.contacts.push_back(
        {0, 1, Vector3d(0.1, 0.2, i + k), Vector3d::UnitZ(), -1e-7 * k, Vector3d(0.0, 1.0, 2.0 * k)});
  return row;
}

LogHeader MakeHeader(const Model& model) {
  LogHeader header;
  header.model = model.name;
  header.timestep = 0.1;
  header.budget = Budget(1e-8, 1e-6);
  header.coordinates.assign(static_cast<std::size_t>(model.nq()), "q");
  header.dofs.assign(static_cast<std::size_t>(model.nv()), "v");
  header.actuators.assign(static_cast<std::size_t>(model.nu()), "u");
  header.geoms = {"geom0", "geom1"};
  header.geom_body = {1, 2};
  header.phases = {"solve", "total"};
  header.step_statuses = {"ok"};
  header.recorded_bodies = {model.bodies[2].name};
  return header;
}

class LogReader : public ::testing::Test {
 protected:
  LogReader()
      : folder_(std::filesystem::path(::testing::TempDir()) / ("stiction_log_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~LogReader() override { std::filesystem::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ / name; }

  void WriteLog(const std::string& path, int num_rows, bool has_contacts, bool has_energy = true) const {
    LogHeader header = MakeHeader(model_);
    header.contacts = has_contacts;
    header.energy = has_energy;
    const auto writer = LogWriter::Open(path, header);
    for (int i = 0; i < num_rows; ++i) writer->Append(MakeRow(model_, i));
    writer->Close();
  }

  void ExpectRows(const std::vector<LogRow>& rows, int count) const {
    ASSERT_EQ(rows.size(), static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      const LogRow wanted = MakeRow(model_, i), &row = rows[static_cast<std::size_t>(i)];
      EXPECT_EQ(row.time, wanted.time);
      EXPECT_EQ(row.q, wanted.q);
      EXPECT_EQ(row.v, wanted.v);
      EXPECT_EQ(row.ctrl, wanted.ctrl);
      EXPECT_EQ(row.certificate.ncp_max, wanted.certificate.ncp_max);
      EXPECT_EQ(row.certificate.ncp_mean, wanted.certificate.ncp_mean);
      EXPECT_EQ(row.num_contacts, wanted.num_contacts);
      EXPECT_EQ(row.penetration, wanted.penetration);
      EXPECT_EQ(row.certificate.own_law, wanted.certificate.own_law);
      EXPECT_EQ(row.certificate.canal, wanted.certificate.canal);
      EXPECT_EQ(row.certificate.worst_constraint, wanted.certificate.worst_constraint);
      EXPECT_EQ(row.loop, wanted.loop);
      EXPECT_EQ(row.correction, wanted.correction);
      EXPECT_EQ(row.solve.status, wanted.solve.status);
      EXPECT_EQ(row.solve.iterations, wanted.solve.iterations);
      EXPECT_EQ(row.solve.newton_steps, wanted.solve.newton_steps);
      EXPECT_EQ(row.solve.sweeps, wanted.solve.sweeps);
      EXPECT_EQ(row.solve.factorizations, wanted.solve.factorizations);
      EXPECT_EQ(row.solve.stage, wanted.solve.stage);
      EXPECT_EQ(row.step_status, wanted.step_status);
      EXPECT_EQ(row.num_limits, wanted.num_limits);
      EXPECT_EQ(row.num_islands, wanted.num_islands);
      EXPECT_EQ(row.num_parts, wanted.num_parts);
      EXPECT_EQ(row.kinetic, wanted.kinetic);
      EXPECT_EQ(row.potential, wanted.potential);
      ASSERT_EQ(row.phases.size(), 2u);
      EXPECT_NEAR(row.phases[0], wanted.phases[0], 1e-15 * i) << "in CSV microseconds";
      EXPECT_NEAR(row.phases[1], wanted.phases[1], 1e-15 * i);
    }
  }

  // what() of the LoadError.
  std::string Refuse(const std::string& path, const Model& model) const {
    try {
      ReadLog(path, model);
    } catch (const LoadError& error) {
      return error.what();
    }
    return "nothing was thrown";
  }

  const Model model_ = MakeModel();
  std::filesystem::path folder_;
};

TEST_F(LogReader, CsvComesBackBitForBit) {
  WriteLog(Path("a.csv"), 5, false);
  ExpectRows(ReadLog(Path("a.csv"), model_).rows, 5);
}

// Nothing is made up: logs of older versions have fewer columns, and no CSV log has contact points.
TEST_F(LogReader, WhatIsNotInTheLogIsNotMadeUp) {
  WriteLog(Path("a.csv"), 2, false, false);
  const Log log = ReadLog(Path("a.csv"), model_);
  EXPECT_EQ(log.phases, (std::vector<std::string>{"solve", "total"}));
  EXPECT_EQ(log.solver, "");
  EXPECT_FALSE(log.timestep || log.budget || log.has_contacts);
  EXPECT_TRUE(std::isnan(log.rows.at(1).kinetic));
  std::ofstream(Path("old.csv"))
      << "time,q0,q1,q2,q3,q4,q5,q6,q7,v0,v1,v2,v3,v4,v5,v6,contacts,ncp_max,ctrl0\n"
         "0.1,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,3,1e-9,0\n";
  const Log old = ReadLog(Path("old.csv"), model_);
  ASSERT_EQ(old.rows.size(), 1u);
  const LogRow& row = old.rows[0];
  EXPECT_EQ(row.num_contacts, 3);
  EXPECT_EQ(row.certificate.ncp_max, 1e-9);
  EXPECT_TRUE(std::isnan(row.certificate.own_law));
  EXPECT_TRUE(std::isnan(row.penetration));
  EXPECT_TRUE(std::isnan(row.potential));
  EXPECT_EQ(row.solve.iterations, kNotLogged);
  EXPECT_EQ(row.num_islands, kNotLogged);
  EXPECT_EQ(row.num_parts, kNotLogged);
  EXPECT_FALSE(old.has_pulls);
  EXPECT_EQ(row.step_status, kNotLogged);
  EXPECT_TRUE(row.phases.empty());
}

#ifdef STICTION_WITH_HDF5
// HDF5 1.10 calls a file's driver once more after it has let go of it: the last file must not take it along.
TEST_F(LogReader, TheDriverOutlivesItsFiles) {
  LogFile file(Path("a.h5"));
  const hid_t access = MakeLogFileAccess(file);
  ASSERT_GE(access, 0);
  const hid_t driver = H5Pget_driver(access);
  H5Pclose(access);
  EXPECT_GT(H5Iis_valid(driver), 0);
}
#endif

TEST_F(LogReader, PullsComeBackWhereTheyWereRecorded) {
  std::vector<std::string> names{"a.csv"};
#ifdef STICTION_WITH_HDF5
  names.push_back("a.h5");
#endif
  for (const std::string& name : names) {
    LogHeader header = MakeHeader(model_);
    const auto write = [&] {
      const auto writer = LogWriter::Open(Path(name), header);
      for (int i = 0; i < 4; ++i) writer->Append(MakeRow(model_, i));
      writer->Close();
      return ReadLog(Path(name), model_);
    };
    EXPECT_FALSE(write().has_pulls) << name;
    header.pulls = true;
    const Log log = write();
    EXPECT_TRUE(log.has_pulls) << name;
    ASSERT_EQ(log.rows.size(), 4u);
    for (int i = 0; i < 4; ++i) {
      const LogPull wanted = MakeRow(model_, i).pull, &pull = log.rows[static_cast<std::size_t>(i)].pull;
      EXPECT_EQ(pull.body, i % 2 == 1 ? 1 : -1);
      EXPECT_EQ(pull.p_W, wanted.p_W);
      EXPECT_EQ(pull.force_W, wanted.force_W);
      EXPECT_EQ(pull.torque_W, wanted.torque_W);
    }
    const LogTable table(Path(name));
    const auto force = std::find_if(table.series().begin(), table.series().end(),
                                    [](const LogSeries& series) { return series.name == "pull_fy"; });
    ASSERT_NE(force, table.series().end()) << "can be plotted";
    EXPECT_EQ(table.Read(static_cast<std::size_t>(force - table.series().begin())),
              (std::vector<double>{0.0, 5.0, 0.0, 5.0}));
  }
}

TEST_F(LogReader, ANumberThatIsNotFiniteIsShownAsItIs) {
  std::ofstream(Path("a.csv")) << "time,q0,q1,q2,q3,q4,q5,q6,q7,v0,v1,v2,v3,v4,v5,v6,contacts,ncp_max,ctrl0\n"
                                  "0.1,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,1e300,inf,0\n";
  const Log log = ReadLog(Path("a.csv"), model_);
  EXPECT_TRUE(std::isinf(log.rows.at(0).certificate.ncp_max));
  EXPECT_EQ(log.rows.at(0).num_contacts, kNotLogged) << "no log counts so many";
}

TEST_F(LogReader, ALineThatWasCutShortIsLeftOut) {
  WriteLog(Path("a.csv"), 3, false);
  std::ofstream(Path("a.csv"), std::ios::app) << "0.3,1,2";
  ExpectRows(ReadLog(Path("a.csv"), model_).rows, 3);
}

TEST_F(LogReader, AWrongLineIsAnErrorWithItsNumber) {
  WriteLog(Path("a.csv"), 3, false);
  std::ofstream(Path("a.csv"), std::ios::app) << "0.3,one,2\n0.4,1\n";
  EXPECT_NE(Refuse(Path("a.csv"), model_).find("a.csv:5"), std::string::npos)
      << Refuse(Path("a.csv"), model_);
}

TEST_F(LogReader, ALogOfAnotherModelIsRefused) {
  WriteLog(Path("a.csv"), 2, false);
  ModelBuilder builder("other");
  const int body = builder.AddBody({});
  builder.AddJoint(body, {.kind = FreeJoint{}});
  builder.AddGeom({.body = body, .shape = Sphere{0.1}}, {.mass = 1.0});
  EXPECT_NE(Refuse(Path("a.csv"), builder.Build()).find("another model"), std::string::npos);
}

TEST_F(LogReader, WhatIsNoLogIsRefused) {
  std::ofstream(Path("a.csv")) << "a,b\n1,2\n";
  EXPECT_NE(Refuse(Path("a.csv"), model_).find("time"), std::string::npos);
  EXPECT_NE(Refuse(Path("none.csv"), model_).find("none.csv"), std::string::npos);
  EXPECT_NE(Refuse(Path("a.txt"), model_).find("a.txt"), std::string::npos);
  std::ofstream(Path("empty.csv")) << "";
  EXPECT_NE(Refuse(Path("empty.csv"), model_).find("empty"), std::string::npos);
}

#ifdef STICTION_WITH_HDF5
TEST_F(LogReader, Hdf5ComesBackBitForBitWithContacts) {
  WriteLog(Path("a.h5"), 5, true);
  const Log log = ReadLog(Path("a.h5"), model_);
  const std::vector<LogRow>& rows = log.rows;
  ExpectRows(rows, 5);
  EXPECT_EQ(log.model, "ball and arm");
  EXPECT_EQ(log.timestep, 0.1);
  EXPECT_EQ(log.budget, Budget(1e-8, 1e-6));
  EXPECT_EQ(log.phases, (std::vector<std::string>{"solve", "total"}));
  EXPECT_TRUE(log.has_contacts);
  for (int i = 0; i < 5; ++i) {
    const LogRow wanted = MakeRow(model_, i);
    const auto& contacts = rows[static_cast<std::size_t>(i)].contacts;
    ASSERT_EQ(contacts.size(), wanted.contacts.size());
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      EXPECT_EQ(contacts[k].geom_a, wanted.contacts[k].geom_a);
      EXPECT_EQ(contacts[k].geom_b, wanted.contacts[k].geom_b);
      EXPECT_EQ(contacts[k].p_W, wanted.contacts[k].p_W);
      EXPECT_EQ(contacts[k].n_W, wanted.contacts[k].n_W);
      EXPECT_EQ(contacts[k].gap, wanted.contacts[k].gap);
      EXPECT_EQ(contacts[k].impulse_W, wanted.contacts[k].impulse_W);
      EXPECT_EQ(contacts[k].moment_W, wanted.contacts[k].moment_W);
    }
  }
}

TEST_F(LogReader, AnHdf5LogWithoutContactsOrEnergySaysSo) {
  WriteLog(Path("a.h5"), 3, false, false);
  const Log log = ReadLog(Path("a.h5"), model_);
  EXPECT_FALSE(log.has_contacts);
  EXPECT_TRUE(std::isnan(log.rows.at(2).potential));
  EXPECT_EQ(log.rows.at(2).num_contacts, 2) << "their number is always there";
}

TEST_F(LogReader, TheKindIsToldByWhatIsInTheFile) {
  WriteLog(Path("a.h5"), 2, true);
  std::filesystem::rename(Path("a.h5"), Path("renamed.log"));
  EXPECT_EQ(ReadLog(Path("renamed.log"), model_).rows.size(), 2u);
}

TEST_F(LogReader, ALogOfALaterVersionIsRefused) {
  WriteLog(Path("a.h5"), 2, true);
  Hdf5Edit(Path("a.h5")).ReplaceAttribute("format_version", 2);
  EXPECT_NE(Refuse(Path("a.h5"), model_).find("is of format version 2"), std::string::npos);
  EXPECT_THROW(LogTable(Path("a.h5")), LoadError);
}

TEST_F(LogReader, AnotherHdf5FileIsRefused) {
  std::ofstream(Path("a.h5")) << "no HDF5 at all";
  EXPECT_NE(Refuse(Path("a.h5"), model_).find("a.h5"), std::string::npos);
}
#endif

}  // namespace
}  // namespace stiction
