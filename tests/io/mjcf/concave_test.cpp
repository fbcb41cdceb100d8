// Meshes that collide as the surfaces that they are: what a file says, and what the report says of them.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <limits>

#include "io/mesh/mesh_file.h"
#include "stiction/geometry/mesh_surface.h"
#include "tests/io/model_text.h"

namespace stiction {
namespace {

// A box of 2 m with a pit from the whole of its top face to its middle: 8 - 4/3 m³, in a hull of 8.
const std::string kPitVertices = "-1 -1 -1  1 -1 -1  -1 1 -1  1 1 -1  -1 -1 1  1 -1 1  -1 1 1  1 1 1  0 0 0";
const std::string kPitFaces =
    "0 2 3 0 3 1  0 1 5 0 5 4  2 6 7 2 7 3  0 4 6 0 6 2  1 3 7 1 7 5  4 5 8 5 7 8 7 6 8 6 4 8";
constexpr double kPitVolume = 8.0 - 4.0 / 3.0;
const std::string kSheet = "vertex='0 0 0 1 0 0 1 1 0 0 1 0' face='0 1 2 0 2 3'";

std::string Pit(const std::string& attributes = "") {
  return "<asset><mesh name='m' vertex='" + kPitVertices + "' face='" + kPitFaces + "' " + attributes +
         "/></asset>";
}

std::string ConcaveAsset(const std::string& attributes) {
  return "<asset><mesh name='m' " + attributes + "/></asset>";
}

const char* const kConcaveGeom = "<freejoint/><geom type='mesh' mesh='m' concave='true'/>";

const MeshSurface& SurfaceOf(const Geom& geom) {
  return *std::get<Mesh>(geom.shape).surface;
}

TEST(MjcfConcave, IsTheSurfaceWhereTheGeomStands) {
  ImportReport report;
  const Model model = LoadBody("<freejoint/><geom type='mesh' mesh='m' concave='true' pos='1 2 3'/>",
                               Pit("refpos='0 0 -1'"), &report);
  ASSERT_EQ(model.num_geoms(), 1);
  EXPECT_EQ(SurfaceOf(model.geoms[0]).faces.size(), 14u);
  EXPECT_LT((model.geoms[0].X_BG.p - Vector3d(1, 2, 4)).norm(), 1e-15);
  EXPECT_NEAR(model.bodies[1].inertia.mass, 1000.0 * kPitVolume, 1e-9);
  const ImportItem* item = FindItem(report, "geom");
  ASSERT_NE(item, nullptr);
  EXPECT_EQ(item->status, ImportStatus::kHonoured);
  EXPECT_EQ(item->why, "surface of 14 triangles, closed");
  EXPECT_EQ(FindItem(report, "geom[@concave]")->status, ImportStatus::kHonoured);
}

// Two tetrahedra apart, 1/6 m³ each: MJCF's own rule counts what lies between them, too.
TEST(MjcfConcave, ItsMassIsExactUnlessTheFileSaysHow) {
  const std::string two =
      "vertex='0 0 0 1 0 0 0 1 0 0 0 1  3 0 0 4 0 0 3 1 0 3 0 1' "
      "face='0 2 1 0 1 3 0 3 2 1 2 3 4 6 5 4 5 7 4 7 6 5 6 7'";
  const auto mass = [&](const std::string& rule) {
    return LoadBody(kConcaveGeom, ConcaveAsset(two + rule)).bodies[1].inertia.mass;
  };
  EXPECT_NEAR(mass(""), 1000.0 / 3.0, 1e-9);
  EXPECT_GT(mass(" inertia='legacy'"), 1000.0 / 3.0 + 1.0);
  EXPECT_NEAR(mass(" inertia='convex'"), 1000.0 * (1.0 / 6.0 + 1.5), 1e-9);
}

TEST(MjcfConcave, DefaultsSayItAndGeomsTakeItBack) {
  const std::string sections =
      "<default><default class='hollow'><geom concave='true' type='mesh'/></default></default>" + Pit();
  ImportReport report;
  const Model model = LoadBody(
      "<freejoint/><geom class='hollow' mesh='m'/>"
      "<geom class='hollow' mesh='m' concave='false'/><geom class='hollow' mesh='m'/>"
      "<geom class='hollow' type='sphere' size='1'/>",
      sections, &report);
  ASSERT_EQ(model.num_geoms(), 4);
  EXPECT_EQ(ShapeName(model.geoms[1].shape), "hull");
  EXPECT_EQ(std::get<Mesh>(model.geoms[0].shape).surface, std::get<Mesh>(model.geoms[2].shape).surface);
  EXPECT_EQ(ShapeName(model.geoms[3].shape), "sphere");
  LoadBody("<geom size='1' concave='true'/>", "", &report);
  EXPECT_EQ(FindItem(report, "geom[@concave]")->status, ImportStatus::kIgnored);
}

TEST(MjcfConcave, HollowHullsSayHowToHaveTheSurface) {
  ImportReport report;
  // The same pit, but deep: the ratio is 8 / (8 - 8/3 * 0.99...) > 1.3.
  std::string deep = kPitVertices;
  deep.replace(deep.rfind("0 0 0"), 5, "0 0 -.9");
  LoadBody("<freejoint/><geom type='mesh' mesh='m'/>",
           ConcaveAsset("vertex='" + deep + "' face='" + kPitFaces + "'"), &report);
  ASSERT_NE(FindItem(report, "geom"), nullptr);
  EXPECT_NE(FindItem(report, "geom")
                ->why.find("WARNING: hollows and gaps are filled: write concave=\"true\" on"
                           " the <geom> to have the surface itself"),
            std::string::npos)
      << FindItem(report, "geom")->why;
}

TEST(MjcfConcave, FlatSheetsNeedAMassFromElsewhereWhereTheyMove) {
  const std::string sheet = "<geom type='mesh' mesh='m' concave='true'/>";
  ImportReport report;
  const Model still = LoadBody(sheet, ConcaveAsset(kSheet), &report);
  ASSERT_EQ(still.num_geoms(), 1);
  EXPECT_FALSE(SurfaceOf(still.geoms[0]).is_closed);
  EXPECT_EQ(FindItem(report, "geom")->why,
            "surface of 2 triangles, open: touches on the side from which they wind counter-clockwise");
  ASSERT_NE(FindItem(report, "geom[@mesh]"), nullptr);
  EXPECT_NE(FindItem(report, "geom[@mesh]")->why.find("adds no mass"), std::string::npos);
  const auto failure = [&](const std::string& body) {
    return LoadFailure("<mujoco>" + ConcaveAsset(kSheet) + "<worldbody><body>" + body +
                       "</body></worldbody></mujoco>");
  };
  EXPECT_NE(failure("<frame><freejoint/></frame>" + sheet).find("encloses no volume"), std::string::npos);
  EXPECT_NE(failure("<joint/><geom size='1'/><body>" + sheet + "</body>").find("encloses no volume"),
            std::string::npos);
  EXPECT_EQ(failure("<freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>" + sheet), "");
  // Without the word there is a hull to make, and none in one plane.
  EXPECT_NE(failure("<geom type='mesh' mesh='m' mass='0'/>").find("one plane"), std::string::npos);
}

TEST(MjcfConcave, OpenMeshesAreWeighedByEstimate) {
  std::string open = kPitFaces.substr(0, kPitFaces.rfind("6 4 8"));
  ImportReport report;
  const Model model =
      LoadBody(kConcaveGeom, ConcaveAsset("vertex='" + kPitVertices + "' face='" + open + "'"), &report);
  EXPECT_GT(model.bodies[1].inertia.mass, 0.0);
  ASSERT_NE(FindItem(report, "geom[@mesh]"), nullptr);
  EXPECT_EQ(FindItem(report, "geom[@mesh]")->status, ImportStatus::kApproximated);
}

TEST(MjcfConcave, ReportSaysWhatWasMended) {
  ImportReport report;
  // Inside out, by a mirror that nobody undoes: the faces' corners in reverse.
  const std::string inwards = "vertex='0 0 0 1 0 0 0 1 0 0 0 1 .5 0 0' face='0 1 2 0 3 1 0 2 3 1 3 2  0 4 1'";
  const Model model = LoadBody(kConcaveGeom, ConcaveAsset(inwards), &report);
  EXPECT_NEAR(model.bodies[1].inertia.mass, 1000.0 / 6.0, 1e-9);
  EXPECT_EQ(FindItem(report, "geom")->why,
            "surface of 4 triangles, closed; triangles without area, dropped: 1; all wound inwards and were"
            " turned over");
  EXPECT_EQ(FindItem(report, "geom")->status, ImportStatus::kApproximated);
  // A fin on a sheet: three triangles on one edge.
  LoadBody("<geom type='mesh' mesh='m' concave='true'/>",
           ConcaveAsset("vertex='0 0 0 1 0 0 1 1 0 0 1 0 0 0 1' face='0 1 2 0 2 3 0 2 4'"), &report);
  EXPECT_NE(FindItem(report, "geom")->why.find("edges of more than two triangles: 1;"), std::string::npos)
      << FindItem(report, "geom")->why;
}

TEST(MjcfConcave, GeomsThatDoNotCollideWeighByTheirSurface) {
  const Model model =
      LoadBody("<freejoint/><geom type='mesh' mesh='m' concave='true' contype='0' conaffinity='0'/>", Pit());
  EXPECT_EQ(model.num_geoms(), 0);
  EXPECT_NEAR(model.bodies[1].inertia.mass, 1000.0 * kPitVolume, 1e-9);
}

// Binary STL with the corners of these triangles, nine numbers each.
std::string MakeStl(const std::vector<float>& corners) {
  std::string bytes(80, ' ');
  const auto put = [&](const auto& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  put(static_cast<std::uint32_t>(corners.size() / 9));
  for (std::size_t t = 0; t < corners.size(); t += 9) {
    bytes.append(12, '\0');
    for (int k = 0; k < 9; ++k) put(corners[t + k]);
    bytes.append(2, '\0');
  }
  return bytes;
}

std::string ConcaveFailure(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  return LoadFailure(
      "<mujoco>\n<asset>\n<mesh name='m' file='" + name +
      "'/></asset><worldbody><geom type='mesh' mesh='m' concave='true'/></worldbody></mujoco>");
}

TEST(MjcfConcave, BadFilesAreNamedAtTheAsset) {
  struct Bad {
    std::string bytes, message;
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Bad& bad : {Bad{"", "the file is empty"}, Bad{MakeStl({}), "no triangles"},
                         Bad{MakeStl({0, 0, 0, 1, 0, 0, 2, 0, 0}), "no triangle with an area"},
                         Bad{MakeStl({0, 0, 0, 1, 0, 0, 2, 1, nan}), "not a finite number"}}) {
    const TemporaryFile file(bad.bytes, ".stl");
    const std::string what = ConcaveFailure(file.path());
    EXPECT_NE(what.find(bad.message), std::string::npos) << what;
    EXPECT_NE(what.find(std::filesystem::path(file.path()).filename().string()), std::string::npos) << what;
    EXPECT_NE(what.find(":3: "), std::string::npos) << what;
  }
}

// Two tetrahedra that cross: nothing is wrong with the surface's edges, so that only contact can tell.
TEST(MjcfConcave, SurfacesThatCrossThemselvesLoad) {
  const std::string crossing =
      "vertex='0 0 0 1 0 0 0 1 0 0 0 1  .1 .1 -.5 1.1 .1 -.5 .1 1.1 -.5 .1 .1 .5' "
      "face='0 2 1 0 1 3 0 3 2 1 2 3 4 6 5 4 5 7 4 7 6 5 6 7'";
  const Model model = LoadBody(kConcaveGeom, ConcaveAsset(crossing));
  EXPECT_TRUE(SurfaceOf(model.geoms[0]).is_closed);
}

// Ten million triangles claimed by a file that is as long as it says, a hole on the disk.
TEST(MjcfConcave, HugeFilesAreRefusedUnread) {
  const TemporaryFile file("", ".stl");
  const std::uint32_t count = 10'000'000;
  std::string head(80, ' ');
  head.append(reinterpret_cast<const char*>(&count), sizeof count);
  std::ofstream(file.path(), std::ios::binary) << head;
  std::filesystem::resize_file(file.path(), 84 + std::uintmax_t{50} * count);
  EXPECT_NE(ConcaveFailure(file.path()).find("10000000 triangles, more than the 2097152"), std::string::npos)
      << ConcaveFailure(file.path());
  EXPECT_THROW(LoadMeshSurface(file.path(), Vector3d::Ones()), MeshError);
}

TEST(MjcfConcave, OtherWordsAreErrors) {
  EXPECT_NE(LoadFailure("<mujoco><worldbody><geom size='1' concave='yes'/></worldbody></mujoco>")
                .find("must be one of true, false"),
            std::string::npos);
}

}  // namespace
}  // namespace stiction
