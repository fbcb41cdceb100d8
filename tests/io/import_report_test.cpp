// Nothing is dropped in silence: what is not simulated stands in the report with its line.
#include <gtest/gtest.h>

#include "tests/io/model_text.h"

namespace stiction {
namespace {

void ExpectItem(const ImportReport& report, const char* name, int line, ImportStatus status) {
  for (const ImportItem& item : report.items) {
    if (item.item != name || item.line != line) continue;
    EXPECT_EQ(ToString(item.status), ToString(status)) << name;
    EXPECT_TRUE(status == ImportStatus::kHonoured || !item.why.empty()) << name;
    return;
  }
  ADD_FAILURE() << name << " at line " << line << " is not in the report";
}

constexpr ImportStatus kHonoured = ImportStatus::kHonoured;
constexpr ImportStatus kApproximated = ImportStatus::kApproximated;
constexpr ImportStatus kIgnored = ImportStatus::kIgnored;

TEST(ImportReport, MjcfListsEveryAttributeWithItsLine) {
  ImportReport report;
  LoadText(R"(<mujoco model="m">
  <option timestep="0.01" integrator="RK4"
          density="1.2"/>
  <size memory="1M"/>
  <default>
    <geom solref="0.02 1" rgba="1 0 0 1"/>
  </default>
  <asset>
    <material name="red"/>
  </asset>
  <worldbody>
    <light pos="0 0 3"/>
    <body name="b" gravcomp="1" nonsense="3">
      <joint name="j" frictionloss="0.1" damping="2" solreflimit="0.01 1"/>
      <geom type="box" size="1 1 1"
            condim="6" fluidshape="none"/>
      <site name="s"/>
      <wheel/>
    </body>
  </worldbody>
  <equality>
    <connect body1="b" anchor="0 0 0"/>
  </equality>
  <sensor>
    <jointpos joint="j"/>
  </sensor>
  <actuator>
    <plugin joint="j"/>
    <motor joint="j" user="1"/>
  </actuator>
</mujoco>)",
           &report);
  ExpectItem(report, "option[@timestep]", 2, kHonoured);
  ExpectItem(report, "option[@integrator]", 2, kHonoured);
  ExpectItem(report, "option[@density]", 3, kHonoured);
  ExpectItem(report, "size", 4, kIgnored);
  ExpectItem(report, "geom[@solref]", 6, kApproximated);
  ExpectItem(report, "geom[@rgba]", 6, kHonoured);
  ExpectItem(report, "material[@name]", 9, kHonoured);
  ExpectItem(report, "light[@pos]", 12, kHonoured);
  ExpectItem(report, "body[@gravcomp]", 13, kHonoured);
  ExpectItem(report, "body[@nonsense]", 13, kIgnored);
  ExpectItem(report, "joint[@frictionloss]", 14, kHonoured);
  ExpectItem(report, "joint[@damping]", 14, kHonoured);
  ExpectItem(report, "joint[@solreflimit]", 14, kApproximated);
  ExpectItem(report, "geom[@size]", 15, kHonoured);
  ExpectItem(report, "geom[@condim]", 16, kHonoured);
  ExpectItem(report, "geom[@fluidshape]", 16, kHonoured);
  ExpectItem(report, "site[@name]", 17, kHonoured);
  ExpectItem(report, "wheel", 18, kIgnored);
  ExpectItem(report, "connect[@anchor]", 22, kHonoured);
  ExpectItem(report, "jointpos[@joint]", 25, kHonoured);
  ExpectItem(report, "plugin", 28, kIgnored);
  ExpectItem(report, "motor[@user]", 29, kIgnored);
  EXPECT_TRUE(report.HasIgnored());
}

TEST(ImportReport, UrdfListsEveryAttributeWithItsLine) {
  ImportReport report;
  LoadText(R"(<robot name="r">
  <link name="a"><visual/></link>
  <link name="b">
    <inertial><mass value="1"/>
      <inertia ixx="1" iyy="1" izz="9" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><blob/></geometry></collision>
  </link>
  <joint name="j" type="revolute">
    <parent link="a"/><child link="b"/>
    <limit lower="-1" upper="1" effort="5" velocity="2"/>
    <dynamics damping="0.1" friction="0.2"/>
    <safety_controller k_velocity="1"/>
  </joint>
  <gazebo reference="a"/>
</robot>)",
           &report);
  ExpectItem(report, "visual", 2, kIgnored);
  ExpectItem(report, "inertia", 5, kApproximated);
  ExpectItem(report, "collision", 6, kIgnored);
  ExpectItem(report, "limit[@lower]", 10, kHonoured);
  ExpectItem(report, "limit[@effort]", 10, kIgnored);
  ExpectItem(report, "limit[@velocity]", 10, kIgnored);
  ExpectItem(report, "dynamics[@damping]", 11, kHonoured);
  ExpectItem(report, "dynamics[@friction]", 11, kHonoured);
  ExpectItem(report, "safety_controller", 12, kIgnored);
  ExpectItem(report, "gazebo", 14, kIgnored);
}

