#include "gl_vertices.h"

#include <functional>
#include <string_view>
#include <unordered_map>

namespace stiction::viewer {
namespace {

struct PackedVertexHash {
  std::size_t operator()(const PackedVertex& vertex) const {
    return std::hash<std::string_view>()({reinterpret_cast<const char*>(vertex.data), sizeof vertex.data});
  }
};

}  // namespace

void PackVertices(const DrawMesh& mesh, std::vector<PackedVertex>& vertices, std::vector<GLuint>& indices) {
  std::unordered_map<PackedVertex, GLuint, PackedVertexHash> known;
  known.reserve(mesh.positions.size());
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    const Eigen::Vector3f &p = mesh.positions[i], &n = mesh.normals[i];
    const Eigen::Vector2f corner =
        mesh.texture_points.empty() ? Eigen::Vector2f(0, 0) : mesh.texture_points[i];
    // Adding zero turns -0 into 0, which has other bits.
    const PackedVertex vertex{{p.x() + 0.0f, p.y() + 0.0f, p.z() + 0.0f, n.x() + 0.0f, n.y() + 0.0f,
                               n.z() + 0.0f, corner.x() + 0.0f, corner.y() + 0.0f}};
    const auto [entry, is_new] = known.try_emplace(vertex, static_cast<GLuint>(vertices.size()));
    if (is_new) vertices.push_back(vertex);
    indices.push_back(entry->second);
  }
}

GLuint MakeBuffer() {
  GLuint buffer = 0;
  glGenBuffers(1, &buffer);
  return buffer;
}

void SetFloatAttribute(int index, int size, GLsizei stride, std::size_t offset) {
  glVertexAttribPointer(static_cast<GLuint>(index), size, GL_FLOAT, GL_FALSE, stride,
                        reinterpret_cast<void*>(offset));
}

void PointAtInstances(int first) {
  const std::size_t base = static_cast<std::size_t>(first) * sizeof(DrawInstance);
  int index = kFirstInstanceAttribute;
  for (std::size_t k = 0; k < 4; ++k)
    SetFloatAttribute(index++, 3, sizeof(DrawInstance), base + k * 3 * sizeof(float));
  SetFloatAttribute(index++, 4, sizeof(DrawInstance), base + offsetof(DrawInstance, color));
  const std::size_t surface = base + offsetof(DrawInstance, surface);
  SetFloatAttribute(index++, 4, sizeof(DrawInstance), surface + offsetof(DrawSurface, roughness));
  SetFloatAttribute(index++, 2, sizeof(DrawInstance), surface + offsetof(DrawSurface, repeat));
  glVertexAttribPointer(static_cast<GLuint>(index), 1, GL_UNSIGNED_BYTE, GL_FALSE, sizeof(DrawInstance),
                        reinterpret_cast<void*>(surface + offsetof(DrawSurface, mapping)));
}

}  // namespace stiction::viewer
