// <attach>: bodies of one MJCF file in the world of another.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <numbers>

#include "stiction/model/state.h"
#include "tests/io/model_text.h"

namespace stiction {
namespace {

std::string NameOf(const TemporaryFile& file) {
  return std::filesystem::path(file.path()).filename().string();
}

// A floor, an arm with a motor, and a post.
const char kPart[] = R"(<mujoco>
  <default><geom density="500"/></default>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="post" pos="9 0 0"><geom name="p" size="1"/></body>
    <body name="arm" pos="0 0 1">
      <joint name="swing" axis="0 1 0"/>
      <geom name="rod" type="capsule" size="0.1" fromto="0 0 0 0 0 1"/>
      <site name="tip" pos="0 0 1"/>
    </body>
  </worldbody>
  <actuator><motor name="m" joint="swing" gear="3"/></actuator>
  <keyframe><key name="k" qpos="1"/></keyframe>
</mujoco>)";

std::string Scene(const std::string& asset, const std::string& world) {
  return "<mujoco><asset><model name='part' file='" + asset + "'/></asset><worldbody>" + world +
         "</worldbody></mujoco>";
}

TEST(MjcfAttach, BringsOneBodyWithItsJointsAndActuators) {
  const TemporaryFile part(kPart, ".xml");
  ImportReport report;
  const Model model = LoadText(
      Scene(NameOf(part),
            "<frame pos='1 2 3' euler='0 0 90'><attach model='part' body='arm' prefix='a_'/></frame>"),
      &report);
  ASSERT_EQ(model.num_bodies(), 2);
  EXPECT_EQ(model.bodies[1].name, "a_arm");
  EXPECT_LT((model.bodies[1].X_PB.p - Vector3d(1, 2, 4)).norm(), 1e-14);
  EXPECT_LT((model.bodies[1].X_PB.R.col(0) - Vector3d(0, 1, 0)).norm(), 1e-14);
  EXPECT_NEAR(model.bodies[1].inertia.mass, 500.0 * CalcVolume(Capsule{0.1, 0.5}), 1e-9);
  EXPECT_EQ(model.joints[0].name, "a_swing");
  EXPECT_EQ(model.actuators[0].name, "a_m");
  EXPECT_EQ(model.actuators[0].gear[0], 3.0);
  EXPECT_EQ(model.frames[0].name, "a_tip");
  EXPECT_EQ(model.num_geoms(), 1) << "the part's floor and post stay behind";
  ASSERT_EQ(model.keyframes.size(), 1u);
  EXPECT_EQ(model.keyframes[0].name, "a_k");
  EXPECT_EQ(model.keyframes[0].q, VectorXd::Constant(1, 1.0));
}

// As MuJoCo 3.14 numbers them; each attached element under a name of its own, and found by it.
TEST(MjcfAttach, MechanismsStandBehindTheFilesOwn) {
  const TemporaryFile part(R"(<mujoco><worldbody><body name="arm"><joint name="h"/><geom size=".1"/>
    <body><joint name="h2" axis="1 0 0"/><geom size=".1" pos="1 0 0"/></body></body></worldbody>
    <tendon><fixed name="te"><joint joint="h" coef="1"/></fixed></tendon>
    <equality><joint name="eq" joint1="h"/></equality><actuator><motor name="mo" tendon="te"/></actuator>
    <sensor><actuatorfrc name="se" actuator="mo"/></sensor>
    <keyframe><key name="k" qpos=".1 .2" ctrl="3"/></keyframe></mujoco>)",
                           ".xml");
  const Model model = LoadText("<mujoco><asset><model name='part' file='" + NameOf(part) +
                               R"('/></asset><worldbody><body><joint name="o"/><geom size=".1"/>
    <attach model="part" body="arm" prefix="L_"/><attach model="part" body="arm" prefix="R_"/></body></worldbody>
    <tendon><fixed name="te"><joint joint="o" coef="1"/></fixed></tendon>
    <equality><tendon name="eq" tendon1="te" tendon2="R_te"/></equality>
    <actuator><velocity name="own" tendon="L_te"/></actuator>
    <sensor><actuatorfrc name="se" actuator="R_mo"/></sensor>
    <keyframe><key name="k" ctrl="1 2 3"/></keyframe></mujoco>)");
  const auto names = [](const auto& elements) {
    std::string out;
    for (const auto& element : elements) out += element.name + " ";
    return out;
  };
  EXPECT_EQ(names(model.tendons), "te L_te R_te ");
  EXPECT_EQ(names(model.equalities), "eq L_eq R_eq ");
  EXPECT_EQ(names(model.actuators), "own L_mo R_mo ");
  EXPECT_EQ(names(model.sensors), "se L_se R_se ");
  EXPECT_EQ(names(model.keyframes), "k L_k R_k ");
  EXPECT_EQ(std::get<TendonPolynomial>(model.equalities[0].kind).of_tendon, 2);
  EXPECT_EQ(model.actuators[0].tendon, 1);
  EXPECT_EQ(model.actuators[2].tendon, 2);
  EXPECT_EQ(model.sensors[0].index, 2);
  EXPECT_EQ(model.sensors[1].index, 1);
  EXPECT_EQ(model.keyframes[2].ctrl, Vector3d(0, 0, 3));
  EXPECT_EQ(model.keyframes[0].ctrl, Vector3d(1, 2, 3));
}

