#include "viz/draw_mesh.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace stiction {
namespace {

const double kSharp = std::cos(0.6);  // between the normals of faces whose edge is not smoothed

// For every vertex the first one, in the order of coordinates, at the same place.
std::vector<int> Weld(const std::vector<Vector3d>& vertices) {
  const auto is_before = [&](int a, int b) {
    return std::lexicographical_compare(vertices[a].begin(), vertices[a].end(), vertices[b].begin(),
                                        vertices[b].end());
  };
  std::vector<int> order(vertices.size()), welded(vertices.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), is_before);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool is_same = i > 0 && vertices[order[i]] == vertices[order[i - 1]];
    welded[order[i]] = is_same ? welded[order[i - 1]] : order[i];
  }
  return welded;
}

}  // namespace

DrawMesh MakeDrawMesh(const ConvexHull& hull) {
  DrawMesh mesh;
  for (const ConvexHull::Face& face : hull.faces) {
    const auto vertices = hull.VerticesOf(face);
    for (std::size_t k = 1; k + 1 < vertices.size(); ++k) {
      for (int v : {vertices[0], vertices[k], vertices[k + 1]}) {
        mesh.positions.push_back(hull.vertices[v].cast<float>());
        mesh.normals.push_back(face.normal.cast<float>());
      }
    }
  }
  return mesh;
}

DrawMesh MakeDrawMesh(const TriangleMesh& mesh) {
  const std::vector<int> welded = Weld(mesh.vertices);
  std::vector<Vector3d> normals;  // of faces
  std::vector<std::vector<int>> faces_at(mesh.vertices.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& [i, j, k] = mesh.triangles[t];
    const Vector3d area = (mesh.vertices[j] - mesh.vertices[i]).cross(mesh.vertices[k] - mesh.vertices[i]);
    normals.push_back(area.norm() > 0.0 ? Vector3d(area.normalized()) : Vector3d::UnitZ());
    for (int v : mesh.triangles[t]) faces_at[welded[v]].push_back(static_cast<int>(t));
  }
  DrawMesh out;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (int v : mesh.triangles[t]) {
      Vector3d normal = Vector3d::Zero();
      for (int other : faces_at[welded[v]])
        if (normals[other].dot(normals[t]) >= kSharp) normal += normals[other];
      out.positions.push_back(mesh.vertices[v].cast<float>());
      out.normals.push_back(normal.normalized().cast<float>());
    }
  }
  if (mesh.texture_corners.size() == mesh.triangles.size()) {
    for (const TriangleMesh::Corners& corners : mesh.texture_corners)
      for (const auto& [u, v] : corners) out.texture_points.emplace_back(u, v);
  }
  return out;
}

std::vector<std::pair<int, DrawMesh>> SplitByMaterial(const TriangleMesh& mesh) {
  DrawMesh whole = MakeDrawMesh(mesh);
  std::vector<std::pair<int, DrawMesh>> parts;
  if (mesh.material_of.size() != mesh.triangles.size()) {
    parts.emplace_back(-1, std::move(whole));
    return parts;
  }
  std::map<int, std::size_t> part_of;  // by material
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto [entry, is_new] = part_of.try_emplace(mesh.material_of[t], parts.size());
    if (is_new) parts.emplace_back(mesh.material_of[t], DrawMesh{});
    DrawMesh& part = parts[entry->second].second;
    const auto begin = static_cast<std::ptrdiff_t>(3 * t);
    const auto copy = [&](const auto& from, auto& to) {
      if (!from.empty()) to.insert(to.end(), from.begin() + begin, from.begin() + begin + 3);
    };
    copy(whole.positions, part.positions);
    copy(whole.normals, part.normals);
    copy(whole.texture_points, part.texture_points);
  }
  return parts;
}

DrawMesh MakeDrawMesh(const FieldSolid& solid) {
  // A corner on a crease has the normals of both its sides: that of this triangle's is a little inside of it.
  constexpr double kInside = 0.1;
  const MeshSurface& surface = *solid.surface.surface;
  DrawMesh out;
  for (int t = 0; t < static_cast<int>(surface.faces.size()); ++t) {
    const Vector3d center = surface.CalcCenter(t);
    for (int k = 0; k < 3; ++k) {
      const Vector3d& p = surface.vertex(t, k);
      out.positions.push_back(p.cast<float>());
      out.normals.push_back(solid.field.Evaluate(p + kInside * (center - p)).gradient.cast<float>());
    }
  }
  return out;
}

}  // namespace stiction
