// Models and worlds of SDFormat files; skipped by name where the build has no libsdformat.
#include "tests/io/sdf/sdf_text.h"

namespace stiction {
namespace {

TEST(SdfWithout, NamesThePackage) {
  if (kHasSdformat) GTEST_SKIP() << "this build has libsdformat";
  EXPECT_NE(LoadFailure("<sdf version='1.9'/>").find("libsdformat-dev"), std::string::npos);
}

// The library of Debian 12 knows neither the attribute nor the element.
TEST_F(Sdf, AutomaticInertiasAreThoseOfTheShapes) {
  const std::string box =
      "<collision name='c'><pose>0 0 1 0 0 0</pose>%<geometry><box><size>.2 .2 .2</size></box>"
      "</geometry></collision>";
  const auto link = [&](const std::string& name, const std::string& inertial, const std::string& density) {
    return "<link name='" + name + "'>" + inertial + std::string(box).replace(box.find('%'), 1, density) +
           "</link>";
  };
  ImportReport report;
  const Model model = LoadText(SdfModel(link("a", "<inertial auto='true'/>", "<density>700</density>") +
                                            link("b", "<inertial auto='true'><mass>3</mass></inertial>", "") +
                                            link("c", "<inertial><mass>2</mass></inertial>", "") +
                                            link("d", "<inertial auto='1'/>", ""),
                                        "1.11"),
                               &report);
  const auto inertia = [&](const char* name) { return model.bodies.at(model.FindBody(name)).inertia; };
  EXPECT_NEAR(inertia("a").mass, 5.6, kSdfTolerance);
  EXPECT_NEAR(inertia("a").I_BBcm_B(0, 0), 5.6 * 0.04 / 6.0, kSdfTolerance);
  EXPECT_LT((inertia("a").p_BBcm - Vector3d::UnitZ()).norm(), kSdfTolerance);
  EXPECT_NEAR(inertia("b").mass, 3.0, kSdfTolerance);
  EXPECT_NEAR(inertia("b").I_BBcm_B(2, 2), 3.0 * 0.04 / 6.0, kSdfTolerance);
  EXPECT_EQ(inertia("c").mass, 2.0);
  EXPECT_NEAR(inertia("d").mass, 8.0, kSdfTolerance);
  EXPECT_TRUE(DescribeLosses(report).empty());
  EXPECT_NE(LoadFailure(SdfModel("<link name='a'><inertial auto='true'/></link>")).find("volume"),
            std::string::npos);
}

TEST_F(Sdf, EveryVersionIsRead) {
  for (const char* version : {"1.5", "1.6", "1.7", "1.8", "1.9", "1.10", "1.11", "1.12"}) {
    const Model model =
        LoadText(SdfModel(SdfLink("a") + SdfLink("b") + SdfJoint("revolute", kSdfAxis), version));
    EXPECT_EQ(model.nv(), 7) << version;
    EXPECT_EQ(model.name, "m");
    EXPECT_EQ(model.bodies.at(model.FindBody("a")).inertia.mass, 2.0) << version;
  }
}

TEST_F(Sdf, RotorsOfDrakeAreArmature) {
  const std::string rotor =
      "<drake:rotor_inertia>2e-5</drake:rotor_inertia><drake:gear_ratio>50</drake:gear_ratio>";
  const std::string text =
      SdfModel(SdfLink("a") + SdfLink("b") + SdfJoint("fixed", "", "world", "a", "stand") +
               SdfJoint("revolute", "<axis><xyz>0 0 1</xyz></axis>" + rotor));
  EXPECT_DOUBLE_EQ(LoadText("<sdf xmlns:drake='http://drake.mit.edu'" + text.substr(4)).joints[0].armature,
                   0.05);
}

TEST_F(Sdf, JointsOfAllTypes) {
  const auto load = [](const std::string& type, const std::string& inside) {
    const std::string stand = SdfJoint("fixed", "", "world", "a", "stand");
    return LoadText(
        SdfModel(SdfLink("a") + SdfLink("b", "<pose>1 0 0 0 0 0</pose>") + stand + SdfJoint(type, inside)));
  };
  const Model hinge =
      load("revolute",
           "<pose>0 .5 0 0 0 0</pose><axis><xyz>0 2 0</xyz><limit><lower>-1</lower><upper>2</upper>"
           "<effort>9</effort></limit><dynamics><damping>.1</damping><friction>.2</friction>"
           "<spring_stiffness>3</spring_stiffness><spring_reference>.4</spring_reference></dynamics></axis>");
  ASSERT_EQ(hinge.nv(), 1);
  const Joint& joint = hinge.joints[0];
  EXPECT_EQ(joint.name, "j");
  EXPECT_EQ(joint.lower, -1.0);
  EXPECT_EQ(joint.upper, 2.0);
  EXPECT_EQ(joint.damping, 0.1);
  EXPECT_EQ(joint.friction_loss, 0.2);
  EXPECT_EQ(joint.stiffness, 3.0);
  EXPECT_EQ(joint.spring_reference, 0.4);
  const HingeJoint& kind = std::get<HingeJoint>(joint.kind);
  EXPECT_LT((kind.axis_B - Vector3d::UnitY()).norm(), kSdfTolerance);
  EXPECT_LT((kind.p_BJ - Vector3d(0, 0.5, 0)).norm(), kSdfTolerance) << "the joint's place on its child";
  const std::string limited = "<axis><xyz>0 0 1</xyz><limit><lower>-1</lower><upper>1</upper></limit></axis>";
  EXPECT_FALSE(std::isfinite(load("continuous", limited).joints.at(0).lower));
  EXPECT_TRUE(std::holds_alternative<SlideJoint>(load("prismatic", limited).joints.at(0).kind));
  EXPECT_TRUE(std::holds_alternative<BallJoint>(load("ball", "").joints.at(0).kind));
  EXPECT_EQ(load("fixed", "").nv(), 0);
  const Model cardan = load(
      "universal", kSdfAxis + "<axis2><xyz>1 0 0</xyz><dynamics><damping>5</damping></dynamics></axis2>");
  ASSERT_EQ(cardan.nv(), 2);
  EXPECT_EQ(cardan.joints[0].name, "j_1");
  EXPECT_EQ(cardan.joints[1].damping, 5.0);
  const Model screw = load("screw", kSdfAxis + "<screw_thread_pitch>.02</screw_thread_pitch>");
  EXPECT_NEAR(std::get<ScrewJoint>(screw.joints.at(0).kind).pitch, 0.02, kSdfTolerance);
}

TEST_F(Sdf, PosesAreRelativeToWhatTheyName) {
  const Model model = LoadText(
      SdfModel("<pose>0 0 1 0 0 1.5707963267948966</pose><frame name='mount' attached_to='a'><pose>1 0 0 0 0 "
               "0</pose></frame>" +
               SdfLink("a") + SdfLink("b", "<pose relative_to='mount'>1 0 0 0 0 0</pose>") +
               "<model name='inner'><pose relative_to='b'>0 0 1 0 0 0</pose>" + SdfLink("c") + "</model>" +
               SdfJoint("revolute", kSdfAxis) + SdfJoint("ball", "", "b", "inner::c", "k")));
  ASSERT_EQ(model.num_bodies(), 4);
  const Body& a = model.bodies.at(model.FindBody("a"));
  EXPECT_LT((a.X_PB.p - Vector3d(0, 0, 1)).norm(), kSdfTolerance);
  EXPECT_LT((a.X_PB.R * Vector3d::UnitX() - Vector3d::UnitY()).norm(), kSdfTolerance);
  EXPECT_LT((model.bodies.at(model.FindBody("b")).X_PB.p - Vector3d(2, 0, 0)).norm(), kSdfTolerance);
  EXPECT_LT((model.bodies.at(model.FindBody("inner::c")).X_PB.p - Vector3d(0, 0, 1)).norm(), kSdfTolerance);
  const Frame& mount = model.frames.at(model.FindFrame("mount"));
  EXPECT_EQ(mount.body, model.FindBody("a"));
  EXPECT_LT((mount.X_BF.p - Vector3d(1, 0, 0)).norm(), kSdfTolerance);
}

TEST_F(Sdf, WhatClosesALoopIsAnEquality) {
  const std::string links = SdfLink("a") + SdfLink("b") + SdfLink("c");
  const Model model = LoadText(SdfModel(links + SdfJoint("revolute", kSdfAxis, "a", "b", "x") +
                                        SdfJoint("revolute", kSdfAxis, "b", "c", "y") +
                                        SdfJoint("revolute", kSdfAxis, "a", "c", "z")));
  EXPECT_EQ(model.nv(), 8);
  ASSERT_EQ(model.num_equalities(), 1);
  EXPECT_EQ(model.equalities[0].name, "z");
  EXPECT_EQ(model.equalities[0].num_rows, 5);
}

// A world in a folder of its own, with a model beside it.
class SdfWorld : public SdfFolder {
 protected:
  SdfWorld() {
    Write("models/box/model.config", "<model><sdf version='1.6'>model.sdf</sdf></model>");
    Write(
        "models/box/model.sdf",
        "<sdf version='1.6'><model name='box'>" +
            SdfLink(
                "link",
                "<collision name='c'><geometry><box><size>.2 .4 .6</size></box></geometry><surface><friction>"
                "<ode><mu>.5</mu></ode></friction></surface></collision><visual name='v'><geometry><sphere>"
                "<radius>.3</radius></sphere></geometry><material><diffuse>1 0 0 "
                "1</diffuse></material></visual>") +
            "</model></sdf>");
  }
};

TEST_F(SdfWorld, HoldsModelsGravityAndFriction) {
  const std::string path = Write("world.sdf", R"(<sdf version='1.7'><world name='shelf'>
    <gravity>0 0 -1.6</gravity>
    <physics name='p' type='ode'><max_step_size>.004</max_step_size></physics>
    <plugin name='p' filename='f'/>
    <model name='ground'><static>true</static><link name='link'><collision name='c'>
      <geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model>
    <include><uri>model://box</uri><name>first</name><pose>0 0 .4 0 0 0</pose></include>
    <include><uri>model://box</uri><name>second</name><pose>0 0 1.2 0 0 0</pose></include>
  </world></sdf>)");
  ImportReport report;
  const Model model = LoadModel(path, {.visuals = true}, &report);
  EXPECT_EQ(model.name, "shelf");
  EXPECT_EQ(model.options.gravity, Vector3d(0, 0, -1.6));
  EXPECT_EQ(model.options.timestep, 0.004);
  ASSERT_EQ(model.num_bodies(), 4);
  EXPECT_EQ(model.num_trees(), 2);
  const int first = model.FindBody("first::link");
  ASSERT_GE(first, 0);
  EXPECT_TRUE(model.joints.at(model.bodies[first].first_joint).is_free());
  EXPECT_LT((model.bodies[first].X_PB.p - Vector3d(0, 0, 0.4)).norm(), kSdfTolerance);
  ASSERT_EQ(model.num_geoms(), 3);
  EXPECT_EQ(std::get<Box>(model.geoms[1].shape).half_extents, Vector3d(0.1, 0.2, 0.3));
  EXPECT_EQ(model.geoms[1].friction, 0.5);
  ASSERT_NE(FindItem(report, "mu"), nullptr);
  EXPECT_EQ(FindItem(report, "mu")->status, ImportStatus::kApproximated) << "the larger of two counts";
  EXPECT_FALSE(model.geoms[1].is_seen);
  ASSERT_EQ(model.visuals.size(), 2u);
  EXPECT_EQ(model.visuals[0].color, (Color{1, 0, 0, 1}));
  EXPECT_TRUE(model.PairCollides(0, 1));
  EXPECT_TRUE(model.PairCollides(1, 2));
  const ImportItem* plugin = FindItem(report, "plugin");
  ASSERT_NE(plugin, nullptr);
  EXPECT_TRUE(plugin->is_physical_loss());
  EXPECT_EQ(plugin->line, 4);
  EXPECT_EQ(plugin->file, path);
}

TEST_F(SdfWorld, LinksOfOneModelCollideOnlyIfItSaysSo) {
  const std::string ball =
      "<collision name='c'><geometry><sphere><radius>.1</radius></sphere></geometry></collision>";
  const std::string links =
      SdfLink("a", ball) + SdfLink("b", ball) + SdfLink("c", ball) + SdfJoint("ball", "");
  EXPECT_FALSE(LoadText(SdfModel(links)).PairCollides(0, 2));
  const Model self = LoadText(SdfModel("<self_collide>true</self_collide>" + links));
  EXPECT_TRUE(self.PairCollides(0, 2));
  EXPECT_FALSE(self.PairCollides(0, 1)) << "a joint is between them";
}

TEST_F(SdfWorld, FaultsAreToldWithTheirLine) {
  const auto world = [](const std::string& inside) {
    return "<sdf version='1.9'><world name='w'>\n" + inside + "\n</world></sdf>";
  };
  const auto include = [](const std::string& uri) { return "<include>\n<uri>" + uri + "</uri></include>"; };
  Write("loop.sdf", world(include("loop.sdf")));
  const auto collide = [](const std::string& geometry) {
    return SdfModel(SdfLink("a", "<collision name='c'>\n<geometry>" + geometry + "</geometry></collision>"));
  };
  const std::string two = SdfLink("a") + SdfLink("b");
  const std::pair<std::string, const char*> cases[] = {
      {world(include("model://ghost")), ":3: <uri>: there is no package \"ghost\""},
      {world(include("https://fuel.gazebosim.org/box")),
       ":3: <uri>: \"https://fuel.gazebosim.org/box\" lies on a server"},
      {world(include("loop.sdf")), ":2: <include>: includes itself"},
      {world("<include/>"), ":2: <include>: has no <uri>"},
      // What libsdformat 12 crashes on.
      {world("<include><uri>model://box</uri>\n<name attached_to='a'>b</name></include>"),
       ":3: <name>: attached_to is no attribute of it"},
      {world("<include><uri>model://box</uri>\n<pose frame='a'>0 0 0 0 0 0</pose></include>"), ":3: <pose>"},
      {world("<include><uri>model://box</uri>\n<plugin name='a' filename='b'>c</plugin></include>"),
       "holds a text"},
      {world("<include><uri>model://box</uri>\n<plugin name='a' filename='b'><![CDATA[ \n "
             "]]></plugin></include>"),
       ":3: <plugin name=\"a\">: holds a CDATA section of blanks; remove it"},
      {world("<include><uri>model://box</uri>\n<plugin name='a' filename='b'><!-- c --><![CDATA[ "
             "]]></plugin></include>"),
       "holds a CDATA section of blanks"},
      {SdfModel(two + SdfJoint("revolute", kSdfAxis, "a", "ghost")), "ghost"},
      {SdfModel(two + SdfJoint("revolute", "")), ":4: <joint name=\"j\">: has no <axis>"},
      {SdfModel(two + SdfJoint("magnetic", kSdfAxis)), "magnetic"},
      {SdfModel(two + SdfLink("b")), "b"},
      {SdfModel(two + SdfJoint("revolute", "<axis>\n<xyz>0 0 0</xyz></axis>")), "xyz"},
      {SdfModel(two +
                SdfJoint("revolute",
                         "<axis><xyz>0 0 1</xyz>\n<limit><lower>2</lower><upper>1</upper></limit></axis>")),
       ":5: <limit>: lower is above upper"},
      {SdfModel("<link name='a'><inertial>\n<mass>-1</mass></inertial></link>"), "mass"},
      {SdfModel("<link name='a'><inertial>\n<mass>nan</mass></inertial></link>"), "nan"},
      {collide("<box><size>1 1</size></box>"), "size"},
      {collide("<box><size>1 -1 1</size></box>"), ":3: <size>: every number of size must be positive"},
      {collide("<sphere><radius>x</radius></sphere>"), "radius"},
      {collide("<mesh><uri>ghost.stl</uri></mesh>"), ":3: <uri>: no such file"},
      {collide("<mesh><uri>file:///etc/passwd</uri></mesh>"), "outside the model's folder"},
      {world("<model name='a'><pose relative_to='ghost'>0 0 0 0 0 0</pose>" + SdfLink("l") + "</model>"),
       "ghost"},
      {"<sdf version='1.9'/>", "neither a <world> nor a <model>"},
      {"<sdf><model name='m'/></sdf>", "version"},
      {world(""), ""}};
  for (const auto& [text, message] : cases) {
    const std::string path = Write("case.sdf", text);
    const std::string what = Failure(path);
    EXPECT_NE(what.find(message), std::string::npos) << text << "\n  says: " << what;
    if (*message) {
      EXPECT_NE(what.find("case.sdf:") == std::string::npos ? what.find("loop.sdf:") : 0, std::string::npos)
          << what;
    }
  }
}

}  // namespace
}  // namespace stiction
