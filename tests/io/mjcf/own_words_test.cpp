// Words for contact and joints that MJCF does not have by itself.
#include <gtest/gtest.h>

#include "tests/io/model_text.h"

namespace stiction {
namespace {

// Three balls, the first with more attributes.
std::string WithWords(const std::string& geom, const std::string& contact = "",
                      const std::string& option = "") {
  return "<mujoco><option " + option + "/><worldbody><body><freejoint/><geom name='a' size='0.1' " + geom +
         "/></body><body pos='1 0 0'><freejoint/><geom name='b' size='0.1'/></body>"
         "<body pos='2 0 0'><freejoint/><geom name='c' size='0.1'/></body></worldbody><contact>" +
         contact + "</contact></mujoco>";
}

void ExpectWordRefused(const std::string& text, const std::string& message) {
  EXPECT_NE(LoadFailure(text).find(message), std::string::npos) << text << ": " << LoadFailure(text);
}

TEST(MjcfOwnWords, GeomsBounceAndGiveWay) {
  const Model model = LoadText(WithWords("restitution='0.5' stiffness='1e4' dissipation_time='0.1'", "",
                                         "contact='compliant' sleep_time='2'"));
  EXPECT_EQ(model.geoms[0].restitution, 0.5);
  EXPECT_EQ(model.geoms[0].stiffness, 1e4);
  EXPECT_EQ(model.geoms[0].dissipation_time, 0.1);
  EXPECT_EQ(model.geoms[1].restitution, 0.0);
  EXPECT_TRUE(std::isinf(model.geoms[1].stiffness));
  EXPECT_EQ(model.options.contact_model, ContactModel::kCompliant);
  EXPECT_EQ(model.options.sleep_time, 2.0);
}

TEST(MjcfOwnWords, TheLoadsContactModelComesFirst) {
  ImportReport report;
  const Model model =
      LoadText(WithWords("", "", "contact='compliant'"), &report, {.contact_model = ContactModel::kSoft});
  EXPECT_EQ(model.options.contact_model, ContactModel::kSoft);
  const ImportItem* item = FindItem(report, "option[@contact]");
  ASSERT_NE(item, nullptr);
  EXPECT_EQ(item->status, ImportStatus::kApproximated);
}

TEST(MjcfOwnWords, PairsOfGeomsBounceOrAreLeftOut) {
  const Model model =
      LoadText(WithWords("restitution='0.5'",
                         "<exclude geom1='c' geom2='b'/><pair geom1='a' geom2='b' restitution='0.25'/>"
                         "<pair geom1='a' geom2='c'/>"));
  EXPECT_FALSE(model.PairCollides(1, 2));
  EXPECT_TRUE(model.PairCollides(0, 1));
  ASSERT_NE(FindContactPair(model, 0, 1), nullptr);
  EXPECT_EQ(FindContactPair(model, 0, 1)->restitution, 0.25);
  EXPECT_EQ(FindContactPair(model, 0, 2)->restitution, 0.5);
}

TEST(MjcfOwnWords, RefusesWhatCannotBe) {
  ExpectWordRefused(WithWords("restitution='1.1'"), "between 0 and 1");
  ExpectWordRefused(WithWords("restitution='-0.1'"), "between 0 and 1");
  ExpectWordRefused(WithWords("stiffness='0'"), "positive");
  ExpectWordRefused(WithWords("dissipation_time='-1'"), "negative");
  ExpectWordRefused(WithWords("", "<pair geom1='a' geom2='b' restitution='2'/>"), "between 0 and 1");
  ExpectWordRefused(WithWords("", "<exclude geom1='a'/>"), "geom2");
  ExpectWordRefused(WithWords("", "<exclude geom1='a' geom2='x'/>"), "unknown geom \"x\"");
  ExpectWordRefused(WithWords("", "", "contact='hard'"), "contact");
  ExpectWordRefused(WithWords("", "", "sleep_time='-1'"), "negative");
}

TEST(MjcfOwnWords, GeomsPressByPatches) {
  const Model model = LoadText(
      "<mujoco><default><geom hydroelastic='compliant' modulus='1e5' dissipation='0.1' "
      "polygons='9'/></default>"
      "<worldbody><geom type='plane' hydroelastic='rigid'/><geom size='0.1'/><geom size='0.1' modulus='2e5'/>"
      "</worldbody></mujoco>");
  EXPECT_FALSE(model.geoms[0].hydroelastic.is_compliant());
  EXPECT_EQ(model.geoms[1].hydroelastic.modulus, 1e5);
  EXPECT_EQ(model.geoms[1].hydroelastic.dissipation_time, 0.1);
  EXPECT_EQ(model.geoms[1].hydroelastic.max_polygons, 9);
  EXPECT_EQ(model.geoms[2].hydroelastic.modulus, 2e5);
  ImportReport report;
  LoadText(WithWords("modulus='1e5'"), &report);
  const ImportItem* item = FindItem(report, "geom[@modulus]");
  ASSERT_NE(item, nullptr);
  EXPECT_EQ(item->status, ImportStatus::kIgnored);
}

TEST(MjcfOwnWords, RefusesPatchesThatCannotBe) {
  ExpectWordRefused(WithWords("hydroelastic='soft' modulus='1e5'"), "hydroelastic");
  ExpectWordRefused(WithWords("hydroelastic='compliant'"), "needs a modulus");
  ExpectWordRefused(WithWords("hydroelastic='compliant' modulus='0'"), "modulus must be positive");
  ExpectWordRefused(WithWords("hydroelastic='compliant' modulus='1e5' dissipation='-1'"), "negative");
  ExpectWordRefused(WithWords("hydroelastic='compliant' modulus='1e5' polygons='0'"), "polygons");
  const std::string plane =
      "<mujoco>\n<worldbody>\n<geom type='plane' hydroelastic='compliant' "
      "modulus='1e5'/></worldbody></mujoco>";
  ExpectWordRefused(plane, "a plane cannot be compliant");
  ExpectWordRefused(plane, ":3");
}

TEST(MjcfOwnWords, JointsMayBeUniversalsOrScrews) {
  ImportReport report;
  const std::string mass = "<geom size='0.1' mass='1'/>";
  const Model model = LoadText(
      "<mujoco><worldbody><body><joint type='universal' name='u' pos='0 0 1' axis='0 0 2' axis2='0 3 0'"
      " range='-30 60' stiffness='2' springref='10'/>" +
          mass +
          "<body euler='0 0 90'><joint type='screw' name='s' axis='1 0 0' pitch='0.02' ref='90'"
          " range='-360 720' actuatorfrcrange='-1 1'/>" +
          mass +
          "</body></body></worldbody><actuator><motor joint='u' gear='1 2'/><position joint='s'/>"
          "</actuator><sensor><jointpos joint='s'/><jointlimitfrc joint='u'/></sensor></mujoco>",
      &report);
  constexpr double kDegree = 3.14159265358979323846 / 180.0;
  EXPECT_EQ(model.nq(), 3);
  EXPECT_EQ(model.nv(), 3);
  const auto& u = std::get<UniversalJoint>(model.joints[0].kind);
  EXPECT_EQ(u.axis1_B, Vector3d::UnitZ());
  EXPECT_EQ(u.axis2_B, Vector3d::UnitY());
  EXPECT_EQ(u.p_BJ, Vector3d::UnitZ());
  EXPECT_DOUBLE_EQ(model.joints[0].lower, -30 * kDegree);
  EXPECT_DOUBLE_EQ(model.joints[0].upper, 60 * kDegree);
  EXPECT_DOUBLE_EQ(model.joints[0].spring_reference, 10 * kDegree);
  const auto& s = std::get<ScrewJoint>(model.joints[1].kind);
  EXPECT_EQ(s.pitch, 0.02);
  EXPECT_DOUBLE_EQ(s.reference, 90 * kDegree);
  EXPECT_DOUBLE_EQ(model.q0[2], 90 * kDegree);
  EXPECT_EQ(s.axis_B, Vector3d::UnitX());
  EXPECT_DOUBLE_EQ(model.joints[1].upper, 720 * kDegree);
  EXPECT_EQ(model.joints[1].actuator_force_upper, 1.0);
  for (const ImportItem& item : report.items) EXPECT_EQ(item.status, ImportStatus::kHonoured) << item.item;
}

TEST(MjcfOwnWords, DefaultsReachUniversalsAndScrews) {
  const Model model = LoadText(
      "<mujoco><default><joint type='screw' pitch='0.5' axis='0 1 0'/></default><worldbody><body><joint/>"
      "<geom size='0.1'/></body></worldbody></mujoco>");
  EXPECT_EQ(std::get<ScrewJoint>(model.joints[0].kind).pitch, 0.5);
}

TEST(MjcfOwnWords, SaysWhichJointsTakeWhat) {
  const auto load = [](const std::string& joint, ImportReport* report) {
    return LoadText("<mujoco><worldbody><body><joint " + joint +
                        "/><geom size='0.1' mass='1' pos='0.1 0.1 0.3'/></body></worldbody></mujoco>",
                    report);
  };
  const auto ignores = [&](const std::string& joint, const char* attribute) {
    ImportReport report;
    load(joint, &report);
    const ImportItem* item = FindItem(report, std::string("joint[@") + attribute + "]");
    return item != nullptr && item->status == ImportStatus::kIgnored;
  };
  EXPECT_TRUE(ignores("pitch='1'", "pitch"));
  EXPECT_TRUE(ignores("axis2='1 0 0'", "axis2"));
  EXPECT_TRUE(ignores("type='universal' ref='10'", "ref"));
  EXPECT_TRUE(ignores("type='universal' actuatorfrcrange='-1 1'", "actuatorfrcrange"));
  EXPECT_TRUE(ignores("type='ball' springref='10'", "springref"));
  EXPECT_FALSE(ignores("type='screw' pitch='1' ref='10' springref='10' actuatorfrcrange='-1 1'", "ref"));

  const auto refusal = [&](const std::string& joint) {
    return LoadFailure("<mujoco><worldbody><body><joint name='j' " + joint +
                       "/><geom size='0.1'/></body></worldbody></mujoco>");
  };
  EXPECT_NE(refusal("type='screw'").find("the pitch is zero"), std::string::npos) << refusal("type='screw'");
  EXPECT_NE(refusal("type='universal' axis2='0 0.1 1'").find("not perpendicular"), std::string::npos);
  EXPECT_NE(refusal("type='planar'").find("universal, screw"), std::string::npos) << refusal("type='planar'");
}

}  // namespace
}  // namespace stiction
