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
    <dcmotor joint="j"/>
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
  ExpectItem(report, "light", 12, kIgnored);
  ExpectItem(report, "body[@gravcomp]", 13, kHonoured);
  ExpectItem(report, "body[@nonsense]", 13, kIgnored);
  ExpectItem(report, "joint[@frictionloss]", 14, kHonoured);
  ExpectItem(report, "joint[@damping]", 14, kHonoured);
  ExpectItem(report, "joint[@solreflimit]", 14, kApproximated);
  ExpectItem(report, "geom[@size]", 15, kHonoured);
  ExpectItem(report, "geom[@condim]", 16, kHonoured);
  ExpectItem(report, "geom[@fluidshape]", 16, kIgnored);
  ExpectItem(report, "site[@name]", 17, kHonoured);
  ExpectItem(report, "wheel", 18, kIgnored);
  ExpectItem(report, "connect[@anchor]", 22, kHonoured);
  ExpectItem(report, "jointpos[@joint]", 25, kHonoured);
  ExpectItem(report, "dcmotor", 28, kIgnored);
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