// Those of attached models hold what they cover, and the rest at its default.
TEST(MjcfAttach, BringsKeyframes) {
  const TemporaryFile part(R"(<mujoco>
    <worldbody>
      <body name="slider"><joint name="x" type="slide" ref="0.5"/><geom size="0.1"/></body>
      <body name="box" pos="0 0 2"><freejoint/><geom size="0.1"/></body>
    </worldbody>
    <actuator><motor name="m" joint="x"/></actuator>
    <keyframe><key name="home" qpos="7 1 0 0 1 0 0 0" qvel="3 0 0 0 0 0 0" ctrl="4"/></keyframe>
  </mujoco>)",
                           ".xml");
  const std::string world =
      "<body><joint ref='0.25'/><geom size='0.1'/></body><attach model='part' prefix='a_'/>"
      "<frame pos='0 5 0'><attach model='part' prefix='b_'/></frame>"
      "<attach model='part' body='slider' prefix='c_'/>";
  ImportReport report;
  const Model model = LoadText(Scene(NameOf(part), world), &report);
  ASSERT_EQ(model.keyframes.size(), 2u) << "one covers more than the body that is attached";
  const ImportItem* left = FindItem(report, "key");
  ASSERT_NE(left, nullptr);
  const Keyframe& keyframe = model.keyframes[1];
  EXPECT_EQ(keyframe.name, "b_home");
  VectorXd q = model.q0;
  const Joint &slide = model.joints[model.FindJoint("b_x")],
              &floating = model.joints[model.FindJoint("b_x") + 1];
  q[slide.q_address] = 7.0;
  q.segment<7>(floating.q_address) << 1.0, 5.0, 0.0, 1.0, 0.0, 0.0, 0.0;
  EXPECT_EQ(keyframe.q, q);
  EXPECT_EQ(keyframe.v[slide.v_address], 3.0);
  EXPECT_EQ(keyframe.ctrl, (VectorXd(3) << 0.0, 4.0, 0.0).finished());
}

// What is not part of the body is no loss, whatever it is; what is unknown of the body is one.
TEST(MjcfAttach, WhatStaysBehindIsNoLoss) {
  const TemporaryFile part(R"(<mujoco>
    <worldbody>
      <geom type="plane" size="1 1 1"/>
      <frame pos="1 0 0"><site name="post" nonsense="1"/>
        <body name="arm"><joint name="swing"/><geom size="0.1" nonsense="2"/></body>
      </frame>
      <body name="other" pos="1 2 3"><joint name="o"/><geom size="1"/><site name="there"/></body>
    </worldbody>
    <tendon><fixed name="t" stiffness="3"><joint joint="o" coef="1"/></fixed></tendon>
    <equality><weld body1="other" relpose="0 0 0 1 0 0 0"/></equality>
    <actuator><position joint="o" kp="3"/></actuator>
    <contact><exclude body1="arm" body2="other"/></contact>
  </mujoco>)",
                           ".xml");
  ImportReport report;
  LoadText(Scene(NameOf(part), "<attach model='part' body='arm' prefix='a_'/>"), &report);
  std::vector<std::string> lost;
  for (const ImportItem& item : report.items) {
    if (item.status == ImportStatus::kIgnored) lost.push_back(item.item);
  }
  EXPECT_EQ(lost, std::vector<std::string>{"geom[@nonsense]"});
}

