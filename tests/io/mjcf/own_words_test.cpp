// Words for contact that MJCF does not have by itself.
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

void ExpectRefused(const std::string& text, const std::string& message) {
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
  ExpectRefused(WithWords("restitution='1.1'"), "between 0 and 1");
  ExpectRefused(WithWords("restitution='-0.1'"), "between 0 and 1");
  ExpectRefused(WithWords("stiffness='0'"), "positive");
  ExpectRefused(WithWords("dissipation_time='-1'"), "negative");
  ExpectRefused(WithWords("", "<pair geom1='a' geom2='b' restitution='2'/>"), "between 0 and 1");
  ExpectRefused(WithWords("", "<exclude geom1='a'/>"), "geom2");
  ExpectRefused(WithWords("", "<exclude geom1='a' geom2='x'/>"), "unknown geom \"x\"");
  ExpectRefused(WithWords("", "", "contact='hard'"), "contact");
  ExpectRefused(WithWords("", "", "sleep_time='-1'"), "negative");
}

}  // namespace
}  // namespace stiction
