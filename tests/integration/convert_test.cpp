// `stiction convert` from outside.
#include "tests/integration/run_program.h"

namespace stiction {
namespace {

using nlohmann::json;

// A base that is part of the world, and an arm on a joint with a motor; a mesh-free URDF.
constexpr const char* kArm = R"(<robot name="arm">
  <link name="base"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
  <link name="upper">
    <inertial><origin xyz="0 0 0.2"/><mass value="2"/><inertia ixx="0.02" iyy="0.02" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><cylinder radius="0.05" length="0.4"/></geometry></visual>
    <collision><origin xyz="0 0 0.2"/><geometry><box size="0.1 0.1 0.4"/></geometry></collision>
  </link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 0.1" rpy="0.1 0.2 0.3"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="10" velocity="1"/><dynamics damping="0.5"/></joint>
  <transmission name="t"><type>transmission_interface/SimpleTransmission</type>
    <joint name="shoulder"><hardwareInterface>EffortJointInterface</hardwareInterface></joint>
    <actuator name="motor"><mechanicalReduction>3</mechanicalReduction></actuator></transmission>
  <sensor name="lidar"/>
</robot>
)";

class Convert : public ProgramTest {
 protected:
  Convert() {
    Write("arm.urdf", kArm);
    Write("boxes.xml", kBoxes);
  }
  json Inspect(const std::string& arguments) const {
    return Run("inspect " + arguments + " --json -").Json();
  }
};

TEST_F(Convert, AUrdfBecomesAnMjcfOfTheSameMechanics) {
  const ProgramResult result = Run("convert arm.urdf out.xml --verbose");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("arm.urdf:9: limit[@velocity] ignored"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("out.xml: 1 bodies, 1 joints, 2 geoms, 1 actuators"), std::string::npos)
      << result.out;
  EXPECT_EQ(result.out.find("MuJoCo"), std::string::npos) << result.out;  // all words are its own
  const json before = Inspect("arm.urdf --qpos=0.3 --qvel=2"), after = Inspect("out.xml --qpos=0.3 --qvel=2");
  for (const char* key : {"model", "nq", "nv", "joints", "qpos", "qvel"})
    EXPECT_EQ(after[key], before[key]) << key;
  for (const char* key : {"M", "bias", "passive"})
    EXPECT_NEAR(after[key][0].get<double>(), before[key][0].get<double>(), 1e-14) << key;
  EXPECT_EQ(after["bodies"][0]["name"], "upper");
  EXPECT_EQ(after["frames"][0]["name"], "base");
  EXPECT_FALSE(Exists("out_assets"));
  // Once more changes nothing.
  EXPECT_EQ(Run("convert out.xml again.xml --quiet --strict").code, 0);
  EXPECT_EQ(Read("again.xml"), Read("out.xml"));
}

// Joints that MuJoCo has no word for: named as ours, written, and the same when they are read again.
TEST_F(Convert, UniversalsAndScrewsKeepTheirMechanics) {
  Write("own.xml", R"(<mujoco><worldbody>
    <body name="yoke"><joint name="cross" type="universal" pos="0.1 0 0.2" axis="0 0 1" axis2="0 1 0" range="-40 50" stiffness="3"/>
      <geom size="0.1" pos="0 0.1 -0.3"/>
      <body name="nut"><joint name="thread" type="screw" axis="1 2 2" pitch="0.25" ref="30" armature="0.1"/>
        <geom type="box" size="0.1 0.2 0.1" pos="0.3 0.1 0"/></body></body></worldbody></mujoco>)");
  const ProgramResult result = Run("convert own.xml out.xml");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("joint[@type=screw]"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("joint[@type=universal]"), std::string::npos) << result.out;
  const std::string state = " --qpos=0.3,-0.2,1.5 --qvel=2,-3,4";
  const json before = Inspect("own.xml" + state), after = Inspect("out.xml" + state);
  EXPECT_EQ(before["joints"][0],
            json({{"name", "cross"}, {"type", "universal"}, {"qposadr", 0}, {"dofadr", 0}}));
  EXPECT_EQ(before["joints"][1],
            json({{"name", "thread"}, {"type", "screw"}, {"qposadr", 2}, {"dofadr", 2}}));
  EXPECT_EQ(before["nv"], 3);
  for (const char* key : {"joints", "nq", "nv", "qpos", "qvel"}) EXPECT_EQ(after[key], before[key]) << key;
  for (const char* key : {"M", "bias", "passive"}) {
    ASSERT_EQ(after[key].size(), before[key].size());
    for (std::size_t i = 0; i < before[key].size(); ++i)
      EXPECT_NEAR(after[key][i].get<double>(), before[key][i].get<double>(), 1e-12) << key;
  }
  EXPECT_EQ(Run("run out.xml --time 1 --quiet").code, 0);
  EXPECT_EQ(Run("convert out.xml again.xml --quiet").code, 0);
  EXPECT_EQ(Read("again.xml"), Read("out.xml"));
}

TEST_F(Convert, FlagsOfTheModelCount) {
  EXPECT_EQ(Run("convert arm.urdf out.xml --quiet --ground -0.5 --floating-base --infer-inertia").out, "");
  const json o = Inspect("out.xml");
  EXPECT_EQ(o["joints"][0]["type"], "free");
  EXPECT_NE(Read("out.xml").find("<geom name=\"ground\" type=\"plane\""), std::string::npos);
  // The base is part of the world, beside the ground: geoms are excluded one by one.
  const ProgramResult soft = Run("convert arm.urdf out.xml --ground --contact soft");
  EXPECT_NE(soft.out.find("words that MuJoCo does not know: exclude[@geom1] option[@contact]"),
            std::string::npos)
      << soft.out;
}

// Every word of the scene that is no model's is named; the start is a keyframe.
TEST_F(Convert, AScenarioIsFlattened) {
  Write(
      "two.xml",
      R"(<scenario name="two" duration="1" timestep="0.004" integrator="midpoint" solver="canal" budget="1e-8">
  <ground z="0.1"/>
  <model file="boxes.xml" name="a" pos="0 0 0.1" keyframe="apart"/>
  <model file="boxes.xml" name="b" pos="5 0 0.1"/>
  <controller type="wrench" of="a/arm" force="1 0 0"/>
  <record bodies="all"/>
  <expect what="ncp" max="1e-8"/>
</scenario>)");
  const ProgramResult result = Run("convert two.xml flat.xml --verbose");
  EXPECT_EQ(result.code, 0) << result.err;
  for (const char* line :
       {"two.xml:5: controller ignored", "two.xml:6: record ignored", "two.xml:7: expect ignored",
        "two.xml: scenario[@solver] ignored", "two.xml: scenario[@budget] ignored",
        "two.xml: scenario[@duration] ignored", "flat.xml: 6 bodies", "5 keyframes"})
    EXPECT_NE(result.out.find(line), std::string::npos) << line << "\n" << result.out;
  const json before = Inspect("two.xml"), after = Inspect("flat.xml --keyframe start");
  EXPECT_EQ(after["qpos"], before["qpos"]);
  EXPECT_EQ(after["contacts"].size(), before["contacts"].size());
  EXPECT_EQ(after["bodies"][0]["name"], "a/lower");
  EXPECT_NE(Read("flat.xml").find("timestep=\"0.004\""), std::string::npos);
  EXPECT_NE(Read("flat.xml").find("integrator=\"midpoint\""), std::string::npos);
  // Both fall alike.
  const json one = Run("run two.xml --time 0.2 --solver auto --json -").Json(),
             two = Run("run flat.xml --time 0.2 --keyframe start --json -").Json();
  EXPECT_NEAR(one["final"]["bodies"]["b/arm"]["quat"][0].get<double>(),
              two["final"]["bodies"]["b/arm"]["quat"][0].get<double>(), 1e-12);
}

TEST_F(Convert, WritesUrdf) {
  const ProgramResult result = Run("convert boxes.xml --to urdf");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("boxes.urdf: "), std::string::npos) << result.out;
  EXPECT_EQ(Inspect("boxes.urdf")["nv"], Inspect("boxes.xml")["nv"]);
  EXPECT_NE(Read("boxes.urdf").find("<robot "), std::string::npos);
}

