#include "urdf_mesh.h"

#include <cmath>
#include <cstdio>

#include "stiction/geometry/convex_hull.h"

namespace stiction::urdf {
namespace {

// Enough digits to tell a ratio that is honoured from one that is not.
std::string SixDigits(double number) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", number);
  return text;
}

// Says what the collision shape has that the mesh has not.
void NoteFilling(const MeshShape& shape, bool is_declared_convex, xml::Element& mesh) {
  // Hulls of meshes that are convex as drawn differ by round-off of single precision at most.
  constexpr double kExact = 1e-6, kMuch = 1.3;
  const ConvexHull& hull = *shape.hull.polytope;
  std::string what = "convex hull of " + std::to_string(hull.vertices.size()) + " vertices";
  if (is_declared_convex) return mesh.Note(ImportStatus::kHonoured, what + ", as drake:declare_convex asks");
  const double mesh_volume = std::abs(shape.mesh_volume);
  if (!shape.is_closed || !(mesh_volume > 0.0)) {
    return mesh.Note(ImportStatus::kApproximated, what + "; the mesh is open: its volume is unknown");
  }
  const double ratio = hull.unit_density.mass / mesh_volume;
  what += ", hull/mesh volume ratio " + SixDigits(ratio);
  if (ratio < 1.0 - kExact) {
    return mesh.Note(ImportStatus::kApproximated, what + ": parts of the mesh overlap one another");
  }
  if (ratio > kMuch) {
    what += "; WARNING: hollows and gaps are filled: split the mesh into convex parts, one <collision> each";
  }
  mesh.Note(ratio <= 1.0 + kExact ? ImportStatus::kHonoured : ImportStatus::kApproximated, what);
}

}  // namespace

MeshSource::MeshSource(const std::string& path, const LoadOptions& options)
    : paths_(std::filesystem::path(path).parent_path(), options.package_paths) {}

Shape MeshSource::ReadCollisionMesh(xml::Element& mesh, Vector3d& p_MG) {
  const std::string written = mesh.RequireString("filename");
  Vector3d scale = Vector3d::Ones();
  mesh.Read("scale", scale);
  if ((scale.array() == 0.0).any()) mesh.Fail("scale", "a scale of 0 flattens the mesh");
  const bool is_declared_convex = mesh.FindChild("drake:declare_convex") != nullptr;
  std::filesystem::path path;
  try {
    path = paths_.Resolve(written);
    const auto key = std::tuple(path.string(), scale.x(), scale.y(), scale.z());
    auto found = loaded_.find(key);
    if (found == loaded_.end()) found = loaded_.emplace(key, LoadMeshShape(path, scale)).first;
    NoteFilling(found->second, is_declared_convex, mesh);
    p_MG = found->second.p_MG;
    return found->second.hull;
  } catch (const PathError& error) {
    mesh.Fail("filename", error.what());
  } catch (const MeshError& error) {
    mesh.Fail("filename", path.string() + ": " + error.what());
  }
}

std::string MeshSource::FindProblem(const xml::Element& mesh) const {
  const std::string* written = mesh.Peek("filename");
  if (!written) return "";
  try {
    paths_.Resolve(*written);
    return "";
  } catch (const PathError& error) {
    return error.what();
  }
}

}  // namespace stiction::urdf
