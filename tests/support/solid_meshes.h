// Closed triangle meshes of simple solids, wound outwards.
#pragma once

#include <cmath>
#include <numbers>

#include "stiction/geometry/triangle_mesh.h"

namespace stiction::testing {

inline TriangleMesh MakeBoxMesh(const Vector3d& half) {
  TriangleMesh mesh;
  for (unsigned k = 0; k < 8; ++k) {
    mesh.vertices.push_back(half.cwiseProduct(Vector3d(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)));
  }
  for (const std::array<int, 4>& q :
       {std::array{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}) {
    mesh.triangles.push_back({q[0], q[1], q[2]});
    mesh.triangles.push_back({q[0], q[2], q[3]});
  }
  return mesh;
}

// Latitude and longitude, `n` bands; inscribed.
inline TriangleMesh MakeBallMesh(double radius, int n) {
  using std::numbers::pi;
  TriangleMesh mesh;
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; j < 2 * n; ++j) {
      const double theta = pi * i / n, phi = pi * j / n;
      mesh.vertices.push_back(radius * Vector3d(std::sin(theta) * std::cos(phi),
                                                std::sin(theta) * std::sin(phi), std::cos(theta)));
    }
  }
  const auto at = [n](int i, int j) { return i * 2 * n + j % (2 * n); };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < 2 * n; ++j) {
      mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  return mesh;
}

}  // namespace stiction::testing
