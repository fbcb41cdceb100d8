// How bodies touch, as MJCF writes it: friction of all kinds, softness, and pairs with laws of their own.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/io/model_text.h"

namespace stiction {
namespace {

constexpr const char* kTwoGeoms = R"(<worldbody>
  <geom name="plate" type="box" size="1 1 0.1" friction="0.4 0.01 0.002" condim="4" margin="0.01"/>
  <body name="b"><freejoint/>
    <geom name="ball" size="0.1" friction="0.3 0.02 0.001" condim="3" solref="0.05 0.7" solimp="0.8 0.9" solmix="3"/>
  </body></worldbody>)";

std::string WithContact(const std::string& elements, const std::string& more = "") {
  return "<mujoco>" + more + kTwoGeoms + ("<contact>" + elements + "</contact></mujoco>");
}

TEST(MjcfContact, ReadsAllKindsOfFriction) {
  ImportReport report;
  const Model model = LoadText(WithContact(""), &report);
  const Geom& ball = model.geoms[model.FindGeom("ball")];
  EXPECT_EQ(ball.friction, 0.3);
  EXPECT_EQ(ball.torsional_friction, 0.02);
  EXPECT_EQ(ball.rolling_friction, 0.001);
  const PairFriction friction = CalcFriction(model, model.FindGeom("plate"), model.FindGeom("ball"));
  EXPECT_EQ(friction.sliding, 0.4);
  EXPECT_EQ(friction.torsional, 0.02);
  EXPECT_EQ(friction.rolling, 0.0);  // condim 4
  EXPECT_EQ(FindItem(report, "geom[@condim]")->status, ImportStatus::kHonoured);
}

TEST(MjcfContact, FrictionNotGivenIsTheDefault) {
  const Model model = LoadBody("<geom size='1' friction='0.7' condim='6'/>");
  EXPECT_EQ(model.geoms[0].friction, 0.7);
  EXPECT_EQ(model.geoms[0].torsional_friction, 0.005);
  EXPECT_EQ(model.geoms[0].rolling_friction, 0.0001);
  EXPECT_EQ(model.geoms[0].condim, 6);
}

TEST(MjcfContact, SoftnessActsOnRequestAlone) {
  ImportReport hard_report, soft_report;
  const Model hard = LoadText(WithContact(""), &hard_report);
  const Model soft = LoadText(WithContact(""), &soft_report, {.contact_model = ContactModel::kSoft});
  EXPECT_EQ(hard.options.contact_model, ContactModel::kRigid);
  EXPECT_EQ(soft.options.contact_model, ContactModel::kSoft);
  for (const char* item : {"geom[@solref]", "geom[@solimp]", "geom[@solmix]"}) {
    EXPECT_EQ(FindItem(hard_report, item)->status, ImportStatus::kApproximated) << item;
    EXPECT_EQ(FindItem(soft_report, item)->status, ImportStatus::kHonoured) << item;
  }
  // The plate has the defaults and weight 1 beside the ball's 3.
  const Softness softness = CalcSoftness(soft, soft.FindGeom("plate"), soft.FindGeom("ball"));
  EXPECT_NEAR(softness.reference[0], 0.75 * 0.05 + 0.25 * 0.02, 1e-15);
  EXPECT_NEAR(softness.reference[1], 0.75 * 0.7 + 0.25 * 1.0, 1e-15);
  EXPECT_NEAR(softness.impedance[0], 0.75 * 0.8 + 0.25 * 0.9, 1e-15);
  EXPECT_NEAR(softness.impedance[1], 0.75 * 0.9 + 0.25 * 0.95, 1e-15);
  EXPECT_EQ(softness.impedance[2], 0.001);
}

TEST(MjcfContact, LimitsAndEqualitiesGiveWayOnRequestAlone) {
  constexpr const char* kText = R"(<mujoco><default><joint solreflimit="0.04 0.9"/></default>
    <worldbody><body><joint name="a" range="0 1" solimplimit="0.7"/><geom size="0.1"/></body>
      <body><joint name="b" range="0 1"/><geom size="0.1"/></body></worldbody>
    <tendon><fixed range="0 1" solreflimit="0.06 1"><joint joint="a" coef="1"/></fixed></tendon>
    <equality><joint joint1="a" joint2="b" solref="0.05 1"/></equality></mujoco>)";
  ImportReport hard_report, soft_report;
  const Model hard = LoadText(kText, &hard_report);
  const Model soft = LoadText(kText, &soft_report, {.contact_model = ContactModel::kSoft});
  EXPECT_FALSE(hard.joints[0].limit_softness || hard.tendons[0].limit_softness ||
               hard.equalities[0].softness);
  ASSERT_TRUE(soft.joints[0].limit_softness && soft.tendons[0].limit_softness && soft.equalities[0].softness);
  EXPECT_EQ(soft.joints[0].limit_softness->reference[0], 0.04);
  EXPECT_EQ(soft.joints[0].limit_softness->impedance[0], 0.7);
  EXPECT_EQ(soft.joints[1].limit_softness->impedance[0], 0.9);
  EXPECT_EQ(soft.tendons[0].limit_softness->reference[0], 0.06);
  EXPECT_EQ(soft.equalities[0].softness->reference[0], 0.05);
  for (const char* item : {"joint[@solreflimit]", "fixed[@solreflimit]", "joint[@solref]"}) {
    ASSERT_NE(FindItem(hard_report, item), nullptr) << item;
    EXPECT_EQ(FindItem(hard_report, item)->status, ImportStatus::kApproximated) << item;
    EXPECT_EQ(FindItem(soft_report, item)->status, ImportStatus::kHonoured) << item;
  }
}

