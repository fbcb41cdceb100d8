// Cameras of MJCF files: where they stand, how wide they look, and that none stops a load.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "stiction/dynamics/kinematics.h"
#include "stiction/model/input.h"
#include "tests/io/model_text.h"

namespace stiction {
namespace {

constexpr double kCameraTolerance = 1e-14;  // a few roundings of numbers of size one
constexpr double kDegree = M_PI / 180.0;
const Vector3d kX = Vector3d::UnitX(), kY = Vector3d::UnitY(), kZ = Vector3d::UnitZ();

Model LoadCameras(const std::string& cameras, const std::string& sections = "",
                  ImportReport* report = nullptr) {
  return LoadBody("<freejoint/><geom size='.1'/>" + cameras, sections, report);
}

ModelCamera LoadCamera(const std::string& attributes, const std::string& sections = "",
                       ImportReport* report = nullptr) {
  return LoadCameras("<camera " + attributes + "/>", sections, report).cameras.at(0);
}

Matrix3d FrameColumns(const Vector3d& x, const Vector3d& y, const Vector3d& z) {
  Matrix3d R;
  R << x, y, z;
  return R;
}

// What the report says of an attribute of the only camera, or "missing".
std::string StatusOf(const std::string& attribute, const std::string& attributes) {
  ImportReport report;
  LoadCamera(attributes, "", &report);
  const ImportItem* item = FindItem(report, "camera[@" + attribute + "]");
  if (!item) return "missing";
  EXPECT_TRUE(item->status == ImportStatus::kHonoured || !item->why.empty()) << attribute;
  return ToString(item->status);
}

TEST(MjcfCamera, StandsInItsBody) {
  ImportReport report;
  const Model model = LoadText(
      "<mujoco><worldbody><body name='a' pos='0 0 5'><freejoint/><geom size='.1'/>"
      "<body name='b' pos='0 0 1'><geom size='.1'/><frame pos='1 0 0' euler='0 0 90'>"
      "<camera name='eye' pos='2 0 0' euler='90 0 0' fovy='60'/></frame></body>"
      "<camera pos='3 0 0'/></body><camera name='gate'/></worldbody></mujoco>",
      &report);
  ASSERT_EQ(model.cameras.size(), 3u);
  EXPECT_EQ(model.cameras[0].name, "gate") << "in body order";
  EXPECT_EQ(model.cameras[0].body, 0);
  EXPECT_EQ(model.cameras[1].name, "");
  EXPECT_EQ(model.cameras[1].body, 1);
  EXPECT_EQ(model.cameras[1].X_BC.p, Vector3d(3, 0, 0));
  ASSERT_EQ(model.FindCamera("eye"), 2);
  const ModelCamera& eye = model.cameras[2];
  EXPECT_EQ(eye.body, model.FindBody("b"));
  EXPECT_LT((eye.X_BC.p - Vector3d(1, 2, 0)).norm(), kCameraTolerance);
  // Level, as seen from the frame along its y, which points to -x of the body.
  EXPECT_LT((eye.X_BC.R - FrameColumns(kY, kZ, kX)).norm(), kCameraTolerance);
  EXPECT_NEAR(eye.field_of_view, 60.0 * kDegree, kCameraTolerance);
  EXPECT_FALSE(report.HasIgnored());
}

TEST(MjcfCamera, EveryOrientationFormCanPointIt) {
  // Along +x of the body, upright: its right is -y, its up is z.
  const Matrix3d forward = FrameColumns(-kY, kZ, -kX);
  for (const char* form : {"quat='.5 .5 -.5 -.5'", "axisangle='1 -1 -1 120'", "xyaxes='0 -2 0 0 5 3'",
                           "euler='0 -90 -90'", "euler='90 -90 0'"}) {
    EXPECT_LT((LoadCamera(form).X_BC.R - forward).norm(), kCameraTolerance) << form;
  }
  // The smallest turn about y takes z to -x, and x to z.
  EXPECT_LT((LoadCamera("zaxis='-3 0 0'").X_BC.R - FrameColumns(kZ, kY, -kX)).norm(), kCameraTolerance);
  EXPECT_EQ(LoadCamera("").X_BC.R, Matrix3d::Identity()) << "down";
}

TEST(MjcfCamera, FieldOfViewIsInDegreesWhateverTheCompilerSays) {
  const std::string radian = "<compiler angle='radian'/>";
  EXPECT_NEAR(LoadCamera("").field_of_view, 45.0 * kDegree, kCameraTolerance);
  EXPECT_NEAR(LoadCamera("fovy='90'", radian).field_of_view, 90.0 * kDegree, kCameraTolerance);
  EXPECT_LT((LoadCamera("euler='0 0 1.5707963267948966'", radian).X_BC.R - FrameColumns(kY, -kX, kZ)).norm(),
            kCameraTolerance);
}

TEST(MjcfCamera, TakesItsClass) {
  const std::string classes =
      "<default><camera fovy='30' pos='0 0 1'/>"
      "<default class='wide'><camera fovy='120' euler='90 0 0'/></default></default>";
  EXPECT_NEAR(LoadCamera("", classes).field_of_view, 30.0 * kDegree, kCameraTolerance);
  EXPECT_NEAR(LoadCamera("fovy='50'", classes).field_of_view, 50.0 * kDegree, kCameraTolerance);
  const ModelCamera wide = LoadCamera("class='wide'", classes);
  EXPECT_NEAR(wide.field_of_view, 120.0 * kDegree, kCameraTolerance);
  EXPECT_EQ(wide.X_BC.p, kZ);
  EXPECT_LT((wide.X_BC.R - FrameColumns(kX, kZ, -kY)).norm(), kCameraTolerance);
  const Model inherited = LoadText(
      "<mujoco>" + classes + "<worldbody><body childclass='wide'><camera/></body></worldbody></mujoco>");
  EXPECT_NEAR(inherited.cameras.at(0).field_of_view, 120.0 * kDegree, kCameraTolerance);
}

TEST(MjcfCamera, ModesAreRead) {
  const std::pair<const char*, CameraMode> modes[] = {{"fixed", CameraMode::kFixed},
                                                      {"track", CameraMode::kTrack},
                                                      {"trackcom", CameraMode::kTrackCom},
                                                      {"targetbody", CameraMode::kTarget},
                                                      {"targetbodycom", CameraMode::kTargetCom}};
  for (const auto& [word, mode] : modes) {
    const std::string attributes = "pos='1 2 3' mode='" + std::string(word) + "' target='b'";
    EXPECT_EQ(StatusOf("mode", attributes), "honoured") << word;
    EXPECT_EQ(StatusOf("target", attributes), "honoured") << word;
    EXPECT_EQ(LoadCamera(attributes).mode, mode) << word;
    EXPECT_EQ(LoadCamera(attributes).X_BC.p, Vector3d(1, 2, 3));
  }
  EXPECT_EQ(StatusOf("mode", "mode='drone'"), "ignored");
  EXPECT_EQ(StatusOf("mode", "mode='targetbody' target='ghost'"), "ignored");
  EXPECT_EQ(LoadCamera("mode='targetbody' target='ghost'").mode, CameraMode::kFixed);
}

// Two bodies, of which the first goes and turns, and the cameras on it.
TEST(MjcfCamera, TrackingCamerasKeepTheirDirectionAndOthersTheirTarget) {
  const Model model = LoadText(R"(<mujoco><worldbody>
    <camera name="gate" pos="0 -5 2" mode="targetbody" target="ball"/>
    <body name="cart" pos="1 0 0"><freejoint/><geom size=".1" mass="1"/>
      <camera name="track" pos="0 -3 0" mode="track"/><camera name="com" pos="0 -3 0" mode="trackcom"/>
      <body name="load" pos="0 0 2"><joint type="slide" axis="0 0 1"/><geom size=".1" mass="3"/></body></body>
    <body name="ball" pos="0 4 1"><freejoint/><geom size=".1"/></body></worldbody></mujoco>)");
  std::vector<RigidTransform> X_WB(4);
  X_WB[1] = {FrameColumns(kY, -kX, kZ), Vector3d(3, 1, 0)};  // gone by (2, 1, 0) and turned
  X_WB[2] = {X_WB[1].R, Vector3d(3, 1, 4)};                  // the load is 2 m higher: its centre 1.5 m
  X_WB[3].p = Vector3d(2, 7, 2);
  const auto pose = [&](const char* name) {
    return CalcCameraPose(model, X_WB, model.cameras.at(model.FindCamera(name)));
  };
  EXPECT_LT((pose("track").p - Vector3d(3, -2, 0)).norm(), kCameraTolerance);
  EXPECT_LT((pose("track").R - Matrix3d::Identity()).norm(), kCameraTolerance);
  EXPECT_LT((pose("com").p - Vector3d(3, -2, 1.5)).norm(), kCameraTolerance);
  const RigidTransform gate = pose("gate");
  EXPECT_EQ(gate.p, Vector3d(0, -5, 2));
  const Vector3d ahead = (X_WB[3].p - gate.p).normalized();
  EXPECT_LT((gate.R.col(2) + ahead).norm(), kCameraTolerance);
  EXPECT_LT(std::abs(gate.R.col(0).z()), kCameraTolerance) << "level";
  EXPECT_GT(gate.R.col(1).z(), 0.9) << "upright";
  EXPECT_NEAR(gate.R.determinant(), 1.0, kCameraTolerance);
}

// A lamp on a body that goes and turns.
TEST(MjcfCamera, LightsGoAlongAsCamerasDo) {
  ImportReport report;
  const Model model = LoadText(R"(<mujoco><worldbody>
    <body name="cart" pos="1 0 0"><freejoint/><geom size=".1" mass="1"/>
      <light name="fixed" pos="0 0 2" dir="0 1 -1"/><light name="track" pos="0 0 2" dir="0 1 -1" mode="track"/>
      <light name="spot" pos="0 0 2" mode="targetbody" target="ball"/>
      <light name="lost" pos="0 0 2" mode="targetbody" target="ghost"/></body>
    <body name="ball" pos="0 4 1"><freejoint/><geom size=".1"/></body></worldbody></mujoco>)",
                               &report);
  std::vector<RigidTransform> X_WB(3);
  X_WB[1] = {FrameColumns(kY, -kX, kZ), Vector3d(3, 1, 0)};
  X_WB[2].p = Vector3d(2, 7, 2);
  ASSERT_EQ(model.lights.size(), 4u);
  const auto place = [&](int light) { return CalcLightPlace(model, X_WB, model.lights[light]); };
  const Vector3d slanted = Vector3d(0, 1, -1).normalized();
  EXPECT_LT((place(0).direction_W - Vector3d(-1, 0, -1).normalized()).norm(), kCameraTolerance);
  EXPECT_LT((place(1).direction_W - slanted).norm(), kCameraTolerance);
  EXPECT_LT((place(1).p_WL - Vector3d(3, 1, 2)).norm(), kCameraTolerance);
  EXPECT_LT((place(2).direction_W - (X_WB[2].p - Vector3d(3, 1, 2)).normalized()).norm(), kCameraTolerance);
  EXPECT_EQ(model.lights[2].target, model.FindBody("ball"));
  EXPECT_EQ(model.lights[3].mode, CameraMode::kFixed);
  EXPECT_EQ(FindItem(report, "light[@mode]")->status, ImportStatus::kHonoured);
  EXPECT_EQ(FindItem(report, "light[@target]")->status, ImportStatus::kHonoured);
}

TEST(MjcfCamera, IsReportedAsFarAsItIsKept) {
  const std::string all =
      "name='c' pos='0 0 1' quat='1 0 0 0' fovy='60' resolution='640 480' ipd='.06' focal='1 1' "
      "focalpixel='1 1' principal='0 0' principalpixel='0 0' sensorsize='1 1' "
      "orthographic='false' user='1' nonsense='1'";
  for (const char* kept : {"name", "pos", "quat", "fovy", "resolution"})
    EXPECT_EQ(StatusOf(kept, all), "honoured");
  for (const char* unused : {"ipd", "focal", "focalpixel", "principal", "principalpixel", "sensorsize",
                             "orthographic", "user", "nonsense"})
    EXPECT_EQ(StatusOf(unused, all), "ignored") << unused;
}

// Numbers of MuJoCo 3.14: cam_fovy, and cam_intrinsic over cam_sensorsize.
TEST(MjcfCamera, LensAndChipGiveTheFieldOfView) {
  const std::string chip = "resolution='640 480' sensorsize='.02 .01' ";
  const ModelCamera lens = LoadCamera(chip + "focal='.03 .01' principal='.001 .002'");
  EXPECT_NEAR(lens.field_of_view, 53.13010235415598 * kDegree, kCameraTolerance);
  EXPECT_EQ(lens.focal, Vector2d(1.5, 1.0));
  EXPECT_EQ(lens.resolution, (std::array{640, 480}));
  const ModelCamera pixels = LoadCamera(chip + "focal='.03 .01' focalpixel='600 400'");
  EXPECT_NEAR(pixels.field_of_view, 2.0 * std::atan(0.6), kCameraTolerance);
  EXPECT_LT((pixels.focal - Vector2d(600.0 / 640.0, 400.0 / 480.0)).norm(), kCameraTolerance);
  EXPECT_EQ(StatusOf("focal", chip + "focal='.03 .01'"), "honoured");
  const std::string wide = "<default><camera fovy='120' resolution='20 10'/></default>";
  EXPECT_NEAR(LoadCamera("sensorsize='.02 .01' focal='.03 .01'", wide).field_of_view,
              53.13010235415598 * kDegree, kCameraTolerance)
      << "a class's angle goes behind";
  EXPECT_EQ(LoadCamera("", wide).resolution, (std::array{20, 10}));
  EXPECT_EQ(LoadCamera("").resolution, (std::array{1, 1}));
  EXPECT_EQ(LoadCamera("fovy='30'", "<default><camera sensorsize='1 1' focal='1 1'/></default>").focal,
            Vector2d::Zero().eval());
}

TEST(MjcfCamera, BadLensesGiveTheAngle) {
  for (const char* lens : {"focal='1 1'", "sensorsize='1 1'", "sensorsize='1 1' focal='0 1'",
                           "sensorsize='1' focal='1 1'", "sensorsize='1 1' focal='1 -1'"}) {
    EXPECT_NEAR(LoadCamera(lens).field_of_view, 45.0 * kDegree, kCameraTolerance) << lens;
    EXPECT_TRUE(LoadCamera(lens).focal.isZero(0.0)) << lens;
    EXPECT_NE(StatusOf("focal", lens), "honoured") << lens;
    EXPECT_NE(StatusOf("sensorsize", lens), "honoured") << lens;
  }
  for (const char* resolution : {"0 480", "-1 480", "640", "1.5 2", "1e10 1", "nan 1", "a b"}) {
    const std::string attribute = "resolution='" + std::string(resolution) + "'";
    EXPECT_EQ(LoadCamera(attribute).resolution, (std::array{1, 1})) << resolution;
    EXPECT_EQ(StatusOf("resolution", attribute), "ignored") << resolution;
  }
}

TEST(MjcfCamera, BadAnglesGiveTheDefault) {
  for (const char* fovy : {"0", "-45", "180", "1e300", "nan", "inf", "wide", "", "45 45"}) {
    const std::string attribute = "fovy='" + std::string(fovy) + "'";
    EXPECT_NEAR(LoadCamera(attribute).field_of_view, 45.0 * kDegree, kCameraTolerance) << fovy;
    EXPECT_EQ(StatusOf("fovy", attribute), "ignored") << fovy;
  }
  EXPECT_NEAR(LoadCamera("fovy='-1'", "<default><camera fovy='7'/></default>").field_of_view, 7.0 * kDegree,
              kCameraTolerance);
  EXPECT_NEAR(LoadCamera("fovy='70'", "<default><camera fovy='x' mode='y'/></default>").field_of_view,
              70.0 * kDegree, kCameraTolerance);
  // Of an orthographic camera fovy is a length.
  EXPECT_NEAR(LoadCamera("fovy='2' orthographic='true'").field_of_view, 45.0 * kDegree, kCameraTolerance);
  EXPECT_EQ(StatusOf("fovy", "fovy='2' projection='orthographic'"), "ignored");
}

// A view from elsewhere would be worse than none.
TEST(MjcfCamera, IsLeftOutWithoutAPose) {
  for (const char* pose :
       {"pos='1 2'", "pos='nan 0 0'", "quat='0 0 0 0'", "quat='1 0 0 0' euler='0 0 0'", "zaxis='0 0 0'",
        "xyaxes='1 0 0 2 0 0'", "euler='a b c'", "axisangle='0 0 0 1'", "xyaxes='1e308 1e308 0 0 0 1'"}) {
    ImportReport report;
    const Model model = LoadCameras("<camera name='c' " + std::string(pose) + "/>", "", &report);
    EXPECT_TRUE(model.cameras.empty()) << pose;
    ASSERT_NE(FindItem(report, "camera"), nullptr) << pose;
    EXPECT_EQ(FindItem(report, "camera")->status, ImportStatus::kIgnored);
  }
  const Model far =
      LoadCameras("<frame pos='1e308 0 0'><frame pos='1e308 0 0'><camera/></frame></frame><camera/>");
  EXPECT_EQ(far.cameras.size(), 1u);
  const std::string classes = "<default><camera pos='1 2' fovy='10'/></default>";
  EXPECT_NEAR(LoadCamera("", classes).field_of_view, 45.0 * kDegree, kCameraTolerance);
}

TEST(MjcfCamera, BadNamesAndClassesStopNoLoad) {
  ImportReport report;
  const std::string cameras = "<camera name='c'/><camera/><camera name=''/><camera name='c' pos='1 0 0'/>";
  const Model model = LoadCameras(cameras, "", &report);
  ASSERT_EQ(model.cameras.size(), 4u);
  EXPECT_EQ(model.cameras[0].X_BC.p, Vector3d::Zero().eval());
  EXPECT_EQ(FindItem(report, "camera")->status, ImportStatus::kHonoured) << "the one without attributes";
  EXPECT_EQ(model.cameras[3].name, "") << "its name is taken; what it sees is not";
  EXPECT_EQ(model.cameras[3].X_BC.p, kX);
  EXPECT_EQ(std::count_if(report.items.begin(), report.items.end(),
                          [](const ImportItem& item) {
                            return item.item == "camera[@name]" && item.status == ImportStatus::kIgnored;
                          }),
            1);
  EXPECT_EQ(StatusOf("class", "class='ghost'"), "ignored");
}

TEST(MjcfCamera, IsCopiedWithItsBody) {
  const Model model = LoadText(
      "<mujoco><worldbody><replicate count='2' offset='1 0 0' sep='-'><body name='b'><camera name='c'/>"
      "</body><camera name='w'/></replicate></worldbody></mujoco>");
  ASSERT_EQ(model.cameras.size(), 4u);
  EXPECT_EQ(model.cameras.at(model.FindCamera("c-1")).body, model.FindBody("b-1"));
  EXPECT_EQ(model.cameras.at(model.FindCamera("w-1")).X_BC.p, kX);
}

TEST(MjcfCamera, ComesWithAttachedModels) {
  const TemporaryFile part(
      "<mujoco><worldbody><camera name='gate' pos='0 0 3'/>"
      "<body><geom size='1'/><camera name='eye' fovy='90'/></body></worldbody></mujoco>",
      ".xml");
  const std::string assets = "<asset><model name='part' file='" +
                             std::filesystem::path(part.path()).filename().string() + "'/></asset>";
  const Model model = LoadText("<mujoco>" + assets +
                               "<worldbody><frame pos='1 0 0'><attach model='part' prefix='a_'/></frame>"
                               "</worldbody></mujoco>");
  ASSERT_EQ(model.cameras.size(), 2u);
  EXPECT_EQ(model.cameras.at(model.FindCamera("a_gate")).X_BC.p, Vector3d(1, 0, 3));
  EXPECT_EQ(model.cameras.at(model.FindCamera("a_eye")).body, 1);
  ImportReport report;
  const Model twice = LoadText(
      "<mujoco>" + assets + "<worldbody><camera name='eye'/><attach model='part'/></worldbody></mujoco>",
      &report);
  EXPECT_EQ(twice.cameras.size(), 3u) << "the second eye goes without a name";
  EXPECT_EQ(twice.cameras.at(twice.FindCamera("eye")).body, 0);
  EXPECT_EQ(FindItem(report, "attach")->status, ImportStatus::kApproximated);
}

TEST(MjcfCamera, TheHumanoidLooksAhead) {
  const Model model = LoadModel(STICTION_SOURCE_DIR "/assets/models/humanoid.xml");
  ASSERT_EQ(model.cameras.size(), 3u);
  const ModelCamera& eye = model.cameras.at(model.FindCamera("eyes"));
  EXPECT_EQ(model.bodies[eye.body].name, "head");
  EXPECT_NEAR(eye.field_of_view, 80.0 * kDegree, kCameraTolerance);
  Kinematics kinematics;
  kinematics.Resize(model);
  CalcPositionKinematics(model, model.q0, Input::Default(model).mocap, kinematics);
  const RigidTransform X_WC = kinematics.X_WB[eye.body] * eye.X_BC;
  // It looks along x: to its right is -y. The eyes stand 10 cm before the head's origin and 6 above it, at
  // 1.33 + 0.22 m.
  EXPECT_LT((X_WC.p - Vector3d(0.1, 0, 1.61)).norm(), kCameraTolerance);
  EXPECT_LT((X_WC.R.col(0) + kY).norm(), kCameraTolerance);
  EXPECT_LT((-X_WC.R.col(2) - Vector3d(1, 0, -0.1).normalized()).norm(), kCameraTolerance);
  // Those that track it from outside have it in the picture, near its middle.
  for (const char* name : {"behind", "beside"}) {
    const ModelCamera& camera = model.cameras.at(model.FindCamera(name));
    const Vector3d p_CB =
        (kinematics.X_WB[camera.body] * camera.X_BC).Inverse() * kinematics.X_WB[camera.body].p;
    EXPECT_LT(p_CB.z(), -3.0) << name << " looks along -z";
    EXPECT_LT(p_CB.head<2>().norm() / -p_CB.z(), std::tan(0.5 * camera.field_of_view)) << name;
  }
}

}  // namespace
}  // namespace stiction
