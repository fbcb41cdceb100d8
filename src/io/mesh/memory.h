// Meshes of the files that one load has read, so that each is read, and each of its hulls made, once, however
// many assets, links and geoms name it.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

#include "io/mesh/looks.h"
#include "io/mesh/mesh_file.h"

namespace stiction {

class MeshMemory {
 public:
  // From now on meshes have the looks that stand in their files alone.
  void ReadLooks() { looks_.emplace(MeshLooks::Depth::kCorners); }
  // As ReadMeshFile and LoadMeshShape. Throw MeshError; what failed is tried again.
  const TriangleMesh& Read(const std::filesystem::path& path);
  const MeshShape& LoadShape(const std::filesystem::path& path, const Vector3d& scale);

  // Says that something made of a file was at hand again.
  void CountHit() { ++num_hits_; }
  int num_hits() const { return num_hits_; }

 private:
  std::optional<MeshLooks> looks_;
  std::map<std::string, std::unique_ptr<const TriangleMesh>> meshes_;
  std::map<std::tuple<std::string, double, double, double>, MeshShape> shapes_;
  int num_hits_ = 0;
};

}  // namespace stiction
