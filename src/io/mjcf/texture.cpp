#include "io/mjcf/texture.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "io/mesh/format.h"
#include "io/picture_bytes.h"

namespace stiction::mjcf {
namespace {

constexpr std::string_view kPictureWords[] = {"fileright", "fileleft",  "fileup",
                                              "filedown",  "filefront", "fileback"};
constexpr std::string_view kLayoutLetters =
    "RLUDFB";  // the same pictures, as the layout of one file calls them

// A texture that cannot be had. Its message is for the import report.
struct TextureProblem {
  std::string attribute, why;
};

ColorPicture ReadPictureFile(Context& context, const xml::Element& element, std::string_view attribute,
                             const std::string& file) {
  try {
    const std::filesystem::path path = FindAssetFile(element, attribute, file, context.folder,
                                                     context.compiler.texture_dir, context.compiler);
    return ReadColorPicture(mesh_format::ReadBytes(path));
  } catch (const LoadError& error) {
    throw TextureProblem{std::string(attribute), error.message()};
  } catch (const MeshError& error) {
    throw TextureProblem{std::string(attribute), file + ": " + error.what()};
  } catch (const std::invalid_argument& error) {
    throw TextureProblem{std::string(attribute), file + ": " + error.what()};
  }
}

// A part of a picture, from its upper left corner.
ColorPicture CutOut(const ColorPicture& from, int x, int y, int width, int height) {
  ColorPicture out{width, height, {}};
  for (int row = 0; row < height; ++row) {
    const auto begin = from.pixels.begin() + std::ptrdiff_t{4} * ((y + row) * from.width + x);
    out.pixels.insert(out.pixels.end(), begin, begin + std::ptrdiff_t{4} * width);
  }
  return out;
}

// To a square of this size, by the nearest pixels.
ColorPicture Resize(const ColorPicture& from, int size) {
  if (from.width == size && from.height == size) return from;
  ColorPicture out{size, size, std::vector<std::uint8_t>(std::size_t{4} * size * size)};
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      const std::size_t at = std::size_t{4} * (std::size_t(y) * from.height / size * from.width +
                                               std::size_t(x) * from.width / size);
      std::copy_n(from.pixels.begin() + static_cast<std::ptrdiff_t>(at), 4,
                  out.pixels.begin() + std::ptrdiff_t{4} * (y * size + x));
    }
  }
  return out;
}

void Flip(bool is_horizontal, ColorPicture& picture) {
  const ColorPicture from = picture;
  for (int y = 0; y < from.height; ++y) {
    for (int x = 0; x < from.width; ++x) {
      const int at_x = is_horizontal ? from.width - 1 - x : x, at_y = is_horizontal ? y : from.height - 1 - y;
      std::copy_n(from.pixels.begin() + std::ptrdiff_t{4} * (at_y * from.width + at_x), 4,
                  picture.pixels.begin() + std::ptrdiff_t{4} * (y * from.width + x));
    }
  }
}

class TextureReader {
 public:
  TextureReader(Context& context, xml::Element& element) : context_(context), element_(element) {}

  Texture Read() {
    element_.Visit();
    std::string word;
    texture_.name = AssetName(element_);
    element_.Read("name", word);
    texture_.kind = Texture::Kind::kCube;
    if (element_.ReadWord("type", {"2d", "cube", "skybox"}, word))
      texture_.kind = word == "2d"     ? Texture::Kind::kPlane
                      : word == "cube" ? Texture::Kind::kCube
                                       : Texture::Kind::kSky;
    ReadWords();
    for (const char* attribute : {"colorspace", "nchannel", "content_type"}) element_.Read(attribute, word);
    element_.Read("hflip", flips_x_);
    element_.Read("vflip", flips_y_);
    std::string file;
    if (has_pattern_) {
      Paint();
    } else if (element_.Read("file", file)) {
      ReadOneFile(ReadPictureFile(context_, element_, "file", file));
    } else {
      ReadSixFiles();
    }
    return std::move(texture_);
  }

 private:
  void ReadWords() {
    std::string word;
    if (element_.ReadWord("builtin", {"none", "gradient", "checker", "flat"}, word) && word != "none") {
      has_pattern_ = true;
      words_.pattern = word == "gradient"  ? BuiltinTexture::Pattern::kGradient
                       : word == "checker" ? BuiltinTexture::Pattern::kChecker
                                           : BuiltinTexture::Pattern::kFlat;
    }
    if (element_.ReadWord("mark", {"none", "edge", "cross", "random"}, word)) {
      words_.mark = word == "edge"     ? BuiltinTexture::Mark::kEdge
                    : word == "cross"  ? BuiltinTexture::Mark::kCross
                    : word == "random" ? BuiltinTexture::Mark::kRandom
                                       : BuiltinTexture::Mark::kNone;
    }
    element_.ReadNumbers("rgb1", 3, 3, words_.rgb1);
    element_.ReadNumbers("rgb2", 3, 3, words_.rgb2);
    element_.ReadNumbers("markrgb", 3, 3, words_.mark_rgb);
    element_.Read("random", words_.random);
    element_.Read("width", width_);
    element_.Read("height", height_);
  }

  // What is finer than this is not seen; of a cube the width counts, whatever the file says of the height.
  void Paint() {
    constexpr int kMostWide = 1024;
    const bool is_plane = texture_.kind == Texture::Kind::kPlane;
    if (width_ < 1 || (is_plane && height_ < 1))
      throw TextureProblem{"builtin", "a texture that is made from words needs a width and a height"};
    texture_.width = std::min(width_, kMostWide);
    texture_.height = is_plane ? std::min(height_, kMostWide) : texture_.width;
    NoteCoarser("width", width_ > texture_.width);
    NoteCoarser("height", is_plane && height_ > texture_.height);
    PaintTexture(words_, texture_);
  }