// Those that are as they are here anyway are no loss.
TEST(MjcfAttach, OptionsOfAnAttachedModelThatAreOthersAreTold) {
  const TemporaryFile part(
      "<mujoco><option timestep='.005' gravity='0 0 -9.81'><flag sleep='disable' filterparent='disable'/>"
      "</option><worldbody><body name='arm'><joint/><geom size='.1'/></body></worldbody></mujoco>",
      ".xml");
  ImportReport report;
  const Model model = LoadText(Scene(NameOf(part), "<attach model='part' prefix='a_'/>"), &report);
  EXPECT_EQ(model.options.timestep, 0.002);
  EXPECT_EQ(FindItem(report, "option[@timestep]")->status, ImportStatus::kIgnored);
  EXPECT_EQ(FindItem(report, "option[@gravity]")->status, ImportStatus::kHonoured);
  EXPECT_TRUE(model.options.filter_parent);
  EXPECT_EQ(FindItem(report, "flag[@filterparent]")->status, ImportStatus::kIgnored);
  EXPECT_EQ(FindItem(report, "flag[@sleep]")->status, ImportStatus::kHonoured);
}

// A plate that is drawn in the world of its file, hung on a body: with or without a name for that. Masses
// as in MuJoCo 3.14.
TEST(MjcfAttach, WhatStandsInItsWorldIsPartOfTheBody) {
  const TemporaryFile part("<mujoco><worldbody><geom size='.1' mass='3' pos='0 0 1'/></worldbody></mujoco>",
                           ".xml");
  const auto load = [&](const std::string& attributes, const std::string& before, ImportReport* report) {
    std::string text = Scene(
        NameOf(part), "<geom size='.2'/><body><freejoint/>" + before +
                          "<geom size='.1' mass='1'/><frame pos='0 0 1'><attach model='part' prefix='a_' " +
                          attributes + "/></frame></body>");
    return LoadText(text, report).bodies.at(1).inertia;
  };
  for (const char* body : {"", "body='world'"}) {
    ImportReport report;
    const MassProperties both = load(body, "", &report);
    EXPECT_EQ(both.mass, 4.0);
    EXPECT_LT((both.p_BBcm - Vector3d(0, 0, 1.5)).norm(), 1e-15);
    EXPECT_NEAR(both.I_BBcm_B(0, 0), 4 * 0.4 * 0.01 + 1 * 2.25 + 3 * 0.25, 1e-14);
    EXPECT_TRUE(DescribeLosses(report).empty());
  }
  const char* inertial = "<inertial pos='0 0 0' mass='7' diaginertia='1 1 1'/>";
  EXPECT_EQ(load("", inertial, nullptr).mass, 7.0) << "the body says its mass";
  // In a world, of a model that is attached to a body.
  const TemporaryFile middle(
      Scene(NameOf(part), "<geom size='.1' mass='.5'/><attach model='part' prefix='b_'/>"), ".xml");
  const Model nested = LoadText(Scene(NameOf(middle), "<body><freejoint/><attach model='part'/></body>"));
  EXPECT_EQ(nested.bodies.at(1).inertia.mass, 3.5);
}

// What is attached is damped and driven as the file that attaches it has it.
TEST(MjcfAttach, FlagsOfAnAttachedModelSwitchNothingOff) {
  const TemporaryFile part(
      "<mujoco><option><flag damper='disable' contact='disable' limit='disable' energy='enable'/></option>"
      "<worldbody><body name='arm'><joint damping='2' range='-1 1' limited='true'/><geom size='.1'/></body>"
      "</worldbody></mujoco>",
      ".xml");
  ImportReport report;
  const Model model = LoadText(Scene(NameOf(part), "<attach model='part' prefix='a_'/>"), &report);
  EXPECT_EQ(model.joints.at(0).damping, 2.0);
  EXPECT_EQ(model.joints.at(0).upper, std::numbers::pi / 180.0);
  EXPECT_TRUE(model.geoms.at(0).collides());
  for (const char* flag : {"flag[@damper]", "flag[@contact]", "flag[@limit]", "flag[@energy]"})
    EXPECT_EQ(FindItem(report, flag)->status, ImportStatus::kIgnored) << flag;
}

