#include "io/mjcf/hfield.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "io/mesh/format.h"
#include "io/picture_bytes.h"

namespace stiction::mjcf {

namespace fs = std::filesystem;

namespace {

static_assert(std::endian::native == std::endian::little, "the binary format is little endian");
constexpr std::size_t kBinaryHeadBytes = 8;

bool NamesPng(xml::Element& element, const fs::path& path) {
  std::string type;
  if (element.ReadWord("content_type", {"image/png", "image/vnd.mujoco.hfield"}, type))
    return type == "image/png";
  return mesh_format::LowerExtension(path) == ".png";
}

// The first bytes of the file, or as many as there are.
std::string ReadHead(const fs::path& path) {
  std::string head(kPngHeadBytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return head;
}

std::vector<double> ReadBinary(std::string_view bytes) {
  std::vector<double> samples((bytes.size() - kBinaryHeadBytes) / sizeof(float));
  for (std::size_t k = 0; k < samples.size(); ++k) {
    float sample;
    std::memcpy(&sample, bytes.data() + kBinaryHeadBytes + k * sizeof sample, sizeof sample);
    if (!std::isfinite(sample)) throw MeshError("sample " + std::to_string(k) + " is not a finite number");
    samples[k] = sample;
  }
  return samples;
}

void FlipRows(std::vector<double>& samples, int num_cols) {
  for (auto low = samples.begin(), high = samples.end(); high - low >= 2 * num_cols; low += num_cols) {
    high -= num_cols;
    std::swap_ranges(low, low + num_cols, high);
  }
}

// To [0, top]; samples that are all equal become 0.
void Normalise(double top, std::vector<double>& samples) {
  const auto [least, most] = std::minmax_element(samples.begin(), samples.end());
  const double low = *least, range = *most - *least;
  for (double& sample : samples) sample = range > 0.0 ? top * ((sample - low) / range) : 0.0;
}

}  // namespace

HeightFieldAsset::HeightFieldAsset(xml::Element& element, const fs::path& main_folder,
                                   const Compiler& compiler)
    : element_(&element) {
  element.Visit();
  std::string file, name;
  element.Read("name", name);
  ReadSize();
  int rows = 0, cols = 0;
  element.Read("nrow", rows);
  element.Read("ncol", cols);
  if (element.Read("file", file)) {
    path_ = FindAssetFile(element, "file", file, main_folder, compiler.mesh_dir, compiler);
    is_png_ = NamesPng(element, path_);
    ReadHeader();
    CompareDimensions(rows, cols);
    element.Note("elevation", ImportStatus::kIgnored, "the file gives the heights", ImportLoss::kHarmless);
  } else if (rows > 0 && cols > 0) {
    SetDimensions(rows, cols);
    ReadElevation();
  } else {
    element.Fail("names no file and gives no nrow and ncol; write one or the other");
  }
  char text[160];
  std::snprintf(text, sizeof text, "%d rows and %d columns, heights from 0 to %.6g m, base %.6g m thick",
                num_rows(), num_cols(), elevation_, grid_.base);
  element.Note(ImportStatus::kHonoured, text);
}

void HeightFieldAsset::ReadSize() {
  double size[4];
  if (!element_->ReadNumbers("size", 4, 4, size))
    element_->Fail("needs size=\"radius_x radius_y elevation_z base_z\"");
  for (const double length : size) {
    if (!(length > 0.0)) element_->Fail("size", "every size of a height field must be positive");
  }
  grid_.half_extents = {size[0], size[1]};
  elevation_ = size[2];
  grid_.base = size[3];
}

void HeightFieldAsset::ReadHeader() {
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(path_, error);
  if (error) FailAtFile("cannot be read");
  if (bytes == 0) FailAtFile("the file is empty");
  const std::string head = ReadHead(path_);
  if (head.starts_with("version https://git-lfs"))
    FailAtFile("a git-LFS pointer, not the heights themselves; run \"git lfs pull\" in its repository");
  is_png_ ? ReadPngHeader(head) : ReadBinaryHeader(head, bytes);
}

void HeightFieldAsset::ReadPngHeader(const std::string& head) {
  const std::optional<PictureSize> size = ReadPngSize(head);
  if (!size) FailAtFile("not a PNG picture; export it again");
  SetDimensions(size->height, size->width);
}

void HeightFieldAsset::ReadBinaryHeader(const std::string& head, std::uintmax_t bytes) {
  std::int32_t claimed[2] = {0, 0};
  if (head.size() >= kBinaryHeadBytes) std::memcpy(claimed, head.data(), kBinaryHeadBytes);
  const auto [rows, cols] = claimed;
  const bool is_whole = rows > 0 && cols > 0 && bytes >= kBinaryHeadBytes &&
                        (bytes - kBinaryHeadBytes) % 4 == 0 &&
                        (bytes - kBinaryHeadBytes) / 4 == std::uint64_t(rows) * std::uint64_t(cols);
  if (!is_whole) {
    FailAtFile(
        "not a binary height field, which is int32 nrow, int32 ncol and nrow * ncol float32: its first"
        " numbers are " +
        std::to_string(rows) + " and " + std::to_string(cols) + ", its length is " + std::to_string(bytes) +
        " bytes; for a picture, write content_type=\"image/png\"");
  }
  SetDimensions(std::uint64_t(rows), std::uint64_t(cols));
}

void HeightFieldAsset::SetDimensions(std::uint64_t rows, std::uint64_t cols) {
  // Both have 32 bits at most: the product does not overflow.
  const std::uint64_t samples = rows * cols;
  if (samples > kMaxHeightSamples) {
    element_->Fail("a height field of " + std::to_string(samples) + " samples is larger than the " +
                   std::to_string(kMaxHeightSamples) + " that are accepted; thin it out");
  }
  if (rows < 2 || cols < 2) element_->Fail("a height field needs at least two rows and two columns");
  grid_.num_rows = static_cast<int>(rows);
  grid_.num_cols = static_cast<int>(cols);
}

// MuJoCo refuses nrow and ncol beside a file; where they say the same there is no harm in them.
void HeightFieldAsset::CompareDimensions(int rows, int cols) const {
  if (rows != 0 && rows != num_rows()) {
    element_->Fail("nrow", "nrow is " + std::to_string(rows) + ", but the file has " +
                               std::to_string(num_rows()) + " rows; leave nrow out");
  }
  if (cols != 0 && cols != num_cols()) {
    element_->Fail("ncol", "ncol is " + std::to_string(cols) + ", but the file has " +
                               std::to_string(num_cols()) + " columns; leave ncol out");
  }
}

void HeightFieldAsset::ReadElevation() {
  const std::size_t count = static_cast<std::size_t>(num_rows()) * static_cast<std::size_t>(num_cols());
  grid_.heights = element_->ReadList("elevation");
  if (!element_->Has("elevation")) grid_.heights.assign(count, 0.0);
  if (grid_.heights.size() != count) {
    element_->Fail("elevation", "elevation needs nrow * ncol = " + std::to_string(count) + " numbers, got " +
                                    std::to_string(grid_.heights.size()));
  }
  FlipRows(grid_.heights, num_cols());
}

std::vector<double> HeightFieldAsset::ReadSamples() const {
  const std::string bytes = mesh_format::ReadBytes(path_);
  if (!is_png_) return ReadBinary(bytes);
  std::vector<double> samples = ReadPngGray(bytes);
  FlipRows(samples, num_cols());
  return samples;
}

const PlacedMesh& HeightFieldAsset::Surface() {
  if (surface_) return *surface_;
  try {
    if (!path_.empty()) grid_.heights = ReadSamples();
    Normalise(elevation_, grid_.heights);
    surface_ = MakeMesh(MakeHeightFieldMesh(grid_));
  } catch (const MeshError& error) {
    FailAtFile(error.what());
  } catch (const std::invalid_argument& error) {
    FailAtFile(error.what());
  }
  grid_.heights = {};
  return *surface_;
}

void HeightFieldAsset::FailAtFile(const std::string& message) const {
  if (path_.empty()) element_->Fail(message);
  element_->Fail("file", path_.string() + ": " + message);
}

}  // namespace stiction::mjcf
