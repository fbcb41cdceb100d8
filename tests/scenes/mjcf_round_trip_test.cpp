// Models that are written as MJCF and read again: the real ones, ours, scenarios, mechanisms built in code.
// Compared twice over: element by element, and by what the engine makes of them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

#include "sim/equality_rows.h"
#include "stiction/dynamics/forces.h"
#include "stiction/io/load.h"
#include "stiction/io/mjcf_writer.h"
#include "stiction/io/scenario.h"
#include "stiction/scenes/scenes.h"
#include "stiction/sim/scenario.h"
#include "stiction/sim/world.h"
#include "tests/support/random_numbers.h"
#include "tests/support/same_model.h"
#include "tests/support/shared_files.h"

namespace stiction::testing {
namespace {

namespace fs = std::filesystem;

// A folder of its own for each test.
class MjcfRoundTrip : public ::testing::Test {
 protected:
  MjcfRoundTrip() : folder_(fs::path(::testing::TempDir()) / ("stiction_mjcf_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~MjcfRoundTrip() override {
    std::error_code error;
    fs::remove_all(folder_, error);
  }

  // Writes, reads, compares, and writes again.
  Model Convert(const Model& model) const {
    const std::string path = (folder_ / "model.xml").string();
    const MjcfDocument document = MakeMjcf(model, path);
    SaveMjcf(document, path);
    Model read = LoadModel(path, {.visuals = true});
    ExpectSameModel(model, read);
    const MjcfDocument again = MakeMjcf(read, path);
    EXPECT_TRUE(again.text == document.text) << FirstDifference(document.text, again.text);
    EXPECT_EQ(again.assets.size(), document.assets.size());
    for (std::size_t i = 0; i < std::min(again.assets.size(), document.assets.size()); ++i) {
      EXPECT_EQ(again.assets[i].file, document.assets[i].file);
      EXPECT_TRUE(again.assets[i].text == document.assets[i].text) << again.assets[i].file;
    }
    EXPECT_EQ(again.extensions, document.extensions);
    return read;
  }

  static std::string FirstDifference(const std::string& a, const std::string& b) {
    const auto at = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
    const std::size_t from = static_cast<std::size_t>(std::max<std::ptrdiff_t>(at - 100, 0));
    return "first:  " + a.substr(from, 250) + "\nsecond: " + b.substr(from, 250);
  }

  fs::path folder_;
};

void ExpectNear(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, double scale, const char* what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  if (a.size() == 0) return;
  const double size = std::max({scale, a.cwiseAbs().maxCoeff(), b.cwiseAbs().maxCoeff()});
  EXPECT_LE((a - b).cwiseAbs().maxCoeff(), 1e-12 * size) << what;
}

// Within the limits; free bodies near where they stand.
State RandomState(const Model& model, unsigned seed) {
  RandomNumbers random(seed);
  State state = State::Default(model);
  for (const Joint& joint : model.joints) {
    double* q = state.q.data() + joint.q_address;
    if (joint.nq() == 1) {
      const double lower = std::isfinite(joint.lower) ? joint.lower : -1.0;
      const double upper = std::isfinite(joint.upper) ? joint.upper : 1.0;
      *q = random.Uniform(lower, std::max(lower, upper));
      continue;
    }
    for (int i = 0; i < joint.nq(); ++i) q[i] += random.Uniform(-0.1, 0.1);
  }
  NormalizeQuaternions(model, state.q);
  for (double& v : state.v) v = random.Uniform(-1.0, 1.0);
  return state;
}

// Gaps of each pair of geoms that touch, by the geoms' places in the first model. Of a patch of pressure
// fields there is one, zero: how it is cut into pieces goes by the axes of its geoms, which a round trip may
// turn.
using Gaps = std::map<std::pair<int, int>, std::vector<double>>;
Gaps FindGaps(const World& world, const std::vector<int>& place) {
  Gaps gaps;
  const auto is_soft = [&](int geom) { return world.model().geoms[geom].hydroelastic.is_compliant(); };
  for (const Contact& contact : world.contacts()) {
    std::vector<double>& list = gaps[std::minmax(place[contact.geom_a], place[contact.geom_b])];
    if (!is_soft(contact.geom_a) && !is_soft(contact.geom_b))
      list.push_back(contact.gap);
    else
      list.assign(1, 0.0);
  }
  for (auto& [pair, list] : gaps) std::sort(list.begin(), list.end());
  return gaps;
}

void ExpectSameContacts(const World& a, const World& b) {
  const std::vector<int> there = MatchGeoms(a.model(), b.model());
  std::vector<int> same(there.size()), back(b.model().geoms.size(), -1);
  for (std::size_t g = 0; g < there.size(); ++g) same[g] = static_cast<int>(g), back[there[g]] = same[g];
  const Gaps before = FindGaps(a, same), after = FindGaps(b, back);
  ASSERT_EQ(after.size(), before.size());
  for (const auto& [pair, gaps] : before) {
    const auto found = after.find(pair);
    ASSERT_NE(found, after.end()) << a.model().geoms[pair.first].name << " "
                                  << a.model().geoms[pair.second].name;
    ASSERT_EQ(found->second.size(), gaps.size());
    for (std::size_t i = 0; i < gaps.size(); ++i) EXPECT_NEAR(found->second[i], gaps[i], 1e-12);
  }
}

JointForces CalcForces(const World& world) {
  JointForces forces;
  forces.Resize(world.model());
  CalcJointForces(world.model(), world.kinematics(), world.q(), world.v(), world.state().activation,
                  world.input(), forces);
  return forces;
}

VectorXd CalcResiduals(const World& world) {
  VectorXd residuals(world.model().num_equality_rows);
  CalcEqualityResiduals(world.model(), world.kinematics(), world.q(), world.tendons(),
                        world.input().equality_target, residuals);
  return residuals;
}

// At one state.
void ExpectSameMechanics(World& a, World& b) {
  a.Refresh();
  b.Refresh();
  const Model& model = a.model();
  ExpectNear(a.CalcMassMatrix(), b.CalcMassMatrix(), 0.0, "M");
  ExpectNear(a.CalcBias(), b.CalcBias(), 1e-3, "bias");  // weights may cancel
  ExpectNear(a.CalcPassive(), b.CalcPassive(), 0.0, "passive");
  for (int i = 0; i < model.num_bodies(); ++i) {
    ExpectNear(a.body_poses()[i].p, b.body_poses()[i].p, 1.0, "position");
    ExpectNear(a.body_poses()[i].R, b.body_poses()[i].R, 1.0, "rotation");
  }
  ExpectNear(a.tendons().length, b.tendons().length, 1.0, "tendons");
  ExpectNear(CalcResiduals(a), CalcResiduals(b), 1.0, "equalities");
  RandomNumbers random(7);
  for (int u = 0; u < model.nu(); ++u) a.input().ctrl[u] = b.input().ctrl[u] = random.Uniform(-1.0, 1.0);
  const JointForces before = CalcForces(a), after = CalcForces(b);
  ExpectNear(before.actuator_force, after.actuator_force, 1.0, "actuators");
  ExpectNear(before.actuation, after.actuation, 1.0, "actuation");
  ExpectSameContacts(a, b);
}

bool StartsWithinLimits(const Model& model) {
  return std::all_of(model.joints.begin(), model.joints.end(), [&](const Joint& joint) {
    const double q = model.q0[joint.q_address];
    return joint.nq() > 1 || (q >= joint.lower && q <= joint.upper);
  });
}

// A few steps from the start, within ten times what two solves of one problem may leave open. Limits that
// loops keep from being met, as Cassie's where the file has it, leave no one answer.
void ExpectSameMotion(const Model& before, const Model& after) {
  if (!StartsWithinLimits(before)) return;
  const WorldOptions options{.solver_options = {{"tolerance", "1e-11"}}};
  World a(before, options), b(after, options);
  for (int i = 0; i < 10; ++i) {
    a.Step();
    b.Step();
  }
  EXPECT_EQ(a.report().status, b.report().status);
  EXPECT_LE((a.v() - b.v()).norm(), 2e-7);
  for (int i = 0; i < before.num_bodies(); ++i)
    EXPECT_LE((a.body_poses()[i].p - b.body_poses()[i].p).norm(), 1e-9);
  for (int i = 0; i < static_cast<int>(before.sensors.size()); ++i)
    EXPECT_LE((a.sensor(i) - b.sensor(i)).norm(), 1e-8 * (1.0 + a.sensor(i).norm()))
        << before.sensors[i].name;
}

void ExpectSameMechanics(const Model& before, const Model& after) {
  World a(before), b(after);
  ExpectSameMechanics(a, b);
  for (const unsigned seed : {1u, 2u}) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    a.set_state(RandomState(before, seed));
    b.set_state(RandomState(before, seed));
    ExpectSameMechanics(a, b);
  }
  ExpectSameMotion(before, after);
}

bool IsModel(const fs::path& path) {
  std::ifstream stream(path);
  const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  return text.find("<mujoco ") != std::string::npos || text.find("<mujoco>") != std::string::npos ||
         text.find("<robot") != std::string::npos;
}

std::vector<fs::path> FindModels(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const fs::path& path = entry.path();
    if ((path.extension() == ".xml" || path.extension() == ".urdf") && IsModel(path)) paths.push_back(path);
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

TEST_F(MjcfRoundTrip, ModelsOfOthers) {
  const fs::path folder = SharedPath("models");
  if (!fs::exists(folder)) GTEST_SKIP() << "no models at " << folder;
  int count = 0;
  for (const fs::path& path : FindModels(folder)) {
    SCOPED_TRACE(path);
    const Model model = LoadModel(path.string(), {.visuals = true});
    const Model after = Convert(model);
    ExpectSameMechanics(model, after);
    ++count;
  }
  EXPECT_GE(count, 58);
}

// Larger ones, of many alike, take long and add nothing.
constexpr int kMostBodies = 200;
// Fields take a second to read; OurModels and nut_assembly.xml have the same ones.
constexpr const char* kMoreFields[] = {"nut",        "nut_at_rest", "nut_junker",
                                       "nut_shaken", "bayonet",     "driver_assembly"};

TEST_F(MjcfRoundTrip, OurModels) {
  int count = 0;
  for (const fs::path& path : FindModels(STICTION_SOURCE_DIR "/assets/models")) {
    SCOPED_TRACE(path);
    const Model model = LoadModel(path.string(), {.visuals = true});
    if (model.num_bodies() > kMostBodies) continue;
    ExpectSameMechanics(model, Convert(model));
    ++count;
  }
  EXPECT_GE(count, 26);
}

TEST_F(MjcfRoundTrip, Scenarios) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(STICTION_SOURCE_DIR "/assets/scenarios")) {
    if (entry.path().extension() != ".xml") continue;
    if (std::ranges::find(kMoreFields, entry.path().stem()) != std::end(kMoreFields)) continue;
    SCOPED_TRACE(entry.path());
    Scenario scenario = LoadScenario(entry.path().string());
    scenario.visuals = true;
    const Model model = BuildModel(scenario);
    if (model.num_bodies() > kMostBodies) continue;
    const Model after = Convert(model);
    EXPECT_EQ(after.keyframes.front().name, kStartKeyframe);
    ExpectSameMechanics(model, after);
    ++count;
  }
  EXPECT_GE(count, 20);
}

TEST_F(MjcfRoundTrip, Scenes) {
  for (const SceneEntry& scene : ListScenes()) {
    for (const Coordinates coordinates : {Coordinates::kReduced, Coordinates::kMaximal}) {
      if (scene.is_pile && coordinates == Coordinates::kMaximal) continue;  // it has one kind
      SCOPED_TRACE(std::string(scene.name) + " " + ToString(coordinates));
      const Model model = MakeScene(scene.name, {.coordinates = coordinates});
      ExpectSameMechanics(model, Convert(model));
    }
  }
}

}  // namespace
}  // namespace stiction::testing