// As MuJoCo 3.14 has it: the total is that of the file which attaches, bounds are each file's own.
TEST(MjcfAttach, TheTotalMassIsOfTheWholeAndBoundsOfEachFile) {
  const auto masses = [](const std::string& there, const std::string& here, ImportReport* report = nullptr) {
    const TemporaryFile part(
        "<mujoco><compiler " + there +
            "/><worldbody><body name='b'><joint/><geom size='.1'/></body></worldbody></mujoco>",
        ".xml");
    const Model model =
        LoadText("<mujoco><compiler " + here + "/><asset><model name='part' file='" + NameOf(part) +
                     "'/></asset><worldbody><body><joint/><geom size='.2'/></body>"
                     "<attach model='part' body='b' prefix='p_'/></worldbody></mujoco>",
                 report);
    return Vector2d(model.bodies.at(1).inertia.mass, model.bodies.at(2).inertia.mass);
  };
  const Vector2d plain = masses("", "");
  EXPECT_NEAR(plain[0], 8.0 * plain[1], 1e-12);
  ImportReport report;
  EXPECT_EQ(masses("settotalmass='3'", "", &report), plain);
  ASSERT_NE(FindItem(report, "compiler[@settotalmass]"), nullptr);
  EXPECT_EQ(FindItem(report, "compiler[@settotalmass]")->status, ImportStatus::kIgnored);
  for (const char* there : {"", "settotalmass='5'"})
    EXPECT_LT((masses(there, "settotalmass='3'") - Vector2d(24.0, 3.0) / 9.0).norm(), 1e-12);
  EXPECT_EQ(masses("boundmass='9'", ""), Vector2d(plain[0], 9.0));
  EXPECT_EQ(masses("", "boundmass='9'"), plain);
}

TEST(MjcfAttach, FrictionThatCountsAsLessIsNamedInItsOwnFile) {
  const TemporaryFile part(
      "<mujoco><worldbody><body name='arm'>\n<joint/><geom size='.1' friction='1e6'/></body></worldbody>"
      "</mujoco>",
      ".xml");
  ImportReport report;
  LoadText(Scene(NameOf(part), "<attach model='part' prefix='a_'/><attach model='part' prefix='b_'/>"),
           &report);
  const auto tells = [](const ImportItem& item) { return item.why.starts_with("friction above"); };
  ASSERT_EQ(std::count_if(report.items.begin(), report.items.end(), tells), 1);
  const auto item = std::find_if(report.items.begin(), report.items.end(), tells);
  EXPECT_EQ(NameOf(part), std::filesystem::path(item->file).filename().string());
  EXPECT_EQ(item->line, 2);
}

// A name that is taken is no reason not to load: the keyframe goes without.
TEST(MjcfAttach, KeyframesWithTakenNamesLoseThem) {
  const TemporaryFile part(kPart, ".xml");
  ImportReport report;
  const Model model = LoadText("<mujoco><asset><model name='part' file='" + NameOf(part) +
                                   "'/></asset><worldbody><attach model='part' body='arm'/></worldbody>"
                                   "<keyframe><key name='k' qpos='0.5'/></keyframe></mujoco>",
                               &report);
  ASSERT_EQ(model.keyframes.size(), 2u);
  EXPECT_EQ(model.FindKeyframe("k")->q[0], 0.5);
  const ImportItem* attach = FindItem(report, "attach");
  ASSERT_NE(attach, nullptr);
  EXPECT_EQ(attach->status, ImportStatus::kApproximated);
}

