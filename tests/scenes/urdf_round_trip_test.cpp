// Models that are written as URDF and read again, compared by what the engine makes of them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "stiction/io/load.h"
#include "stiction/io/urdf_writer.h"
#include "stiction/sim/world.h"
#include "tests/io/temporary_file.h"
#include "tests/support/random_numbers.h"
#include "tests/support/shared_files.h"

namespace stiction::testing {
namespace {

namespace fs = std::filesystem;

class UrdfRoundTrip : public ::testing::Test {
 protected:
  UrdfRoundTrip() : folder_(fs::path(::testing::TempDir()) / ("stiction_urdf_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~UrdfRoundTrip() override {
    std::error_code error;
    fs::remove_all(folder_, error);
  }

  // Written and read; written again it is the same text.
  Model Convert(const Model& model, ImportReport& lost) const {
    const std::string path = (folder_ / "model.urdf").string();
    const ModelDocument document = MakeUrdf(model, path);
    SaveDocument(document, path);
    lost = document.report;
    Model read = LoadModel(path, {.visuals = true});
    const ModelDocument again = MakeUrdf(read, path);
    const auto at =
        std::mismatch(document.text.begin(), document.text.end(), again.text.begin(), again.text.end());
    const auto from = std::max<std::ptrdiff_t>(at.first - document.text.begin() - 100, 0);
    EXPECT_TRUE(again.text == document.text)
        << document.text.substr(from, 250) << "\nsecond: " << again.text.substr(from, 250);
    EXPECT_EQ(again.assets.size(), document.assets.size());
    for (std::size_t i = 0; i < std::min(again.assets.size(), document.assets.size()); ++i)
      EXPECT_TRUE(again.assets[i].text == document.assets[i].text) << again.assets[i].file;
    return read;
  }

  fs::path folder_;
};

std::vector<fs::path> FindRobots(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".urdf") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

void ExpectRobotNear(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, double least, const char* what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  if (a.size() == 0) return;
  const double size = std::max(least, a.cwiseAbs().maxCoeff());
  EXPECT_LE((a - b).cwiseAbs().maxCoeff(), 1e-12 * size) << what;
}

// Mass matrix, bias and poses where the file has the robot and at a random state near it.
void ExpectSameRobotMechanics(const Model& before, const Model& after) {
  ASSERT_EQ(after.nq(), before.nq());
  World a(before), b(after);
  RandomNumbers random(5);
  for (int round = 0; round < 2; ++round) {
    State state = State::Default(before);
    if (round > 0) {
      for (double& q : state.q) q += random.Uniform(-0.3, 0.3);
      NormalizeQuaternions(before, state.q);
      for (double& v : state.v) v = random.Uniform(-1.0, 1.0);
    }
    a.set_state(state);
    b.set_state(state);
    a.Refresh();
    b.Refresh();
    ExpectRobotNear(a.CalcMassMatrix(), b.CalcMassMatrix(), 0.0, "M");
    ExpectRobotNear(a.CalcBias(), b.CalcBias(), 1e-3, "bias");  // weights may cancel
    ExpectRobotNear(a.CalcPassive(), b.CalcPassive(), 0.0, "passive");
    if (before.num_bodies() != after.num_bodies()) continue;
    for (int i = 0; i < before.num_bodies(); ++i) {
      EXPECT_EQ(after.bodies[i].name, before.bodies[i].name);
      ExpectRobotNear(a.body_poses()[i].p, b.body_poses()[i].p, 1.0, "position");
      ExpectRobotNear(a.body_poses()[i].R, b.body_poses()[i].R, 1.0, "rotation");
    }
  }
}

void ExpectSameRobot(const Model& before, const Model& after) {
  ASSERT_EQ(after.num_bodies(), before.num_bodies());
  ASSERT_EQ(after.num_geoms(), before.num_geoms());
  // Where links are fused, a shape without <visual> gets one beside those of the others.
  EXPECT_GE(after.visuals.size(), before.visuals.size());
  EXPECT_EQ(after.nu(), before.nu());
  EXPECT_EQ(after.equalities.size(), before.equalities.size());
  EXPECT_EQ(after.excluded_bodies, before.excluded_bodies);
  EXPECT_EQ(after.excluded_geoms, before.excluded_geoms);
  ExpectSameRobotMechanics(before, after);
  for (int j = 0; j < before.num_joints(); ++j) {
    EXPECT_EQ(after.joints[j].name, before.joints[j].name);
    EXPECT_EQ(after.joints[j].lower, before.joints[j].lower);
    EXPECT_EQ(after.joints[j].upper, before.joints[j].upper);
    EXPECT_EQ(after.joints[j].friction_loss, before.joints[j].friction_loss);
  }
  for (int u = 0; u < before.nu(); ++u) {
    EXPECT_EQ(after.actuators[u].name, before.actuators[u].name);
    EXPECT_EQ(after.actuators[u].gear, before.actuators[u].gear);
    EXPECT_DOUBLE_EQ(after.actuators[u].force_upper, before.actuators[u].force_upper);
  }
  for (std::size_t f = 0; f < before.frames.size(); ++f)
    EXPECT_GE(after.FindFrame(before.frames[f].name), 0) << before.frames[f].name;
}

// Shapes that have another friction than the first that touches on their body: links are fused, and what is
// written has one friction a link.
int CountOtherFrictions(const Model& model) {
  std::map<int, double> first;
  int others = 0;
  for (const Geom& geom : model.geoms)
    if (geom.collides()) others += first.try_emplace(geom.body, geom.friction).first->second != geom.friction;
  return others;
}

bool IsPhysicalItem(const ImportItem& item) {
  return item.loss == ImportLoss::kPhysical;
}

TEST_F(UrdfRoundTrip, RobotsOfOthersAndOurs) {
  std::vector<fs::path> paths = FindRobots(STICTION_SOURCE_DIR "/assets/models");
  const std::size_t num_ours = paths.size();
  EXPECT_GE(num_ours, 1u);
  if (const fs::path folder = SharedPath("models"); fs::exists(folder)) {
    for (const fs::path& path : FindRobots(folder)) paths.push_back(path);
    EXPECT_GE(paths.size() - num_ours, 20u);
  }
  // Of these one more than it is fixed; what moves in the world by a joint of its own does not float.
  const auto can_float = [](const Model& model) { return model.FindBodyOrFrame("world").body < 0; };
  for (const fs::path& path : paths) {
    const bool floats = can_float(LoadModel(path.string()));
    for (const bool floating_base : {false, true}) {
      if (floating_base && !floats) continue;
      SCOPED_TRACE(path.string() + (floating_base ? " floating" : ""));
      const Model model = LoadModel(path.string(), {.floating_base = floating_base, .visuals = true});
      ImportReport lost;
      const Model after = Convert(model, lost);
      ExpectSameRobot(model, after);
      const int num_others = CountOtherFrictions(model);
      for (int g = 0; g < model.num_geoms() && num_others == 0; ++g)
        EXPECT_EQ(after.geoms[g].friction, model.geoms[g].friction);
      for (const ImportItem& item : lost.items) {
        const bool is_friction = item.item == "geom[@friction]";
        EXPECT_EQ(IsPhysicalItem(item), is_friction) << Describe(item);
        EXPECT_TRUE(!is_friction || item.why.starts_with(std::to_string(num_others) + " geom"))
            << Describe(item);
      }
    }
  }
}

Model ReadMechanism(const std::string& text) {
  return LoadModel(TemporaryFile(text, ".xml").path(), {.visuals = true});
}

std::string ListLostItems(const ImportReport& report) {
  std::string list;
  for (const ImportItem& item : report.items) list += item.item + ": " + item.why + "\n";
  return list;
}

// Anchors beside the frame, several joints on a body, one with two axes, two bodies that float.
TEST_F(UrdfRoundTrip, WhatIsSaidInOtherWordsMovesAlike) {
  const Model model = ReadMechanism(R"(<mujoco><compiler angle="radian"/><worldbody>
    <body name="crane" pos="0 0 1" quat="1 .2 .3 .1">
      <joint name="lift" type="slide" axis="0 0 1" range="-.5 .5" damping="3"/>
      <joint name="turn" axis="1 2 3" pos=".1 .2 -.3" frictionloss=".5"/>
      <geom name="jib" type="box" size=".1 .2 .3" rgba="1 0 0 1"/><geom type="capsule" size=".02 .1" contype="0" conaffinity="0"/>
      <site name="hook" pos="0 0 -.3"/>
      <body name="cross" pos=".3 0 0"><joint name="cardan" type="universal" axis="0 1 0" axis2="0 0 1" pos="0 0 .1"/>
        <geom size=".1"/></body>
    </body>
    <body name="finger" pos="2 0 0"><joint name="bend" ref=".25" range="-1 1"/><geom size=".1" pos="0 0 .2"/></body>
    <body name="ball" pos="0 3 .5" quat="0 1 0 0"><freejoint name="fly"/><geom size=".1"/></body>
    <body name="brick" pos="0 4 .5"><freejoint/><geom type="box" size=".1 .1 .2"/></body></worldbody>
    <equality><joint name="follow" joint1="bend" joint2="lift" polycoef=".1 .5 0 0 0"/></equality>
    <actuator><motor name="m" joint="turn" gear="-3" ctrlrange="-2 2"/></actuator></mujoco>)");
  ImportReport lost;
  Model after = Convert(model, lost);
  after.q0[after.joints[after.FindJoint("bend")].q_address] += 0.25;  // counts from where the file has it
  const JointPolynomial& mimic = std::get<JointPolynomial>(after.equalities[0].kind);
  const JointPolynomial& follow = std::get<JointPolynomial>(model.equalities[0].kind);
  for (const double lift : {-0.2, 0.4}) {
    const double bend =
        follow.reference + follow.coefficients[0] + follow.coefficients[1] * (lift - follow.of_reference);
    EXPECT_NEAR(mimic.coefficients[0] + mimic.coefficients[1] * lift, bend - 0.25, 1e-15);
  }
  const Joint& bend = after.joints[after.FindJoint("bend")];
  EXPECT_EQ(bend.lower, -1.25);
  EXPECT_EQ(bend.upper, 0.75);
  ASSERT_EQ(after.nu(), 1);
  EXPECT_EQ(after.actuators[0].gear[0], -3.0);
  EXPECT_EQ(after.actuators[0].force_upper, 2.0);
  EXPECT_GE(after.FindFrame("hook"), 0);
}

TEST_F(UrdfRoundTrip, SeveralJointsOfABodyHaveTheSameInertiaAndBias) {
  const Model model = ReadMechanism(R"(<mujoco><compiler angle="radian"/><worldbody>
    <body name="crane" pos="0 0 1" quat="1 .2 .3 .1">
      <joint name="lift" type="slide" axis="0 0 1"/><joint name="turn" axis="1 2 3" pos=".1 .2 -.3" damping=".2"/>
      <geom type="box" size=".1 .2 .3"/>
      <body name="cross" pos=".3 0 0"><joint name="cardan" type="universal" axis="0 1 0" axis2="0 0 1" pos="0 0 .1"/>
        <geom size=".1"/><body name="tip" pos="0 .4 0"><geom size=".05"/></body></body></body>
    <body name="ball" pos="0 3 .5" quat="0 1 0 0"><freejoint name="fly"/><geom size=".1"/></body>
    </worldbody></mujoco>)");
  const std::string path = (folder_ / "model.urdf").string();
  SaveDocument(MakeUrdf(model, path), path);
  const Model after = LoadModel(path);
  ExpectSameRobotMechanics(model, after);
  EXPECT_GE(after.FindFrame("tip"), 0);  // one with what carries it
}

TEST_F(UrdfRoundTrip, NamesWhatIsLost) {
  const Model model = ReadMechanism(R"(<mujoco><worldbody><geom type="plane" size="1 1 1"/>
    <body name="a" pos="0 0 1"><joint name="knee" stiffness="3" armature=".1"/><geom size=".1" friction=".3"/><geom size=".1"/>
      <site name="s"/>
      <body name="b" pos="0 0 1"><joint name="hip" type="ball"/><geom size=".1"/><site name="t"/></body></body></worldbody>
    <tendon><spatial name="cord"><site site="s"/><site site="t"/></spatial></tendon>
    <equality><connect name="pin" body1="b" anchor="0 0 0"/></equality>
    <actuator><position name="servo" joint="knee" kp="3"/></actuator>
    <sensor><jointpos name="angle" joint="knee"/></sensor>
    <keyframe><key name="home"/></keyframe></mujoco>)");
  const std::string path = (folder_ / "model.urdf").string();
  const ModelDocument document = MakeUrdf(model, path);
  const std::string list = ListLostItems(document.report);
  for (const char* line :
       {"geom: on \"world\": no word for a shape of the type plane", "joint[@stiffness]: \"knee\"",
        "joint[@armature]: \"knee\"", "joint: \"hip\": a ball joint", "tendon: \"cord\"", "equality: \"pin\"",
        "actuator: \"servo\"", "sensor: \"angle\"", "keyframe: \"home\"", "geom[@friction]: 1 geom:"})
    EXPECT_NE(list.find(line), std::string::npos) << line << "\nin\n" << list;
  SaveDocument(document, path);
  EXPECT_EQ(LoadModel(path).nv(), 4);
  EXPECT_EQ(LoadModel(path).geoms.at(0).friction, 0.3);
}

}  // namespace
}  // namespace stiction::testing
