#include "io/sdf/solids.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "io/mesh/format.h"
#include "io/picture_bytes.h"
#include "io/sdf/extrusion.h"
#include "io/sdf/values.h"
#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/mesh_surface.h"

namespace stiction::sdformat {
namespace {

constexpr int kConeSides = 64;

double RequirePositive(const xml::Element& shape, std::string_view name) {
  double size = 0.0;
  if (!ReadChild(shape, name, size)) shape.Fail("has no <" + std::string(name) + ">");
  if (!(size > 0.0)) shape.FindChild(name)->Fail(std::string(name) + " must be positive");
  return size;
}

// What the hull of a closed mesh leaves out is concave.
PlacedShape HullOrSurface(const TriangleMesh& mesh) {
  constexpr double kRounding = 1e-9;
  const PlacedHull hull = MakeHull(mesh.vertices);
  if (CalcVolume(hull.hull) <= (1.0 + kRounding) * CalcSignedVolume(mesh)) return {hull.hull, hull.p_PG};
  const PlacedMesh surface = MakeMesh(mesh);
  return {surface.mesh, surface.p_MG};
}

void FlipRows(std::vector<double>& samples, int num_cols) {
  for (auto low = samples.begin(), high = samples.end(); high - low >= 2 * num_cols; low += num_cols) {
    high -= num_cols;
    std::swap_ranges(low, low + num_cols, high);
  }
}

}  // namespace

PlacedShape MakeCone(xml::Element& cone) {
  const double radius = RequirePositive(cone, "radius"), length = RequirePositive(cone, "length");
  std::vector<Vector3d> points{{0.0, 0.0, 0.5 * length}};
  for (int k = 0; k < kConeSides; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / kConeSides;
    points.emplace_back(radius * std::cos(angle), radius * std::sin(angle), -0.5 * length);
  }
  cone.Note(ImportStatus::kApproximated, "a pyramid of 64 sides, within 0.12 % of the radius");
  try {
    const PlacedHull hull = MakeHull(points);
    return {hull.hull, hull.p_PG};
  } catch (const std::invalid_argument& error) {
    cone.Fail(error.what());
  }
}

PlacedShape MakeExtrusion(const xml::Element& geometry) {
  std::vector<Outline> outlines;
  const xml::Element* first = nullptr;
  double height = 0.0;
  for (const auto& child : geometry.children()) {
    if (child->name() != "polyline") continue;
    const double own = RequirePositive(*child, "height");
    if (first && own != height) child->Fail("its height differs from that of the first polyline");
    if (!first) first = child.get(), height = own;
    Outline& outline = outlines.emplace_back();
    for (const auto& point : child->children())
      if (point->name() == "point") outline.push_back(Vector2d(point->ReadText(2).data()));
  }
  try {
    return HullOrSurface(Extrude(outlines, height));
  } catch (const std::invalid_argument& error) {
    first->Fail(error.what());
  }
}

PlacedShape MakeHeightMap(xml::Element& heightmap, const std::filesystem::path& picture) {
  Vector3d size = Vector3d::Ones(), place = Vector3d::Zero();
  ReadChild(heightmap, "size", size);
  ReadChild(heightmap, "pos", place);
  if (!(size.minCoeff() > 0.0)) heightmap.FindChild("size")->Fail("every number of size must be positive");
  NoteChild(heightmap, "sampling", ImportStatus::kIgnored, "there is one sample a point of the picture",
            ImportLoss::kHarmless);
  const std::string bytes = mesh_format::ReadBytes(picture);
  const std::optional<PictureSize> pixels = ReadPngSize(std::string_view(bytes).substr(0, kPngHeadBytes));
  if (!pixels) throw MeshError("not a PNG picture, which height maps are read from; convert it");
  try {
    HeightGrid grid;
    grid.heights = ReadPngGray(bytes);
    grid.num_rows = static_cast<int>(pixels->height), grid.num_cols = static_cast<int>(pixels->width);
    FlipRows(grid.heights, grid.num_cols);
    const double brightest =
        grid.heights.empty() ? 0.0 : *std::max_element(grid.heights.begin(), grid.heights.end());
    for (double& height : grid.heights) height = brightest > 0.0 ? size.z() * (height / brightest) : 0.0;
    grid.half_extents = 0.5 * size.head<2>();
    grid.base = std::max(size.z(), 0.1 * size.head<2>().minCoeff());
    const PlacedMesh surface = MakeMesh(MakeHeightFieldMesh(grid));
    heightmap.Note(ImportStatus::kHonoured,
                   std::to_string(grid.num_rows) + " x " + std::to_string(grid.num_cols) + " samples");
    return {surface.mesh, place + surface.p_MG};
  } catch (const std::invalid_argument& error) {
    throw MeshError(error.what());
  }
}

}  // namespace stiction::sdformat
