// Textures, materials, lights and surroundings of MJCF files.
#include "io/mjcf/texture.h"

#include <gtest/gtest.h>
#include <stb_image_write.h>

#include <array>
#include <numbers>

#include "tests/io/model_text.h"

namespace stiction {
namespace {

using Rgb = std::array<int, 3>;

Rgb PixelAt(const Texture& texture, int picture, int row, int column) {
  const std::size_t at =
      std::size_t{4} * ((std::size_t(picture) * texture.height + row) * texture.width + column);
  return {texture.pixels.at(at), texture.pixels.at(at + 1), texture.pixels.at(at + 2)};
}

std::string FileName(const TemporaryFile& file) {
  return file.path().substr(file.path().rfind('/') + 1);
}

// A PNG of these pixels, row after row from the top.
class PictureFile {
 public:
  PictureFile(int width, const std::vector<Rgb>& pixels) {
    std::vector<unsigned char> bytes;
    for (const Rgb& pixel : pixels) bytes.insert(bytes.end(), pixel.begin(), pixel.end());
    const int height = static_cast<int>(pixels.size()) / width;
    stbi_write_png(file_.path().c_str(), width, height, 3, bytes.data(), 3 * width);
  }
  std::string name() const { return FileName(file_); }
  const std::string& path() const { return file_.path(); }

