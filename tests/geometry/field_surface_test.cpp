#include "geometry/field_surface.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <stdexcept>
#include <string>

#include "geometry/sign_grid.h"
#include "stiction/geometry/field_text.h"
#include "tests/support/random_numbers.h"

namespace stiction {
namespace {

using Random = stiction::testing::RandomNumbers;
using std::numbers::pi;

// Checks that every edge has one triangle on either side, wound alike; returns V - E + F.
int CheckClosed(const TriangleMesh& mesh, const std::string& what) {
  std::map<std::pair<int, int>, int> directed;
  for (const auto& t : mesh.triangles) {
    for (int i = 0; i < 3; ++i) ++directed[{t[i], t[(i + 1) % 3]}];
  }
  int wrong = 0;
  for (const auto& [edge, count] : directed) {
    if (count != 1 || directed.count({edge.second, edge.first}) != 1) ++wrong;
  }
  EXPECT_EQ(wrong, 0) << what;
  return static_cast<int>(mesh.vertices.size() + mesh.triangles.size()) -
         static_cast<int>(directed.size() / 2);
}

double CalcLargestValue(const DistanceField& field, const TriangleMesh& mesh) {
  double worst = 0.0;
  for (const Vector3d& p : mesh.vertices) worst = std::max(worst, std::abs(field.CalcValue(p)));
  return worst;
}

struct Expected {
  std::string text;
  double spacing;
  int euler;  // 2 (pieces - handles)
};

TEST(FieldSurface, IsClosedWithTheSolidsEulerNumber) {
  const Expected cases[] = {
      {"sphere(0.1)", 0.02, 2},
      {"box(0.1, 0.08, 0.06)", 0.02, 2},
      {"cylinder(0.1, 0.05)", 0.02, 2},
      {"torus(0.1, 0.03)", 0.01, 0},
      {"difference(box(0.1, 0.1, 0.03), cylinder(0.05, 0.05))", 0.01, 0},
      {"union(sphere(0.1), move(0.3, 0, 0, sphere(0.05)))", 0.02, 4},
      {"shell(0.01, sphere(0.1))", 0.01, 4},
      {"dish(0.03, 0.07, 0.05, 0.004)", 0.004, 2},
      {"thread(0.024, 0.005, 0.012)", 0.0008, 2},
      {"nut(0.024, 0.005, 0.01, 0.04, 0.0002)", 0.001, 0},
  };
  for (const Expected& expected : cases) {
    const DistanceField field = ParseDistanceField(expected.text);
    const TriangleMesh mesh = CalcSurface(field, expected.spacing);
    EXPECT_EQ(CheckClosed(mesh, expected.text), expected.euler) << expected.text;
    EXPECT_GT(CalcSignedVolume(mesh), 0.0) << expected.text;
    EXPECT_LT(CalcLargestValue(field, mesh), 1e-6 * expected.spacing) << expected.text;
  }
}

// Signs without any smoothness: every ambiguous cube occurs.
TEST(FieldSurface, IsClosedForSolidsFinerThanTheGrid) {
  Random random(1);
  DistanceField field = MakeSphereField(0.01);
  for (int i = 0; i < 40; ++i) {
    const RigidTransform X{Matrix3d::Identity(), random.Vector3(0.06)};
    field = Unite(field, Transform(X, MakeSphereField(random.Uniform(0.004, 0.02))));
  }
  CheckClosed(CalcSurface(field, 0.011), "spheres");
}

// What the middle of a block decides, at whatever size, is what its nodes would have said.
TEST(FieldSurface, SignsAreThoseOfEveryNode) {
  for (const char* text : {"thread(0.024, 0.005, 0.02)", "nut(0.024, 0.005, 0.01, 0.04, 0.0002)",
                           "dish(0.03, 0.07, 0.05, 0.004)",
                           "difference(box(0.1, 0.1, 0.03), rotate(1, 2, 3, 25, cylinder(0.05, 0.05)))"}) {
    const DistanceField field = ParseDistanceField(text);
    const SignGrid grid(field, field.bounds().sizes().maxCoeff() / 37.0);
    int wrong = 0, inside = 0;
    for (int k = 0; k < grid.count(2); ++k) {
      for (int j = 0; j < grid.count(1); ++j) {
        for (int i = 0; i < grid.count(0); ++i) {
          const bool expected = field.CalcValue(grid.Node(i, j, k)) < 0.0;
          wrong += grid.IsInside(grid.Index(i, j, k)) != expected;
          inside += expected;
        }
      }
    }
    EXPECT_EQ(wrong, 0) << text;
    EXPECT_GT(inside, 100) << text;
  }
}

// Straight edges in general position: the mesh is the box, volume and area alike.
TEST(FieldSurface, BoxIsExact) {
  const DistanceField box = ParseDistanceField("rotate(1, 2, 3, 25, box(0.1, 0.08, 0.06))");
  const TriangleMesh mesh = CalcSurface(box, 0.02);
  EXPECT_NEAR(CalcSignedVolume(mesh) / (8.0 * 0.1 * 0.08 * 0.06), 1.0, 1e-9);
  const TriangleMesh aligned = CalcSurface(MakeBoxField({0.1, 0.08, 0.06}), 0.013);
  EXPECT_NEAR(CalcSignedVolume(aligned) / (8.0 * 0.1 * 0.08 * 0.06), 1.0, 1e-12);
  EXPECT_NEAR(CalcArea(aligned) / (8.0 * (0.1 * 0.08 + 0.08 * 0.06 + 0.06 * 0.1)), 1.0, 1e-12);
}

// No triangle cuts the rim off: each lies on the side or on a cap, and the rim's vertices are on both to
// round-off.
TEST(FieldSurface, CurvedEdgeIsSharp) {
  const TriangleMesh mesh = CalcSurface(MakeCylinderField(0.1, 0.05), 0.01);
  int cut = 0, on_rim = 0;
  for (const Vector3d& p : mesh.vertices) {
    if (std::hypot(std::hypot(p.x(), p.y()) - 0.1, std::abs(p.z()) - 0.05) < 1e-12) ++on_rim;
  }
  for (const auto& t : mesh.triangles) {
    bool side = true, cap = true;
    for (const int v : t) {
      const Vector3d& p = mesh.vertices[v];
      side = side && std::abs(std::hypot(p.x(), p.y()) - 0.1) < 1e-9;
      cap = cap && std::abs(std::abs(p.z()) - 0.05) < 1e-9;
    }
    if (!side && !cap) ++cut;
  }
  EXPECT_GT(on_rim, 120);  // at least one for each of the 63 cells around either rim
  EXPECT_EQ(cut, 0);
}

// The share of the surface that is further from φ = 0 than a chord of the spacing over the thread's radius.
TEST(FieldSurface, ThreadsCreasesAreSharp) {
  const DistanceField bolt = MakeThreadField(0.024, 0.005, 0.012);
  constexpr double kSpacing = 4e-4, kSagitta = 0.5 * kSpacing * kSpacing / 0.018;
  const TriangleMesh mesh = CalcSurface(bolt, kSpacing);
  double area = 0.0, off = 0.0;
  for (const auto& t : mesh.triangles) {
    const Vector3d &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    const double part = 0.5 * (b - a).cross(c - a).norm();
    area += part;
    if (std::abs(bolt.CalcValue((a + b + c) / 3.0)) > 2.0 * kSagitta) off += part;
  }
  RecordProperty("off", std::to_string(off / area));
  EXPECT_LT(off / area, 5e-3);
}

TEST(FieldSurface, VolumesConvergeWithSecondOrder) {
  const struct {
    std::string text;
    double volume, spacing;
  } cases[] = {
      {"sphere(0.1)", 4.0 / 3.0 * pi * 1e-3, 0.02},
      {"cylinder(0.1, 0.05)", pi * 0.01 * 0.1, 0.02},
      {"torus(0.1, 0.03)", 2.0 * pi * pi * 0.1 * 9e-4, 0.01},
  };
  for (const auto& solid : cases) {
    const DistanceField field = ParseDistanceField(solid.text);
    double previous = 0.0;
    for (const double spacing : {solid.spacing, 0.5 * solid.spacing, 0.25 * solid.spacing}) {
      const double error = std::abs(CalcSignedVolume(CalcSurface(field, spacing)) / solid.volume - 1.0);
      RecordProperty(solid.text.substr(0, 4) + std::to_string(spacing), std::to_string(1e6 * error));
      if (previous > 0.0) {
        EXPECT_GT(previous / error, 3.0) << solid.text;
      }
      previous = error;
    }
  }
}

TEST(FieldSurface, BadInputIsRefusedWithAdvice) {
  const DistanceField ball = MakeSphereField(0.1);
  EXPECT_THROW(CalcSurface(ball, 0.0), std::invalid_argument);
  EXPECT_THROW(CalcSurface(MakeHalfSpaceField(), 0.1), std::invalid_argument);
  EXPECT_THROW(CalcSurface(ParseDistanceField("intersection(sphere(0.1), move(1, 0, 0, sphere(0.1)))"), 0.1),
               std::invalid_argument);
  try {
    CalcSurface(ball, 1e-5);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("m fits"), std::string::npos);
  }
}

}  // namespace
}  // namespace stiction
