// <hfield> assets of an MJCF file: checked when they are read, built when a geom first needs them, and once.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "io/mjcf/mesh.h"
#include "stiction/geometry/mesh_surface.h"

namespace stiction::mjcf {

// Samples are normalised to [0, 1], times the elevation that `size` gives, above a base. The first row of a
// picture and of `elevation` is the edge at +y, that of a binary file the edge at -y, all as in MuJoCo.
// Unlike there, pictures of 16 bits keep all of them.
class HeightFieldAsset {
 public:
  // Reads the element's attributes, and of a file its header alone. Throws LoadError: sizes that are not
  // positive, a missing file, one outside of the model's folder, a file whose length or header is not that of
  // a height field, fewer than two or too many rows and columns, elevations that do not fill them.
  HeightFieldAsset(xml::Element& element, const std::filesystem::path& main_folder, const Compiler& compiler);

  int num_rows() const { return grid_.num_rows; }
  int num_cols() const { return grid_.num_cols; }
  // The surface with its base. Throws LoadError, at the asset, for a damaged file and numbers that are not
  // finite.
  const PlacedMesh& Surface();

 private:
  void ReadSize();
  void ReadHeader();
  void ReadPngHeader(const std::string& head);
  void ReadBinaryHeader(const std::string& head, std::uintmax_t bytes);
  void SetDimensions(std::uint64_t rows, std::uint64_t cols);
  void CompareDimensions(int rows, int cols) const;
  void ReadElevation();
  std::vector<double> ReadSamples() const;
  [[noreturn]] void FailAtFile(const std::string& message) const;

  xml::Element* element_;
  std::filesystem::path path_;  // empty: written inline
  bool is_png_ = false;
  double elevation_ = 0.0;  // of the highest sample [m]
  HeightGrid grid_;         // its heights are samples until the surface is built
  std::optional<PlacedMesh> surface_;
};

}  // namespace stiction::mjcf
