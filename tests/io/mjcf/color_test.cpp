// Colours of MJCF geoms: their own, their class's, their material's.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/io/model_text.h"
#include "tests/support/shared_files.h"

namespace stiction {
namespace {

constexpr Color kRed{1.0f, 0.0f, 0.0f, 1.0f}, kGreen{0.0f, 1.0f, 0.0f, 0.5f}, kWhite{1.0f, 1.0f, 1.0f, 1.0f};
constexpr Color kGrey{0.5f, 0.5f, 0.5f, 1.0f};
const std::optional<Color> kNone;

const std::string kMaterials =
    "<asset><material name='green' rgba='0 1 0 0.5'/><material name='plain'/>"
    "<material name='chequered' texture='t'/><material name='tinted' texture='t' rgba='1 0 0 1'/></asset>";

std::optional<Color> ColorOf(const std::string& attributes, const std::string& sections = kMaterials) {
  const Model model = LoadBody("<geom size='.1' " + attributes + "/><freejoint/>", sections);
  return model.geoms.at(0).color;
}

TEST(MjcfColor, OfTheGeomOrItsMaterial) {
  EXPECT_EQ(ColorOf(""), kNone);
  EXPECT_EQ(ColorOf("rgba='1 0 0 1'"), kRed);
  EXPECT_EQ(ColorOf("rgba='1 0 0'"), kRed);
  EXPECT_EQ(ColorOf("material='green'"), kGreen);
  EXPECT_EQ(ColorOf("material='plain'"), kWhite);
  EXPECT_EQ(ColorOf("material='tinted'"), kRed);
  // White times a texture is no colour of its own.
  EXPECT_EQ(ColorOf("material='chequered'"), kNone);
}

// MuJoCo's setMaterial(): the geom's rgba counts if it is not 0.5 0.5 0.5 1, or if there is no material.
TEST(MjcfColor, OwnColorGoesBeforeTheMaterial) {
  EXPECT_EQ(ColorOf("rgba='1 0 0 1' material='green'"), kRed);
  EXPECT_EQ(ColorOf("rgba='.5 .5 .5 1' material='green'"), kGreen);
  EXPECT_EQ(ColorOf("rgba='.5 .5 .5 1'"), kGrey);
}

TEST(MjcfColor, ComesThroughDefaultClasses) {
  const std::string classes =
      "<default><geom rgba='1 0 0 1'/><material rgba='0 1 0 .5'/>"
      "<default class='c'><geom material='m' rgba='.5 .5 .5 1'/></default></default>"
      "<asset><material name='m'/><material name='n' rgba='1 1 1 1'/></asset>";
  EXPECT_EQ(ColorOf("", classes), kRed);
  EXPECT_EQ(ColorOf("material='n'", classes), kRed);
  EXPECT_EQ(ColorOf("class='c'", classes), kGreen);
  EXPECT_EQ(ColorOf("class='c' material='n'", classes), kWhite);
}

TEST(MjcfColor, NothingWrongWithItStopsTheLoad) {
  ImportReport report;
  const auto color = [&](const std::string& attributes) {
    return LoadBody("<freejoint/><geom size='.1' " + attributes + "/>", kMaterials, &report)
        .geoms.at(0)
        .color;
  };
  EXPECT_EQ(color("rgba='red'"), kNone);
  EXPECT_EQ(FindItem(report, "geom[@rgba]")->status, ImportStatus::kIgnored);
  EXPECT_EQ(color("rgba='1 0'"), kNone);
  EXPECT_EQ(color("rgba='255 0 -1 1e300'"), kRed);
  EXPECT_EQ(FindItem(report, "geom[@rgba]")->status, ImportStatus::kApproximated);
  EXPECT_EQ(color("material='ghost'"), kNone);
  EXPECT_EQ(FindItem(report, "geom[@material]")->status, ImportStatus::kIgnored);
  LoadBody("", "<asset><material name='m'/><material name='m' rgba='1 0 0 1'/></asset>", &report);
  EXPECT_EQ(FindItem(report, "material")->status, ImportStatus::kIgnored);
}

TEST(MjcfColor, IsReportedAsFarAsItIsKept) {
  const auto status = [](const std::string& item) {
    ImportReport report;
    LoadBody("<freejoint/><geom size='.1' rgba='1 0 0 1' material='m'/>",
             "<asset><material name='m' rgba='1 0 0 1' texture='t' specular='1' shininess='1' emission='1' "
             "reflectance='1'/></asset>",
             &report);
    const ImportItem* found = FindItem(report, item);
    return found ? ToString(found->status) : "missing";
  };
  // Pictures are read only where looks are asked for.
  for (const char* item :
       {"geom[@rgba]", "geom[@material]", "material[@name]", "material[@rgba]", "material[@texture]",
        "material[@specular]", "material[@shininess]", "material[@emission]", "material[@reflectance]"})
    EXPECT_STREQ(status(item), "honoured") << item;
}

TEST(MjcfColor, OfAWholeModel) {
  const Model model = LoadModel(STICTION_SOURCE_DIR "/assets/models/humanoid.xml");
  const auto color = [&](const char* geom) { return model.geoms.at(model.FindGeom(geom)).color; };
  // Of a material that the main class names, of another that the geom names, that a nested class names.
  EXPECT_EQ(color("head"), (Color{0.85f, 0.6f, 0.45f, 1.0f}));
  EXPECT_EQ(color("chest"), (Color{0.2f, 0.35f, 0.7f, 1.0f}));
  EXPECT_EQ(color("foot_left"), (Color{0.15f, 0.15f, 0.15f, 1.0f}));
}

TEST(MjcfColor, OfModelsOfOthers) {
  const std::filesystem::path folder = SharedPath("models");
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no models at " << folder;
  const auto color = [&](const char* file, const char* geom) {
    const Model model = LoadModel((folder / file).string());
    return model.geoms.at(model.FindGeom(geom)).color;
  };
  // Of a material that a class names, of a chequered one, of the geom, of the main class before a material.
  EXPECT_EQ(color("mujoco_humanoid/humanoid.xml", "torso"), (Color{0.8f, 0.6f, 0.4f, 1.0f}));
  EXPECT_EQ(color("mujoco_humanoid/humanoid.xml", "floor"), kNone);
  EXPECT_EQ(color("gym_mujoco/reacher.xml", "target"), (Color{0.9f, 0.2f, 0.2f, 1.0f}));
  EXPECT_EQ(color("gym_mujoco/ant.xml", "torso_geom"), (Color{0.8f, 0.6f, 0.4f, 1.0f}));
}

}  // namespace
}  // namespace stiction