// What is lost counts as physical, unless it is known to be harmless.
TEST(ImportReport, MjcfLossesArePhysicalUnlessKnownToBeHarmless) {
  ImportReport report;
  LoadText(R"(<mujoco>
  <compiler usethread="false" convexhull="true"/>
  <option iterations="3" o_margin="1" speed="2">
    <flag energy="enable" override="enable" filterparent="disable"/>
  </option>
  <size njmax="5"/>
  <visual><global offwidth="3"/><hologram/></visual>
  <statistic extent="1"/>
  <custom><numeric name="n" data="1"/></custom>
  <asset><texture builtin="flat"/><material name="m" shiny="1"/><cloth/></asset>
  <worldbody>
    <light/>
    <camera name="c" exposure="3"/>
    <composite type="grid"/>
    <flexcomp name="f"/>
    <body name="b" nonsense="3">
      <joint name="j" user="1" group="2" dampng="0.1"/>
      <geom size="1" fluidshape="none"/>
      <geom size="1" fluidshape="ellipsoid" rgba="1 1 1 1"/>
      <plugin plugin="p"/>
      <wheel/>
    </body>
  </worldbody>
  <deformable><flex/><skin/></deformable>
  <equality><flex/></equality>
  <sensor><thermometer/></sensor>
  <actuator><plugin joint="j"/></actuator>
  <hologram/>
</mujoco>)",
           &report);
  std::vector<std::string> lost;
  for (const ImportItem& item : report.items) {
    if (item.is_physical_loss()) lost.push_back(item.item + ":" + std::to_string(item.line));
  }
  const std::vector<std::string> expected{"option[@speed]:3",  "flag[@override]:4", "cloth:10",
                                          "composite:14",      "flexcomp:15",       "body[@nonsense]:16",
                                          "joint[@dampng]:17", "plugin:20",         "wheel:21",
                                          "flex:24",           "flex:25",           "thermometer:26",
                                          "plugin:27",         "hologram:28"};
  EXPECT_EQ(lost, expected);
}

TEST(ImportReport, UrdfLossesArePhysicalUnlessKnownToBeHarmless) {
  ImportReport report;
  LoadText(R"(<robot name="r">
  <link name="a"><visual><glow/></visual></link>
  <link name="b">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
    <collision><geometry><blob/></geometry></collision>
    <contact><lateral_friction value="2"/><rolling_friction value="0"/><contact_cfm value="0.1"/></contact>
  </link>
  <joint name="j" type="revolute">
    <parent link="a"/><child link="b"/>
    <limit lower="-1" upper="1" effort="5" velocity="2"/>
    <safety_controller k_velocity="1"/><calibration rising="0"/>
    <dynamics damping="0.1" backlash="0.2"/>
  </joint>
  <gazebo reference="a"><material>Gazebo/Blue</material></gazebo>
  <gazebo reference="b"><mu1>0.3</mu1><kp>1e6</kp><material>Gazebo/Red</material></gazebo>
  <drake:rotor_inertia xmlns:drake="d" value="1"/>
  <soft_body/>
  <ros2_control name="c"/>
</robot>)",
           &report);
  std::vector<std::string> lost;
  for (const ImportItem& item : report.items) {
    if (item.is_physical_loss()) lost.push_back(item.item + ":" + std::to_string(item.line));
  }
  const std::vector<std::string> expected{
      "collision:5", "contact_cfm:6",          "limit[@velocity]:10", "dynamics[@backlash]:12",
      "kp:15",       "drake:rotor_inertia:16", "soft_body:17",        "ros2_control:18"};
  EXPECT_EQ(lost, expected);
}

