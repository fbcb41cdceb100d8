// What SDFormat's elements become, one by one: surfaces, shapes, closed loops, mimics, inertias that no body
// has, the world's own words.
#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <sstream>

#include "io/picture_bytes.h"
#include "stiction/geometry/mass_properties.h"
#include "stiction/geometry/ray_cast.h"
#include "tests/io/sdf/sdf_text.h"

namespace stiction {
namespace {

std::string SdfCollision(const std::string& geometry, const std::string& inside = "") {
  return "<collision name='c'><geometry>" + geometry + "</geometry>" + inside + "</collision>";
}
std::string SdfSurface(const std::string& inside) {
  return SdfCollision("<sphere><radius>.1</radius></sphere>", "<surface>" + inside + "</surface>");
}
Geom LoadSdfGeom(const std::string& collision, ImportReport* report = nullptr) {
  return LoadText(SdfModel(SdfLink("a", collision)), report).geoms.at(0);
}

TEST_F(Sdf, FrictionIsTheSmallerOfTheTwo) {
  const auto friction = [](const std::string& inside, ImportReport* report = nullptr) {
    return LoadSdfGeom(SdfSurface("<friction>" + inside + "</friction>"), report).friction;
  };
  ImportReport report;
  EXPECT_EQ(friction("<ode><mu>.5</mu><mu2>.3</mu2></ode>", &report), 0.3);
  ASSERT_NE(FindItem(report, "mu2"), nullptr);
  EXPECT_EQ(FindItem(report, "mu2")->status, ImportStatus::kApproximated);
  EXPECT_EQ(friction("<ode><mu2>.3</mu2></ode>"), 0.3) << "one says both";
  EXPECT_EQ(friction("<bullet><friction>.4</friction><friction2>.6</friction2></bullet>"), 0.4);
  EXPECT_EQ(friction("<ode><slip1>.1</slip1></ode><bullet><friction>.4</friction></bullet>"), 0.4)
      << "the first that says one";
  EXPECT_EQ(friction("<bullet><rolling_friction>.1</rolling_friction></bullet>"), Geom{}.friction);
  EXPECT_NE(LoadFailure(SdfModel(SdfLink("a", SdfSurface("<friction><bullet><friction>-1</friction></bullet>"
                                                         "</friction>"))))
                .find("<friction>"),
            std::string::npos);
}

// A circle of radius a that is pressed as by a ball: the moment is the integral of μ p r over it, of
// p ∝ √(a² − r²), by its weight; by quadrature here.
TEST_F(Sdf, TorsionalFrictionIsThatOfItsPatch) {
  const auto load = [](const std::string& inside, ImportReport* report = nullptr) {
    return LoadSdfGeom(SdfSurface("<friction><torsional>" + inside + "</torsional></friction>"), report);
  };
  const double a = 0.02, mu = 0.6;
  double moment = 0.0, weight = 0.0;
  constexpr int kSteps = 200000;
  for (int i = 0; i < kSteps; ++i) {
    const double angle = 0.5 * std::numbers::pi * (i + 0.5) / kSteps;  // r = a sin
    const double r = a * std::sin(angle), p = std::cos(angle), dr = std::cos(angle);
    moment += mu * p * r * r * dr;
    weight += p * r * dr;
  }
  const Geom geom = load("<coefficient>.6</coefficient><patch_radius>.02</patch_radius>");
  EXPECT_NEAR(geom.torsional_friction, moment / weight, 1e-10);
  EXPECT_EQ(geom.condim, 4);
  ImportReport report;
  EXPECT_EQ(load("<coefficient>.6</coefficient>", &report).condim, Geom{}.condim);
  ASSERT_NE(FindItem(report, "torsional"), nullptr);
  EXPECT_EQ(FindItem(report, "torsional")->status, ImportStatus::kIgnored);
}

TEST_F(Sdf, SurfacesBounceAndAreMasked) {
  ImportReport report;
  const Geom geom = LoadSdfGeom(SdfSurface("<bounce><restitution_coefficient>.4</restitution_coefficient>"
                                           "</bounce><contact><collide_bitmask>5</collide_bitmask><ode><kp>1"
                                           "</kp></ode></contact>"),
                                &report);
  EXPECT_EQ(geom.restitution, 0.4);
  EXPECT_EQ(geom.contype, 5u);
  EXPECT_EQ(geom.conaffinity, 5u);
  EXPECT_TRUE(DescribeLosses(report).empty()) << "a simulator's stiffness is no loss";
  // Where one has a mask, the others have all bits, the ground of the load too.
  const auto mask = [](int bits) {
    return SdfSurface("<contact><collide_bitmask>" + std::to_string(bits) + "</collide_bitmask></contact>");
  };
  const Model model = LoadText(SdfModel(SdfLink("a", mask(1)) + SdfLink("b", mask(2)) +
                                        SdfLink("c", SdfCollision("<sphere><radius>.1</radius></sphere>")) +
                                        "<self_collide>true</self_collide>"),
                               nullptr, {.ground = 0.0});
  ASSERT_EQ(model.FindGeom("ground"), 0);
  for (const int other : {1, 2, 3}) EXPECT_TRUE(model.PairCollides(0, other)) << other;
  EXPECT_FALSE(model.PairCollides(1, 2));
  EXPECT_TRUE(model.PairCollides(1, 3));
  EXPECT_NE(LoadFailure(SdfModel(SdfLink("a", mask(-1)))).find("0 to 4294967295"), std::string::npos);
}

TEST_F(Sdf, ShapesOfAllKinds) {
  const auto shape = [](const std::string& geometry) { return LoadSdfGeom(SdfCollision(geometry)).shape; };
  const auto cylinder =
      std::get<Cylinder>(shape("<cylinder><radius>.1</radius><length>.6</length></cylinder>"));
  EXPECT_EQ(cylinder.radius, 0.1);
  EXPECT_EQ(cylinder.half_length, 0.3);
  EXPECT_EQ(std::get<Capsule>(shape("<capsule><radius>.1</radius><length>.6</length></capsule>")).half_length,
            0.3);
  EXPECT_EQ(std::get<Ellipsoid>(shape("<ellipsoid><radii>.1 .2 .3</radii></ellipsoid>")).radii,
            Vector3d(0.1, 0.2, 0.3));
  ImportReport report;
  const Model none =
      LoadText(SdfModel(SdfLink(
                   "a", SdfCollision("<empty/>") +
                            "<collision name='h'><geometry><image><uri>x.png</uri></image></geometry>"
                            "</collision><collision name='p'><geometry><plane><normal>0 1 0</normal></plane>"
                            "</geometry></collision>")),
               &report);
  EXPECT_EQ(none.num_geoms(), 0);
  EXPECT_EQ(DescribeLosses(report).size(), 2u) << "the picture, and the plane that would move";
  // A plane of what stands, turned.
  const Geom wall = LoadText("<sdf version='1.9'><model name='m'><static>1</static><link name='a'>" +
                             SdfCollision("<plane><normal>0 2 0</normal></plane>") + "</link></model></sdf>")
                        .geoms.at(0);
  EXPECT_LT((wall.X_BG.R.col(2) - Vector3d::UnitY()).norm(), kSdfTolerance);
}

TEST_F(Sdf, ConesArePyramidsAboutTheirMiddle) {
  ImportReport report;
  const Geom geom = LoadSdfGeom(
      "<collision name='c'><pose>0 0 5 0 0 0</pose><geometry><cone><radius>.3</radius>"
      "<length>.8</length></cone></geometry></collision>",
      &report);
  const MassProperties solid = Transform(geom.X_BG, CalcSolidMassProperties(geom.shape, 1.0));
  const double exact = std::numbers::pi * 0.09 * 0.8 / 3.0;
  EXPECT_LT(CalcVolume(geom.shape), exact);
  EXPECT_GT(CalcVolume(geom.shape), 0.998 * exact);
  EXPECT_NEAR(solid.p_BBcm.z(), 5.0 - 0.2, 1e-12) << "a quarter of the height above the base";
  ASSERT_NE(FindItem(report, "cone"), nullptr);
  EXPECT_EQ(FindItem(report, "cone")->status, ImportStatus::kApproximated);
  EXPECT_NE(
      LoadFailure(SdfModel(SdfLink("a", SdfCollision("<cone><radius>0</radius><length>1</length></cone>"))))
          .find("positive"),
      std::string::npos);
}

std::string SdfPolyline(const std::string& points, double height = 0.5) {
  std::string text = "<polyline><height>" + std::to_string(height) + "</height>";
  std::istringstream words(points);
  for (std::string x, y; words >> x >> y;) text += "<point>" + x + " " + y + "</point>";
  return text + "</polyline>";
}

TEST_F(Sdf, PolylinesStandOnTheirPlane) {
  const auto load = [](const std::string& geometry) { return LoadSdfGeom(SdfCollision(geometry)); };
  const auto solid = [](const Geom& geom) {
    return Transform(geom.X_BG, CalcSolidMassProperties(geom.shape, 1.0));
  };
  const Geom box = load(SdfPolyline("0 0 2 0 2 1 0 1 0 0"));
  EXPECT_TRUE(std::holds_alternative<Hull>(box.shape));
  EXPECT_NEAR(CalcVolume(box.shape), 1.0, 1e-12);
  EXPECT_LT((solid(box).p_BBcm - Vector3d(1.0, 0.5, 0.25)).norm(), 1e-12);
  const Geom angle = load(SdfPolyline("0 0 3 0 3 1 1 1 1 3 0 3"));
  EXPECT_TRUE(std::holds_alternative<Mesh>(angle.shape)) << "its hull would be more";
  EXPECT_NEAR(CalcVolume(angle.shape), 2.5, 1e-12);
  const Geom frame = load(SdfPolyline("0 0 2 0 2 2 0 2") + SdfPolyline("1 1 1 1.5 1.5 1.5 1.5 1"));
  EXPECT_NEAR(CalcVolume(frame.shape), 0.5 * (4.0 - 0.25), 1e-12) << "the second is a hole";
  const auto failure = [](const std::string& geometry) {
    return LoadFailure(SdfModel(SdfLink("a", SdfCollision(geometry))));
  };
  EXPECT_NE(failure(SdfPolyline("0 0 1 1 1 0 0 1")).find("cross"), std::string::npos);
  EXPECT_NE(failure(SdfPolyline("0 0 9 0 9 9") + SdfPolyline("6 1 7 1 7 2", 1.0)).find("height"),
            std::string::npos);
}

// A picture of 3 x 3 points, of which the upper left is the brightest.
TEST_F(Sdf, HeightMapsAreSurfaces) {
  const std::vector<int> greys{200, 0, 0, 100, 0, 0, 0, 0, 50};
  ColorPicture picture{.width = 3, .height = 3, .pixels = {}};
  for (const int grey : greys) {
    for (int channel = 0; channel < 3; ++channel) picture.pixels.push_back(static_cast<std::uint8_t>(grey));
    picture.pixels.push_back(255);
  }
  const TemporaryFile file(MakePng(picture), ".png");
  const std::string name = file.path().substr(file.path().rfind('/') + 1);
  const std::string map = "<heightmap><uri>" + name + "</uri><size>4 2 8</size><pos>10 0 1</pos></heightmap>";
  const std::string part = "<geometry>" + map + "</geometry>";
  const std::string text =
      "<sdf version='1.9'><model name='m'><static>1</static><link name='a'><collision name='c'>" + part +
      "</collision><visual name='v'>" + part + "</visual></link></model></sdf>";
  const Model model = LoadText(text, nullptr, {.visuals = true});
  const Geom& geom = model.geoms.at(0);
  const auto height = [&](double x, double y) {
    const Vector3d above = geom.X_BG.Inverse() * Vector3d(x, y, 100.0);
    const auto hit = CastRay(geom.shape, above, -Vector3d::UnitZ());
    return hit ? 100.0 - hit->distance : -1.0;
  };
  EXPECT_NEAR(height(8.0, 1.0), 9.0, 1e-9) << "the brightest point is as high as `size` says, above `pos`";
  EXPECT_NEAR(height(8.0, 0.0), 5.0, 1e-9);
  EXPECT_NEAR(height(12.0, -1.0), 3.0, 1e-9);
  EXPECT_NEAR(height(10.0, 0.0), 1.0, 1e-9) << "black is zero";
  ASSERT_EQ(model.visuals.size(), 1u);
  const std::string missing =
      SdfModel(SdfLink("a", SdfCollision("<heightmap><uri>ghost.png</uri></heightmap>")));
  EXPECT_NE(LoadFailure(missing).find("--missing-mesh skip"), std::string::npos);
  EXPECT_EQ(LoadText(missing, nullptr, {.repairs = {.skip_missing_meshes = true}}).num_geoms(), 0);
  const TemporaryFile other("II*", ".tif");
  const std::string elevation = other.path().substr(other.path().rfind('/') + 1);
  EXPECT_NE(
      LoadFailure(SdfModel(SdfLink("a", SdfCollision("<heightmap><uri>" + elevation + "</uri></heightmap>"))))
          .find("PNG"),
      std::string::npos);
}

TEST_F(Sdf, MeshesAreHullsAndVisualsTheirTriangles) {
  const TemporaryFile mesh("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
                           ".obj");
  const std::string name = mesh.path().substr(mesh.path().rfind('/') + 1);
  const std::string part = "<geometry><mesh><uri>" + name + "</uri><scale>2 1 1</scale></mesh></geometry>";
  const std::string text = SdfModel(SdfLink(
      "a", "<collision name='c'><pose>0 0 5 0 0 0</pose>" + part + "</collision><visual name='v'>" + part +
               "<transparency>.25</transparency><material><diffuse>1 0 0 1"
               "</diffuse></material></visual><visual name='w'>" +
               part + "</visual>"));
  ImportReport report;
  const Model model = LoadText(text, &report, {.visuals = true});
  const Geom& geom = model.geoms.at(0);
  const MassProperties solid = Transform(geom.X_BG, CalcSolidMassProperties(geom.shape, 1.0));
  EXPECT_NEAR(CalcVolume(geom.shape), 2.0 / 6.0, 1e-12);
  EXPECT_LT((solid.p_BBcm - Vector3d(0.5, 0.25, 5.25)).norm(), 1e-12);
  ASSERT_EQ(model.visuals.size(), 2u);
  EXPECT_EQ(model.visuals[0].color, (Color{1.0f, 0.0f, 0.0f, 0.75f})) << "less its transparency";
  EXPECT_EQ(std::get<SharedMesh>(model.visuals[0].shape), std::get<SharedMesh>(model.visuals[1].shape))
      << "read once";

  const std::string missing =
      SdfModel(SdfLink("a", SdfCollision("<mesh><uri>ghost.obj</uri></mesh>") +
                                "<visual name='v'><geometry><mesh><uri>ghost.obj</uri>"
                                "</mesh></geometry></visual>"));
  EXPECT_NE(LoadFailure(missing).find("--missing-mesh skip"), std::string::npos);
  const Model skipped =
      LoadText(missing, &report, {.visuals = true, .repairs = {.skip_missing_meshes = true}});
  EXPECT_EQ(skipped.num_geoms(), 0);
  EXPECT_TRUE(skipped.visuals.empty());
  EXPECT_FALSE(DescribeLosses(report).empty());
}

// With all joints as the file has them: where free joints and those of links begin, they turn nothing.
RigidTransform PlaceAtStart(const Model& model, const Frame& frame) {
  RigidTransform X = frame.X_BF;
  for (int b = frame.body; b > 0; b = model.bodies[b].parent) X = model.bodies[b].X_PB * X;
  return X;
}

// At the file's own configuration what closes a loop is closed, about the axes that are
// left free.
TEST_F(Sdf, LoopsCloseByJointsOfAllTypes) {
  const std::string links = SdfLink("a") + SdfLink("b", "<pose>1 0 0 0 0 0</pose>") +
                            SdfLink("c", "<pose>1 1 0 .3 .2 .1</pose>") +
                            SdfJoint("ball", "", "a", "b", "x") + SdfJoint("ball", "", "b", "c", "y");
  const auto lock = [&](const std::string& type, const std::string& inside) {
    const Model model = LoadText(SdfModel(links + SdfJoint(type, inside, "a", "c", "z")));
    EXPECT_EQ(model.num_equalities(), 1) << type;
    const auto found = std::get<FrameLock>(model.equalities.at(0).kind);
    const RigidTransform X_WA = PlaceAtStart(model, found.a), X_WB = PlaceAtStart(model, found.b);
    EXPECT_LT((X_WA.p - X_WB.p).norm() + (X_WA.R - X_WB.R).norm(), 1e-14) << type;
    return std::pair(found.locked, X_WA.R);
  };
  using Six = std::array<bool, 6>;
  const std::string axes = "<axis><xyz>0 1 0</xyz></axis><axis2><xyz>1 0 0</xyz></axis2>";
  // The joint's frame is the child's: its y there.
  const Matrix3d R_WC =
      (Eigen::AngleAxisd(0.1, Vector3d::UnitZ()) * Eigen::AngleAxisd(0.2, Vector3d::UnitY()) *
       Eigen::AngleAxisd(0.3, Vector3d::UnitX()))
          .toRotationMatrix();
  const Vector3d x = R_WC.col(0), y = R_WC.col(1);
  const auto [turns, R_turn] = lock("revolute", axes);
  EXPECT_EQ(turns, (Six{true, true, false, true, true, true}));
  EXPECT_LT((R_turn.col(2) - y).norm(), 1e-13);
  const auto [slides, R_slide] = lock("prismatic", axes);
  EXPECT_EQ(slides, (Six{true, true, true, true, true, false}));
  EXPECT_LT((R_slide.col(2) - y).norm(), 1e-13);
  EXPECT_EQ(lock("ball", "").first, (Six{false, false, false, true, true, true}));
  EXPECT_EQ(lock("fixed", "").first, (Six{true, true, true, true, true, true}));
  const auto [crosses, R_cross] = lock("universal", axes);
  EXPECT_EQ(crosses, (Six{false, false, true, true, true, true}));
  EXPECT_LT((R_cross.col(0) - y).norm() + (R_cross.col(1) - x).norm(), 1e-13);

  ImportReport report;
  const auto load = [&](const std::string& joint) { return LoadText(SdfModel(links + joint), &report); };
  EXPECT_EQ(load(SdfJoint("screw", kSdfAxis + "<screw_thread_pitch>1</screw_thread_pitch>", "a", "c", "z"))
                .num_equalities(),
            0);
  EXPECT_EQ(FindItem(report, "joint")->status, ImportStatus::kIgnored);
  load(SdfJoint("revolute", "<axis><xyz>0 1 0</xyz><limit><lower>-1</lower></limit></axis>", "a", "c", "z"));
  ASSERT_NE(FindItem(report, "limit"), nullptr);
  EXPECT_EQ(FindItem(report, "limit")->status, ImportStatus::kIgnored);
  // Between two that stand it closes nothing.
  const std::string fixed =
      SdfJoint("fixed", "", "world", "a", "f") + SdfJoint("fixed", "", "world", "b", "g");
  EXPECT_EQ(LoadText(SdfModel(SdfLink("a") + SdfLink("b") + fixed + SdfJoint("ball", "", "a", "b", "z")))
                .num_equalities(),
            0);
}

TEST_F(Sdf, MimicsFollowTheirLeader) {
  const auto axis = [](const std::string& inside) { return "<axis><xyz>0 0 1</xyz>" + inside + "</axis>"; };
  const std::string mimic =
      "<mimic joint='lead'><multiplier>2</multiplier><offset>.5</offset><reference>.1"
      "</reference></mimic>";
  const std::string text =
      SdfModel(SdfLink("a") + SdfLink("b") + SdfLink("c") + SdfJoint("revolute", axis(""), "a", "b", "lead") +
                   SdfJoint("prismatic", axis(mimic), "b", "c", "tail"),
               "1.11");
  const Model model = LoadText(text);
  // Debian's libsdformat 12 is older than the word, and hands it on as it is.
  ASSERT_EQ(model.num_equalities(), 1);
  const auto& couple = std::get<JointPolynomial>(model.equalities[0].kind);
  EXPECT_EQ(model.joints[couple.joint].name, "tail");
  EXPECT_EQ(model.joints[couple.of_joint].name, "lead");
  EXPECT_NEAR(couple.coefficients[0], 0.5 - 2.0 * 0.1, kSdfTolerance);
  EXPECT_EQ(couple.coefficients[1], 2.0);
  std::string unknown = text;
  EXPECT_NE(
      LoadFailure(unknown.replace(unknown.find("'lead'><mult"), 6, "'none'")).find("unknown joint \"none\""),
      std::string::npos);
}

TEST_F(Sdf, JudgesInertias) {
  const auto text = [](const std::string& inertia) {
    return SdfModel("<link name='a'><inertial><mass>2</mass><inertia>" + inertia +
                    "</inertia></inertial></link>");
  };
  const std::string negative = text("<ixx>1</ixx><iyy>1</iyy><izz>1</izz><ixy>2</ixy>");
  EXPECT_NE(LoadFailure(negative).find("--repair-inertia"), std::string::npos);
  const MassProperties repaired =
      LoadText(negative, nullptr, {.repairs = {.repair_inertia = true}}).bodies.at(1).inertia;
  bool triangle = false;
  EXPECT_TRUE(IsPositiveDefinite(repaired.I_BBcm_B, &triangle) || triangle);
  ImportReport report;
  const Model written = LoadText(text("<ixx>1</ixx><iyy>1</iyy><izz>3</izz>"), &report);
  EXPECT_EQ(written.bodies.at(1).inertia.I_BBcm_B(2, 2), 3.0);
  ASSERT_NE(FindItem(report, "inertia"), nullptr);
  EXPECT_EQ(FindItem(report, "inertia")->status, ImportStatus::kApproximated);
  EXPECT_NE(LoadFailure(SdfModel("<link name='a'><inertial auto='true'><density>-1</density></inertial>" +
                                 SdfCollision("<sphere><radius>1</radius></sphere>") + "</link>"))
                .find("density must be positive"),
            std::string::npos);
}

TEST_F(Sdf, WorldsHaveAFieldAndJointsPitchesOfBothWords) {
  const Model model = LoadText(
      "<sdf version='1.7'><world name='w'><magnetic_field>1e-5 0 -2e-5</magnetic_field><model name='a'>" +
      SdfLink("l", "<gravity>false</gravity>") + "</model></world></sdf>");
  EXPECT_LT((model.options.magnetic_field - Vector3d(0.1, 0, -0.2)).norm(), kSdfTolerance) << "gauss";
  EXPECT_EQ(model.bodies.at(1).gravity_compensation, 1.0);
  const auto pitch = [](const std::string& word) {
    return std::get<ScrewJoint>(
               LoadText(SdfModel(SdfLink("a") + SdfLink("b") + SdfJoint("screw", kSdfAxis + word)))
                   .joints.at(1)
                   .kind)
        .pitch;
  };
  // Radians a metre, left-handed: 2π rad make −2π/−300 m.
  EXPECT_NEAR(pitch("<thread_pitch>-300</thread_pitch>"), 2.0 * std::numbers::pi / 300.0, 1e-15);
  EXPECT_NE(LoadFailure(SdfModel(SdfLink("a") + SdfLink("b") + SdfJoint("screw", kSdfAxis)))
                .find("screw_thread_pitch"),
            std::string::npos);
  for (const char* version : {"2.0", "1.99", "1.9x", "one"})
    EXPECT_NE(LoadFailure(SdfModel(SdfLink("a"), version)).find("version"), std::string::npos) << version;
  EXPECT_NE(LoadFailure(SdfModel(SdfLink("a")), {.floating_base = true}).find("floating base"),
            std::string::npos);
}

}  // namespace
}  // namespace stiction
