// Shells against their solids: a solid is shells in one another, so that what its volume and second moments
// gain as all faces move outwards by the same h is h times those of the shell.
#include "geometry/shell_mass_properties.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/geometry/triangle_mesh.h"

namespace stiction {
namespace {

using std::numbers::pi;

// Mass properties of what a shape with unit density gains, per metre, by central differences of solids whose
// faces are moved by ±h along their normals. Exact for surfaces that stay of their kind.
MassProperties CalcByDifference(const Shape& larger, const Shape& smaller, double h) {
  const MassProperties a = CalcSolidMassProperties(larger, CalcVolume(larger));
  const MassProperties b = CalcSolidMassProperties(smaller, CalcVolume(smaller));
  return {.mass = (a.mass - b.mass) / (2.0 * h), .I_BBcm_B = (a.I_BBcm_B - b.I_BBcm_B) / (2.0 * h)};
}

void ExpectIsShell(const Shape& shape, const MassProperties& by_difference) {
  const double area = CalcArea(shape);
  EXPECT_NEAR(area, by_difference.mass, 1e-6 * area);
  const MassProperties shell = CalcShellMassProperties(shape, area);
  EXPECT_EQ(shell.mass, area);
  EXPECT_LT((shell.I_BBcm_B - by_difference.I_BBcm_B).norm(), 1e-6 * by_difference.I_BBcm_B.norm());
}

TEST(ShellMassProperties, AreWhatSolidsGainAsTheyGrow) {
  const double h = 1e-5;
  const auto sphere = [](double d) { return Sphere{0.3 + d}; };
  ExpectIsShell(sphere(0), CalcByDifference(sphere(h), sphere(-h), h));
  const auto capsule = [](double d) { return Capsule{0.3 + d, 0.5}; };
  ExpectIsShell(capsule(0), CalcByDifference(capsule(h), capsule(-h), h));
  const auto cylinder = [](double d) { return Cylinder{0.3 + d, 0.5 + d}; };
  ExpectIsShell(cylinder(0), CalcByDifference(cylinder(h), cylinder(-h), h));
  const auto box = [](double d) { return Box{Vector3d(0.1 + d, 0.2 + d, 0.4 + d)}; };
  ExpectIsShell(box(0), CalcByDifference(box(h), box(-h), h));
}

// Of an ellipsoid of revolution: the area is known in closed form, the moments of any by triangles.
TEST(ShellMassProperties, OfEllipsoids) {
  const double a = 0.2, c = 0.7, e = std::sqrt(1.0 - a * a / (c * c));
  EXPECT_NEAR(CalcArea(Ellipsoid{{a, a, c}}), 2.0 * pi * a * (a + c / e * std::asin(e)), 1e-11);
  EXPECT_NEAR(CalcArea(Ellipsoid{{c, a, a}}), 2.0 * pi * a * (a + c / e * std::asin(e)), 1e-11);
  EXPECT_NEAR(CalcArea(Ellipsoid{{0.4, 0.4, 0.4}}), CalcArea(Sphere{0.4}), 1e-12);
  // A disk and a needle: nothing of the integrals is lost where they are nearly kinked.
  EXPECT_NEAR(CalcArea(Ellipsoid{{1.0, 1.0, 1e-6}}), 2.0 * pi, 1e-9);
  EXPECT_NEAR(CalcArea(Ellipsoid{{1e-6, 1.0, 1e-6}}), pi * pi * 1e-6, 1e-12);

  const Ellipsoid ellipsoid{{0.2, 0.5, 0.3}};
  TriangleMesh mesh;
  const int n = 600;  // the polyhedron's error is of the second order in 1/n
  for (int i = 0; i <= n; ++i) {
    for (int k = 0; k <= 2 * n; ++k) {
      const double t = pi * i / n, p = pi * k / n;
      mesh.vertices.push_back(Vector3d(std::sin(t) * std::cos(p), std::sin(t) * std::sin(p), std::cos(t))
                                  .cwiseProduct(ellipsoid.radii));
      const int v = static_cast<int>(mesh.vertices.size()) - 1, row = 2 * n + 1;
      if (i == n || k == 2 * n) continue;
      mesh.triangles.push_back({v, v + row, v + row + 1});
      mesh.triangles.push_back({v, v + row + 1, v + 1});
    }
  }
  const double area = CalcSolidMeasure(mesh, MeshSolid::kShell);
  EXPECT_NEAR(CalcArea(ellipsoid), area, 1e-5 * area);
  const MassProperties polyhedron = CalcSolidMassProperties(mesh, MeshSolid::kShell, 2.0);
  const MassProperties shell = CalcShellMassProperties(ellipsoid, 2.0);
  EXPECT_LT((shell.I_BBcm_B - polyhedron.I_BBcm_B).norm(), 1e-5 * shell.I_BBcm_B.norm());
}

// With z = c t and e the eccentricity a ring of a prolate spheroid has 2π a c √(1 − e² t²) dt, so that
//   ∫ √(1 − e² t²) dt = √(1 − e²) + asin(e)/e,   ∫ t² √(1 − e² t²) dt = (θ − sin(4θ)/4)/(4 e³),   θ = asin e.
TEST(ShellMassProperties, OfAProlateSpheroid) {
  const double a = 0.2, c = 0.7, e = std::sqrt(1.0 - a * a / (c * c)), theta = std::asin(e);
  const double t2 =
      (theta - 0.25 * std::sin(4.0 * theta)) / (4.0 * e * e * e) / (std::sqrt(1.0 - e * e) + theta / e);
  const double x2 = 0.5 * a * a * (1.0 - t2), z2 = c * c * t2, mass = 3.0;
  const Vector3d moments = mass * Vector3d(x2 + z2, x2 + z2, 2.0 * x2);
  const MassProperties shell = CalcShellMassProperties(Ellipsoid{{a, a, c}}, mass);
  EXPECT_LT((shell.I_BBcm_B.diagonal() - moments).norm(), 1e-12 * moments.norm());
}

// What MuJoCo 3.14 has instead of a shell (its numbers; src/geometry/shell_mass_properties.cpp says why).
TEST(ShellMassProperties, OfAnEllipsoidAreNotThoseOfALayerBetweenTwo) {
  const Vector3d radii(0.1, 0.2, 0.3),
      theirs(0.073818506446968968, 0.057454813884305622, 0.033091121322740946);
  const Ellipsoid inner{radii}, outer{radii + Vector3d::Constant(1e-6)};
  const MassProperties a = CalcSolidMassProperties(inner, CalcVolume(inner));
  const MassProperties b = CalcSolidMassProperties(outer, CalcVolume(outer));
  const Vector3d layer = 2.0 / (b.mass - a.mass) * (b.I_BBcm_B - a.I_BBcm_B).diagonal();
  EXPECT_LT((layer - theirs).norm(), 1e-9);
  const Vector3d shell = CalcShellMassProperties(inner, 2.0).I_BBcm_B.diagonal();
  EXPECT_LT((shell.cwiseQuotient(theirs) - Vector3d::Ones()).cwiseAbs().maxCoeff(), 0.017);
  EXPECT_GT((shell.cwiseQuotient(theirs) - Vector3d::Ones()).cwiseAbs().minCoeff(), 0.008);
}

TEST(ShellMassProperties, NoneWithoutASurfaceOfItsOwn) {
  EXPECT_EQ(CalcArea(Plane{}), 0.0);
  EXPECT_EQ(CalcShellMassProperties(Plane{}, 3.0).mass, 0.0);
}

}  // namespace
}  // namespace stiction