  void Take(ColorPicture picture) {
    if (flips_x_) Flip(true, picture);
    if (flips_y_) Flip(false, picture);
    texture_.width = picture.width;
    texture_.height = picture.height;
    texture_.pixels.insert(texture_.pixels.end(), picture.pixels.begin(), picture.pixels.end());
  }

  void ReadOneFile(const ColorPicture& whole) {
    if (texture_.kind == Texture::Kind::kPlane) return Take(whole);
    double grid[2] = {1.0, 1.0};
    std::string layout;
    element_.ReadNumbers("gridsize", 2, 2, grid);
    element_.Read("gridlayout", layout);
    // Before they become integers: what a file says may be beyond all of them.
    const bool is_small = std::min(grid[0], grid[1]) >= 1.0 && std::max(grid[0], grid[1]) <= 12.0;
    const int rows = is_small ? static_cast<int>(grid[0]) : 0,
              columns = is_small ? static_cast<int>(grid[1]) : 0;
    if (!is_small || rows * columns > 12 || whole.width < columns || whole.height < rows)
      throw TextureProblem{"gridsize", "not the rows and columns, 12 squares at most, of a picture of " +
                                           std::to_string(whole.width) + " by " +
                                           std::to_string(whole.height) + " pixels"};
    const int width = whole.width / columns, height = whole.height / rows,
              size = LimitCube(std::max(width, height));
    if (rows * columns == 1) {
      const ColorPicture picture = Resize(whole, size);
      for (int k = 0; k < 6; ++k) Take(picture);
      return;
    }
    for (const char letter : kLayoutLetters) {
      const std::size_t at = layout.find(letter);
      if (at == layout.npos || static_cast<int>(at) >= rows * columns) {
        Take(MakePlain(size));
        continue;
      }
      const int row = static_cast<int>(at) / columns, column = static_cast<int>(at) % columns;
      Take(Resize(CutOut(whole, column * width, row * height, width, height), size));
    }
  }

  void ReadSixFiles() {
    std::array<std::optional<ColorPicture>, 6> pictures;
    int size = 0;
    for (std::size_t k = 0; k < pictures.size(); ++k) {
      std::string file;
      if (!element_.Read(kPictureWords[k], file)) continue;
      pictures[k] = ReadPictureFile(context_, element_, kPictureWords[k], file);
      size = std::max({size, pictures[k]->width, pictures[k]->height});
    }
    if (size == 0) throw TextureProblem{"", "names no file and no builtin"};
    if (texture_.kind == Texture::Kind::kPlane) throw TextureProblem{"type", "a 2d texture has one file"};
    size = LimitCube(size);
    for (const std::optional<ColorPicture>& picture : pictures)
      Take(picture ? Resize(*picture, size) : MakePlain(size));
  }

  void NoteCoarser(const char* attribute, bool is_coarser) {
    if (is_coarser)
      element_.Note(attribute, ImportStatus::kApproximated, "a finer grain than this draws is not seen",
                    ImportLoss::kHarmless);
  }

  // Six of these have to fit into memory.
  int LimitCube(int size) {
    constexpr int kMost = 2048;
    if (size > kMost)
      element_.Note(ImportStatus::kApproximated, "its pictures are drawn at 2048 by 2048 pixels",
                    ImportLoss::kHarmless);
    return std::min(size, kMost);
  }

  ColorPicture MakePlain(int size) const {
    Texture plain{.kind = Texture::Kind::kPlane, .width = size, .height = size};
    BuiltinTexture words = words_;
    words.pattern = BuiltinTexture::Pattern::kFlat;
    words.mark = BuiltinTexture::Mark::kNone;
    PaintTexture(words, plain);
    return {size, size, std::move(plain.pixels)};
  }

  Context& context_;
  xml::Element& element_;
  Texture texture_;
  BuiltinTexture words_;
  bool has_pattern_ = false, flips_x_ = false, flips_y_ = false;
  int width_ = 0, height_ = 0;
};

void NoteProblem(xml::Element& element, const std::string& attribute, const std::string& why) {
  element.Note(ImportStatus::kIgnored, "cannot be shown: " + why, ImportLoss::kHarmless);
  if (!attribute.empty()) element.Note(attribute, ImportStatus::kIgnored, why, ImportLoss::kHarmless);
}

}  // namespace

void ReadTexture(Context& context, xml::Element& element) {
  try {
    const auto texture = std::make_shared<const Texture>(TextureReader(context, element).Read());
    if (texture->kind == Texture::Kind::kSky) {
      SharedTexture& sky = context.builder.surroundings().sky;
      if (sky) {
        return element.Note(ImportStatus::kIgnored, "there is a sky already", ImportLoss::kHarmless);
      }
      sky = texture;
    }
    const bool is_new = texture->name.empty() || context.assets.textures.AddIfNew(texture->name, texture);
    if (!is_new)
      element.Note(ImportStatus::kIgnored, "the name \"" + texture->name + "\" is taken by another texture",
                   ImportLoss::kHarmless);
  } catch (const TextureProblem& problem) {
    NoteProblem(element, problem.attribute, problem.why);
  } catch (const LoadError& error) {
    NoteProblem(element, "", error.message());
  }
}

}  // namespace stiction::mjcf
