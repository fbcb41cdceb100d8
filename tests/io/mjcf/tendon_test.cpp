// Tendons of MJCF files.
#include "stiction/dynamics/tendon.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "tests/io/model_text.h"

namespace stiction {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Two hinges, sites, and geoms to wrap around.
std::string WithTendons(const std::string& tendons, const std::string& sections = "") {
  return "<mujoco>" + sections + R"(
    <worldbody>
      <site name="anchor" pos="-1 0 0.5"/>
      <site name="above" pos="0 0 0.4"/>
      <geom name="ball" size="0.2"/>
      <geom name="roll" type="cylinder" size="0.3 0.1" pos="0 0 0.3" euler="90 0 0"/>
      <geom name="rod" type="capsule" size="0.1 0.1"/>
      <body name="a" pos="1 0 0">
        <joint name="j" axis="0 1 0"/>
        <geom size="0.1"/>
        <site name="end" pos="0 0 0.5"/>
        <body name="b">
          <joint name="k"/>
          <joint name="turn" type="ball"/>
          <geom size="0.1"/>
        </body>
      </body>
    </worldbody>
    <tendon>)" +
         tendons + "</tendon></mujoco>";
}

const std::string kFixed = "<fixed name='t'><joint joint='j' coef='1'/></fixed>";

TEST(MjcfTendon, FixedOnesAddJoints) {
  const Model model = LoadText(WithTendons(
      "<fixed name='t'><joint joint='k' coef='-2'/><joint joint='j' coef='0.5'/></fixed>" + std::string()));
  ASSERT_EQ(model.num_tendons(), 1);
  EXPECT_EQ(model.FindTendon("t"), 0);
  const auto& terms = std::get<FixedTendon>(model.tendons[0].path).terms;
  ASSERT_EQ(terms.size(), 2u);
  EXPECT_EQ(terms[0].joint, model.FindJoint("k"));
  EXPECT_EQ(terms[0].coefficient, -2.0);
  EXPECT_EQ(terms[1].joint, model.FindJoint("j"));
  EXPECT_EQ(model.tendons[0].lower, -kInfinity);
  EXPECT_EQ(model.tendons[0].upper, kInfinity);
  EXPECT_FALSE(model.tendons[0].rest_range);
}