TEST_F(Convert, ScenesStandInThePlaceOfFiles) {
  const ProgramResult result = Run("convert scene:walker out.xml");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("MuJoCo does not know: lock\n"), std::string::npos) << result.out;
  EXPECT_EQ(Inspect("out.xml --keyframe start")["nv"], Inspect("scene:walker")["nv"]);
}

TEST_F(Convert, StrictWritesNothingThatIsNotWhole) {
  ExpectError("convert arm.urdf out.xml --strict", 3, "ignored: ");
  EXPECT_FALSE(Exists("out.xml"));
  Write("one.xml", R"(<scenario><model file="boxes.xml"/><expect what="ncp" max="1"/></scenario>)");
  ExpectError("convert one.xml out.xml --strict", 3, "one.xml:1: <expect>: ignored: a model expects nothing");
  EXPECT_EQ(Run("convert boxes.xml out.xml --strict").code, 0);
}

TEST_F(Convert, RefusesWhatCannotBeWritten) {
  ExpectError("convert boxes.xml out.obj", 2, "OUT: out.obj: models are written as MJCF or URDF");
  ExpectError("convert boxes.xml", 2, "name the file to write, or its kind");
  ExpectError("convert boxes.xml boxes.xml", 2, "boxes.xml is the input");
  ExpectError("convert boxes.xml ./boxes.xml", 2, "is the input");
  EXPECT_EQ(Read("boxes.xml"), kBoxes);
  ExpectError("convert boxes.xml no/folder/out.xml", 2, "cannot write no/folder/out.xml");
  ExpectError("convert absent.xml out.xml", 3, "absent.xml: no such file");
  ExpectError("convert boxes.xml", 2, "OUT");
  EXPECT_FALSE(Exists("out.xml"));
  Write("one.xml", R"(<scenario><model file="boxes.xml"/></scenario>)");
  ExpectError("convert one.xml boxes.xml", 2, "boxes.xml is the input");
}

}  // namespace
}  // namespace stiction