TEST(MjcfContact, SoftnessWithoutMeaningIsPutRightAndNamed) {
  const auto load = [](const std::string& attributes, ImportReport& report) {
    const Model model =
        LoadText("<mujoco><worldbody><geom size='1' " + attributes + "/></worldbody></mujoco>", &report,
                 {.contact_model = ContactModel::kSoft});
    return model.geoms[0].softness;
  };
  ImportReport report;
  EXPECT_EQ(load("solref='0.5 -1'", report).reference, (Softness{}.reference));
  EXPECT_EQ(FindItem(report, "geom[@solref]")->status, ImportStatus::kApproximated);
  EXPECT_EQ(load("solref='-50 -1'", report).reference[0], -50.0);
  EXPECT_EQ(FindItem(report, "geom[@solref]")->status, ImportStatus::kHonoured);
  const Softness clamped = load("solimp='0.9 0.95 -1 2.1 0.5'", report);
  EXPECT_EQ(clamped.impedance[2], 0.0);
  EXPECT_EQ(clamped.impedance[3], 1.0 - 1e-4);
  EXPECT_EQ(clamped.impedance[4], 1.0);
  EXPECT_EQ(FindItem(report, "geom[@solimp]")->status, ImportStatus::kApproximated);
}

// Steps take these for others (sim/soft_rows.h).
TEST(MjcfContact, SoftnessBeyondWhatStepsCountIsNamed) {
  const auto load = [](const std::string& attributes, const char* sections, ImportReport& report) {
    LoadText(std::string("<mujoco>") + sections + "<worldbody><geom size='1' " + attributes +
                 "/></worldbody></mujoco>",
             &report, {.contact_model = ContactModel::kSoft});
  };
  ImportReport report;
  constexpr const char* kCoarse = "<option timestep='0.01'/>";
  load("solref='0.02 1' solimp='0.0001 0.9999'", kCoarse, report);
  EXPECT_EQ(FindItem(report, "geom[@solref]")->status, ImportStatus::kHonoured);
  EXPECT_EQ(FindItem(report, "geom[@solimp]")->status, ImportStatus::kHonoured);
  load("solref='0.019 1' solimp='0.9 1'", kCoarse, report);
  EXPECT_EQ(FindItem(report, "geom[@solref]")->status, ImportStatus::kApproximated);
  EXPECT_EQ(FindItem(report, "geom[@solimp]")->status, ImportStatus::kApproximated);
  load("solref='0.019 1'", "", report);
  EXPECT_EQ(FindItem(report, "geom[@solref]")->status, ImportStatus::kHonoured);
}

int CountOf(const ImportReport& report, const std::string& what) {
  return static_cast<int>(
      std::count_if(report.items.begin(), report.items.end(),
                    [&](const ImportItem& item) { return item.why.find(what) != std::string::npos; }));
}