TEST(MjcfTendon, SpatialOnesNameSitesGeomsAndPulleys) {
  const Model model = LoadText(WithTendons(R"(
      <spatial>
        <site site="anchor"/>
        <geom geom="ball" sidesite="above"/>
        <site site="end"/>
        <pulley divisor="2"/>
        <site site="end"/>
        <geom geom="roll"/>
        <site site="anchor"/>
      </spatial>)"));
  ASSERT_EQ(model.num_tendons(), 1);
  const auto& path = std::get<SpatialTendon>(model.tendons[0].path).path;
  ASSERT_EQ(path.size(), 7u);
  const auto& end = std::get<SpatialTendon::Site>(path[2]);
  EXPECT_EQ(end.body, model.FindBody("a"));
  EXPECT_EQ(end.p_B, Vector3d(0, 0, 0.5));
  const auto& ball = std::get<SpatialTendon::Wrap>(path[1]);
  EXPECT_EQ(ball.radius, 0.2);
  EXPECT_FALSE(ball.is_cylinder);
  ASSERT_TRUE(ball.side);
  EXPECT_EQ(ball.side->p_B, Vector3d(0, 0, 0.4));
  EXPECT_EQ(std::get<SpatialTendon::Pulley>(path[3]).divisor, 2.0);
  const auto& roll = std::get<SpatialTendon::Wrap>(path[5]);
  EXPECT_EQ(roll.radius, 0.3);
  EXPECT_TRUE(roll.is_cylinder);
  EXPECT_FALSE(roll.side);
  EXPECT_TRUE(roll.center.X_BF.R.col(2).cwiseAbs().isApprox(Vector3d::UnitY(), 1e-12));

  TendonWorkspace ws;
  ws.Resize(model);
  const double l = std::hypot(1.0, 0.2), tangent = std::sqrt(l * l - 0.09);
  const double around_roll = 2 * tangent + 0.3 * (2 * std::atan2(1.0, 0.2) - 2 * std::acos(0.3 / l));
  EXPECT_GT(around_roll, 2.0);
  EXPECT_NEAR(ws.length0[0], 2.0 + 0.5 * around_roll, 1e-12);
}

TEST(MjcfTendon, AttributesAndDefaults) {
  ImportReport report;
  const Model model = LoadText(WithTendons(R"(
      <fixed name="plain"><joint joint="j" coef="1"/></fixed>
      <fixed name="own" class="stiff" range="-1 2" springlength="0.3" width="0.1" rgba="1 0 0 1"
             solreflimit="0.01 1" armature="0.1" margin="0.1" frictionloss="0.7" user="1 2">
        <joint joint="j" coef="1"/>
      </fixed>
      <fixed name="slack" springlength="0.1 0.4" limited="false" range="0 1">
        <joint joint="k" coef="1"/>
      </fixed>)",
                                           R"(
      <default>
        <tendon damping="3"/>
        <default class="stiff"><tendon stiffness="50"/></default>
      </default>)"),
                               &report);
  ASSERT_EQ(model.num_tendons(), 3);
  const auto [plain, own, slack] = std::tie(model.tendons[0], model.tendons[1], model.tendons[2]);
  EXPECT_EQ(plain.damping, 3.0);
  EXPECT_EQ(plain.stiffness, 0.0);
  EXPECT_EQ(own.damping, 3.0);
  EXPECT_EQ(own.stiffness, 50.0);
  EXPECT_EQ(own.lower, -1.0);
  EXPECT_EQ(own.upper, 2.0);
  EXPECT_EQ(own.friction_loss, 0.7);
  EXPECT_EQ(own.rest_range, std::make_pair(0.3, 0.3));
  EXPECT_EQ(slack.rest_range, std::make_pair(0.1, 0.4));
  EXPECT_EQ(slack.upper, kInfinity);

  const auto expect = [&](const char* item, ImportStatus status, const char* why) {
    const ImportItem* found = FindItem(report, item);
    ASSERT_NE(found, nullptr) << item;
    EXPECT_EQ(found->status, status) << item;
    EXPECT_NE(found->why.find(why), std::string::npos) << item << ": " << found->why;
  };
  expect("fixed[@solreflimit]", ImportStatus::kApproximated, "hard");
  expect("fixed[@armature]", ImportStatus::kHonoured, "");
  expect("fixed[@margin]", ImportStatus::kIgnored, "where it is reached");
  expect("fixed[@width]", ImportStatus::kIgnored, "appearance");
  expect("fixed[@rgba]", ImportStatus::kIgnored, "appearance");
  expect("fixed[@user]", ImportStatus::kIgnored, "user data");
  expect("fixed[@frictionloss]", ImportStatus::kHonoured, "");
}

TEST(MjcfTendon, FlagsSwitchOffSpringsDampersAndLimits) {
  const Model model =
      LoadText(WithTendons("<fixed stiffness='5' damping='2' range='0 1'><joint joint='j' coef='1'/></fixed>",
                           "<option><flag spring='disable' damper='disable' limit='disable'/></option>"));
  EXPECT_EQ(model.tendons[0].stiffness, 0.0);
  EXPECT_EQ(model.tendons[0].damping, 0.0);
  EXPECT_EQ(model.tendons[0].upper, kInfinity);
}

