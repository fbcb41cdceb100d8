#include "io/mesh/mesh_file.h"

#include <algorithm>
#include <cctype>
#include <fstream>

#include "io/mesh/format.h"

namespace stiction {

namespace fs = std::filesystem;

namespace mesh_format {

std::string ReadBytes(const fs::path& path) {
  constexpr std::uintmax_t kMaxBytes = 512u << 20;
  std::error_code error;
  if (!fs::exists(path, error)) throw MeshError("no such file");
  if (!fs::is_regular_file(path, error)) throw MeshError("not a file");
  const std::uintmax_t size = fs::file_size(path, error);
  if (error) throw MeshError("cannot be read: " + error.message());
  if (size == 0) throw MeshError("the file is empty");
  if (size > kMaxBytes) throw MeshError("larger than 512 MiB; simplify the mesh");
  std::string bytes(size, '\0');
  std::ifstream file(path, std::ios::binary);
  if (!file.read(bytes.data(), static_cast<std::streamsize>(size))) throw MeshError("cannot be read");
  if (bytes.starts_with("version https://git-lfs"))
    throw MeshError("a git-LFS pointer, not the mesh itself; run \"git lfs pull\" in its repository");
  return bytes;
}

std::string LowerExtension(const fs::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension;
}

TriangleMesh ParseMesh(const fs::path& path, const std::string& bytes, MeshLooks* looks) {
  const std::string extension = LowerExtension(path);
  if (extension == ".stl") return ReadStl(bytes);
  if (extension == ".obj") return ReadObj(bytes, path.parent_path(), looks);
  if (extension == ".msh") return ReadMsh(bytes);
  if (extension == ".dae") return ReadCollada(path, looks);
  if (extension == ".gltf" || extension == ".glb") return ReadGltf(path, bytes, looks);
  throw MeshError("unknown mesh format " + Quote(extension) +
                  "; known are .stl, .obj, .dae, .gltf, .glb and .msh");
}

}  // namespace mesh_format

TriangleMesh ReadMeshFile(const fs::path& path, MeshLooks* looks) {
  return mesh_format::ParseMesh(path, mesh_format::ReadBytes(path), looks);
}

TriangleMesh Scale(TriangleMesh mesh, const Vector3d& scale) {
  if (!scale.allFinite() || (scale.array() == 0.0).any())
    throw MeshError("a scale of 0 flattens the mesh; every component must be a number other than 0");
  for (Vector3d& p : mesh.vertices) {
    p = p.cwiseProduct(scale);
    if (!p.allFinite()) throw MeshError("after scaling, a vertex is beyond the range of double precision");
  }
  if (scale.prod() < 0.0) {
    for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
    for (auto& corners : mesh.texture_corners) std::swap(corners[1], corners[2]);
  }
  return mesh;
}

}  // namespace stiction
