#include "io/mesh/memory.h"

namespace stiction {

const TriangleMesh& MeshMemory::Read(const std::filesystem::path& path) {
  std::unique_ptr<const TriangleMesh>& mesh = meshes_[path.string()];
  if (mesh) {
    CountHit();
  } else {
    mesh = std::make_unique<const TriangleMesh>(ReadMeshFile(path, looks_ ? &*looks_ : nullptr));
  }
  return *mesh;
}

const MeshShape& MeshMemory::LoadShape(const std::filesystem::path& path, const Vector3d& scale) {
  const std::tuple key(path.string(), scale.x(), scale.y(), scale.z());
  auto found = shapes_.find(key);
  if (found != shapes_.end()) {
    CountHit();
  } else {
    found = shapes_.emplace(key, LoadMeshShape(path, scale)).first;
  }
  return found->second;
}

}  // namespace stiction