TEST(MjcfTendon, WrongOnesNameTheLine) {
  const auto spatial = [](const std::string& path, const std::string& attributes = "") {
    return "<spatial" + attributes + ">" + path + "</spatial>";
  };
  const std::string anchor = "<site site='anchor'/>", end = "<site site='end'/>";
  const std::pair<std::string, std::string> cases[] = {
      {"<spatial name='s'/>", "no path"},
      {spatial(anchor), "at least two sites"},
      {spatial(anchor + "<site site='ghost'/>"), "unknown site \"ghost\""},
      {spatial(anchor + "<site/>"), "needs the attribute \"site\""},
      {spatial(anchor + "<geom geom='ghost'/>" + end), "unknown geom \"ghost\""},
      {spatial(anchor + "<geom geom='ball' sidesite='ghost'/>" + end), "unknown site \"ghost\""},
      {spatial(anchor + "<geom geom='rod'/>" + end), "no sphere or cylinder"},
      {spatial("<geom geom='ball'/>" + anchor), "before and after"},
      {spatial(anchor + "<geom geom='ball'/>"), "before and after"},
      {spatial(anchor + "<geom geom='ball'/><geom geom='roll'/>" + end), "before and after"},
      {spatial(anchor + end + "<pulley divisor='0'/>" + anchor + end), "must be positive"},
      {spatial(anchor + end + "<pulley/>" + anchor + end), "\"divisor\""},
      {spatial(anchor + "<pulley divisor='2'/>" + anchor + end), "at least two sites"},
      {spatial(anchor + "<body/>" + end), "<site>, <geom> and <pulley>"},
      {spatial(anchor + end, " range='1 0'"), "lower end below"},
      {spatial(anchor + end, " springlength='1 0'"), "spring lengths"},
      {spatial(anchor + end, " stiffness='-1'"), "stiffness must not be negative"},
      {spatial(anchor + end, " damping='-1'"), "damping must not be negative"},
      {spatial(anchor + end, " frictionloss='-1'"), "friction loss must not be negative"},
      {spatial(anchor + end, " class='ghost'"), "unknown default class"},
      {"<fixed/>", "moves no joint"},
      {"<fixed><joint joint='ghost' coef='1'/></fixed>", "unknown joint \"ghost\""},
      {"<fixed><joint joint='turn' coef='1'/></fixed>", "more than one coordinate"},
      {"<fixed><joint joint='j'/></fixed>", "\"coef\""},
      {"<fixed><site site='end'/></fixed>", "<joint joint=... coef=.../>"},
      {kFixed + kFixed, "taken by another tendon"},
  };
  for (const auto& [tendons, message] : cases) {
    try {
      LoadText(WithTendons("\n" + tendons));
      ADD_FAILURE() << tendons << " was accepted";
    } catch (const LoadError& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos)
          << tendons << "\n  says: " << error.what();
      EXPECT_EQ(error.line(), 20) << error.what();
    }
  }
}

TEST(MjcfTendon, AttachedModelsBringTheirTendons) {
  const TemporaryFile part(
      WithTendons("<spatial name='rope'><site site='end'/><site site='anchor'/></spatial>" + kFixed), ".xml");
  const std::string file = std::filesystem::path(part.path()).filename().string();
  const auto attach = [&](const std::string& body, const std::string& tendons, ImportReport* report) {
    return LoadText("<mujoco><asset><model name='part' file='" + file +
                        "'/></asset><worldbody><frame pos='0 0 3'><attach model='part' prefix='p_' " + body +
                        "/></frame></worldbody>" + tendons + "</mujoco>",
                    report);
  };
  const Model model = attach("",
                             "<tendon><spatial name='own'><site site='p_end'/><geom geom='p_ball'/>"
                             "<site site='p_anchor'/></spatial></tendon>",
                             nullptr);
  ASSERT_EQ(model.num_tendons(), 3);
  ASSERT_EQ(model.FindTendon("own"), 0);
  EXPECT_EQ(model.FindTendon("p_rope"), 1);
  TendonWorkspace ws;
  ws.Resize(model);
  EXPECT_NEAR(ws.length0[0], 2.0, 1e-12);
  EXPECT_NEAR(ws.length0[1], 2.0, 1e-12);
  const auto& own = std::get<SpatialTendon>(model.tendons[0].path).path;
  EXPECT_EQ(std::get<SpatialTendon::Site>(own[2]).p_B, Vector3d(-1, 0, 3.5));
  EXPECT_EQ(std::get<SpatialTendon::Wrap>(own[1]).center.X_BF.p, Vector3d(0, 0, 3));

  // With one body goes what runs over it alone: the rope ends at the world's anchor.
  ImportReport report;
  const Model body = attach("body='a'", "", &report);
  ASSERT_EQ(body.num_tendons(), 1);
  EXPECT_EQ(body.tendons[0].name, "p_t");
  const ImportItem* rope = FindItem(report, "spatial");
  ASSERT_NE(rope, nullptr);
  EXPECT_NE(rope->why.find("not part of the body"), std::string::npos);
}

