// Mesh files as collision shapes.
#include <algorithm>

#include "io/mesh/cache.h"
#include "io/mesh/format.h"

namespace stiction {
namespace {

// Every edge is run as often in one direction as in the other: then, and only then, the triangles bound a
// volume that does not depend on the origin.
bool IsClosed(const TriangleMesh& mesh) {
  struct Side {
    int low, high, direction;
    bool operator<(const Side& other) const {
      return std::pair(low, high) < std::pair(other.low, other.high);
    }
  };
  std::vector<Side> sides;
  sides.reserve(3 * mesh.triangles.size());
  for (const auto& triangle : mesh.triangles) {
    for (int c = 0; c < 3; ++c) {
      const int from = triangle[c], to = triangle[(c + 1) % 3];
      sides.push_back({std::min(from, to), std::max(from, to), from < to ? 1 : -1});
    }
  }
  std::sort(sides.begin(), sides.end());
  for (size_t i = 0; i < sides.size();) {
    int sum = 0;
    size_t j = i;
    for (; j < sides.size() && !(sides[i] < sides[j]); ++j) sum += sides[j].direction;
    if (sum != 0) return false;
    i = j;
  }
  return true;
}

}  // namespace

MeshShape MakeMeshShape(const TriangleMesh& mesh) {
  MeshShape shape;
  try {
    PlacedHull placed = MakeHull(mesh.vertices);
    shape.hull = std::move(placed.hull);
    shape.p_MG = placed.p_PG;
  } catch (const std::invalid_argument& error) {
    throw MeshError(error.what());
  }
  shape.mesh_volume = CalcSignedVolume(mesh);
  shape.is_closed = IsClosed(mesh);
  return shape;
}

void mesh_format::CheckSurfaceTriangles(std::size_t count) {
  if (count <= kMaxSurfaceTriangles) return;
  throw MeshError("the mesh has " + std::to_string(count) + " triangles, more than the " +
                  std::to_string(kMaxSurfaceTriangles) + " that a concave one may have; simplify it");
}

PlacedMesh MakeMeshSurface(const TriangleMesh& mesh) {
  mesh_format::CheckSurfaceTriangles(mesh.triangles.size());
  try {
    return MakeMesh(mesh);
  } catch (const std::invalid_argument& error) {
    throw MeshError(error.what());
  }
}

PlacedMesh LoadMeshSurface(const std::filesystem::path& path, const Vector3d& scale) {
  mesh_format::CheckSurfaceFile(path);
  return MakeMeshSurface(Scale(ReadMeshFile(path), scale));
}

MeshShape LoadMeshShape(const std::filesystem::path& path, const Vector3d& scale) {
  const std::string bytes = mesh_format::ReadBytes(path);
  TriangleMesh mesh;
  std::string entry;
  if (mesh_format::NamesOtherFiles(path)) {
    mesh = mesh_format::ParseMesh(path, bytes);
    entry = mesh_cache::EntryName(mesh_format::PackMesh(mesh), scale);
  } else {
    entry = mesh_cache::EntryName(mesh_format::LowerExtension(path) + bytes, scale);
  }
  if (std::optional<MeshShape> cached = mesh_cache::Find(entry)) return *std::move(cached);
  if (mesh.triangles.empty()) mesh = mesh_format::ParseMesh(path, bytes);
  const MeshShape shape = MakeMeshShape(Scale(std::move(mesh), scale));
  mesh_cache::Store(entry, shape);
  return shape;
}

}  // namespace stiction
