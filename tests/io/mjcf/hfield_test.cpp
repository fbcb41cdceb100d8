// Height fields: where the heights stand, by each of the three ways to write them.
#include <gtest/gtest.h>
#include <stb_image_write.h>

#include <cstdint>
#include <filesystem>
#include <limits>

#include "stiction/geometry/mesh_surface.h"
#include "tests/io/model_text.h"

namespace stiction {
namespace {

std::string FieldScene(const std::string& asset, const std::string& geom = "") {
  return "<mujoco>\n<asset>\n<hfield name='h' " + asset +
         "/></asset><worldbody><geom type='hfield' hfield='h' " + geom + "/></worldbody></mujoco>";
}

std::string FileNameOf(const TemporaryFile& file) {
  return std::filesystem::path(file.path()).filename().string();
}

// Height of the highest vertex of the only geom over the point, in world axes.
double HeightAt(const Model& model, double x, double y) {
  const Geom& geom = model.geoms.at(0);
  double highest = -1e9;
  for (const Vector3d& p_G : std::get<Mesh>(geom.shape).surface->mesh.vertices) {
    const Vector3d p = geom.X_BG * p_G;
    if (std::abs(p.x() - x) < 1e-9 && std::abs(p.y() - y) < 1e-9) highest = std::max(highest, p.z());
  }
  return highest;
}

double LowestOf(const Model& model) {
  const Geom& geom = model.geoms.at(0);
  return geom.X_BG.p.z() + std::get<Mesh>(geom.shape).surface->lower.z();
}

constexpr const char* kSize = "size='2 1 0.5 0.25' ";
// Two rows and three columns, no two alike, from 2 to 12: the first row is the edge at +y.
constexpr double kRows[2][3] = {{2, 4, 6}, {8, 10, 12}};

// `rows` as the file orders them, from +y to -y.
void ExpectHeights(const Model& model, const double (&rows)[2][3], double tolerance) {
  for (int row = 0; row < 2; ++row) {
    for (int col = 0; col < 3; ++col) {
      EXPECT_NEAR(HeightAt(model, -2.0 + 2.0 * col, row == 0 ? 1.0 : -1.0),
                  0.5 * (rows[row][col] - 2.0) / 10.0, tolerance)
          << row << " " << col;
    }
  }
}

TEST(MjcfHeightField, ElevationsBeginAtTheFarEdge) {
  ImportReport report;
  const Model model =
      LoadText(FieldScene(std::string(kSize) + "nrow='2' ncol='3' elevation='2 4 6 8 10 12'"), &report);
  ExpectHeights(model, kRows, 1e-15);
  EXPECT_NEAR(LowestOf(model), -0.25, 1e-15);
  EXPECT_TRUE(std::get<Mesh>(model.geoms[0].shape).surface->is_closed);
  EXPECT_EQ(FindItem(report, "hfield")->why,
            "2 rows and 3 columns, heights from 0 to 0.5 m, base 0.25 m thick");
  EXPECT_EQ(FindItem(report, "hfield")->status, ImportStatus::kHonoured);
  EXPECT_EQ(FindItem(report, "geom")->why,
            "height field of 2 x 3 samples, 20 triangles with its base; it has no mass");
  EXPECT_EQ(FindItem(report, "geom")->status, ImportStatus::kHonoured);
}

TEST(MjcfHeightField, StandsWhereTheGeomStands) {
  const std::string field = std::string(kSize) + "nrow='2' ncol='3' elevation='2 4 6 8 10 12'";
  const Model model = LoadText(FieldScene(field, "pos='10 20 30' euler='0 0 90' friction='.3' contype='2'"));
  // The corner at (2, -1, 0.5) turns to (1, 2, 0.5).
  EXPECT_NEAR(HeightAt(model, 11.0, 22.0), 30.5, 1e-12);
  EXPECT_EQ(model.geoms[0].friction, 0.3);
  EXPECT_EQ(model.geoms[0].contype, 2u);
}

TEST(MjcfHeightField, WithoutElevationsItIsFlat) {
  const Model model = LoadText(FieldScene(std::string(kSize) + "nrow='4' ncol='4'"));
  EXPECT_NEAR(HeightAt(model, 2.0, 1.0), 0.0, 1e-15);
  const Model equal = LoadText(FieldScene(std::string(kSize) + "nrow='2' ncol='2' elevation='7 7 7 7'"));
  EXPECT_NEAR(HeightAt(equal, 2.0, 1.0), 0.0, 1e-15);
}

// A PNG file that goes when the object does.
class Picture {
 public:
  Picture(int width, int height, int channels, const std::vector<unsigned char>& pixels) {
    stbi_write_png(file_.path().c_str(), width, height, channels, pixels.data(), width * channels);
  }
  std::string name() const { return FileNameOf(file_); }
  std::string Bytes() const {
    std::ifstream in(file_.path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }

 private:
  TemporaryFile file_{"", ".png"};
};

TEST(MjcfHeightField, PicturesStandUpright) {
  const Picture gray(3, 2, 1, {2, 4, 6, 8, 10, 12});
  ImportReport report;
  const Model model = LoadText(FieldScene(std::string(kSize) + "file='" + gray.name() + "'"), &report);
  ExpectHeights(model, kRows, 1e-15);
  EXPECT_NE(FindItem(report, "hfield")->why.find("2 rows and 3 columns"), std::string::npos);
  // Of colours the first channel counts.
  const Picture red(3, 2, 3, {2, 9, 9, 4, 7, 0, 6, 1, 1, 8, 0, 0, 10, 0, 255, 12, 0, 0});
  ExpectHeights(LoadText(FieldScene(std::string(kSize) + "file='" + red.name() + "' nrow='2' ncol='3'")),
                kRows, 1e-15);
}

std::string Binary(std::int32_t rows, std::int32_t cols, const std::vector<float>& samples) {
  std::string bytes;
  const auto put = [&](const auto& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  put(rows);
  put(cols);
  for (const float sample : samples) put(sample);
  return bytes;
}

// MuJoCo's own format is in the order of its memory: from -y to +y.
TEST(MjcfHeightField, BinaryFilesBeginAtTheNearEdge) {
  const TemporaryFile file(Binary(2, 3, {8, 10, 12, 2, 4, 6}), ".bin");
  ExpectHeights(LoadText(FieldScene(std::string(kSize) + "file='" + FileNameOf(file) + "'")), kRows, 1e-7);
}

TEST(MjcfHeightField, ContentTypeGoesBeforeTheExtension) {
  const Picture gray(3, 2, 1, {2, 4, 6, 8, 10, 12});
  const TemporaryFile renamed(gray.Bytes(), ".terrain");
  const std::string named = std::string(kSize) + "file='" + FileNameOf(renamed) + "'";
  ExpectHeights(LoadText(FieldScene(named + " content_type='image/png'")), kRows, 1e-15);
  EXPECT_NE(LoadFailure(FieldScene(named)).find("content_type=\"image/png\""), std::string::npos);
}

TEST(MjcfHeightField, GeomsShareOneSurfaceAndDecorationsAreSeen) {
  const std::string field = "<asset><hfield name='h' size='1 1 1 1' nrow='2' ncol='2'/></asset>";
  ImportReport report;
  const Model model = LoadBody(
      "<geom type='hfield' hfield='h' mass='5' size='9 9 9' contype='0' conaffinity='0'/>"
      "<freejoint/><geom type='hfield' hfield='h'/><geom size='1' mass='3'/>",
      field, &report);
  ASSERT_EQ(model.num_geoms(), 3);
  EXPECT_EQ(std::get<Mesh>(model.geoms[0].shape).surface, std::get<Mesh>(model.geoms[1].shape).surface);
  EXPECT_FALSE(model.geoms[0].collides());
  EXPECT_TRUE(model.geoms[0].is_seen);
  EXPECT_EQ(model.bodies[1].inertia.mass, 3.0);
  EXPECT_EQ(FindItem(report, "geom[@mass]")->status, ImportStatus::kIgnored);
  EXPECT_EQ(FindItem(report, "geom[@size]")->status, ImportStatus::kIgnored);
  // A body that is nothing but a height field cannot be moved.
  EXPECT_NE(LoadFailure("<mujoco>" + field +
                        "<worldbody><body><freejoint/><geom type='hfield' hfield='h'/>"
                        "</body></worldbody></mujoco>"),
            "");
}

TEST(MjcfHeightField, WhatDoesNotFitIsRefusedAtTheAsset) {
  struct Bad {
    std::string asset, message;
  };
  const std::string size = kSize;
  for (const Bad& bad : {Bad{"nrow='2' ncol='2'", "needs size="},
                         Bad{"size='1 1 1' nrow='2' ncol='2'", "size needs 4 numbers"},
                         Bad{"size='1 1 0 1' nrow='2' ncol='2'", "must be positive"},
                         Bad{size, "names no file and gives no nrow"},
                         Bad{size + "nrow='1' ncol='9'", "at least two rows and two columns"},
                         Bad{size + "nrow='2' ncol='2' elevation='1 2 3'", "nrow * ncol = 4 numbers, got 3"},
                         Bad{size + "nrow='2' ncol='2' elevation='1 2 3 nan'", "not a finite number"},
                         Bad{size + "nrow='2147483647' ncol='2147483647'", "larger than the 1050625"},
                         Bad{size + "file='none.png'", "none.png"},
                         Bad{size + "file='none.png' content_type='x'", "none.png"}}) {
    const std::string what = LoadFailure(FieldScene(bad.asset));
    EXPECT_NE(what.find(bad.message), std::string::npos) << what;
    EXPECT_NE(what.find(":3: <hfield"), std::string::npos) << what;
  }
}

TEST(MjcfHeightField, DamagedFilesAreNamed) {
  const auto failure = [](const std::string& bytes, const char* extension, const std::string& more = "") {
    const TemporaryFile file(bytes, extension);
    const std::string what =
        LoadFailure(FieldScene(std::string(kSize) + more + "file='" + FileNameOf(file) + "'"));
    EXPECT_NE(what.find(":3: <hfield"), std::string::npos) << what;
    EXPECT_TRUE(!more.empty() || what.find(FileNameOf(file)) != std::string::npos) << what;
    return what;
  };
  const auto contains = [](const std::string& what, const char* part) {
    EXPECT_NE(what.find(part), std::string::npos) << what;
  };
  const float infinity = std::numeric_limits<float>::infinity();
  contains(failure("", ".bin"), "the file is empty");
  contains(failure("abc", ".bin"), "not a binary height field");
  contains(failure(Binary(2, 2, {1, 2, 3}), ".bin"), "its first numbers are 2 and 2, its length is 20 bytes");
  contains(failure(Binary(-2, -2, {1, 2, 3, 4}), ".bin"), "not a binary height field");
  contains(failure(Binary(2, 2, {1, 2, 3, infinity}), ".bin"), "sample 3 is not a finite number");
  contains(failure(Binary(2, 2, {1, 2, 3, 4}), ".bin", "nrow='3' "), "the file has 2 rows");
  contains(failure(Binary(2, 2, {1, 2, 3, 4}), ".png"), "not a PNG picture");
  contains(failure("version https://git-lfs.github.com/spec/v1\n", ".png"), "git lfs pull");
  const std::string whole = Picture(3, 2, 1, {2, 4, 6, 8, 10, 12}).Bytes();
  contains(failure(whole.substr(0, 45), ".png"), "damaged PNG picture");
}

// A small header and data that unpack to far more: refused, not unpacked.
TEST(MjcfHeightField, PicturesThatUnpackToTooMuchAreRefused) {
  const Picture large(6000, 6000, 1, std::vector<unsigned char>(36'000'000, 0));
  std::string bytes = large.Bytes();
  bytes.replace(16, 8, std::string("\x00\x00\x00\x03\x00\x00\x00\x02", 8));
  const TemporaryFile bomb(bytes, ".png");
  EXPECT_NE(LoadFailure(FieldScene(std::string(kSize) + "file='" + FileNameOf(bomb) + "'"))
                .find("damaged PNG picture"),
            std::string::npos);
}

}  // namespace
}  // namespace stiction
