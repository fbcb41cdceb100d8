// MuJoCo's legacy binary mesh:
//   int32   nvertex, nnormal, ntexcoord, nface
//   float32 vertices (3 nvertex), normals (3 nnormal), texture coordinates (2 ntexcoord)
//   int32   faces (3 nface)
#include <cmath>
#include <cstdint>
#include <cstring>

#include "io/mesh/format.h"

namespace stiction::mesh_format {

TriangleMesh ReadMsh(std::string_view bytes) {
  std::int32_t counts[4];
  if (bytes.size() < sizeof counts) throw MeshError("shorter than the header of an MSH file");
  std::memcpy(counts, bytes.data(), sizeof counts);
  const auto [vertices, normals, texture, faces] = counts;
  for (const std::int32_t count : counts) {
    if (count < 0)
      throw MeshError("its header counts " + std::to_string(count) + " elements; not an MSH file");
  }
  const std::int64_t expected = 16 + 4 * (3 * std::int64_t{vertices} + 3 * std::int64_t{normals} +
                                          2 * std::int64_t{texture} + 3 * std::int64_t{faces});
  if (expected != static_cast<std::int64_t>(bytes.size())) {
    throw MeshError("not a whole MSH file: its header means " + std::to_string(expected) +
                    " bytes, but it has " + std::to_string(bytes.size()));
  }
  TriangleMesh mesh;
  mesh.vertices.reserve(vertices);
  mesh.triangles.reserve(faces);
  for (std::int32_t v = 0; v < vertices; ++v) {
    float p[3];
    std::memcpy(p, bytes.data() + 16 + 12 * size_t(v), sizeof p);
    if (!std::isfinite(p[0]) || !std::isfinite(p[1]) || !std::isfinite(p[2]))
      throw MeshError("vertex " + std::to_string(v) + ": not a finite number");
    mesh.vertices.emplace_back(p[0], p[1], p[2]);
  }
  const char* first_face = bytes.data() + bytes.size() - 12 * size_t(faces);
  for (std::int32_t f = 0; f < faces; ++f) {
    std::array<std::int32_t, 3> corners;
    std::memcpy(corners.data(), first_face + 12 * size_t(f), 12);
    for (const std::int32_t corner : corners) {
      if (corner < 0 || corner >= vertices) {
        throw MeshError("face " + std::to_string(f) + ": index " + std::to_string(corner) +
                        " is out of range: there are " + std::to_string(vertices) + " vertices");
      }
    }
    mesh.triangles.push_back(corners);
  }
  return JoinVertices(mesh);
}

}  // namespace stiction::mesh_format
