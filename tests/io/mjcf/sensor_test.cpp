// Sensors of MJCF files: what each refers to, and what the report says of what cannot be measured.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/io/model_text.h"
#include "tests/support/shared_files.h"

namespace stiction {
namespace {

constexpr double kSensorTolerance = 1e-14;  // a few roundings of numbers of size one

// A body "b" with an arm "arm" on hinge "h", a ball "ball" on joint "j", site, geom and camera, an actuator.
std::string WithSensors(const std::string& sensors,
                        const std::string& site = "<site name='s' pos='1 2 3'/>") {
  return "<mujoco><worldbody><site name='ws' pos='0 0 1'/><body name='b' pos='0 0 1'><freejoint/>"
         "<geom name='g' type='box' size='.3 .2 .1' pos='.5 0 0' euler='0 0 90' mass='1'/>" +
         site +
         "<body name='arm'><joint name='h'/><geom size='.1'/><camera name='eye' pos='0 1 0'/></body>"
         "<body name='ball'><joint name='j' type='ball'/><geom size='.1'/></body></body></worldbody>"
         "<actuator><motor name='m' joint='h'/><plugin name='flesh' joint='h'/></actuator>"
         "<sensor>\n" +
         sensors + "</sensor></mujoco>";
}

Model LoadSensors(const std::string& sensors, ImportReport* report = nullptr,
                  const std::string& site = "<site name='s' pos='1 2 3'/>") {
  return LoadText(WithSensors(sensors, site), report);
}

TEST(MjcfSensor, EveryKeywordIsRead) {
  const std::pair<const char*, SensorType> kinds[] = {
      {"<jointpos joint='h'/>", SensorType::kJointPosition},
      {"<jointvel joint='h'/>", SensorType::kJointVelocity},
      {"<jointactuatorfrc joint='h'/>", SensorType::kJointActuatorForce},
      {"<ballquat joint='j'/>", SensorType::kBallQuaternion},
      {"<ballangvel joint='j'/>", SensorType::kBallAngularVelocity},
      {"<jointlimitpos joint='h'/>", SensorType::kJointLimitPosition},
      {"<jointlimitvel joint='h'/>", SensorType::kJointLimitVelocity},
      {"<jointlimitfrc joint='j'/>", SensorType::kJointLimitForce},
      {"<actuatorpos actuator='m'/>", SensorType::kActuatorPosition},
      {"<actuatorvel actuator='m'/>", SensorType::kActuatorVelocity},
      {"<actuatorfrc actuator='m'/>", SensorType::kActuatorForce},
      {"<framepos objtype='site' objname='s'/>", SensorType::kFramePosition},
      {"<framequat objtype='site' objname='s'/>", SensorType::kFrameQuaternion},
      {"<framexaxis objtype='site' objname='s'/>", SensorType::kFrameXAxis},
      {"<frameyaxis objtype='site' objname='s'/>", SensorType::kFrameYAxis},
      {"<framezaxis objtype='site' objname='s'/>", SensorType::kFrameZAxis},
      {"<framelinvel objtype='site' objname='s'/>", SensorType::kFrameLinearVelocity},
      {"<frameangvel objtype='site' objname='s'/>", SensorType::kFrameAngularVelocity},
      {"<framelinacc objtype='site' objname='s'/>", SensorType::kFrameLinearAcceleration},
      {"<frameangacc objtype='site' objname='s'/>", SensorType::kFrameAngularAcceleration},
      {"<insidesite objtype='site' objname='ws' site='s'/>", SensorType::kInsideRegion},
      {"<accelerometer site='s'/>", SensorType::kAccelerometer},
      {"<velocimeter site='s'/>", SensorType::kVelocimeter},
      {"<gyro site='s'/>", SensorType::kGyro},
      {"<magnetometer site='s'/>", SensorType::kMagnetometer},
      {"<force site='s'/>", SensorType::kForce},
      {"<torque site='s'/>", SensorType::kTorque},
      {"<touch site='s'/>", SensorType::kTouch},
      {"<rangefinder site='s'/>", SensorType::kRangefinder},
      {"<subtreecom body='b'/>", SensorType::kSubtreeCenterOfMass},
      {"<subtreelinvel body='b'/>", SensorType::kSubtreeLinearVelocity},
      {"<subtreeangmom body='b'/>", SensorType::kSubtreeAngularMomentum},
      {"<contact body1='b'/>", SensorType::kContactCount},
      {"<contact body1='b' data='force' reduce='netforce'/>", SensorType::kContactForce},
      {"<contact body1='b' data='found dist normal' num='3'/>", SensorType::kContactSlots},
      {"<contact body1='b' data='force'/>", SensorType::kContactSlots},
      {"<distance geom1='g' body2='arm'/>", SensorType::kNearestDistance},
      {"<normal body1='b' geom2='g'/>", SensorType::kNearestNormal},
      {"<fromto geom1='g' geom2='g'/>", SensorType::kNearestPoints},
      {"<camprojection site='s' camera='eye'/>", SensorType::kCameraProjection},
      {"<e_potential/>", SensorType::kPotentialEnergy},
      {"<e_kinetic/>", SensorType::kKineticEnergy},
      {"<user dim='7'/>", SensorType::kUser},
      {"<clock/>", SensorType::kClock}};
  std::string all;
  for (const auto& [text, type] : kinds) all += std::string(text) + "\n";
  const Model model = LoadSensors(all);
  ASSERT_EQ(model.sensors.size(), std::size(kinds)) << "in the order of the file";
  int first = 0;
  for (std::size_t i = 0; i < std::size(kinds); ++i) {
    EXPECT_EQ(model.sensors[i].type, kinds[i].second) << kinds[i].first;
    EXPECT_EQ(model.sensors[i].first, first);
    first += NumValues(model.sensors[i]);
  }
  EXPECT_EQ(model.num_sensor_values, first);
  const auto slots = std::find_if(model.sensors.begin(), model.sensors.end(), [](const Sensor& sensor) {
    return sensor.type == SensorType::kContactSlots;
  });
  EXPECT_EQ(slots[0].size, 15);
  EXPECT_EQ(slots[1].size, 3);
}

TEST(MjcfSensor, FramesAreThoseOfTheirObjects) {
  const Model model = LoadSensors(
      "<framepos objtype='site' objname='s'/><framepos objtype='geom' objname='g'/>"
      "<framepos objtype='camera' objname='eye' reftype='xbody' refname='b' name='seen'/>"
      "<framepos objtype='body' objname='b'/><framepos objtype='xbody' objname='world'/>"
      "<framepos objtype='site' objname='ws'/>");
  const int b = model.FindBody("b"), arm = model.FindBody("arm");
  const auto& s = model.sensors;
  EXPECT_EQ(s[0].frame.body, b);
  EXPECT_EQ(s[0].frame.X_BF.p, Vector3d(1, 2, 3));
  EXPECT_EQ(s[1].frame.X_BF.p, Vector3d(0.5, 0, 0));
  EXPECT_LT((s[1].frame.X_BF.R.col(0) - Vector3d::UnitY()).norm(), kSensorTolerance);
  EXPECT_EQ(s[2].frame.body, arm);
  EXPECT_EQ(s[2].frame.X_BF.p, Vector3d(0, 1, 0));
  ASSERT_TRUE(s[2].reference);
  EXPECT_EQ(s[2].reference->body, b);
  EXPECT_EQ(model.FindSensor("seen"), 2);
  // That of its only geom.
  EXPECT_LT((s[3].frame.X_BF.p - Vector3d(0.5, 0, 0)).norm(), kSensorTolerance);
  EXPECT_LT((s[3].frame.X_BF.R - s[1].frame.X_BF.R).norm(), kSensorTolerance);
  EXPECT_EQ(s[4].frame.body, 0);
  EXPECT_EQ(s[5].frame.body, 0);
  EXPECT_EQ(s[5].frame.X_BF.p, Vector3d(0, 0, 1));
}

// What says the inertia says its axes: an <inertial>, the only geom, else the moments, largest first.
TEST(MjcfSensor, BodiesHaveTheAxesOfTheirInertia) {
  const Matrix3d tilt = LoadBody("<freejoint/><geom name='g' size='.1' euler='10 20 30'/>",
                                 "<sensor><framequat objtype='geom' objname='g'/></sensor>")
                            .sensors.at(0)
                            .frame.X_BF.R;
  const auto axes = [](const std::string& body, const std::string& compiler = "") {
    return LoadBody("<freejoint/>" + body,
                    compiler + "<sensor><framequat objtype='body' objname='b'/></sensor>")
        .sensors.at(0)
        .frame.X_BF.R;
  };
  const auto expect = [](const Matrix3d& found, const Matrix3d& R, const char* what) {
    EXPECT_LT((found - R).norm(), kSensorTolerance) << what;
  };
  Matrix3d sorted;  // z, -y, x: by quarter turns of moments 1, 2, 2.5
  sorted << 0, 0, 1, 0, -1, 0, 1, 0, 0;
  const std::string weightless = "<geom size='.1' mass='0' pos='1 1 1'/>";
  expect(axes("<geom size='.1' pos='0 0 1' euler='10 20 30'/>" + weightless), tilt,
         "the only geom with a mass");
  expect(axes("<geom type='box' size='.3 .2 .1' euler='10 20 30'/>", "<compiler settotalmass='3'/>"), tilt,
         "bounds and totals turn nothing");
  expect(axes("<geom type='box' size='.3 .2 .1' shellinertia='true' euler='10 20 30'/>"), tilt, "a shell");
  expect(axes("<inertial pos='0 0 0' mass='1' diaginertia='1 2 2.5' euler='10 20 30'/>"), tilt, "as written");
  expect(axes("<inertial pos='0 0 0' mass='1' fullinertia='1 2 2.5 0 0 0'/>"), sorted, "moments alone");
  // Along x two balls have the moments 2 I, 2 I + 2 m d², the same: the first two are sorted behind.
  expect(axes("<geom size='.1' mass='1' pos='1 0 0'/><geom size='.1' mass='1' pos='-1 0 0'/>"),
         (Matrix3d() << 0, 0, 1, 1, 0, 0, 0, 1, 0).finished(), "y, z, x");
  expect(axes("<inertial pos='0 0 0' mass='1' diaginertia='1 2 2.5' euler='10 20 30'/>"
              "<geom type='box' size='.3 .2 .1'/>",
              "<compiler inertiafromgeom='true'/>"),
         Matrix3d::Identity(), "the geom, where the file says so");
}

// A tetrahedron with right angles at one corner, turned: the frame of its inertia, as of no other place.
TEST(MjcfSensor, MeshesHaveTheFrameOfTheirInertia) {
  const Model model = LoadBody(
      "<freejoint/><geom name='m' type='mesh' mesh='t' pos='1 2 3' euler='0 0 90'/>",
      "<asset><mesh name='t' vertex='0 0 0 3 0 0 0 2 0 0 0 1' face='0 2 1 0 1 3 0 3 2 1 2 3'/></asset>"
      "<sensor><framepos objtype='geom' objname='m'/><framequat objtype='body' objname='b'/></sensor>");
  const RigidTransform& X_BG = model.sensors.at(0).frame.X_BF;
  EXPECT_LT((X_BG.p - Vector3d(1 - 0.5, 2 + 0.75, 3.25)).norm(), kSensorTolerance);
  EXPECT_LT((X_BG.R - model.sensors[1].frame.X_BF.R).norm(), kSensorTolerance) << "its body's only geom";
  const Matrix3d in_G = X_BG.R.transpose() * model.bodies.at(1).inertia.I_BBcm_B * X_BG.R;
  const double trace = in_G.trace();
  EXPECT_LT(Matrix3d(in_G - Matrix3d(in_G.diagonal().asDiagonal())).norm(), 1e-11 * trace);
  EXPECT_GT(in_G(0, 0), in_G(1, 1));
  EXPECT_GT(in_G(1, 1), in_G(2, 2));
}

TEST(MjcfSensor, TouchTakesTheShapeOfItsSite) {
  struct Site {
    const char* attributes;
    Vector3d half_extents;
    RegionShape shape;
  };
  const Site sites[] = {
      {"type='box' size='.1 .2 .3'", {0.1, 0.2, 0.3}, RegionShape::kBox},
      {"size='.1'", {0.1, 0.1, 0.1}, RegionShape::kEllipsoid},
      {"", {0.005, 0.005, 0.005}, RegionShape::kEllipsoid},
      {"type='ellipsoid' size='.1 .2 .3'", {0.1, 0.2, 0.3}, RegionShape::kEllipsoid},
      {"type='cylinder' size='.1 .2'", {0.1, 0.1, 0.2}, RegionShape::kCylinder},
      {"type='capsule' size='.1 .2'", {0.1, 0.1, 0.3}, RegionShape::kCapsule},
      {"type='cylinder' size='.1' fromto='0 0 0 0 0 4'", {0.1, 0.1, 2.0}, RegionShape::kCylinder},
      {"type='box' size='.1' fromto='0 0 0 0 0 4'", {0.1, 0.1, 2.0}, RegionShape::kBox}};
  for (const auto& [attributes, half_extents, shape] : sites) {
    ImportReport report;
    const std::string site = "<site name='s' " + std::string(attributes) + "/>";
    const Model model = LoadSensors("<touch site='s'/>", &report, site);
    EXPECT_LT((model.sensors.at(0).region - half_extents).norm(), kSensorTolerance) << site;
    EXPECT_EQ(model.sensors.at(0).region_shape, shape) << site;
    EXPECT_EQ(FindItem(report, "touch[@site]")->status, ImportStatus::kHonoured) << site;
  }
}

TEST(MjcfSensor, SitesTakeTheirClass) {
  const Model model = LoadBody(
      "<freejoint/><geom size='.1'/><site name='tip' class='finger'/><site name='other'/>",
      "<default><site size='.5'/><default class='finger'><site type='box' size='.1 .2 .3' pos='0 0 1' "
      "euler='0 0 90'/></default></default><sensor><touch site='tip'/><touch site='other'/></sensor>");
  EXPECT_EQ(model.sensors.at(0).region, Vector3d(0.1, 0.2, 0.3));
  EXPECT_EQ(model.sensors.at(0).frame.X_BF.p, Vector3d(0, 0, 1));
  EXPECT_EQ(model.frames.at(model.FindFrame("tip")).X_BF.p, Vector3d(0, 0, 1));
  EXPECT_LT((model.sensors.at(0).frame.X_BF.R.col(0) - Vector3d::UnitY()).norm(), kSensorTolerance);
  EXPECT_EQ(model.sensors.at(1).region, Vector3d::Constant(0.5));
}

TEST(MjcfSensor, WhatIsNotMeasuredIsInTheReport) {
  const char* ignored[] = {"<tactile geom='g' mesh='skin'/>", "<actuatorfrc actuator='flesh'/>",
                           "<rangefinder camera='eye'/>", "<rangefinder site='s' data='dist normal'/>"};
  for (const std::string text : ignored) {
    ImportReport report;
    EXPECT_TRUE(LoadSensors(text, &report).sensors.empty()) << text;
    const ImportItem* item = FindItem(report, text.substr(1, text.find(' ') - 1));
    ASSERT_NE(item, nullptr) << text;
    EXPECT_EQ(item->status, ImportStatus::kIgnored) << text;
    EXPECT_EQ(item->line, 2) << text;
    EXPECT_FALSE(item->why.empty()) << text;
  }
}

TEST(MjcfSensor, UserSensorsHaveTheirNumbers) {
  ImportReport report;
  const Model model = LoadSensors(
      "<user name='mine' dim='3' datatype='axis' needstage='pos' objtype='body' objname='b' cutoff='2'/>"
      "<user dim='0'/>",
      &report);
  EXPECT_EQ(model.sensors.at(0).size, 3);
  EXPECT_EQ(model.sensors[0].cutoff, 2.0);
  EXPECT_EQ(model.sensors.at(1).size, 0);
  EXPECT_EQ(FindItem(report, "user[@dim]")->status, ImportStatus::kHonoured);
  for (const char* name : {"user[@datatype]", "user[@needstage]", "user[@objtype]", "user[@objname]"}) {
    EXPECT_EQ(FindItem(report, name)->status, ImportStatus::kIgnored) << name;
    EXPECT_EQ(FindItem(report, name)->loss, ImportLoss::kHarmless) << name;
  }
  for (const char* wrong : {"<user/>", "<user dim='-1'/>", "<user dim='1e9'/>", "<user dim='many'/>"})
    EXPECT_THROW(LoadSensors(wrong), LoadError) << wrong;
}

// Cameras stand in the order of their bodies, not of the file.
TEST(MjcfSensor, ProjectionsKeepTheirCamera) {
  ImportReport report;
  const Model model = LoadText(
      "<mujoco><worldbody><body name='a'><freejoint/><geom size='.1'/><site name='s' pos='1 2 3'/>"
      "<body><camera name='low'/></body><camera name='high' projection='orthographic'/></body>"
      "<camera name='gate'/></worldbody><sensor><camprojection site='s' camera='gate'/>"
      "<camprojection site='s' camera='low' cutoff='9'/><camprojection site='s' camera='high'/></sensor>"
      "</mujoco>",
      &report);
  const char* expected[] = {"gate", "low", "high"};
  for (int i = 0; i < 3; ++i) EXPECT_EQ(model.sensors.at(i).index, model.FindCamera(expected[i]));
  EXPECT_EQ(model.sensors[1].frame.X_BF.p, Vector3d(1, 2, 3));
  EXPECT_EQ(model.sensors[1].cutoff, 9.0);
  EXPECT_EQ(std::count_if(report.items.begin(), report.items.end(),
                          [](const ImportItem& item) { return item.status == ImportStatus::kApproximated; }),
            1)
      << "the picture without perspective";
  for (const char* wrong : {"<camprojection site='s'/>", "<camprojection camera='eye'/>",
                            "<camprojection site='s' camera='ghost'/>"})
    EXPECT_THROW(LoadSensors(wrong), LoadError) << wrong;
}

TEST(MjcfSensor, ContactsAreToldApartByGeomBodySubtreeAndSite) {
  const Model model =
      LoadSensors("<contact geom1='g' body2='arm'/><contact subtree1='b'/><contact site='s' geom2='g'/>",
                  nullptr, "<site name='s' type='cylinder' size='.1 .2' pos='1 2 3'/>");
  ASSERT_EQ(model.sensors.size(), 3u);
  EXPECT_EQ(model.sensors[0].side_a.geom, model.FindGeom("g"));
  EXPECT_EQ(model.sensors[0].side_b.body, model.FindBody("arm"));
  EXPECT_FALSE(model.sensors[0].side_b.is_subtree);
  EXPECT_EQ(model.sensors[1].side_a.body, model.FindBody("b"));
  EXPECT_TRUE(model.sensors[1].side_a.is_subtree);
  EXPECT_EQ(model.sensors[1].side_b.body, -1);
  EXPECT_EQ(model.sensors[2].region, Vector3d(0.1, 0.1, 0.2));
  EXPECT_EQ(model.sensors[2].region_shape, RegionShape::kCylinder);
  EXPECT_EQ(model.sensors[2].frame.body, model.FindBody("b"));
  EXPECT_EQ(model.sensors[2].side_b.geom, model.FindGeom("g"));
}

TEST(MjcfSensor, AttributesAreHonouredOrExplained) {
  ImportReport report;
  const Model model = LoadSensors(
      "<gyro name='imu' site='s' cutoff='7' noise='.1' user='1 2' delay='.01'/>"
      "<framequat objtype='body' objname='b'/><framepos objtype='xbody' objname='b'/>"
      "<magnetometer site='s'/>",
      &report);
  EXPECT_EQ(model.sensors.at(0).cutoff, 7.0);
  EXPECT_EQ(model.sensors.at(0).noise, 0.1) << "kept for who adds it";
  for (const char* name :
       {"gyro[@name]", "gyro[@site]", "gyro[@cutoff]", "gyro[@noise]", "framepos[@objtype]"})
    EXPECT_EQ(FindItem(report, name)->status, ImportStatus::kHonoured) << name;
  for (const char* name : {"gyro[@user]", "gyro[@delay]"}) {
    EXPECT_EQ(FindItem(report, name)->status, ImportStatus::kIgnored) << name;
    EXPECT_FALSE(FindItem(report, name)->why.empty()) << name;
  }
  EXPECT_EQ(FindItem(report, "framequat[@objtype]")->status, ImportStatus::kHonoured);
  EXPECT_EQ(FindItem(report, "magnetometer[@site]")->status, ImportStatus::kHonoured);
}

TEST(MjcfSensor, MistakesAreErrorsWithTheirLine) {
  const std::pair<const char*, const char*> mistakes[] = {
      {"<jointpos joint='x'/>", "unknown joint \"x\""},
      {"<jointpos/>", "joint"},
      {"<jointpos joint='j'/>", "one coordinate"},
      {"<ballquat joint='h'/>", "ball joint"},
      {"<actuatorpos actuator='x'/>", "unknown actuator \"x\""},
      {"<gyro site='x'/>", "unknown site \"x\""},
      {"<gyro site=''/>", "needs the attribute \"site\""},
      {"<framepos objtype='site' objname='g'/>", "unknown site \"g\""},
      {"<framepos objtype='geom' objname='x'/>", "unknown geom \"x\""},
      {"<framepos objtype='camera' objname='x'/>", "unknown camera \"x\""},
      {"<framepos objtype='thing' objname='g'/>", "objtype"},
      {"<framepos objname='g'/>", "objtype"},
      {"<framepos objtype='geom' objname='g' reftype='body' refname='x'/>", "unknown body \"x\""},
      {"<framepos objtype='geom' objname='g' refname='b'/>", "reftype"},
      {"<subtreecom body='x'/>", "unknown body \"x\""},
      {"<contact body2='x'/>", "unknown body \"x\""},
      {"<contact geom1='x'/>", "unknown geom \"x\""},
      {"<contact data='force found'/>", "in this order"},
      {"<contact data='found found'/>", "in this order"},
      {"<contact data='heat'/>", "in this order"},
      {"<contact data=' '/>", "data"},
      {"<contact num='0'/>", "num is from 1"},
      {"<contact num='2000000000'/>", "num is from 1"},
      {"<contact reduce='most'/>", "reduce"},
      {"<gyro site='s' noise='-1'/>", "noise"},
      {"<gyro site='s' cutoff='-1'/>", "cutoff"},
      {"<gyro name='a' site='s'/><gyro name='a' site='s'/>", "used twice"}};
  for (const auto& [text, message] : mistakes) {
    const std::string failure = LoadFailure(WithSensors(text));
    EXPECT_NE(failure.find(message), std::string::npos) << text << ": " << failure;
    EXPECT_NE(failure.find(":2"), std::string::npos) << text << ": " << failure;
  }
}

TEST(MjcfSensor, ComeWithAttachedModels) {
  const TemporaryFile part(WithSensors("<gyro name='imu' site='s'/><framepos objtype='site' objname='ws'/>"
                                       "<jointpos joint='h'/><subtreecom body='world'/>"),
                           ".xml");
  const std::string name = std::filesystem::path(part.path()).filename().string();
  const auto load = [&](const std::string& body, const std::string& sensors, ImportReport& report) {
    return LoadText("<mujoco><asset><model name='m' file='" + name +
                        "'/></asset><worldbody><body name='mine'><freejoint/><geom size='.1'/></body>"
                        "<frame pos='10 0 0'><attach model='m' prefix='a_'" +
                        body + "/></frame></worldbody><sensor>" + sensors + "</sensor></mujoco>",
                    &report);
  };
  ImportReport report;
  const Model model = load("",
                           "<accelerometer name='own' site='a_s'/><framepos objtype='geom' objname='a_g'/>"
                           "<actuatorfrc actuator='a_m'/><framepos objtype='camera' objname='a_eye'/>"
                           "<framepos objtype='site' objname='a_ws'/><touch site='a_s'/>",
                           report);
  ASSERT_EQ(model.sensors.size(), 10u);
  EXPECT_EQ(model.sensors[6].name, "a_imu");
  EXPECT_EQ(model.sensors[6].frame.body, model.FindBody("a_b"));
  EXPECT_EQ(model.sensors[7].frame.X_BF.p, Vector3d(10, 0, 1)) << "placed with its world";
  EXPECT_EQ(model.sensors[8].index, model.FindJoint("a_h"));
  EXPECT_EQ(model.sensors[0].frame.body, model.FindBody("a_b"));
  EXPECT_EQ(model.sensors[0].frame.X_BF.p, Vector3d(1, 2, 3));
  EXPECT_EQ(model.sensors[1].frame.X_BF.p, Vector3d(0.5, 0, 0));
  EXPECT_EQ(model.sensors[2].index, model.FindActuator("a_m"));
  EXPECT_EQ(model.sensors[3].frame.body, model.FindBody("a_arm"));
  EXPECT_EQ(model.sensors[4].frame.X_BF.p, Vector3d(10, 0, 1));
  EXPECT_TRUE(model.sensors[5].region.isZero());
  // Of one body, what does not belong to it stays behind.
  ImportReport part_report;
  const Model arm = load(" body='arm'", "", part_report);
  ASSERT_EQ(arm.sensors.size(), 2u);
  EXPECT_EQ(arm.sensors[0].type, SensorType::kJointPosition);
  EXPECT_EQ(FindItem(part_report, "gyro")->status, ImportStatus::kHonoured);
}

// How many models of the folder have sensors; all of them are measured or in the report.
int CheckSensorsOf(const std::filesystem::path& folder) {
  int found = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".xml") continue;
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    if (text.str().find("<sensor>") == std::string::npos) continue;
    ImportReport report;
    const Model model = LoadModel(entry.path(), {}, &report);
    EXPECT_FALSE(model.sensors.empty()) << entry.path();
    for (const Sensor& sensor : model.sensors) EXPECT_GE(sensor.first, 0) << sensor.name;
    ++found;
  }
  return found;
}

