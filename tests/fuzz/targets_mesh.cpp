// Readers of shapes: meshes, height fields, distance fields.
#include <cmath>

#include "geometry/field_surface.h"
#include "io/mesh/format.h"
#include "io/picture_bytes.h"
#include "stiction/geometry/field_text.h"
#include "stiction/io/load.h"
#include "tests/fuzz/target.h"
#include "tests/fuzz/targets.h"

namespace stiction::fuzz {
namespace {

void CheckMesh(const TriangleMesh& mesh) {
  const int count = static_cast<int>(mesh.vertices.size());
  Require(!mesh.triangles.empty(), "an accepted mesh has triangles");
  for (const Vector3d& p : mesh.vertices) Require(p.allFinite(), "vertices are finite");
  for (const auto& triangle : mesh.triangles) {
    for (const int corner : triangle) Require(corner >= 0 && corner < count, "corners are vertices");
  }
}

void CheckHull(const TriangleMesh& mesh) {
  try {
    const MeshShape shape = MakeMeshShape(mesh);
    Require(shape.p_MG.allFinite(), "the frame of a hull is finite");
    const ConvexHull& hull = *shape.hull.polytope;
    Require(std::isfinite(hull.unit_density.mass) && hull.unit_density.mass > 0.0, "a hull has a volume");
    for (const ConvexHull::Face& face : hull.faces)
      Require(std::abs(face.normal.norm() - 1.0) < 1e-9, "normals of a hull are unit vectors");
  } catch (const MeshError&) {
  }
}

void CheckSurface(const TriangleMesh& mesh) {
  try {
    const PlacedMesh placed = MakeMeshSurface(mesh);
    for (const MeshSurface::Face& face : placed.mesh.surface->faces)
      Require(std::abs(face.normal.norm() - 1.0) < 1e-9, "normals of a surface are unit vectors");
  } catch (const MeshError&) {
  }
}

template <typename Read>
void FuzzMesh(const Read& read) {
  TriangleMesh mesh;
  try {
    mesh = read();
  } catch (const MeshError&) {
    return;
  }
  CheckMesh(mesh);
  CheckHull(mesh);
  CheckSurface(mesh);
}

}  // namespace

void FuzzStl(const std::string&, std::string_view bytes) {
  FuzzMesh([&] { return mesh_format::ReadStl(bytes); });
}

void FuzzObj(const std::string&, std::string_view bytes) {
  FuzzMesh([&] { return mesh_format::ReadObj(bytes); });
}

void FuzzMsh(const std::string&, std::string_view bytes) {
  FuzzMesh([&] { return mesh_format::ReadMsh(bytes); });
}

void FuzzCollada(const std::string& path, std::string_view) {
  FuzzMesh([&] { return ReadMeshFile(path); });
}

void FuzzGltf(const std::string& path, std::string_view) {
  FuzzMesh([&] { return ReadMeshFile(path); });
}

void FuzzPng(const std::string&, std::string_view bytes) {
  try {
    const std::vector<double> samples = ReadPngGray(bytes);
    const std::optional<PictureSize> size = ReadPngSize(bytes);
    Require(size && samples.size() == std::size_t{size->width} * size->height, "a sample for each pixel");
    for (const double sample : samples) Require(sample >= 0.0 && sample <= 65535.0, "samples of 16 bits");
  } catch (const std::invalid_argument&) {
  }
}

void FuzzHeightField(const std::string&, std::string_view) {
  static const std::string model = AssetFolder() + "/models/height_field.xml";
  static const bool is_written = [] {
    WriteWholeFile(model,
                   "<mujoco><asset><hfield name='h' file='fuzzed.bin' size='1 1 0.1 0.1'/></asset>"
                   "<worldbody><geom type='hfield' hfield='h'/></worldbody></mujoco>");
    return true;
  }();
  Require(is_written, "the model is there");
  try {
    LoadModel(model);
  } catch (const LoadError&) {
  }
}

void FuzzFieldText(const std::string&, std::string_view bytes) {
  try {
    const DistanceField field = ParseDistanceField(bytes);
    for (const double scale : {0.0, 1e-6, 0.01, 1.0, 1e6}) {
      const FieldSample sample = field.Evaluate(scale * Vector3d(0.3, -0.5, 0.8));
      Require(!std::isnan(sample.value), "a field has a value everywhere");
      Require(sample.gradient.allFinite(), "a field has a gradient everywhere");
    }
    CheckSurface(CalcSurface(field, 0.2 * field.bounds().sizes().maxCoeff()));
  } catch (const std::invalid_argument&) {
  }
}

}  // namespace stiction::fuzz
