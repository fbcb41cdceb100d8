// Triangle meshes of known shapes, closed and wound outwards unless said.
#pragma once

#include <cmath>
#include <numbers>

#include "stiction/geometry/mesh_surface.h"

namespace stiction::testing {

inline void AddQuad(TriangleMesh& mesh, int a, int b, int c, int d) {
  mesh.triangles.push_back({a, b, c});
  mesh.triangles.push_back({a, c, d});
}

inline TriangleMesh MakeBoxMesh(const Vector3d& h) {
  TriangleMesh mesh;
  for (int k = 0; k < 8; ++k)
    mesh.vertices.emplace_back(k & 1 ? h.x() : -h.x(), k & 2 ? h.y() : -h.y(), k & 4 ? h.z() : -h.z());
  AddQuad(mesh, 0, 4, 6, 2);
  AddQuad(mesh, 1, 3, 7, 5);
  AddQuad(mesh, 0, 1, 5, 4);
  AddQuad(mesh, 2, 6, 7, 3);
  AddQuad(mesh, 0, 2, 3, 1);
  AddQuad(mesh, 4, 5, 7, 6);
  return mesh;
}

// An open sheet z = 0, |x| and |y| <= cells * cell / 2, that faces up.
inline TriangleMesh MakeFloor(int cells, double cell) {
  TriangleMesh mesh;
  for (int row = 0; row <= cells; ++row)
    for (int col = 0; col <= cells; ++col)
      mesh.vertices.emplace_back((col - 0.5 * cells) * cell, (row - 0.5 * cells) * cell, 0.0);
  for (int row = 0; row < cells; ++row)
    for (int col = 0; col < cells; ++col) {
      const int at = row * (cells + 1) + col;
      AddQuad(mesh, at, at + 1, at + cells + 2, at + cells + 1);
    }
  return mesh;
}

// A closed profile (rho, z), counter-clockwise in that half-plane, turned about z. Points with rho = 0 become
// one vertex.
inline TriangleMesh MakeRevolved(const std::vector<Vector2d>& profile, int sides) {
  TriangleMesh mesh;
  std::vector<int> first;
  for (const Vector2d& point : profile) {
    first.push_back(static_cast<int>(mesh.vertices.size()));
    const int count = point.x() == 0.0 ? 1 : sides;
    for (int k = 0; k < count; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / sides;
      mesh.vertices.emplace_back(point.x() * std::cos(angle), point.x() * std::sin(angle), point.y());
    }
  }
  const int count = static_cast<int>(profile.size());
  for (int i = 0; i < count; ++i) {
    const int j = (i + 1) % count;
    const bool i_is_tip = profile[i].x() == 0.0, j_is_tip = profile[j].x() == 0.0;
    for (int k = 0; k < sides; ++k) {
      const int next = (k + 1) % sides;
      if (i_is_tip && j_is_tip) continue;
      if (i_is_tip)
        mesh.triangles.push_back({first[i], first[j] + next, first[j] + k});
      else if (j_is_tip)
        mesh.triangles.push_back({first[i] + k, first[i] + next, first[j]});
      else
        AddQuad(mesh, first[i] + k, first[i] + next, first[j] + next, first[j] + k);
    }
  }
  return mesh;
}

// Tube radius `tube` about a circle of radius `ring` around z.
inline TriangleMesh MakeTorus(double ring, double tube, int sides, int tube_sides) {
  std::vector<Vector2d> profile;
  for (int k = 0; k < tube_sides; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / tube_sides;
    profile.emplace_back(ring + tube * std::cos(angle), tube * std::sin(angle));
  }
  return MakeRevolved(profile, sides);
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
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 2 * n; ++j) AddQuad(mesh, at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
  return mesh;
}

// A cup with an inner radius and height, walls and bottom of one thickness; it stands on z = 0.
inline TriangleMesh MakeCup(double inner_radius, double inner_height, double wall, int sides) {
  const double outer = inner_radius + wall, top = inner_height + wall;
  return MakeRevolved(
      {{0, 0}, {outer, 0}, {outer, top}, {inner_radius, top}, {inner_radius, wall}, {0, wall}}, sides);
}

inline TriangleMesh Subdivide(const TriangleMesh& mesh) {
  TriangleMesh fine = mesh;
  fine.triangles.clear();
  const auto middle = [&](int a, int b) {
    fine.vertices.push_back(0.5 * (mesh.vertices[a] + mesh.vertices[b]));
    return static_cast<int>(fine.vertices.size()) - 1;
  };
  for (const auto& [a, b, c] : mesh.triangles) {
    const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
    fine.triangles.push_back({a, ab, ca});
    fine.triangles.push_back({ab, b, bc});
    fine.triangles.push_back({ca, bc, c});
    fine.triangles.push_back({ab, bc, ca});
  }
  return fine;
}

inline TriangleMesh TurnedOver(TriangleMesh mesh) {
  for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
  return mesh;
}

}  // namespace stiction::testing