// An arm whose hand, from a file, has a finger from another; neither <model> has a name of its own.
TEST(MjcfAttach, HangsOnBodiesAndGoesByTheNameInTheFile) {
  const TemporaryFile finger(
      "<mujoco model='digit'><worldbody><body name='f' pos='0.1 0 0'><joint name='k'/>"
      "<geom size='0.05' mass='2'/></body></worldbody><actuator><motor name='m' "
      "joint='k'/></actuator></mujoco>",
      ".xml");
  const TemporaryFile hand(
      "<mujoco model='hand'><asset><model file='" + NameOf(finger) +
          "'/></asset><worldbody><body name='palm' pos='0 0 1'><joint name='w'/><geom size='0.1' mass='3'/>"
          "<frame pos='0 0 0.2'><attach model='digit' body='f' "
          "prefix='f_'/></frame></body></worldbody></mujoco>",
      ".xml");
  const std::string asset = "<mujoco><asset><model file='" + NameOf(hand) + "'/></asset><worldbody>";
  const Model model = LoadText(asset +
                               "<body name='link' pos='1 0 0'><joint name='j'/><geom size='0.1' mass='4'/>"
                               "<attach model='hand' body='palm' prefix='h_'/></body></worldbody>"
                               "<equality><joint joint1='h_f_k' joint2='j'/></equality></mujoco>");
  ASSERT_EQ(model.num_bodies(), 4);
  EXPECT_EQ(model.bodies[2].name, "h_palm");
  EXPECT_EQ(model.bodies[2].parent, 1);
  EXPECT_EQ(model.bodies[2].X_PB.p, Vector3d(0, 0, 1));
  EXPECT_EQ(model.bodies[3].name, "h_f_f");
  EXPECT_EQ(model.bodies[3].parent, 2);
  EXPECT_LT((model.bodies[3].X_PB.p - Vector3d(0.1, 0, 0.2)).norm(), 1e-15);
  EXPECT_EQ(model.num_trees(), 1);
  EXPECT_EQ(model.actuators[0].joint, 2);
  EXPECT_EQ(std::get<JointPolynomial>(model.equalities[0].kind).joint, 2);
  const std::string message = LoadFailure(asset + "\n<attach model='palm'/></worldbody></mujoco>");
  EXPECT_NE(message.find(":2: <attach"), std::string::npos) << message;
}

TEST(MjcfAttach, CopiesAreNumberedByReplicate) {
  const TemporaryFile part(kPart, ".xml");
  const Model model = LoadText(Scene(NameOf(part),
                                     "<replicate count='3' offset='2 0 0' sep='-'>"
                                     "<attach model='part' body='arm' prefix='_'/></replicate>"));
  ASSERT_EQ(model.num_bodies(), 4);
  for (int i = 0; i < 3; ++i) {
    const int body = model.FindBody("_arm-" + std::to_string(i));
    ASSERT_GE(body, 0) << i;
    EXPECT_LT((model.bodies[body].X_PB.p - Vector3d(2 * i, 0, 1)).norm(), 1e-14);
  }
}

// What acts on the part that stays behind stays behind with it.
TEST(MjcfAttach, LeavesActuatorsOfOtherBodies) {
  const TemporaryFile part(kPart, ".xml");
  const Model model = LoadText(Scene(NameOf(part), "<attach model='part' body='post' prefix='_'/>"));
  EXPECT_EQ(model.nu(), 0);
  EXPECT_EQ(model.num_joints(), 0);
}

TEST(MjcfAttach, WithoutABodyAllOfTheWorldComes) {
  const TemporaryFile part(kPart, ".xml");
  const Model model = LoadText(Scene(NameOf(part), "<attach model='part' prefix='x_'/>"));
  EXPECT_EQ(model.num_bodies(), 3);
  EXPECT_EQ(model.num_geoms(), 3);
}

TEST(MjcfAttach, SaysWhatIsWrong) {
  const TemporaryFile part(kPart, ".xml");
  const std::string name = NameOf(part);
  const auto failure = [&](const std::string& world) { return LoadFailure(Scene(name, world)); };
  EXPECT_NE(failure("<attach model='ghost' prefix='_'/>").find("unknown model \"ghost\""), std::string::npos);
  EXPECT_NE(failure("<attach model='part' body='ghost' prefix='_'/>").find("has no body \"ghost\""),
            std::string::npos);
  const std::string twice = "<attach model='part' prefix='_'/>";
  EXPECT_NE(failure(twice + twice).find("_post"), std::string::npos);
  EXPECT_NE(LoadFailure(Scene("nowhere.xml", "")).find("no such file"), std::string::npos);
}

// A model that attaches itself, with a copy in each copy.
TEST(MjcfAttach, EndsModelsThatHoldThemselves) {
  const std::string path = ::testing::TempDir() + "stiction_self_" + std::to_string(getpid()) + ".xml";
  std::ofstream(path) << Scene(std::filesystem::path(path).filename().string(),
                               "<attach model='part' prefix='_'/><attach model='part' prefix='+'/>");
  try {
    LoadModel(path);
    ADD_FAILURE() << "loaded";
  } catch (const LoadError& error) {
    EXPECT_NE(std::string(error.what()).find("deep"), std::string::npos) << error.what();
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace stiction