// Ropes past spheres of 10 cm, from 0.55 above their centres to 0.4 below: over the poles, on the outside of
// a side site beside the sphere, and straight through with the side site inside of it.
TEST(MjcfTendon, WrapsSpheres) {
  std::string bodies, tendons;
  const double side_sites[] = {0.0, 0.13, -0.08};
  for (int i = 0; i < 3; ++i) {
    const std::string n = std::to_string(i), x = std::to_string(0.5 * i);
    bodies += "<site name='top" + n + "' pos='" + x + " 0 1.05'/><geom name='ball" + n + "' size='.1' pos='" +
              x + " 0 0.5'/><site name='side" + n + "' pos='" + std::to_string(0.5 * i + side_sites[i]) +
              " 0 0.5'/><body pos='" + x + " 0 0.1'><freejoint/><geom size='.05'/><site name='end" + n +
              "'/></body>";
    tendons += "<spatial range='0 0.9'><site site='top" + n + "'/><geom geom='ball" + n + "'" +
               (i > 0 ? " sidesite='side" + n + "'" : "") + "/><site site='end" + n + "'/></spatial>";
  }
  const Model model =
      LoadText("<mujoco><worldbody>" + bodies + "</worldbody><tendon>" + tendons + "</tendon></mujoco>");
  ASSERT_EQ(model.num_tendons(), 3);
  TendonWorkspace ws;
  ws.Resize(model);
  const auto tangent = [](double h) { return std::sqrt(h * h - 0.01); };
  const double around =
      tangent(0.55) + tangent(0.4) + 0.1 * (std::numbers::pi - std::acos(0.1 / 0.55) - std::acos(0.1 / 0.4));
  EXPECT_NEAR(ws.length0[0], around, 1e-12);
  EXPECT_NEAR(ws.length0[1], around, 1e-12);
  EXPECT_NEAR(ws.length0[2], 0.95, 1e-12);
  for (const Tendon& tendon : model.tendons) EXPECT_EQ(tendon.upper, 0.9);
}

TEST(MjcfTendon, OfRobots) {
  const std::string folder = STICTION_SOURCE_DIR "/assets/models";
  const Model gripper = LoadModel(folder + "/four_bar_gripper.xml");
  ASSERT_EQ(gripper.FindTendon("split"), 0);
  TendonWorkspace ws;
  ws.Resize(gripper);
  VectorXd row = VectorXd::Zero(gripper.nv());
  AddTendonForce(ws, 0, 1.0, row);
  for (const char* name : {"right_driver", "left_driver"})
    EXPECT_EQ(row[gripper.joints[gripper.FindJoint(name)].v_address], 0.5);
  EXPECT_EQ(row.lpNorm<1>(), 1.0);

  const Model humanoid = LoadModel(folder + "/humanoid.xml");
  ASSERT_EQ(humanoid.num_tendons(), 2);
  const Tendon& hamstring = humanoid.tendons[humanoid.FindTendon("hamstring_left")];
  EXPECT_EQ(hamstring.lower, -0.3);
  EXPECT_EQ(hamstring.upper, 2.0);
}

}  // namespace
}  // namespace stiction
