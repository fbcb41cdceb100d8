// Words of SDFormat in the ways that files in use write them, and what is said of those that are not read.
#include <cmath>

#include "tests/io/sdf/sdf_text.h"

namespace stiction {
namespace {

const std::string kSdfBall =
    "<collision name='c'><geometry><sphere><radius>.1</radius></sphere></geometry></collision>";

TEST_F(Sdf, InfiniteEndsAreNoLimits) {
  const auto load = [](const std::string& lower, const std::string& upper, ImportReport* report) {
    const std::string limit = "<limit><lower>" + lower + "</lower><upper>" + upper +
                              "</upper><velocity>inf</velocity><effort>inf</effort></limit>";
    return LoadText(SdfModel(SdfLink("a") + SdfLink("b") +
                             SdfJoint("revolute", "<axis><xyz>0 0 1</xyz>" + limit + "</axis>")),
                    report)
        .joints.at(1);
  };
  ImportReport report;
  for (const auto& [lower, upper] : {std::pair("-inf", "inf"), {"-INF", "+Inf"}, {"-infinity", "Infinity"}}) {
    const Joint joint = load(lower, upper, &report);
    EXPECT_TRUE(std::isinf(joint.lower) && std::isinf(joint.upper)) << lower;
    EXPECT_TRUE(DescribeLosses(report).empty()) << lower;
  }
  EXPECT_EQ(load("-1", "inf", &report).lower, -1.0);
  EXPECT_NE(LoadFailure(SdfModel(SdfLink("a") + SdfLink("b") +
                                 SdfJoint("revolute",
                                          "<axis><xyz>0 0 1</xyz><limit><lower>inf</lower></limit></axis>")))
                .find("lower is above upper"),
            std::string::npos);
}

TEST_F(Sdf, MasksHaveThirtyTwoBits) {
  const auto collision = [](const std::string& mask) {
    return "<collision name='c'><geometry><sphere><radius>.1</radius></sphere></geometry><surface><contact>"
           "<collide_bitmask>" +
           mask + "</collide_bitmask></contact></surface></collision>";
  };
  for (const auto& [text, mask] : {std::pair("0xffff", 0xFFFFu),
                                   {"0X10", 16u},
                                   {"65536", 65536u},
                                   {"4294967295", 0xFFFFFFFFu},
                                   {"0xFFFFFFFF", 0xFFFFFFFFu}}) {
    const Geom geom = LoadText(SdfModel(SdfLink("a", collision(text)))).geoms.at(0);
    EXPECT_EQ(geom.contype, mask) << text;
    EXPECT_EQ(geom.conaffinity, mask) << text;
  }
  EXPECT_TRUE(
      LoadText(SdfModel(SdfLink("a", collision("65536"))), nullptr, {.ground = 0.0}).PairCollides(0, 1));
  for (const char* text : {"4294967296", "-1", "0xfffffffff", "x"})
    EXPECT_NE(LoadFailure(SdfModel(SdfLink("a", collision(text)))).find("collide_bitmask"), std::string::npos)
        << text;
}

TEST_F(Sdf, ColoursOfThreeNumbersAreOpaque) {
  const Model model =
      LoadText(SdfModel(SdfLink("a",
                                "<visual name='v'><geometry><sphere><radius>.1</radius></sphere></geometry>"
                                "<material><diffuse>.25 .5 .75</diffuse></material></visual>")),
               nullptr, {.visuals = true});
  ASSERT_EQ(model.visuals.size(), 1u);
  EXPECT_EQ(model.visuals[0].color, (Color{0.25f, 0.5f, 0.75f, 1.0f}));
}

TEST_F(Sdf, ThePhysicsThatSaysDefaultCounts) {
  const auto step = [](const std::string& physics) {
    return LoadText("<sdf version='1.7'><world name='w'>" + physics + "<model name='m'>" + SdfLink("l") +
                    "</model></world></sdf>")
        .options.timestep;
  };
  const auto physics = [](const std::string& word, const std::string& inside) {
    return "<physics name='p" + inside.substr(0, 4) + "' type='ode'" + word + ">" +
           (inside.empty() ? "" : "<max_step_size>" + inside + "</max_step_size>") + "</physics>";
  };
  EXPECT_EQ(step(physics("", ".01") + physics(" default='true'", ".004")), 0.004);
  EXPECT_EQ(step(physics("", ".01") + physics(" default='1'", ".005")), 0.005);
  EXPECT_EQ(step(physics(" default='0'", ".01") + physics("", ".004")), 0.01) << "the first";
  EXPECT_EQ(step(physics("", "")), 0.001) << "the format's default";
  EXPECT_EQ(step(""), Options{}.timestep);
}

TEST_F(Sdf, InertiasAreJudgedAlikeInWorlds) {
  const std::string model =
      "<model name='m'><link name='l'><inertial><mass>2</mass>\n<inertia><ixx>.1</ixx><iyy>.1</iyy>"
      "<izz>.3</izz></inertia></inertial></link></model>";
  const std::string world = "<sdf version='1.6'><world name='w'>" + model + "</world></sdf>";
  ImportReport report;
  EXPECT_EQ(LoadText(world, &report).bodies.at(1).inertia.I_BBcm_B(2, 2), 0.3);
  ASSERT_NE(FindItem(report, "inertia"), nullptr);
  EXPECT_EQ(FindItem(report, "inertia")->status, ImportStatus::kApproximated);
  EXPECT_EQ(FindItem(report, "inertia")->line, 2);
  const MassProperties repaired =
      LoadText(world, nullptr, {.repairs = {.repair_inertia = true}}).bodies.at(1).inertia;
  bool triangle = false;
  IsPositiveDefinite(repaired.I_BBcm_B, &triangle);
  EXPECT_TRUE(triangle);
  std::string negative = world;
  negative.replace(negative.find("<mass>2"), 7, "<mass>-2");
  EXPECT_NE(LoadFailure(negative).find(": <mass>: the mass must be positive"), std::string::npos);
}

TEST_F(Sdf, InertiasOfPluginsAreTheirs) {
  const std::string inertial = "<inertial><mass>x</mass><inertia/></inertial>";
  EXPECT_EQ(LoadFailure(SdfModel("<plugin name='p' filename='f'><link>" + inertial + "</link></plugin><foo>" +
                                 inertial + "</foo>" + SdfLink("l"))),
            "");
}

TEST_F(Sdf, ALinkThatCollidesWithItsModelDoesSoWithAnyOfIt) {
  const std::string self = "<self_collide>true</self_collide>";
  const Model model = LoadText(SdfModel(SdfLink("a", self + kSdfBall) + SdfLink("b", kSdfBall) +
                                        SdfLink("c", kSdfBall) + SdfJoint("ball", "")));
  EXPECT_TRUE(model.PairCollides(0, 2)) << "a says so";
  EXPECT_FALSE(model.PairCollides(0, 1)) << "a joint is between them";
  EXPECT_FALSE(model.PairCollides(1, 2)) << "neither says so";
}

TEST_F(Sdf, MassesOfStaticModelsDoNotMatter) {
  for (const char* inertial :
       {"<mass>0</mass>", "<mass>1</mass><inertia><ixx>-1</ixx><iyy>1</iyy><izz>1</izz></inertia>",
        "<mass>1</mass><inertia><ixx>0</ixx><iyy>0</iyy><izz>0</izz></inertia>"}) {
    const std::string link = "<link name='a'><inertial>" + std::string(inertial) + "</inertial></link>";
    EXPECT_EQ(LoadFailure(SdfModel("<static>true</static>" + link)), "") << inertial;
  }
}

TEST_F(Sdf, AttributesThatTheFormatDoesNotHaveAreTold) {
  const std::string text = SdfModel(
      "<link name='a' kinematic='true'/>\n" + SdfLink("b") +
      SdfJoint("revolute",
               "<axis><xyz>0 0 1</xyz>\n<limit lower='-1' upper='1'/><dynamics damping='.7'/></axis>"));
  ImportReport report;
  LoadText(text, &report);
  const std::pair<const char*, int> lost[] = {
      {"link[@kinematic]", 2}, {"limit[@lower]", 5}, {"limit[@upper]", 5}, {"dynamics[@damping]", 5}};
  for (const auto& [item, line] : lost) {
    ASSERT_NE(FindItem(report, item), nullptr) << item;
    EXPECT_TRUE(FindItem(report, item)->is_physical_loss()) << item;
    EXPECT_EQ(FindItem(report, item)->line, line) << item;
  }
  // What older files called otherwise is brought up to date.
  LoadText("<sdf version='1.6'><model name='m'><link name='a'>" + kSdfInertial + "</link><link name='b'>" +
               kSdfInertial + "<pose frame='a'>1 0 0 0 0 0</pose></link></model></sdf>",
           &report);
  EXPECT_TRUE(DescribeLosses(report).empty());
}

TEST_F(Sdf, TypesOfJointsAreReadInAnyCase) {
  EXPECT_TRUE(std::holds_alternative<HingeJoint>(
      LoadText(SdfModel(SdfLink("a") + SdfLink("b") + SdfJoint("Revolute", kSdfAxis))).joints.at(1).kind));
}

TEST_F(Sdf, MimicsFollowOneOfTwoAxes) {
  const auto load = [](const std::string& axis) {
    const std::string mimic = "<axis><xyz>0 0 1</xyz><mimic joint='lead'" + axis + "/></axis>";
    const Model model = LoadText(
        SdfModel(SdfLink("a") + SdfLink("b") + SdfLink("c") +
                     SdfJoint("universal", kSdfAxis + "<axis2><xyz>1 0 0</xyz></axis2>", "a", "b", "lead") +
                     SdfJoint("revolute", mimic, "b", "c", "tail"),
                 "1.11"));
    return model.joints.at(std::get<JointPolynomial>(model.equalities.at(0).kind).of_joint).name;
  };
  EXPECT_EQ(load(""), "lead_1");
  EXPECT_EQ(load(" axis='axis'"), "lead_1");
  EXPECT_EQ(load(" axis='axis2'"), "lead_2");
}

TEST_F(Sdf, MessagesSayWhatIsWrong) {
  const auto surface = [](const std::string& friction) {
    return SdfModel(SdfLink("a",
                            "<collision name='c'><geometry><sphere><radius>.1</radius></sphere></geometry>"
                            "<surface><friction>" +
                                friction + "</friction></surface></collision>"));
  };
  const std::pair<std::string, const char*> cases[] = {
      {SdfModel("<pose>0,0,1,0,0,0</pose>" + SdfLink("a")),
       ":2: <pose>: \"0,0,1,0,0,0\" is no pose: 6 numbers"},
      {SdfModel("<pose>0 0 0</pose>" + SdfLink("a")), ":2: <pose>: \"0 0 0\" is no pose: 6 numbers"},
      {surface("<ode><mu>x</mu></ode>"), "\"x\" is not what it holds"},
      {surface("<bullet><friction>-1</friction></bullet>"), "\"-1\" is not among the values"},
      {SdfModel("<! -- x -->" + SdfLink("a")), ":2: a comment begins with \"<!--\""},
      {"<sdf version='1.6'><model name='a'>" + SdfLink("l") + "</model>\n<model name='b'>" + SdfLink("l") +
           "</model></sdf>",
       ": <model name=\"b\">: is a second model"}};
  for (const auto& [text, message] : cases)
    EXPECT_NE(LoadFailure(text).find(message), std::string::npos)
        << text << "\n  says: " << LoadFailure(text);
}

TEST_F(Sdf, WhatSaysTheDefaultIsNoLoss) {
  const auto text = [](const std::string& link, const std::string& surface) {
    return "<sdf xmlns:drake='http://drake.mit.edu' version='1.6'><model name='m'>" +
           SdfLink("a", link +
                            "<collision name='c'><geometry><sphere><radius>.1</radius></sphere></geometry>"
                            "<surface>" +
                            surface + "</surface></collision>") +
           "</model></sdf>";
  };
  ImportReport report;
  LoadText(
      text("<velocity_decay/><kinematic>0</kinematic><enable_wind>false</enable_wind>",
           "<friction><ode><mu>1</mu><fdir1>0 0 0</fdir1><slip1>0</slip1><slip2>0.0</slip2></ode></friction>"
           "<bounce><restitution_coefficient>0</restitution_coefficient><threshold>1e+06</threshold>"
           "</bounce><contact><collide_without_contact>0</collide_without_contact>"
           "<collide_without_contact_bitmask>1</collide_without_contact_bitmask></contact>"),
      &report);
  EXPECT_TRUE(DescribeLosses(report).empty()) << DescribeLosses(report).front();
  LoadText(text("<velocity_decay><linear>.1</linear></velocity_decay><kinematic>1</kinematic><enable_wind>1"
                "</enable_wind><foo/>",
                "<friction><ode><mu>1</mu><slip1>.1</slip1></ode></friction>"),
           &report);
  EXPECT_EQ(DescribeLosses(report).size(), 5u);
}

}  // namespace
}  // namespace stiction
