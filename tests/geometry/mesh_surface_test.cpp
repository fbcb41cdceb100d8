#include "stiction/geometry/mesh_surface.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "stiction/geometry/distance.h"
#include "stiction/geometry/ray_cast.h"
#include "stiction/math/rotation.h"
#include "tests/support/meshes.h"
#include "tests/support/random_numbers.h"

namespace stiction {
namespace {

using testing::RandomNumbers;

// A copy, which outlives a mesh that has no name.
MeshSurface SurfaceOf(const PlacedMesh& placed) {
  return *placed.mesh.surface;
}

std::array<int, 4> CountEdges(const MeshSurface& s) {
  std::array<int, 4> counts{};
  for (const MeshSurface::Face& face : s.faces)
    for (int k = 0; k < 3; ++k) counts[static_cast<int>(face.edge[k])] += face.owns_edge[k];
  return counts;
}

TEST(MeshSurface, ABoxHasTwelveRidgesAndEightCorners) {
  // However finely it is cut.
  TriangleMesh mesh = testing::MakeBoxMesh({0.1, 0.2, 0.3});
  for (int cuts = 1; cuts <= 8; cuts *= 2) {
    const PlacedMesh placed = MakeMesh(mesh);
    const MeshSurface& s = SurfaceOf(placed);
    const auto [flat, convex, concave, open] = CountEdges(s);
    EXPECT_EQ(convex, 12 * cuts);
    EXPECT_EQ(concave + open, 0);
    EXPECT_EQ(2 * (flat + convex), 3 * static_cast<int>(s.faces.size()));
    EXPECT_EQ(std::count(s.is_corner.begin(), s.is_corner.end(), 1), 8);
    EXPECT_TRUE(s.is_closed);
    EXPECT_NEAR(s.unit_density.mass, 0.048, 1e-15);
    EXPECT_DOUBLE_EQ(s.thickness, 0.2);
    mesh = testing::Subdivide(mesh);
  }
}

TEST(MeshSurface, ACupHasRidgesAndValleys) {
  const int sides = 12;
  const PlacedMesh placed = MakeMesh(testing::MakeCup(0.04, 0.08, 0.003, sides));
  const auto [flat, convex, concave, open] = CountEdges(SurfaceOf(placed));
  EXPECT_EQ(convex, 3 * sides + sides);    // bottom's rim, the lip's two rims; outer wall
  EXPECT_EQ(concave, sides + sides);       // inner bottom's rim; inner wall
  EXPECT_EQ(flat, 3 * sides + 3 * sides);  // spokes of both bottoms and the lip; diagonals of walls and lip
  EXPECT_EQ(open, 0);
}

TEST(MeshSurface, ItsFrameStandsInTheMiddleOfItsBox) {
  TriangleMesh mesh = testing::MakeCup(0.04, 0.08, 0.003, 20);
  for (Vector3d& p : mesh.vertices) p += Vector3d(1, 2, 3);
  const PlacedMesh placed = MakeMesh(mesh);
  EXPECT_LT((placed.p_MG - Vector3d(1, 2, 3.0415)).norm(), 1e-12);
  EXPECT_LT((SurfaceOf(placed).lower + SurfaceOf(placed).upper).norm(), 1e-12);
  EXPECT_LT((SurfaceOf(placed).mesh.vertices[0] + placed.p_MG - mesh.vertices[0]).norm(), 1e-15);
}

// As STL files have them: three of its own for each triangle. Zeros of both signs are one number.
TEST(MeshSurface, EqualVerticesBecomeOne) {
  const TriangleMesh torus = testing::MakeTorus(0.3, 0.1, 20, 12);
  TriangleMesh soup;
  for (const auto& triangle : torus.triangles) {
    const int first = static_cast<int>(soup.vertices.size());
    for (const int v : triangle) {
      Vector3d p = torus.vertices[v];
      for (double& x : p) x = x == 0.0 && soup.vertices.size() % 2 == 1 ? -0.0 : x;
      soup.vertices.push_back(p);
    }
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  const PlacedMesh placed = MakeMesh(soup);
  EXPECT_EQ(SurfaceOf(placed).mesh.vertices.size(), torus.vertices.size());
  EXPECT_TRUE(SurfaceOf(placed).is_closed);
}

TEST(MeshSurface, InsideOutMeshesAreTurnedOver) {
  const TriangleMesh mesh = testing::MakeTorus(0.3, 0.1, 20, 12);
  const double volume = SurfaceOf(MakeMesh(mesh)).unit_density.mass;
  EXPECT_GT(volume, 0.0);
  const PlacedMesh turned = MakeMesh(testing::TurnedOver(mesh));
  EXPECT_NEAR(SurfaceOf(turned).unit_density.mass, volume, 1e-15);
  EXPECT_EQ(CountEdges(SurfaceOf(turned)), CountEdges(SurfaceOf(MakeMesh(mesh))));
}

TEST(MeshSurface, DamagedMeshesAreMendedOrNamed) {
  TriangleMesh mesh = testing::MakeBoxMesh({0.1, 0.1, 0.1});
  // A second copy of a vertex, a triangle without area, a vertex that nothing uses.
  mesh.vertices.push_back(mesh.vertices[7]);
  mesh.triangles[3][1] = mesh.triangles[3][1] == 7 ? 8 : mesh.triangles[3][1];
  mesh.triangles[3][2] = mesh.triangles[3][2] == 7 ? 8 : mesh.triangles[3][2];
  mesh.triangles.push_back({0, 1, 1});
  mesh.vertices.emplace_back(9, 9, 9);
  const MeshSurface& s = SurfaceOf(MakeMesh(mesh));
  EXPECT_TRUE(s.is_closed);
  EXPECT_EQ(s.mesh.vertices.size(), 8u);
  EXPECT_EQ(s.num_dropped, 1);

  mesh = testing::MakeBoxMesh({0.1, 0.1, 0.1});
  mesh.triangles.pop_back();
  EXPECT_FALSE(SurfaceOf(MakeMesh(mesh)).is_closed);
  EXPECT_EQ(CountEdges(SurfaceOf(MakeMesh(mesh)))[3], 3);
  mesh.triangles.push_back({0, 1, 99});
  EXPECT_THROW(MakeMesh(mesh), std::invalid_argument);
  mesh.triangles = {{0, 0, 0}};
  EXPECT_THROW(MakeMesh(mesh), std::invalid_argument);
  mesh.vertices[0].x() = std::nan("");
  EXPECT_THROW(MakeMesh(mesh), std::invalid_argument);
}

// Two boxes that share one edge, along which four triangles meet.
TEST(MeshSurface, EdgesOfFourTrianglesPairThoseThatRunOppositeWays) {
  TriangleMesh mesh = testing::MakeBoxMesh({0.1, 0.1, 0.1});
  const TriangleMesh other = mesh;
  for (const auto& t : other.triangles) mesh.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
  for (const Vector3d& p : other.vertices) mesh.vertices.emplace_back(p + Vector3d(0.2, 0.2, 0.0));
  const MeshSurface& s = SurfaceOf(MakeMesh(mesh));
  EXPECT_EQ(s.mesh.vertices.size(), 14u);
  EXPECT_TRUE(s.is_closed);
  EXPECT_NEAR(s.unit_density.mass, 0.016, 1e-15);
}

TEST(MeshSurface, TheTreeFindsWhatIsInABox) {
  RandomNumbers random(3);
  const PlacedMesh placed = MakeMesh(testing::MakeTorus(0.3, 0.1, 60, 30));
  const MeshSurface& s = SurfaceOf(placed);
  for (int trial = 0; trial < 200; ++trial) {
    const Vector3d center = random.Vector3(0.4), half = random.Vector3(0.1).cwiseAbs();
    std::vector<char> found(s.faces.size(), 0);
    s.tree.ForEachInBox(center - half, center + half, [&](int t) { found[t] = 1; });
    for (std::size_t t = 0; t < s.faces.size(); ++t) {
      const Vector3d &a = s.vertex(t, 0), &b = s.vertex(t, 1), &c = s.vertex(t, 2);
      const Vector3d lower = a.cwiseMin(b).cwiseMin(c), upper = a.cwiseMax(b).cwiseMax(c);
      const bool overlaps = (lower.array() <= (center + half).array()).all() &&
                            (upper.array() >= (center - half).array()).all();
      EXPECT_TRUE(found[t] || !overlaps);
    }
  }
}

TEST(MeshSurface, TheTreesOfTwoMeshesMeetWhereTrianglesDo) {
  RandomNumbers random(4);
  const PlacedMesh placed = MakeMesh(testing::MakeTorus(0.3, 0.1, 24, 12));
  const MeshSurface& s = SurfaceOf(placed);
  for (int trial = 0; trial < 20; ++trial) {
    const RigidTransform X{QuaternionExp(random.Vector3(3.0)).toRotationMatrix(), random.Vector3(0.4)};
    std::set<std::pair<int, int>> found;
    s.tree.ForEachPair(s.tree, X, 0.01, [&](int a, int b) { found.emplace(a, b); });
    const int count = static_cast<int>(s.faces.size());
    for (int a = 0; a < count; ++a) {
      for (int b = 0; b < count; ++b) {
        double nearest = 1.0;
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            nearest = std::min(nearest, (s.vertex(a, i) - X * s.vertex(b, j)).norm());
        EXPECT_TRUE(nearest >= 0.01 || found.contains({a, b}));
      }
    }
    EXPECT_LT(found.size(), static_cast<std::size_t>(count) * count / 4);
  }
}

TEST(MeshSurface, WindingNumbersTellInsideFromOutside) {
  const TriangleMesh torus = testing::MakeTorus(0.3, 0.1, 40, 24);
  EXPECT_NEAR(CalcWindingNumber(torus, {0.3, 0, 0}), 1.0, 1e-12);
  EXPECT_NEAR(CalcWindingNumber(torus, {0, 0, 0}), 0.0, 1e-12);
  EXPECT_NEAR(CalcWindingNumber(torus, {2, 1, 5}), 0.0, 1e-12);
  EXPECT_NEAR(CalcWindingNumber(testing::MakeFloor(200, 1.0), {0.3, 0.2, 0.01}), -0.5, 1e-3);
}

// By the vertices and face planes of a box, for which everything is known.
TEST(MeshSurface, RaysAndDistancesAreThoseOfTheBox) {
  RandomNumbers random(5);
  const Box box{{0.2, 0.3, 0.1}};
  const Shape mesh = MakeMesh(testing::Subdivide(testing::MakeBoxMesh(box.half_extents))).mesh;
  for (int trial = 0; trial < 2000; ++trial) {
    const Vector3d p = random.Vector3(0.8), d = random.Vector3(1.0).normalized();
    const auto hit = CastRay(mesh, p, d), expected = CastRay(Shape{box}, p, d);
    ASSERT_EQ(hit.has_value(), expected.has_value());
    if (hit) {
      EXPECT_NEAR(hit->distance, expected->distance, 1e-12);
      EXPECT_LT((hit->n_G - expected->n_G).norm(), 1e-12);
    }

    const RigidTransform X{QuaternionExp(random.Vector3(3.0)).toRotationMatrix(), random.Vector3(0.8)};
    for (const Shape& other : {Shape{Sphere{0.1}}, Shape{Capsule{0.05, 0.1}}, Shape{Box{{0.1, 0.05, 0.2}}},
                               Shape{Cylinder{0.1, 0.1}}, Shape{Ellipsoid{{0.1, 0.2, 0.05}}}, mesh}) {
      const Shape exact = std::holds_alternative<Mesh>(other) ? Shape{box} : other;
      const Distance far = CalcDistance(Shape{box}, {}, exact, X), found = CalcDistance(mesh, {}, other, X);
      if (far.distance < 1e-3) continue;
      EXPECT_NEAR(found.distance, far.distance, 1e-10) << ShapeName(other);
      EXPECT_LT((found.n_W - far.n_W).norm(), 1e-6) << ShapeName(other);
      EXPECT_NEAR(CalcDistance(other, X, mesh, {}).distance, far.distance, 1e-10);
    }
  }
}

TEST(MeshSurface, MassPropertiesAreThoseOfTheSolid) {
  const Shape mesh = MakeMesh(testing::MakeBoxMesh({0.1, 0.2, 0.3})).mesh;
  const MassProperties solid = CalcSolidMassProperties(mesh, 2.0),
                       box = CalcSolidMassProperties(Shape{Box{{0.1, 0.2, 0.3}}}, 2.0);
  EXPECT_LT((solid.I_BBcm_B - box.I_BBcm_B).norm(), 1e-14);
  EXPECT_LT(solid.p_BBcm.norm(), 1e-15);
  // A torus of tube r about R: 2 π² R r².
  const double volume = CalcVolume(MakeMesh(testing::MakeTorus(0.3, 0.1, 400, 200)).mesh);
  EXPECT_NEAR(volume / (2.0 * M_PI * M_PI * 0.3 * 0.01), 1.0, 1e-3);
  EXPECT_EQ(CalcVolume(MakeMesh(testing::MakeFloor(3, 0.1)).mesh), 0.0);
}

TEST(HeightField, IsAClosedSurfaceThroughItsSamples) {
  HeightGrid grid{3, 4, {}, {1.5, 1.0}, 0.5};
  for (int row = 0; row < 3; ++row)
    for (int col = 0; col < 4; ++col) grid.heights.push_back(0.1 * row + 0.01 * col);
  const TriangleMesh mesh = MakeHeightFieldMesh(grid);
  const PlacedMesh placed = MakeMesh(mesh);
  const MeshSurface& s = SurfaceOf(placed);
  EXPECT_TRUE(s.is_closed);
  EXPECT_EQ(s.num_dropped, 0);
  // A plane: every cell counts its four corners.
  EXPECT_NEAR(s.unit_density.mass, 3.0 * 2.0 * (0.5 + 0.1 + 0.015), 1e-12);
  for (const double x : {-1.4, 0.2, 1.3}) {
    for (const double y : {-0.9, 0.1, 0.8}) {
      const auto hit = CastRay(placed.mesh, Vector3d(x, y, 3.0) - placed.p_MG, -Vector3d::UnitZ());
      ASSERT_TRUE(hit);
      EXPECT_NEAR(3.0 - hit->distance, 0.1 * (y + 1.0) + 0.01 * (x + 1.5), 1e-12);
    }
  }
  grid.heights.pop_back();
  EXPECT_THROW(MakeHeightFieldMesh(grid), std::invalid_argument);
  grid.heights.push_back(-0.5);
  EXPECT_THROW(MakeHeightFieldMesh(grid), std::invalid_argument);
  EXPECT_THROW(MakeHeightFieldMesh({1, 4, {0, 0, 0, 0}, {1, 1}, 1}), std::invalid_argument);
}

// A cross product of edges of 1e154 m is no number, and no normal comes of it.
TEST(MeshSurface, RefusesLengthsWhoseProductsAreNoNumbers) {
  for (const double size : {1e60, 1e154, 1e-60, 1e-200})
    EXPECT_THROW(MakeMesh(testing::MakeBoxMesh(Vector3d::Constant(size))), std::invalid_argument) << size;
}

}  // namespace
}  // namespace stiction
