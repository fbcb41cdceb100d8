#include "stiction/geometry/triangle_mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/math/rotation.h"
#include "tests/support/meshes.h"
#include "tests/support/random_numbers.h"

namespace stiction {
namespace {

using Random = stiction::testing::RandomNumbers;
using std::numbers::pi;
using stiction::testing::MakeBallMesh;
using stiction::testing::MakeBoxMesh;

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
  const TriangleMesh mesh = MakeBoxMesh(half);
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
  const TriangleMesh ball = MakeBallMesh(0.2, 8);
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
  const TriangleMesh mesh = MakeBallMesh(0.2, 50);
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
  TriangleMesh mesh = MakeBoxMesh({0.1, 0.1, 0.1});
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
  const TriangleMesh mesh = stiction::testing::TurnedOver(MakeBoxMesh({0.3, 0.2, 0.1}));
  EXPECT_NEAR(CalcSignedVolume(mesh), -0.048, 1e-16);
  EXPECT_EQ(CalcSolidMassProperties(mesh, MeshSolid::kExact, 1.0).mass, 0.0);
  EXPECT_EQ(CalcSolidMassProperties(mesh, MeshSolid::kLegacy, 1.0).mass, 1.0);
}

}  // namespace
}  // namespace stiction
