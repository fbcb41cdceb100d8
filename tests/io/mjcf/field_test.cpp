// Geoms that are signed distance fields, from text and from meshes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "stiction/geometry/field_solid.h"
#include "tests/io/model_text.h"

namespace stiction {
namespace {

std::string Scene(const std::string& attributes, const std::string& inside = "",
                  const std::string& assets = "") {
  return "<mujoco>\n<asset>" + assets + "</asset><worldbody><body name='b'><freejoint/>\n<geom type='sdf' " +
         attributes + ">" + inside + "</geom></body></worldbody></mujoco>";
}

const FieldSolid& SolidOf(const Model& model, int geom = 0) {
  return *std::get<Field>(model.geoms.at(geom).shape).solid;
}

long CountOf(const ImportReport& report, ImportStatus status) {
  return std::count_if(report.items.begin(), report.items.end(),
                       [&](const ImportItem& item) { return item.status == status; });
}

void ExpectFailure(const std::string& scene, const std::string& message) {
  const std::string failure = LoadFailure(scene);
  EXPECT_NE(failure.find(":3"), std::string::npos) << failure;  // the geom's line
  EXPECT_NE(failure.find(message), std::string::npos) << failure;
}

// A cube of side 0.2 about the origin.
constexpr const char* kCube =
    "<mesh name='cube' vertex='-.1 -.1 -.1  .1 -.1 -.1  .1 .1 -.1  -.1 .1 -.1  -.1 -.1 .1  .1 -.1 .1  .1 .1 "
    ".1 "
    " -.1 .1 .1'/>";

TEST(MjcfField, TextBecomesAFieldThatWeighsWhatItHolds) {
  ImportReport report;
  const Model model = LoadText(
      Scene("field='difference(box(0.1, 0.1, 0.05), cylinder(0.05, 0.2))' density='1000' pos='1 2 3'"),
      &report);
  ASSERT_EQ(model.num_geoms(), 1);
  const double volume = 0.2 * 0.2 * 0.1 - M_PI * 0.0025 * 0.1;
  EXPECT_NEAR(model.bodies[1].inertia.mass, 1000.0 * volume, 1e-3);
  EXPECT_LT((model.bodies[1].inertia.p_BBcm - Vector3d(1, 2, 3)).norm(), 1e-6);
  const RigidTransform& X_BG = model.geoms[0].X_BG;
  EXPECT_NEAR(SolidOf(model).field.CalcValue(X_BG.Inverse() * Vector3d(1.08, 2, 3)), -0.02, 1e-12);
  EXPECT_NEAR(SolidOf(model).field.CalcValue(X_BG.Inverse() * Vector3d(1.0, 2, 3)), 0.05, 1e-12);
  EXPECT_EQ(CountOf(report, ImportStatus::kIgnored), 0);
}

TEST(MjcfField, ResolutionIsThatOfTheTriangles) {
  const Model coarse = LoadText(Scene("field='torus(0.1, 0.03)' resolution='0.02'")),
              fine = LoadText(Scene("field='torus(0.1, 0.03)' resolution='0.005'"));
  EXPECT_EQ(SolidOf(fine).spacing, 0.005);
  EXPECT_GT(SolidOf(fine).surface.surface->faces.size(), 8 * SolidOf(coarse).surface.surface->faces.size());
  // The mass does not depend on it.
  EXPECT_DOUBLE_EQ(fine.bodies[1].inertia.mass, coarse.bodies[1].inertia.mass);
}

TEST(MjcfField, GeomsOfOneTextShareOneSolid) {
  const Model model = LoadText(
      "<mujoco><default><geom type='sdf' field='torus(0.1, 0.03)'/></default><worldbody><geom/><geom pos='1 "
      "0 0'/>"
      "<geom field='torus(0.1, 0.02)'/></worldbody></mujoco>");
  ASSERT_EQ(model.num_geoms(), 3);
  EXPECT_EQ(&SolidOf(model, 0), &SolidOf(model, 1));
  EXPECT_NE(&SolidOf(model, 0), &SolidOf(model, 2));
}

TEST(MjcfField, MeshesAreSampled) {
  const std::string folder = ::testing::TempDir() + "field_cache";
  std::filesystem::remove_all(folder);
  setenv("STICTION_CACHE_DIR", folder.c_str(), 1);
  ImportReport report;
  const std::string scene = Scene("mesh='cube' resolution='0.01' mass='2'", "", kCube);
  for (const bool from_cache : {false, true}) {
    const Model model = LoadText(scene, &report);
    EXPECT_EQ(model.bodies[1].inertia.mass, 2.0);
    EXPECT_NEAR(SolidOf(model).field.CalcValue({0, 0, 0}), -0.1, 1e-6);
    EXPECT_NEAR(SolidOf(model).field.CalcValue({0.115, 0, 0}), 0.015, 1e-6);
    EXPECT_NEAR(SolidOf(model).CalcUnitDensity().mass, 0.008, 1e-4);
    int entries = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      entries += entry.path().extension() == ".sdf";
    EXPECT_EQ(entries, 1) << from_cache;
  }
  EXPECT_GT(CountOf(report, ImportStatus::kApproximated), 0);
  // A damaged entry is made again.
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    std::filesystem::resize_file(entry.path(), 1000);
  EXPECT_NEAR(SolidOf(LoadText(scene)).field.CalcValue({0, 0, 0}), -0.1, 1e-6);
  setenv("STICTION_CACHE_DIR", "", 1);
}

TEST(MjcfField, ErrorsSayWhereAndWhat) {
  ExpectFailure(Scene(""), "needs a field, or a mesh to sample");
  ExpectFailure(Scene("field='torus(0.1)'"), "torus");
  ExpectFailure(Scene("field='halfspace()'"), "has no end");
  ExpectFailure(Scene("field='sphere(0.1)' resolution='1e-6'"), "spacing");
  ExpectFailure(Scene("field='sphere(0.1)' resolution='-1'"), "resolution");
  ExpectFailure(Scene("field='sphere(0.1)' mesh='cube'", "", kCube), "not both");
  ExpectFailure(Scene("mesh='none'"), "unknown asset");
  ExpectFailure(Scene("mesh='cube'", "<plugin instance='x'/>", kCube), "plugin");
}

}  // namespace
}  // namespace stiction
