// What a Recorder logs is what the World says, and recording changes nothing.
#include "stiction/sim/recorder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

#include "stiction/math/rotation.h"
#include "tests/support/scenes.h"

namespace stiction {
namespace {

// A CSV log, by column.
class CsvTable {
 public:
  explicit CsvTable(const std::string& path) {
    std::ifstream file(path);
    std::string line, cell;
    std::vector<std::string> names;
    std::getline(file, line);
    for (std::istringstream cells(line); std::getline(cells, cell, ',');) names.push_back(cell);
    while (std::getline(file, line)) {
      std::istringstream cells(line);
      for (std::size_t i = 0; std::getline(cells, cell, ','); ++i)
        columns_[names.at(i)].push_back(std::strtod(cell.c_str(), nullptr));
      ++num_rows_;
    }
  }
  double at(const std::string& column, int row) const { return columns_.at(column).at(row); }
  bool has(const std::string& column) const { return columns_.contains(column); }
  int num_rows() const { return num_rows_; }

 private:
  std::map<std::string, std::vector<double>> columns_;
  int num_rows_ = 0;
};

class RecorderTest : public ::testing::Test {
 protected:
  RecorderTest() {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    path_ = ::testing::TempDir() + "stiction_" + std::to_string(getpid()) + "_" + info->name() + ".csv";
  }
  ~RecorderTest() override { std::filesystem::remove(path_); }

  // A motor turns a bar about a slide of a pendulum-like arm over three falling boxes.
  static Model MakeScene() {
    ModelBuilder builder("scene");
    stiction::testing::AddFloor(builder);
    const int arm = builder.AddBody({.name = "arm", .X_PB = stiction::testing::Shift(2, 0, 1)});
    builder.AddJoint(
        arm,
        {.name = "swing", .kind = HingeJoint{.axis_B = Vector3d::UnitY()}, .damping = 0.1, .armature = 0.01});
    builder.AddGeom({.body = arm, .shape = Capsule{0.02, 0.1}}, {.mass = 1.0});
    for (int i = 0; i < 3; ++i)
      stiction::testing::AddFreeBody(builder, Box{{0.05, 0.05, 0.05}}, 1.0 + 10 * i,
                                     stiction::testing::Shift(0, 0, 0.06 + 0.101 * i));
    return builder.Build();
  }