 private:
  TemporaryFile file_{"", ".png"};
};

Model LoadLooks(const std::string& assets, const std::string& geoms, ImportReport* report = nullptr,
                bool visuals = true, const std::string& sections = "") {
  return LoadText(
      "<mujoco>" + sections + "<asset>" + assets + "</asset><worldbody>" + geoms + "</worldbody></mujoco>",
      report, {.visuals = visuals});
}

const std::string kBox = "<geom type='box' size='1 1 1' material='m'/>";

TEST(MjcfTexture, IsPaintedFromWords) {
  const std::string words = " rgb1='1 0 0' rgb2='0 0 1' markrgb='0 1 0' width='8' height='4'/>";
  const auto paint = [&](const std::string& attributes) {
    const Model model =
        LoadLooks("<texture name='t' " + attributes + words + "<material name='m' texture='t'/>", kBox);
    return *model.geoms.at(0).material->texture;
  };
  const Rgb red{255, 0, 0}, green{0, 255, 0}, blue{0, 0, 255};
  const Texture checker = paint("type='2d' builtin='checker'");
  EXPECT_EQ(checker.width, 8);
  EXPECT_EQ(checker.height, 4);
  EXPECT_EQ(PixelAt(checker, 0, 0, 0), red);
  EXPECT_EQ(PixelAt(checker, 0, 0, 7), blue);
  EXPECT_EQ(PixelAt(checker, 0, 3, 0), blue);
  EXPECT_EQ(PixelAt(checker, 0, 3, 7), red);
  const Texture edge = paint("type='2d' builtin='flat' mark='edge'");
  EXPECT_EQ(PixelAt(edge, 0, 0, 3), green);
  EXPECT_EQ(PixelAt(edge, 0, 2, 3), red);
  const Texture cross = paint("type='2d' builtin='flat' mark='cross'");
  EXPECT_EQ(PixelAt(cross, 0, 2, 0), green);
  EXPECT_EQ(PixelAt(cross, 0, 0, 4), green);
  EXPECT_EQ(PixelAt(cross, 0, 0, 0), red);
  // A cube: as high as it is wide; flat, the picture below is of the second colour.
  const Texture cube = paint("builtin='flat'");
  EXPECT_EQ(cube.height, 8);
  EXPECT_EQ(cube.pixels.size(), 6u * 8 * 8 * 4);
  EXPECT_EQ(PixelAt(cube, 2, 4, 4), red);
  EXPECT_EQ(PixelAt(cube, 3, 4, 4), blue);
}

TEST(MjcfTexture, SkyFadesFromTopToBottom) {
  const Model model = LoadLooks(
      "<texture type='skybox' builtin='gradient' rgb1='1 1 1' rgb2='0 0 0' width='64' height='384'/>", "");
  ASSERT_NE(model.surroundings.sky, nullptr);
  const Texture& sky = *model.surroundings.sky;
  EXPECT_EQ(sky.kind, Texture::Kind::kSky);
  const auto gray = [&](int picture, int row) { return PixelAt(sky, picture, row, 32)[0]; };
  EXPECT_GT(gray(2, 32), 245);
  EXPECT_LT(gray(3, 32), 10);
  EXPECT_NEAR(gray(4, 31), 128, 4);
  EXPECT_GT(gray(4, 0), gray(4, 20));
  EXPECT_NEAR(gray(4, 0), gray(2, 0), 6);  // the pictures meet
}

TEST(MjcfTexture, ComesFromFiles) {
  const PictureFile plane(2,
                          {{10, 20, 30}, {40, 50, 60}, {70, 80, 90}, {100, 110, 120}, {0, 0, 0}, {1, 1, 1}});
  const Model model = LoadLooks("<texture name='t' type='2d' file='" + plane.name() + "'/>" +
                                    "<material name='m' texture='t' texrepeat='2 3' texuniform='true'/>",
                                kBox);
  const Material& material = *model.geoms.at(0).material;
  EXPECT_EQ(material.repeat, (std::array{2.0f, 3.0f}));
  EXPECT_TRUE(material.is_uniform);
  EXPECT_EQ(material.texture->width, 2);
  EXPECT_EQ(material.texture->height, 3);
  EXPECT_EQ(PixelAt(*material.texture, 0, 1, 1), (Rgb{100, 110, 120}));
  // Two rows of one column: the upper square is seen above, the lower one to the right.
  const PictureFile grid(1, {{9, 9, 9}, {200, 100, 50}});
  const Model cube = LoadLooks("<texture name='t' rgb1='0 1 0' gridsize='2 1' gridlayout='UR' file='" +
                                   grid.name() + "'/><material name='m' texture='t'/>",
                               kBox);
  const Texture& texture = *cube.geoms.at(0).material->texture;
  EXPECT_EQ(texture.kind, Texture::Kind::kCube);
  EXPECT_EQ(PixelAt(texture, 0, 0, 0), (Rgb{200, 100, 50}));
  EXPECT_EQ(PixelAt(texture, 2, 0, 0), (Rgb{9, 9, 9}));
  EXPECT_EQ(PixelAt(texture, 5, 0, 0), (Rgb{0, 255, 0}));
}

TEST(MjcfTexture, PicturesAreTurnedOverAndBroughtToOneSize) {
  const Rgb a{10, 0, 0}, b{20, 0, 0}, c{30, 0, 0}, d{40, 0, 0};
  const PictureFile square(2, {a, b, c, d}), wide(2, {a, b});
  const auto load = [](const std::string& attributes) {
    const Model model =
        LoadLooks("<texture name='t' " + attributes + "/><material name='m' texture='t'/>", kBox);
    return *model.geoms.at(0).material->texture;
  };
  const auto pixels = [](const Texture& texture, int picture) {
    std::vector<Rgb> out;
    for (int i = 0; i < texture.width * texture.height; ++i)
      out.push_back(PixelAt(texture, picture, i / texture.width, i % texture.width));
    return out;
  };
  const std::string file = " file='" + square.name() + "'";
  EXPECT_EQ(pixels(load("type='2d' hflip='true'" + file), 0), (std::vector{b, a, d, c}));
  EXPECT_EQ(pixels(load("type='2d' vflip='true'" + file), 0), (std::vector{c, d, a, b}));
  EXPECT_EQ(pixels(load("type='2d' hflip='true' vflip='true'" + file), 0), (std::vector{d, c, b, a}));
  // A cube's pictures are squares of one size: the wide one has each row twice, what is missing is plain.
  const Texture cube =
      load("type='cube' rgb1='0 1 0' fileright='" + square.name() + "' fileback='" + wide.name() + "'");
  ASSERT_EQ(cube.width, 2);
  EXPECT_EQ(cube.height, 2);
  EXPECT_EQ(pixels(cube, 0), (std::vector{a, b, c, d}));
  EXPECT_EQ(pixels(cube, 1), std::vector(4, Rgb{0, 255, 0}));
  EXPECT_EQ(pixels(cube, 5), (std::vector{a, b, a, b}));
  const Texture same = load("type='cube' file='" + wide.name() + "'");
  for (int k = 0; k < 6; ++k) EXPECT_EQ(pixels(same, k), (std::vector{a, b, a, b})) << k;
}

TEST(MjcfTexture, ThatCannotBeHadIsNotedAndTheModelLoads) {
  const PictureFile picture(2, {{1, 2, 3}, {4, 5, 6}});
  std::string bytes;
  {
    std::ifstream file(picture.path(), std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  std::string huge = bytes;
  huge.replace(16, 8, std::string("\x00\x01\x00\x00\x00\x01\x00\x00", 8));  // 65536 by 65536
  const TemporaryFile cut(bytes.substr(0, bytes.size() / 2), ".png"), wide(huge, ".png"),
      text("no picture", ".png"), empty("", ".png");
  const auto why = [&](const std::string& attributes, const std::string& type = "2d") {
    ImportReport report;
    const Model model = LoadLooks(
        "<texture name='t' type='" + type + "' " + attributes + "/><material name='m' texture='t'/>", kBox,
        &report);
    EXPECT_EQ(model.geoms.at(0).material->texture, nullptr) << attributes;
    const ImportItem* item = FindItem(report, "texture");
    EXPECT_EQ(item->status, ImportStatus::kIgnored);
    EXPECT_EQ(FindItem(report, "material[@texture]")->status, ImportStatus::kIgnored);
    return item->why;
  };
  EXPECT_NE(why("file='" + FileName(cut) + "'").find("damaged"), std::string::npos);
  for (std::size_t size = 33; size + 24 < bytes.size(); ++size) {
    const TemporaryFile early(bytes.substr(0, size), ".png");
    EXPECT_FALSE(why("file='" + FileName(early) + "'").ends_with(" ")) << "a reason, of " << size << " bytes";
  }
  EXPECT_NE(why("file='" + FileName(wide) + "'").find("make it smaller"), std::string::npos);
  EXPECT_NE(why("file='" + FileName(text) + "'").find("no PNG"), std::string::npos);
  EXPECT_NE(why("file='" + FileName(empty) + "'").find("empty"), std::string::npos);
  EXPECT_NE(why("file='nowhere.png'").find("nowhere.png"), std::string::npos);
  EXPECT_NE(why("builtin='checker'").find("width"), std::string::npos);
  EXPECT_NE(why("").find("no file"), std::string::npos);
  for (const char* grid : {"0 1", "1 13", "3 1", "65536 65536", "1e300 1"})
    EXPECT_NE(
        why("gridsize='" + std::string(grid) + "' file='" + picture.name() + "'", "cube").find("12 squares"),
        std::string::npos)
        << grid;
}

TEST(MjcfTexture, IsReadOnlyWhenLooksAreAskedFor) {
  ImportReport report;
  const Model model =
      LoadLooks("<texture name='t' type='2d' file='nowhere.png'/><material name='m' texture='t'/>", kBox,
                &report, false);
  ASSERT_NE(model.geoms.at(0).material, nullptr);
  EXPECT_EQ(model.geoms[0].material->texture, nullptr);
  EXPECT_EQ(FindItem(report, "texture")->why, "appearance only, which was not asked for");
}

TEST(MjcfMaterial, ComesWithItsNumbersAndIsSharedByItsGeoms) {
  ImportReport report;
  const Model model = LoadLooks(
      "<material name='m' rgba='1 0 0 1' specular='.1' shininess='.2' reflectance='.3' emission='.4' "
      "metallic='.6' "
      "roughness='.7'/><texture name='t' builtin='flat' width='4'/>"
      "<material name='n' specular='7'><layer role='rgb' texture='t'/><layer role='normal' "
      "texture='t'/></material>",
      kBox + kBox + "<geom type='plane' size='3 4 .1' material='n' group='1'/>", &report);
  const Material& material = *model.geoms.at(0).material;
  EXPECT_EQ(model.geoms[1].material, model.geoms[0].material);
  EXPECT_EQ(material.color, (Color{1, 0, 0, 1}));
  EXPECT_EQ((std::array{material.specular, material.shininess, material.reflectance, material.emission,
                        material.metallic, material.roughness}),
            (std::array{0.1f, 0.2f, 0.3f, 0.4f, 0.6f, 0.7f}));
  const Geom& plane = model.geoms[2];
  EXPECT_EQ(plane.material->specular, 1.0f);
  EXPECT_NE(plane.material->texture, nullptr);
  EXPECT_EQ(plane.group, 1);
  EXPECT_EQ(plane.seen_half_size, (std::array{3.0, 4.0}));
  for (const ImportItem& item : report.items)
    EXPECT_EQ(item.why.find("appearance only"), std::string::npos) << item.item;
  int num_clamped = 0;
  for (const ImportItem& item : report.items)
    num_clamped += item.item == "material[@specular]" && item.status == ImportStatus::kApproximated;
  EXPECT_EQ(num_clamped, 1);
}

TEST(MjcfLight, StandsOnItsBodyAndSurroundingsAreRead) {
  const Model model =
      LoadLooks("",
                "<body name='b' pos='0 0 5'><frame euler='0 90 0'><light name='l' pos='1 2 3' dir='0 0 -2' "
                "diffuse='.1 .2 .3' "
                "castshadow='false' cutoff='30' mode='trackcom'/></frame></body><light directional='true' "
                "dir='0 0 0'/>",
                nullptr, true,
                "<visual><headlight ambient='.1 .2 .3' active='0'/><rgba haze='.4 .5 .6 1' fog='.7 .8 .9 1'/>"
                "<map fogstart='2' fogend='9'/><global azimuth='120' elevation='-20' fovy='58'/></visual>"
                "<statistic extent='4' center='1 2 3'/>");
  ASSERT_EQ(model.lights.size(), 1u);  // one without a direction shines nowhere
  const Light& light = model.lights[0];
  EXPECT_EQ(light.body, 1);
  EXPECT_LT((light.p_BL - Vector3d(3, 2, -1)).norm(), 1e-15);
  EXPECT_LT((light.direction_B - Vector3d(-1, 0, 0)).norm(), 1e-15);
  EXPECT_EQ(light.mode, CameraMode::kTrackCom);
  EXPECT_EQ(light.diffuse, (LightColor{0.1f, 0.2f, 0.3f}));
  EXPECT_FALSE(light.casts_shadow);
  EXPECT_DOUBLE_EQ(light.cutoff, std::numbers::pi / 6.0);
  const Surroundings& around = model.surroundings;
  ASSERT_TRUE(around.headlight);
  EXPECT_FALSE(around.headlight->is_on);
  EXPECT_EQ(around.haze, (Color{0.4f, 0.5f, 0.6f, 1.0f}));
  EXPECT_EQ(around.fog, (Color{0.7f, 0.8f, 0.9f, 1.0f}));
  EXPECT_EQ(around.fog_range, (std::array{2.0f, 9.0f}));
  EXPECT_EQ(around.extent, 4.0);
  EXPECT_EQ(around.center, Vector3d(1, 2, 3));
  EXPECT_DOUBLE_EQ(around.azimuth.value(), 2.0 * std::numbers::pi / 3.0);
  EXPECT_DOUBLE_EQ(around.elevation.value(), -std::numbers::pi / 9.0);
  EXPECT_DOUBLE_EQ(around.field_of_view.value(), 58.0 * std::numbers::pi / 180.0);
}

TEST(MjcfLight, NumbersThatCannotBeAreNamed) {
  ImportReport report;
  const Model model =
      LoadLooks("<texture name='fine' type='2d' builtin='flat' width='5000' height='10'/>",
                "<light pos='0 0 3' cutoff='270' diffuse='-1 .2 .3' ambient='.1 .1 .1'/><geom size='1'/>",
                &report, true, "<visual><map fogstart='9' fogend='2'/></visual><statistic extent='-4'/>");
  EXPECT_DOUBLE_EQ(model.lights.at(0).cutoff, std::numbers::pi);
  EXPECT_FALSE(model.surroundings.extent);
  const auto expect = [&](const char* item, ImportStatus status) {
    ASSERT_NE(FindItem(report, item), nullptr) << item;
    EXPECT_EQ(ToString(FindItem(report, item)->status), ToString(status)) << item;
    EXPECT_FALSE(FindItem(report, item)->is_physical_loss()) << item;
  };
  expect("light[@cutoff]", ImportStatus::kApproximated);
  expect("light[@diffuse]", ImportStatus::kApproximated);
  expect("light[@ambient]", ImportStatus::kHonoured);
  expect("texture[@width]", ImportStatus::kApproximated);
  expect("texture[@height]", ImportStatus::kHonoured);
  expect("map[@fogstart]", ImportStatus::kIgnored);
  expect("statistic[@extent]", ImportStatus::kIgnored);
}

}  // namespace
}  // namespace stiction