TEST(MjcfContact, FrictionBeyondWhatStepsCountIsNamedOnce) {
  ImportReport report;
  LoadText(R"(<mujoco><default><default class="rubber"><geom friction="2e5"/></default></default><worldbody>
    <geom name="floor" type="box" size="1 1 .1" friction="10000"/>
    <body><freejoint/><geom name="a" size=".1" class="rubber"/></body>
    <body><freejoint/>
      <geom name="b" size=".1" friction="1e9"/></body>
    </worldbody><contact><pair geom1="floor" geom2="b" friction="3e4"/><pair geom1="a" geom2="b"/></contact></mujoco>)",
           &report);
  constexpr const char* kWhy =
      "friction above 10000 counts as that: of 3 geoms and pairs, the first here; the largest is 1e+09";
  ASSERT_EQ(CountOf(report, "friction above"), 1);
  const auto item = std::find_if(report.items.begin(), report.items.end(),
                                 [&](const ImportItem& one) { return one.why == kWhy; });
  ASSERT_NE(item, report.items.end());
  EXPECT_EQ(item->line, 3);
  EXPECT_EQ(item->item, "geom");
  EXPECT_EQ(item->status, ImportStatus::kApproximated);
  EXPECT_EQ(FindItem(report, "geom[@friction]")->status, ImportStatus::kHonoured);
  LoadBody("<geom size='1' friction='1e4'/>", "", &report);
  EXPECT_EQ(CountOf(report, "friction above"), 0);
  LoadBody("<geom size='1' friction='2e4'/>", "", &report);
  EXPECT_EQ(CountOf(report, "friction above 10000 counts as that; it is 2e+04"), 1);
}

// As in MuJoCo: the defaults of <pair> count where it says nothing, whatever the geoms say.
TEST(MjcfContact, PairTakesNothingFromItsGeoms) {
  const Model model = LoadText(WithContact("<pair geom1='ball' geom2='plate'/>"));
  ASSERT_EQ(model.contact_pairs.size(), 1u);
  const ContactPair& pair = model.contact_pairs[0];
  EXPECT_LT(pair.geom_a, pair.geom_b);
  EXPECT_EQ(pair.friction.sliding, 1.0);
  EXPECT_EQ(pair.friction.torsional, 0.0);  // condim 3
  EXPECT_EQ(pair.friction.rolling, 0.0);
  EXPECT_EQ(pair.margin, 0.0);
  EXPECT_EQ(pair.softness.reference, Softness{}.reference);
  EXPECT_EQ(pair.softness.impedance, Softness{}.impedance);

  const Model rolling = LoadText(WithContact("<pair geom1='ball' geom2='plate'/>",
                                             "<default><pair condim='6' friction='0.2'/></default>"));
  EXPECT_EQ(rolling.contact_pairs.at(0).friction.sliding, 0.2);
  EXPECT_EQ(rolling.contact_pairs.at(0).friction.torsional, 0.005);
  EXPECT_EQ(rolling.contact_pairs.at(0).friction.rolling, 0.0001);
}

TEST(MjcfContact, PairHasALawOfItsOwn) {
  ImportReport report;
  const Model model = LoadText(
      WithContact(
          "<pair class='slick' geom1='ball' geom2='plate' friction='0.1 0.1 0.03 0.004 0.004' margin='0.5'/>",
          "<default><default class='slick'><pair condim='6'/></default></default>"),
      &report);
  const ContactPair& pair = model.contact_pairs.at(0);
  EXPECT_EQ(pair.friction.sliding, 0.1);
  EXPECT_EQ(pair.friction.torsional, 0.03);
  EXPECT_EQ(pair.friction.rolling, 0.004);
  EXPECT_EQ(pair.margin, 0.5);
  EXPECT_EQ(FindItem(report, "pair[@friction]")->status, ImportStatus::kHonoured);
  const Model uneven =
      LoadText(WithContact("<pair geom1='ball' geom2='plate' friction='0.1 0.2'/>"), &report);
  EXPECT_EQ(uneven.contact_pairs.at(0).friction.sliding, 0.1);
  EXPECT_EQ(FindItem(report, "pair[@friction]")->status, ImportStatus::kApproximated);
}

