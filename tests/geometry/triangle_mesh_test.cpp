#include "stiction/geometry/triangle_mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/math/rotation.h"
#include "tests/support/random_numbers.h"

namespace stiction {
namespace {

using Random = stiction::testing::RandomNumbers;
using std::numbers::pi;

TriangleMesh MakeBox(const Vector3d& half) {
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

// Latitude and longitude, `n` bands.
TriangleMesh MakeBall(double radius, int n) {
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

TriangleMesh Move(const RigidTransform& X, TriangleMesh mesh) {
  for (Vector3d& p : mesh.vertices) p = X * p;
  return mesh;
}

void ExpectNear(const MassProperties& a, const MassProperties& b, double tolerance) {
  EXPECT_NEAR(a.mass, b.mass, tolerance);
  EXPECT_LT((a.p_BBcm - b.p_BBcm).norm(), tolerance);
  EXPECT_LT((a.I_BBcm_B - b.I_BBcm_B).norm(), tolerance);
}

constexpr MeshSolid kVolumes[] = {MeshSolid::kExact, MeshSolid::kLegacy, MeshSolid::kConvex};

TEST(TriangleMesh, BoxMatchesThePrimitive) {
  const Vector3d half(0.3, 0.2, 0.1);
  const TriangleMesh mesh = MakeBox(half);
  EXPECT_NEAR(CalcSignedVolume(mesh), 0.048, 1e-16);
  EXPECT_NEAR(CalcArea(mesh), 8.0 * (0.06 + 0.02 + 0.03), 1e-15);
  for (const MeshSolid solid : kVolumes) {
    EXPECT_NEAR(CalcSolidMeasure(mesh, solid), 0.048, 1e-16);
    ExpectNear(CalcSolidMassProperties(mesh, solid, 2.0), CalcSolidMassProperties(Shape(Box{half}), 2.0),
               1e-15);
  }
}

// Moving the mesh moves the centre and turns the inertia, also far from the origin.
TEST(TriangleMesh, PropertiesMoveWithTheMesh) {
  Random random(1);
  const TriangleMesh ball = MakeBall(0.2, 8);
  for (int i = 0; i < 20; ++i) {
    const RigidTransform X{QuaternionExp(random.Vector3(2.0)).toRotationMatrix(), random.Vector3(100.0)};
    for (const MeshSolid solid :
         {MeshSolid::kExact, MeshSolid::kLegacy, MeshSolid::kConvex, MeshSolid::kShell}) {
      // Positions of 100 m carry 1e-14 of round-off, 1e-13 of the ball's size.
      ExpectNear(CalcSolidMassProperties(Move(X, ball), solid, 2.0),
                 Transform(X, CalcSolidMassProperties(ball, solid, 2.0)), 2e-12);
    }
  }
}

TEST(TriangleMesh, FineBallNearsTheSphere) {
  const TriangleMesh mesh = MakeBall(0.2, 50);
  const double volume = 4.0 / 3.0 * pi * 0.008;
  // A polyhedron of this fineness lacks up to (π/50)² of volume, area and moments.
  constexpr double kFineness = 4e-3;
  for (const MeshSolid solid : kVolumes) EXPECT_NEAR(CalcSolidMeasure(mesh, solid) / volume, 1.0, kFineness);
  EXPECT_NEAR(CalcSolidMeasure(mesh, MeshSolid::kShell) / (4.0 * pi * 0.04), 1.0, kFineness);
  const double solid_moment = CalcSolidMassProperties(mesh, MeshSolid::kExact, 1.0).I_BBcm_B(0, 0);
  const double shell_moment = CalcSolidMassProperties(mesh, MeshSolid::kShell, 1.0).I_BBcm_B(0, 0);
  EXPECT_NEAR(solid_moment / (2.0 / 5.0 * 0.04), 1.0, kFineness);
  EXPECT_NEAR(shell_moment / (2.0 / 3.0 * 0.04), 1.0, kFineness);
}

// Two boxes side by side, apart: the hull bridges them, the exact solid does not.
TEST(TriangleMesh, SolidsDifferWhereTheMeshIsConcave) {
  TriangleMesh mesh = MakeBox({0.1, 0.1, 0.1});
  const TriangleMesh other = Move({Matrix3d::Identity(), {0.6, 0, 0}}, mesh);
  for (const auto& t : other.triangles) mesh.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
  mesh.vertices.insert(mesh.vertices.end(), other.vertices.begin(), other.vertices.end());
  EXPECT_NEAR(CalcSolidMeasure(mesh, MeshSolid::kExact), 0.016, 1e-15);
  EXPECT_NEAR(CalcSolidMeasure(mesh, MeshSolid::kConvex), 0.8 * 0.04, 1e-15);
  EXPECT_GT(CalcSolidMeasure(mesh, MeshSolid::kLegacy), 0.016 + 1e-3);
  const MassProperties box = CalcSolidMassProperties(Shape(Box{{0.1, 0.1, 0.1}}), 1.0);
  ExpectNear(CalcSolidMassProperties(mesh, MeshSolid::kExact, 2.0),
             Add(box, Transform({Matrix3d::Identity(), {0.6, 0, 0}}, box)), 1e-15);
}

TEST(TriangleMesh, TurnedOverHasNegativeVolumeAndNoMass) {
  TriangleMesh mesh = MakeBox({0.3, 0.2, 0.1});
  for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
  EXPECT_NEAR(CalcSignedVolume(mesh), -0.048, 1e-16);
  EXPECT_EQ(CalcSolidMassProperties(mesh, MeshSolid::kExact, 1.0).mass, 0.0);
  EXPECT_EQ(CalcSolidMassProperties(mesh, MeshSolid::kLegacy, 1.0).mass, 1.0);
}

}  // namespace
}  // namespace stiction
