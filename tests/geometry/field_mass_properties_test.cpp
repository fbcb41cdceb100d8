#include "geometry/field_mass_properties.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "geometry/field_surface.h"
#include "geometry/sampled_field.h"
#include "stiction/geometry/field_solid.h"
#include "stiction/geometry/field_text.h"
#include "tests/support/meshes.h"
#include "tests/support/random_numbers.h"

namespace stiction {
namespace {

using std::numbers::pi;

MassProperties Of(const char* text) {
  return CalcSolidMassProperties(ParseDistanceField(text));
}

// Largest relative difference; lengths against the root of the inertia's share.
double CalcDifference(const MassProperties& a, const MassProperties& b) {
  const double radius = std::sqrt(b.I_BBcm_B.trace() / b.mass);
  return std::max({std::abs(a.mass / b.mass - 1.0), (a.p_BBcm - b.p_BBcm).norm() / radius,
                   (a.I_BBcm_B - b.I_BBcm_B).norm() / b.I_BBcm_B.norm()});
}

MassProperties OfSurface(const DistanceField& field, double spacing) {
  const TriangleMesh mesh = CalcSurface(field, spacing);
  return CalcSolidMassProperties(mesh, MeshSolid::kExact, CalcSignedVolume(mesh));
}

// Every closed form and quadrature against the surface's tetrahedra.
TEST(FieldMassProperties, LeavesMatchTheirSurfaces) {
  const struct {
    const char* text;
    double spacing, tolerance;
  } leaves[] = {
      // The surface lacks about (spacing / 3 r)² where it is curved.
      {"sphere(0.1)", 0.01, 8e-3},
      {"box(0.1, 0.08, 0.06)", 0.02, 1e-12},
      {"capsule(0.1, 0.1)", 0.01, 5e-3},
      {"cylinder(0.1, 0.05)", 0.01, 3e-3},
      {"ellipsoid(0.1, 0.08, 0.06)", 0.008, 8e-3},
      {"torus(0.1, 0.04)", 0.006, 5e-3},
      {"hexagon(0.1, 0.04)", 0.01, 1e-12},
      {"rotate(1, 2, 3, 40, move(0.3, 0.1, 0.2, scale(1.5, hexagon(0.1, 0.04))))", 0.01, 1e-9},
      {"dish(0.03, 0.07, 0.05, 0.004)", 0.0024, 1e-2},
      {"thread(0.024, 0.005, 0.0125)", 0.0005, 3e-3},
  };
  for (const auto& leaf : leaves) {
    const DistanceField field = ParseDistanceField(leaf.text);
    const double difference = CalcDifference(CalcSolidMassProperties(field), OfSurface(field, leaf.spacing));
    RecordProperty(std::string(leaf.text).substr(0, 5), std::to_string(difference * 1e6));
    EXPECT_LT(difference, leaf.tolerance) << leaf.text;
  }
}

// A padded segment on the axis is a capsule; at constant radius a ring of a stadium, by Pappus.
TEST(FieldMassProperties, RevolvedSegmentsMatchClosedForms) {
  EXPECT_LT(CalcDifference(Of("profile(0.1, 0, -0.2, 0, 0.2)"), Of("capsule(0.1, 0.2)")), 1e-12);
  EXPECT_LT(CalcDifference(Of("profile(0.1, 0, -0.2, 0, 0.1, 0, -0.1, 0, 0.2)"), Of("capsule(0.1, 0.2)")),
            1e-12);
  const double area = pi * 0.01 * 0.01 + 0.02 * 0.1;
  EXPECT_NEAR(Of("profile(0.01, 0.2, -0.05, 0.2, 0.05)").mass / (2.0 * pi * 0.2 * area), 1.0, 1e-12);
  // Slanted: the same stadium about its own middle.
  EXPECT_NEAR(Of("profile(0.01, 0.17, -0.04, 0.23, 0.04)").mass / (2.0 * pi * 0.2 * area), 1.0, 1e-12);
  // A tiny segment is a torus.
  EXPECT_LT(CalcDifference(Of("profile(0.03, 0.1, -1e-9, 0.1, 1e-9)"), Of("torus(0.1, 0.03)")), 1e-7);
}

// Over a whole number of turns a thread balances about its axis, and its volume is that of the mean square
// radius.
TEST(FieldMassProperties, WholeTurnsOfAThreadBalance) {
  const double d = 0.048, P = 0.005, H = 0.5 * std::sqrt(3.0) * P;
  const MassProperties bolt = Of("thread(0.048, 0.005, 0.06)");
  EXPECT_LT(bolt.p_BBcm.norm(), 1e-16);
  const double crest = 0.5 * d, root = crest - 0.625 * H;
  const double mean =
      (crest * crest + 2.0 * root * root) / 8.0 + 0.625 * (crest * crest + crest * root + root * root) / 3.0;
  EXPECT_NEAR(bolt.mass / (pi * mean * 0.06), 1.0, 1e-14);
  const MassProperties odd = Of("thread(0.048, 0.005, 0.0575)");  // sin(k h) = -1: off its axis
  EXPECT_GT(std::abs(odd.p_BBcm.x()), 1e-6);
}

// Without clearance a nut is a hexagon less the thread of its height; with it, the surface is the judge.
TEST(FieldMassProperties, NutIsAHexagonLessItsBore) {
  MassProperties bore = Of("thread(0.048, 0.005, 0.037)");
  bore.mass *= -1.0;
  bore.I_BBcm_B *= -1.0;
  EXPECT_LT(CalcDifference(Of("nut(0.048, 0.005, 0.037, 0.075, 0)"), Add(Of("hexagon(0.075, 0.0185)"), bore)),
            1e-12);
  const DistanceField loose = ParseDistanceField("nut(0.024, 0.005, 0.012, 0.04, 0.0004)");
  EXPECT_LT(CalcDifference(CalcSolidMassProperties(loose), OfSurface(loose, 0.0005)), 1e-3);
}

// What goes through surfaces, against exact values.
TEST(FieldMassProperties, SurfacesAreExtrapolated) {
  MassProperties drilled = Of("box(0.1, 0.1, 0.03)"), hole = Of("cylinder(0.05, 0.03)");
  hole.mass *= -1.0;
  hole.I_BBcm_B *= -1.0;
  const std::pair<const char*, MassProperties> solids[] = {
      {"difference(box(0.1, 0.1, 0.03), cylinder(0.05, 0.05))", Add(drilled, hole)},
      {"move(5, 0, 0, round(0.02, sphere(0.08)))", Of("move(5, 0, 0, sphere(0.1))")},
      {"union(torus(0.1, 0.03), torus(0.1, 0.02))", Of("torus(0.1, 0.03)")},
      {"union(thread(0.03, 0.005, 0.02), cylinder(0.01, 0.01))", Of("thread(0.03, 0.005, 0.02)")},
      {"union(dish(0.03, 0.07, 0.05, 0.004), cylinder(0.01, 0.002))", Of("dish(0.03, 0.07, 0.05, 0.004)")},
  };
  for (const auto& [text, exact] : solids) {
    const double difference = CalcDifference(Of(text), exact);
    RecordProperty(std::string(text).substr(0, 12), std::to_string(1e6 * difference));
    EXPECT_LT(difference, 3e-5) << text;  // measured: 1e-5 for the thread, the finest of these
  }
}

TEST(FieldMassProperties, SampledBallIsABall) {
  const DistanceField ball = MakeSampledField(stiction::testing::MakeBallMesh(0.1, 60), 0.01);
  // The interpolant's surface is off by up to 0.5 spacing²/R = 5e-4, three times that in volume.
  EXPECT_LT(CalcDifference(CalcSolidMassProperties(ball), Of("sphere(0.1)")), 2e-2);
}

TEST(FieldMassProperties, SolidsWithoutMassAreRefused) {
  EXPECT_THROW(Of("halfspace()"), std::invalid_argument);
  EXPECT_THROW(Of("union(halfspace(), sphere(1))"), std::invalid_argument);
  EXPECT_THROW(Of("intersection(sphere(0.1), move(1, 0, 0, sphere(0.1)))"), std::invalid_argument);
  EXPECT_THROW(Of("difference(sphere(0.1), sphere(0.2))"), std::invalid_argument);
}

// Whoever asks first, in the frame of the solid, of which the middle is not the field's.
TEST(FieldMassProperties, OfASolidAreTheFieldsWhenTheyAreAskedFor) {
  const DistanceField field =
      ParseDistanceField("intersection(sphere(0.1), move(0.02, 0, 0.07, box(0.1, 0.1, 0.1)))");
  const PlacedField placed = MakeField(field, 0.02);
  EXPECT_GT(placed.p_FG.norm(), 0.01);
  const MassProperties& solid = placed.shape.solid->CalcUnitDensity();
  const MassProperties expected =
      Transform({Matrix3d::Identity(), -placed.p_FG}, CalcSolidMassProperties(field));
  EXPECT_LT(CalcDifference(solid, expected), 1e-9);  // both to 1e-6, from grids that round-off shifts
  EXPECT_EQ(&solid, &placed.shape.solid->CalcUnitDensity());
}

}  // namespace
}  // namespace stiction