TEST(MjcfContact, PairTouchesWhateverTheGeomsSay) {
  const std::string scene =
      R"(<worldbody><geom name="plate" type="plane" size="1 1 1" contype="0" conaffinity="0"/>
    <body><freejoint/><geom name="ball" size="0.1" contype="0" conaffinity="0"/></body></worldbody>)";
  const Model none = LoadText("<mujoco>" + scene + "</mujoco>");
  EXPECT_FALSE(none.PairCollides(0, 1));
  const Model model =
      LoadText("<mujoco>" + scene + "<contact><pair geom1='plate' geom2='ball'/></contact></mujoco>");
  EXPECT_TRUE(model.PairCollides(0, 1));
  EXPECT_TRUE(model.PairCollides(1, 0));
}

// Meshes that do not collide count for appearance and mass alone, but for those that a pair names, also by
// the name that copies share.
TEST(MjcfContact, MeshesOfPairsCollideWhateverTheirMasksSay) {
  const std::string rest = R"(
    <asset><mesh name="tip" vertex="0 0 0  .1 0 0  0 .1 0  0 0 .1"/></asset>
    <default><geom contype="0" conaffinity="0"/></default>
    <worldbody><geom name="floor" type="plane" size="1 1 1"/>
      <replicate count="2" offset="1 0 0"><body name="b"><freejoint/>
        <geom name="tip" type="mesh" mesh="tip"/><geom name="both" type="mesh" mesh="tip"/></body></replicate>
      <body><freejoint/><geom name="other" type="mesh" mesh="tip"/></body></worldbody>
    <contact><pair geom1="floor" geom2="other"/><pair geom1="tip0" geom2="floor"/>
      <pair geom1="both" geom2="floor"/></contact></mujoco>)";
  const Model model = LoadText("<mujoco>" + rest);
  EXPECT_EQ(model.num_geoms(), 5);
  EXPECT_EQ(model.FindGeom("tip1"), -1);
  const int floor = model.FindGeom("floor");
  EXPECT_TRUE(model.PairCollides(floor, model.FindGeom("other")));
  EXPECT_TRUE(model.PairCollides(floor, model.FindGeom("tip0")));
  for (const char* both : {"both0", "both1"})
    EXPECT_TRUE(model.PairCollides(floor, model.FindGeom(both))) << both;
  EXPECT_FALSE(model.PairCollides(model.FindGeom("other"), model.FindGeom("tip0")));
  // Nor is their name unknown where nothing collides.
  EXPECT_TRUE(LoadText("<mujoco><option><flag contact='disable'/></option>" + rest).contact_pairs.empty());
}

TEST(MjcfContact, OfPairsOfTheSameGeomsTheFirstCounts) {
  ImportReport report;
  const Model model = LoadText(
      WithContact(
          "<pair geom1='ball' geom2='plate' margin='.01'/><pair geom1='plate' geom2='ball' margin='.02'/>"),
      &report);
  ASSERT_EQ(model.contact_pairs.size(), 1u);
  EXPECT_EQ(model.contact_pairs[0].margin, 0.01);
  const auto& items = report.items;
  EXPECT_TRUE(std::any_of(items.begin(), items.end(), [](const ImportItem& item) {
    return item.item == "pair" && item.status == ImportStatus::kApproximated;
  }));
}

TEST(MjcfContact, MistakesAreNamed) {
  const auto fails = [](const std::string& elements, const std::string& why) {
    const std::string message = LoadFailure(WithContact(elements));
    EXPECT_NE(message.find(why), std::string::npos) << message;
  };
  fails("<pair geom1='ball' geom2='cup'/>", "unknown geom \"cup\"");
  fails("<pair geom1='ball' geom2='ball'/>", "does not touch itself");
  fails("<pair geom1='ball'/>", "geom2");
  fails("<pair geom1='ball' geom2='plate' condim='2'/>", "condim must be 1, 3, 4 or 6");
  fails("<pair geom1='ball' geom2='plate' friction='-1'/>", "friction must not be negative");
  const auto geom_fails = [](const std::string& attributes, const std::string& why) {
    const std::string message =
        LoadFailure("<mujoco><worldbody><geom size='1' " + attributes + "/></worldbody></mujoco>");
    EXPECT_NE(message.find(why), std::string::npos) << message;
  };
  geom_fails("solmix='-1'", "solmix must not be negative");
  geom_fails("friction='1 -1'", "friction must not be negative");
}

}  // namespace
}  // namespace stiction
