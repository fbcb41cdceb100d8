#include "live/coarse_mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace stiction::viewer {
namespace {

// A unit sphere of 2 n^2 triangles, each corner with its place in a picture.
DrawMesh MakeSphere(int n) {
  DrawMesh mesh;
  const auto add = [&](int i, int j) {
    const double a = 2.0 * std::numbers::pi * i / n, b = std::numbers::pi * j / n;
    const Eigen::Vector3d p(std::sin(b) * std::cos(a), std::sin(b) * std::sin(a), std::cos(b));
    mesh.positions.push_back(p.cast<float>()), mesh.normals.push_back(p.cast<float>());
    mesh.texture_points.emplace_back(static_cast<float>(i) / n, static_cast<float>(j) / n);
  };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      add(i, j), add(i, j + 1), add(i + 1, j + 1);
      add(i, j), add(i + 1, j + 1), add(i + 1, j);
    }
  }
  return mesh;
}

TEST(CoarseMesh, StaysNearTheSurfaceWithFewerTriangles) {
  constexpr float kCell = 0.1f;
  const DrawMesh fine = MakeSphere(200), coarse = CoarsenMesh(fine, kCell);
  EXPECT_LT(coarse.positions.size(), fine.positions.size() / 5);
  ASSERT_GT(coarse.positions.size(), 1000u);
  ASSERT_EQ(coarse.normals.size(), coarse.positions.size());
  ASSERT_EQ(coarse.texture_points.size(), coarse.positions.size());
  double area = 0.0;
  for (std::size_t i = 0; i < coarse.positions.size(); i += 3) {
    const Eigen::Vector3f* p = &coarse.positions[i];
    area += 0.5 * (p[1] - p[0]).cross(p[2] - p[0]).norm();
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(p[k].norm(), 1.0f, kCell * std::sqrt(3.0f));
      EXPECT_NEAR(coarse.normals[i + k].norm(), 1.0f, 1e-5f);
      EXPECT_GT(coarse.normals[i + k].dot(p[k]), 0.9f);
    }
  }
  EXPECT_NEAR(area / (4.0 * std::numbers::pi), 1.0, 0.05) << "no part of it vanished, none is there twice";
}

TEST(CoarseMesh, LeavesWhatIsLargerThanItsCells) {
  const DrawMesh fine = MakeSphere(12);
  // But for the triangles at the poles that have no area.
  EXPECT_GE(CoarsenMesh(fine, 1e-3f).positions.size(), fine.positions.size() - 2u * 3u * 12u);
}

}  // namespace
}  // namespace stiction::viewer
