#include "io/mesh/scene.h"

#include <Eigen/LU>
#include <algorithm>

namespace stiction::mesh_format {

Placement FromRows(std::span<const double, 16> m) {
  Placement X;
  X.A << m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10];
  X.b << m[3], m[7], m[11];
  return X;
}

void SceneBuilder::CountNode(int depth) {
  constexpr int kMaxDepth = 100, kMaxNodes = 100'000;
  if (depth > kMaxDepth) throw MeshError("nodes are nested more than 100 deep, or in a circle");
  if (++num_nodes_ > kMaxNodes) throw MeshError("more than 100000 nodes; export one mesh");
}

void SceneBuilder::Append(const Placement& placement, const TriangleMesh& mesh) {
  constexpr size_t kMaxTriangles = 20'000'000;
  if (mesh_.triangles.size() + mesh.triangles.size() > kMaxTriangles ||
      mesh_.vertices.size() + mesh.vertices.size() > 3 * kMaxTriangles) {
    throw MeshError("more than 20 million triangles; simplify the mesh");
  }
  const int first = static_cast<int>(mesh_.vertices.size());
  for (const Vector3d& p : mesh.vertices) {
    mesh_.vertices.push_back(placement.A * p + placement.b);
    if (!mesh_.vertices.back().allFinite()) throw MeshError("holds a number that is not finite");
  }
  AppendLooks(mesh);
  const bool mirrors = placement.A.determinant() < 0.0;
  for (auto [a, b, c] : mesh.triangles) {
    if (mirrors) std::swap(b, c);
    mesh_.triangles.push_back({first + a, first + b, first + c});
  }
  for (std::size_t t = mesh_.texture_corners.size() - mesh.triangles.size();
       mirrors && t < mesh_.texture_corners.size(); ++t)
    std::swap(mesh_.texture_corners[t][1], mesh_.texture_corners[t][2]);
}

// Before the triangles: what comes without looks has none beside what comes with them.
void SceneBuilder::AppendLooks(const TriangleMesh& mesh) {
  mesh_.texture_corners.resize(mesh_.triangles.size());
  mesh_.material_of.resize(mesh_.triangles.size(), -1);
  has_corners_ |= !mesh.texture_corners.empty();
  const std::size_t count = mesh_.triangles.size() + mesh.triangles.size();
  mesh_.texture_corners.insert(mesh_.texture_corners.end(), mesh.texture_corners.begin(),
                               mesh.texture_corners.end());
  mesh_.texture_corners.resize(count);
  std::vector<int> index_of;
  for (const auto& material : mesh.materials) {
    if (!material) {
      index_of.push_back(-1);
      continue;
    }
    const auto known = std::find(mesh_.materials.begin(), mesh_.materials.end(), material);
    index_of.push_back(static_cast<int>(known - mesh_.materials.begin()));
    if (known == mesh_.materials.end()) mesh_.materials.push_back(material);
  }
  for (const int own : mesh.material_of) mesh_.material_of.push_back(own < 0 ? -1 : index_of[own]);
  mesh_.material_of.resize(count, -1);
}

TriangleMesh SceneBuilder::TakeMesh() {
  if (!has_corners_) mesh_.texture_corners.clear();
  if (mesh_.materials.empty()) mesh_.material_of.clear();
  return JoinVertices(mesh_);
}

void AppendStrip(std::span<const int> corners, TriangleMesh& mesh) {
  for (size_t i = 2; i < corners.size(); ++i) {
    const bool is_odd = i % 2 == 1;
    mesh.triangles.push_back({corners[i - 2], corners[is_odd ? i : i - 1], corners[is_odd ? i - 1 : i]});
  }
}

void AppendFan(std::span<const int> corners, TriangleMesh& mesh) {
  for (size_t i = 2; i < corners.size(); ++i)
    mesh.triangles.push_back({corners[0], corners[i - 1], corners[i]});
}

}  // namespace stiction::mesh_format