TEST(MjcfSensor, RobotsHaveTheirs) {
  EXPECT_GE(CheckSensorsOf(STICTION_SOURCE_DIR "/assets/models"), 1);
}

TEST(MjcfSensor, RobotsOfOthersHaveTheirs) {
  const std::filesystem::path folder = SharedPath("models");
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is not here";
  EXPECT_GT(CheckSensorsOf(folder), 0);
}

// Regions, and where they stand, of the class that the sites name.
TEST(MjcfSensor, TheHumanoidFeelsWithItsSoles) {
  const Model model = LoadModel(STICTION_SOURCE_DIR "/assets/models/humanoid.xml");
  ASSERT_EQ(model.sensors.size(), 7u);
  for (const char* name : {"sole_right", "sole_left"}) {
    const Sensor& sensor = model.sensors[model.FindSensor(name)];
    EXPECT_EQ(sensor.type, SensorType::kTouch);
    EXPECT_EQ(sensor.region, Vector3d(0.11, 0.045, 0.02)) << "of its class";
    EXPECT_EQ(sensor.frame.X_BF.p, Vector3d(0.05, 0.0, -0.065));
  }
  EXPECT_EQ(model.sensors[model.FindSensor("acceleration")].type, SensorType::kAccelerometer);
}

TEST(MjcfSensor, DistancesNeedTwoSides) {
  EXPECT_NE(LoadFailure(WithSensors("<distance geom1='g'/>")).find("geom2 or body2"), std::string::npos);
  EXPECT_NE(LoadFailure(WithSensors("<normal geom1='g' body1='b' geom2='g'/>")).find("geom1 or body1"),
            std::string::npos);
  ImportReport report;
  EXPECT_TRUE(LoadSensors("<insidesite objtype='body' objname='b' site='s' enclosed='true'/>", &report)
                  .sensors.empty());
  ASSERT_TRUE(FindItem(report, "insidesite"));
  EXPECT_EQ(FindItem(report, "insidesite")->status, ImportStatus::kIgnored);
}

}  // namespace
}  // namespace stiction