TEST(ImportReport, LossesHaveALineEachAndEqualOnesShareIt) {
  ImportReport report;
  const auto lose = [&](int line, const char* item, const char* why, ImportLoss loss) {
    report.items.push_back({"m.xml", line, item, kIgnored, why, loss});
  };
  lose(3, "flexcomp", "soft", ImportLoss::kPhysical);
  lose(4, "light", "appearance only", ImportLoss::kHarmless);
  lose(5, "geom[@x]", "unknown", ImportLoss::kPhysical);
  lose(7, "flexcomp", "soft", ImportLoss::kPhysical);
  lose(9, "flexcomp", "another reason", ImportLoss::kPhysical);
  lose(9, "flexcomp", "soft", ImportLoss::kPhysical);
  report.items.push_back({"m.xml", 10, "joint", kApproximated, "roughly"});
  EXPECT_EQ(DescribeLosses(report),
            (std::vector<std::string>{"m.xml:3: flexcomp ignored: soft (x3, first here)",
                                      "m.xml:5: geom[@x] ignored: unknown",
                                      "m.xml:9: flexcomp ignored: another reason"}));
}

// Flags that switch a kind of constraint off are honoured.
TEST(ImportReport, DisabledEqualitiesAndDryFrictionAreOff) {
  const auto load = [](const std::string& flags, ImportReport& report) {
    return LoadText("<mujoco><option><flag " + flags +
                        "/></option><worldbody><body name='b'><joint name='j' frictionloss='2'/>"
                        "<geom size='1'/></body></worldbody><tendon><fixed frictionloss='1'>"
                        "<joint joint='j' coef='1'/></fixed></tendon>"
                        "<equality><joint joint1='j'/></equality></mujoco>",
                    &report);
  };
  ImportReport on_report, off_report;
  const Model on = load("equality='enable' frictionloss='enable'", on_report);
  EXPECT_TRUE(on.equalities[0].is_active);
  EXPECT_EQ(on.joints[0].friction_loss, 2.0);
  EXPECT_EQ(on.tendons[0].friction_loss, 1.0);
  EXPECT_FALSE(on_report.HasIgnored());
  const Model off = load("equality='disable' frictionloss='disable'", off_report);
  EXPECT_FALSE(off.equalities[0].is_active);
  EXPECT_EQ(off.joints[0].friction_loss, 0.0);
  EXPECT_EQ(off.tendons[0].friction_loss, 0.0);
  EXPECT_FALSE(off_report.HasIgnored());
}

TEST(ImportReport, AFileThatIsFullyUnderstoodHasNothingIgnored) {
  ImportReport report;
  LoadBody("<freejoint/><geom type='box' size='1 1 1' mass='1' friction='0.5 0.005 0.0001'/>", "", &report);
  EXPECT_FALSE(report.HasIgnored());
  for (const ImportItem& item : report.items) EXPECT_EQ(item.status, kHonoured) << item.item;
}

TEST(ImportReport, ItemsOfIncludedFilesNameThatFile) {
  const TemporaryFile part("<x>\n<geom size='1' rgba='1 1 1 1'/></x>", ".xml");
  const std::string name = std::filesystem::path(part.path()).filename().string();
  ImportReport report;
  LoadBody("<include file='" + name + "'/>", "", &report);
  const ImportItem* item = FindItem(report, "geom[@rgba]");
  ASSERT_NE(item, nullptr);
  EXPECT_EQ(item->line, 2);
  EXPECT_NE(item->file.find(name), std::string::npos);
}

}  // namespace
}  // namespace stiction
