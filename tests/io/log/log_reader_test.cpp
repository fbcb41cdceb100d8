#include "stiction/io/log_reader.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "stiction/model/model_builder.h"

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
  row.phases = {1e-6};
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
  header.coordinates.assign(static_cast<std::size_t>(model.nq()), "q");
  header.dofs.assign(static_cast<std::size_t>(model.nv()), "v");
  header.actuators.assign(static_cast<std::size_t>(model.nu()), "u");
  header.geoms = {"geom0", "geom1"};
  header.geom_body = {1, 2};
  header.phases = {"total"};
  header.step_statuses = {"ok"};
  header.recorded_bodies = {model.bodies[2].name};
  return header;
}

class LogReader : public testing::Test {
 protected:
  LogReader()
      : folder_(std::filesystem::path(testing::TempDir()) / ("stiction_log_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~LogReader() override { std::filesystem::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ / name; }

  void WriteLog(const std::string& path, int num_rows, bool has_contacts) const {
    LogHeader header = MakeHeader(model_);
    header.contacts = has_contacts;
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
  ExpectRows(ReadLog(Path("a.csv"), model_), 5);
}

TEST_F(LogReader, ALineThatWasCutShortIsLeftOut) {
  WriteLog(Path("a.csv"), 3, false);
  std::ofstream(Path("a.csv"), std::ios::app) << "0.3,1,2";
  ExpectRows(ReadLog(Path("a.csv"), model_), 3);
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
  EXPECT_NE(Refuse(Path("a.txt"), model_).find(".csv"), std::string::npos);
  std::ofstream(Path("empty.csv")) << "";
  EXPECT_NE(Refuse(Path("empty.csv"), model_).find("empty"), std::string::npos);
}

#ifdef STICTION_WITH_HDF5
TEST_F(LogReader, Hdf5ComesBackBitForBitWithContacts) {
  WriteLog(Path("a.h5"), 5, true);
  const std::vector<LogRow> rows = ReadLog(Path("a.h5"), model_);
  ExpectRows(rows, 5);
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

TEST_F(LogReader, AnotherHdf5FileIsRefused) {
  std::ofstream(Path("a.h5")) << "no HDF5 at all";
  EXPECT_NE(Refuse(Path("a.h5"), model_).find("a.h5"), std::string::npos);
}
#endif

}  // namespace
}  // namespace stiction