  std::string path_;
};

void ExpectSameBits(double a, double b, const std::string& what) {
  EXPECT_EQ(std::bit_cast<std::uint64_t>(a), std::bit_cast<std::uint64_t>(b))
      << what << ": " << a << ", " << b;
}

TEST_F(RecorderTest, LogsWhatTheWorldSaysBitForBit) {
  World world(MakeScene()), twin(MakeScene());
  Recorder recorder(path_, world, {.all_bodies = true, .energy = true});
  constexpr int kSteps = 60;
  for (int i = 0; i < kSteps; ++i) {
    world.Step();
    recorder.Record(world);
  }
  recorder.Close();
  const CsvTable log(path_);
  const LogHeader header = MakeLogHeader(twin, {});
  ASSERT_EQ(log.num_rows(), kSteps);
  for (int i = 0; i < kSteps; ++i) {
    const StepReport report = twin.Step();
    ExpectSameBits(log.at("time", i), twin.time(), "time");
    for (int k = 0; k < twin.q().size(); ++k)
      ExpectSameBits(log.at("q:" + header.coordinates[k], i), twin.q()[k], header.coordinates[k]);
    for (int k = 0; k < twin.v().size(); ++k)
      ExpectSameBits(log.at("v:" + header.dofs[k], i), twin.v()[k], header.dofs[k]);
    EXPECT_EQ(log.at("contacts", i), report.num_contacts);
    EXPECT_EQ(log.at("iterations", i), report.solve.iterations);
    EXPECT_EQ(log.at("stage", i), report.solve.stage);
    ExpectSameBits(log.at("ncp_max", i), report.certificate.ncp_max, "ncp_max");
    ExpectSameBits(log.at("momentum", i), report.certificate.momentum, "momentum");
    ExpectSameBits(log.at("penetration", i), report.penetration, "penetration");
    ExpectSameBits(log.at("correction", i), report.correction, "correction");
    EXPECT_GT(log.at("step_us", i), 0.0);
  }
  EXPECT_GE(log.at("contacts", kSteps - 1), 12.0);
}

// Poses and energy belong to the end of the step, where q and v do: not to the step's start, at which
// World::body_poses() stays.
TEST_F(RecorderTest, PosesAndEnergyAreThoseOfTheRowsState) {
  World world(MakeScene());
  Recorder recorder(path_, world, {.bodies = {"body3", "arm"}, .energy = true});
  std::vector<RigidTransform> X_WB;
  std::vector<Energy> energies;
  for (int i = 0; i < 40; ++i) {
    world.Step();
    recorder.Record(world);
    World copy(MakeScene());  // a world of its own, so that asking disturbs nothing
    copy.set_state(world.state());
    energies.push_back(copy.CalcEnergy());
    copy.Refresh();
    X_WB.push_back(copy.body_poses()[3]);
  }
  recorder.Close();
  const CsvTable log(path_);
  EXPECT_TRUE(log.has("arm.qw"));
  EXPECT_FALSE(log.has("body2.x"));
  for (int i = 0; i < 40; ++i) {
    const Vector3d p(log.at("body3.x", i), log.at("body3.y", i), log.at("body3.z", i));
    const Quaterniond quat(log.at("body3.qw", i), log.at("body3.qx", i), log.at("body3.qy", i),
                           log.at("body3.qz", i));
    EXPECT_EQ((p - X_WB[i].p).norm(), 0.0) << i;
    EXPECT_LT((quat.toRotationMatrix() - X_WB[i].R).norm(), 1e-14) << i;  // rounding of the conversion
    EXPECT_EQ(log.at("kinetic_energy", i), energies[i].kinetic) << i;
    EXPECT_EQ(log.at("potential_energy", i), energies[i].potential) << i;
  }
}

TEST_F(RecorderTest, RecordsSensorsByNameWhenAsked) {
  ModelBuilder builder("measured");
  builder.AddModel(MakeScene(), "");
  Sensor gyro, touch;
  gyro.name = "imu", gyro.type = SensorType::kGyro, gyro.frame.body = 1;
  touch.type = SensorType::kTouch, touch.frame.body = 2;
  builder.AddSensor(gyro), builder.AddSensor(touch);
  World world(builder.Build());
  std::vector<VectorXd> values;
  {
    Recorder recorder(path_, world, {.sensors = true});
    for (int i = 0; i < 60; ++i) {
      world.Step();
      recorder.Record(world);
      values.push_back(world.sensors());
    }
    recorder.Close();
  }
  const CsvTable log(path_);
  const char* columns[] = {"sensor.imu.x", "sensor.imu.y", "sensor.imu.z", "sensor.sensor1"};
  for (int i = 0; i < 60; ++i) {
    for (int k = 0; k < 4; ++k) ExpectSameBits(log.at(columns[k], i), values[i][k], columns[k]);
  }
  EXPECT_GT(log.at("sensor.sensor1", 59), 0.0);
  Recorder silent(path_, world, {.energy = true});
  silent.Close();
  EXPECT_FALSE(CsvTable(path_).has("sensor.imu.x"));
}

TEST_F(RecorderTest, RecordingChangesNothing) {
  World quiet(MakeScene()), recorded(MakeScene());
  // A controller that looks at what recording might disturb.
  const auto controller = [](const World& w, Input& input) {
    input.applied_generalized[0] = w.body_poses()[1].p.z() + static_cast<double>(w.contacts().size());
  };
  quiet.set_controller(controller);
  recorded.set_controller(controller);
  Recorder recorder(path_, recorded, {.all_bodies = true, .contacts = true, .energy = true});
  for (int i = 0; i < 200; ++i) {
    quiet.Step();
    recorded.Step();
    recorder.Record(recorded);
  }
  EXPECT_EQ(Hash(quiet.state()), Hash(recorded.state()));
}

TEST_F(RecorderTest, RecordsEveryNthStep) {
  World world(MakeScene());
  Recorder recorder(path_, world, {.every = 10});
  for (int i = 0; i < 35; ++i) {
    world.Step();
    recorder.Record(world);
  }
  recorder.Close();
  const CsvTable log(path_);
  ASSERT_EQ(log.num_rows(), 3);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(log.at("time", i), 10 * (i + 1) * world.timestep(), 1e-12);
  EXPECT_FALSE(log.has("kinetic_energy"));
}

TEST_F(RecorderTest, RecordsFramesFixedToBodies) {
  ModelBuilder builder("tool");
  const int arm = builder.AddBody({.name = "arm"});
  builder.AddJoint(arm, {.kind = HingeJoint{.axis_B = Vector3d::UnitY()}});
  builder.AddGeom({.body = arm, .shape = Sphere{0.1}}, {.mass = 1.0});
  builder.AddFrame({.name = "tip", .body = arm, .X_BF = stiction::testing::Shift(0.5, 0, 0)});
  World world(builder.Build());
  Recorder recorder(path_, world, {.bodies = {"tip"}});
  State state = world.state();
  state.q[0] = 0.3;
  world.set_state(state);
  world.Step();
  recorder.Record(world);
  recorder.Close();
  const CsvTable log(path_);
  EXPECT_NEAR(log.at("tip.x", 0), 0.5 * std::cos(world.q()[0]), 1e-15);
  EXPECT_NEAR(log.at("tip.z", 0), -0.5 * std::sin(world.q()[0]), 1e-15);
}

TEST_F(RecorderTest, WrongOptionsAreErrorsBeforeAnythingIsWritten) {
  World world(MakeScene());
  const auto message = [&](const RecordOptions& options) -> std::string {
    try {
      Recorder recorder(path_, world, options);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message({.bodies = {"arm", "leg"}}),
            "cannot record 'leg': there is no such body or frame; bodies: arm, body2, body3, body4");
  EXPECT_EQ(message({.every = 0}), "cannot record every 0 steps: it has to be 1 or more");
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST(LogHeader, NamesEveryEntryOfQAndV) {
  ModelBuilder builder("names");
  const int cart = builder.AddBody({.name = "cart"});
  builder.AddJoint(cart, {.name = "rail", .kind = SlideJoint{}});
  builder.AddJoint(cart, {.kind = BallJoint{}});
  builder.AddGeom({.body = cart, .shape = Sphere{0.1}}, {.mass = 1.0});
  stiction::testing::AddFreeBody(builder, Sphere{0.1}, 1.0, {});
  World world(builder.Build());
  const LogHeader header = MakeLogHeader(world, {});
  const std::vector<std::string> coordinates{"rail",      "joint1.qw", "joint1.qx", "joint1.qy",
                                             "joint1.qz", "body2.x",   "body2.y",   "body2.z",
                                             "body2.qw",  "body2.qx",  "body2.qy",  "body2.qz"};
  const std::vector<std::string> dofs{"rail",     "joint1.wx", "joint1.wy", "joint1.wz", "body2.vx",
                                      "body2.vy", "body2.vz",  "body2.wx",  "body2.wy",  "body2.wz"};
  EXPECT_EQ(header.coordinates, coordinates);
  EXPECT_EQ(header.dofs, dofs);
  EXPECT_EQ(header.nq(), world.model().nq());
  EXPECT_EQ(header.nv(), world.model().nv());
  EXPECT_EQ(header.phases.back(), "total");
}

TEST_F(RecorderTest, NamesThatAreMadeUpAreNoOthers) {
  ModelBuilder builder("names");
  for (const char* name : {"body2", "", "joint3"}) {
    const int body =
        builder.AddBody({.name = name, .X_PB = stiction::testing::Shift(0, 0, builder.num_bodies())});
    builder.AddJoint(body, {.name = body == 1 ? "body2" : ""});
    builder.AddGeom({.body = body, .shape = Sphere{0.1}}, {.mass = 1.0});
  }
  World world(builder.Build());
  const LogHeader header = MakeLogHeader(world, {.all_bodies = true});
  EXPECT_EQ(header.bodies, (std::vector<std::string>{"world", "body2", "body2_1", "joint3"}));
  EXPECT_EQ(header.coordinates, (std::vector<std::string>{"body2", "body2_1", "joint3"}));
  Recorder recorder(path_, world, {.all_bodies = true});
  world.Step();
  recorder.Record(world);
  recorder.Close();
  const CsvTable log(path_);
  for (int b = 1; b < 4; ++b) EXPECT_NEAR(log.at(header.bodies[b] + ".z", 0), b, 1e-12);
}

}  // namespace
}  // namespace stiction
