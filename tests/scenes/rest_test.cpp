// What has come to rest costs next to nothing: the impulses of the last step still hold it.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "stiction/io/load.h"
#include "tests/scenes/start_scene.h"
#include "tests/support/scenes.h"

namespace stiction::testing {
namespace {

struct RestCase {
  const char* name;
  World world;
  double duration;  // [s]; it rests in the last half
};

// Whether any island had to be solved, not accepted as it was.
bool HasSolved(const StepReport& report) {
  return report.solve.iterations_sum > 0;
}

// A mean over the last half: what rests for ever is solved less than once in fifty steps, and what moves is
// solved all the time.
void ExpectRareSolves(RestCase rest) {
  World& world = rest.world;
  const int steps = static_cast<int>(rest.duration / world.timestep());
  int solves = 0, early_solves = 0, contacts = 0;
  for (int i = 0; i < steps; ++i) {
    const StepReport& report = world.Step();
    ASSERT_EQ(report.status, StepStatus::kOk) << rest.name << " " << i;
    ASSERT_LE(report.certificate.ncp_max, 1e-8) << rest.name << " " << i;
    (2 * i < steps ? early_solves : solves) += HasSolved(report);
    contacts = report.num_contacts;
  }
  EXPECT_GT(contacts, 0) << rest.name;
  EXPECT_GT(early_solves, 0) << rest.name;  // or nothing was counted
  EXPECT_LT(solves, 0.02 * (steps / 2)) << rest.name;
  EXPECT_LT(world.v().lpNorm<Eigen::Infinity>(), 1e-6) << rest.name;
}

TEST(Rest, StacksAreHardlyEverSolved) {
  ExpectRareSolves({"uniform", StartScene("stack", {.count = 20}), 4.0});
  ExpectRareSolves({"alternating", StartScene("stack", {.mass_ratio = 1000.0, .count = 20}), 4.0});
}

// Balls, the lightest at the bottom and a thousand times lighter than the last: nothing but their friction,
// and their weight that is right to the last digit, keeps them from rolling off one another.
TEST(Rest, StackOfBallsIsHardlyEverSolved) {
  constexpr int kCount = 20;
  constexpr double kRadius = 0.05;  // [m]
  WorldOptions options;
  options.timestep = 0.005;
  ModelBuilder builder("balls");
  AddFloor(builder);
  for (int i = 0; i < kCount; ++i) {
    AddFreeBody(builder, Sphere{kRadius}, std::pow(1000.0, i / (kCount - 1.0)),
                Shift(0, 0, (2 * i + 1) * kRadius));
  }
  ExpectRareSolves({"balls", World(builder.Build(), options), 8.0});
}

TEST(Rest, FallenBoxesAreHardlyEverSolved) {
  ExpectRareSolves({"layers", StartScene("layers", {.count = 100}), 4.0});
}

// Limp, on a floor: limits, damped joints, capsules. By its own timestep it sways, less and less, until 15 s;
// by five others from 4.9 to 5.1 ms it lies still after 2 to 10 s.
TEST(Rest, FallenRobotIsHardlyEverSolved) {
  const std::string file = STICTION_SOURCE_DIR "/assets/models/humanoid.xml";
  ExpectRareSolves({"humanoid", World(LoadModel(file)), 32.0});
}

// Robots on one another, each with limbs that lie on others of its own: some of their motions contacts hardly
// tell, and springs make them sway, until 30 s by this start.
TEST(Rest, HeapOfRobotsIsHardlyEverSolved) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "heap_of_robots";
  std::filesystem::create_directories(folder);
  const auto existing = std::filesystem::copy_options::overwrite_existing;
  std::filesystem::copy_file(STICTION_SOURCE_DIR "/assets/models/humanoid.xml", folder / "humanoid.xml",
                             existing);
  std::ofstream(folder / "heap.xml") << R"(
    <mujoco>
      <option timestep="0.005"/>
      <asset><model name="humanoid" file="humanoid.xml"/></asset>
      <worldbody>
        <geom type="plane" size="0 0 1"/>
        <frame pos="0 0 0.2"><attach model="humanoid" body="torso" prefix="a"/></frame>
        <frame pos="0.1 0.05 1" euler="80 0 30"><attach model="humanoid" body="torso" prefix="b"/></frame>
        <frame pos="-0.1 0.1 2" euler="10 85 0"><attach model="humanoid" body="torso" prefix="c"/></frame>
      </worldbody>
    </mujoco>)";
  ExpectRareSolves({"humanoids", World(LoadModel((folder / "heap.xml").string())), 80.0});
}

}  // namespace
}  // namespace stiction::testing
